// Everything that the numeric core asks of a mechanism, derived from its equations by differentiation.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <casadi/casadi.hpp>

#include "derivation/program/told.hpp"
#include "derivation/rows/local_frames.hpp"
#include "equations/equations.hpp"
#include "fmu_src/mechanism/mechanism.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Lists by structure which inputs can influence a value at an instant; indices ascend.
struct InputDependencies {
  std::vector<std::vector<int>> outputs;  ///< one for each of Equations::outputs
  std::vector<std::vector<int>> accelerations;
  std::vector<std::vector<int>> multipliers;
};

/// Holds the expressions behind the stages of one evaluation; matrices are columns of their nonzeros.
struct StageExpressions {
  casadi::SX M, C, c_t;
  casadi::SX g, C_rate, M_rate;
  casadi::SX Q_short;  ///< replaces g for one degree of freedom
};

/// Holds the functions of fmu_src/mechanism/mechanism.hpp as CasADi functions of Symbols::all(), and their patterns.
/// Every result is a dense column; a matrix is the column of its nonzeros in the order of its pattern.
struct Derivation {
  Equations equations;  ///< the given ones, with Symbols::angles in place of turns, and with Equations::turning
  Sizes sizes;          ///< ranks are unknown (full) until fix_ranks; `work` belongs to the generated code
  Character character;

  casadi::Sparsity M, C, M_rate, C_rate, C_a, B;  ///< M and M_rate: lower triangle
  StageExpressions stages;
  casadi::Function staged;    ///< M, C, c_t, g, C_rate, M_rate: what position and velocity give together
  casadi::Function position;  ///< M, C, c_t
  casadi::Function velocity;  ///< g, C_rate, M_rate
  casadi::Function violation, acceleration, calculate;
  casadi::Function switches;                            ///< is empty if no formula has a condition
  casadi::Function resets;                              ///< is empty if no state is reset
  casadi::Function gaps, contact_speeds, contact_laws;  ///< are empty if nothing comes and goes
  casadi::Function reaction_impulses;                   ///< is empty if nothing gives impulses
  casadi::Function local_frames;  ///< J and Ĉ, dense; empty if no constraint has local coordinates
  LocalFrames frames;
  casadi::Function nonlinear;         ///< f_v, and Fᵀ with F = ∂f_v/∂v, dense
  casadi::Function guess;             ///< q, v
  casadi::Function start_positions;   ///< f, and ∂f by moves of positions, dense
  casadi::Function start_velocities;  ///< r, and ∂r/∂v, dense
  casadi::Function start_guesses;     ///< g, and ∂g by moves of positions, dense
  casadi::Function branches;
  casadi::Function told_lengths;
  ToldTables told;
  casadi::Function condition_values;  ///< one column, two numbers of each
  casadi::Function angles;            ///< raw, rates, guesses
  casadi::SX mass;                    ///< nonzeros of M with the loads; stages.M has their starts in place of them
  casadi::Function mass_with_loads;   ///< is empty if M contains none
  casadi::Function loads, load_slopes, load_actions, load_starts;  ///< matrices dense
  std::array<casadi::Function, output_group_count> outputs;
  std::array<int, output_group_count> output_counts{};
  casadi::Function balance;  ///< depends on all symbols and Point::preimage; one column
  casadi::Function start;    ///< Mechanism::start, one column

  std::vector<bool> realised;  ///< rows of C_a whose reaction the author directs
  std::vector<bool> bare;      ///< rows of C_a whose residual is a number or an angle
  std::vector<int> same_unit;  ///< row of C_a → the first one whose residual has the same unit
  std::vector<bool> drives;    ///< inputs on which position or velocity constraints depend
  InputDependencies dependencies;

  /// Returns patterns of what velocity() returns: they are empty in short form.
  casadi::Sparsity stage_M_rate() const;
  casadi::Sparsity stage_C_rate() const;

  /// The generic ranks that the core found: decides whether the short form for one degree of freedom serves.
  void fix_ranks(int rank, int position_rank);
};

/// Derives everything. It adds an error for each contradiction to the form of the equations: a kinetic energy that is
/// not quadratic in the velocities, a mass matrix that is not symmetric, constraints that contain nothing that they
/// could constrain, unknowns that nothing determines.
std::optional<Derivation> derive(const Equations& equations, Diagnostics& diagnostics);

}  // namespace mechfmu
