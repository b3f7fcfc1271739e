// Velocities that a file declares, and the rates of coordinates that follow from them: q̇ = A(q, t) v + a(q, t).
//
// The file's formulas are written in v, while the equations of motion have the rates q̇ as their velocities. So the
// program resolves the rates for v, v = Y (q̇ − a), with Y = A⁻¹ or, where more coordinates than velocities belong
// together, Y = (AᵀA)⁻¹Aᵀ. Lagrange's equations of T(q, Y (q̇ − a)) are, multiplied by Aᵀ, those of Boltzmann and Hamel
// in v:
//
//   d/dt ∂T/∂v_j − Σ_i A_ij ∂T/∂q_i + Σ γ terms of A = Σ_i A_ij Q_i
//
// because both say d'Alembert's principle for the same virtual displacements.
#pragma once

#include "equations/compose_parameters.hpp"
#include "translate.hpp"

namespace mechfmu {

class VelocityComposer {
 public:
  /// Enters the start values.
  VelocityComposer(const Description& description, ParameterComposer& parameters);

  /// Enters what the start of a coordinate's rate is calculated from: the starts of coordinates and of velocities.
  /// Returns its symbol. `positions` has the symbols of the coordinates' starts.
  casadi::SX add_rate_start(std::size_t coordinate, const ShownParameter& shown,
                            const std::vector<casadi::SX>& positions);

  /// Finds the velocities as functions of rates, gives their names a meaning, and enters them and their starts. Adds
  /// an error if rates and velocities do not determine each other.
  void resolve(Translator& translate, Equations& equations, Diagnostics& diagnostics);

 private:
  /// Returns Y of velocities and rates that hang together by A.
  casadi::SX inverse(const std::vector<casadi_int>& velocities, const casadi::SX& A, const Equations& equations,
                     Diagnostics& diagnostics) const;
  void enter(const casadi::SX& A, const casadi::SX& a, const casadi::SX& Y, Translator& translate,
             Equations& equations) const;
  std::vector<std::string> names(const std::vector<casadi_int>& velocities) const;

  /// Returns a start as a formula of parameters that are not calculated; `symbol` stands for it.
  casadi::SX given(const Start& start, const casadi::SX& symbol) const;

  const Description& description_;
  ParameterComposer& parameters_;
  std::vector<casadi::SX> starts_;
  std::vector<casadi_int> given_;  ///< coordinates whose rates follow from velocities
};

}  // namespace mechfmu
