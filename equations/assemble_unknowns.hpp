// The author's unknowns: their symbols, the parameters that they start with, and their equations. The same for every
// kind of mechanism.
#pragma once

#include "assemble_parameters.hpp"

namespace mechfmu {

class UnknownAssembly {
 public:
  /// Enters a start parameter for each.
  UnknownAssembly(const Description& description, ParameterAssembly& parameters);

  const casadi::SX& symbols() const { return symbols_; }
  /// Makes them known to formulas.
  void define(Translator& translate) const;
  /// Their equations, after those of frictions; `value` translates. And each as something shown.
  void add_equations(const std::function<casadi::SX(const Expression&)>& value, Equations& equations) const;
  std::vector<std::pair<Shown, casadi::SX>> shown() const;

 private:
  const Description& description_;
  casadi::SX symbols_;
  std::vector<casadi::SX> starts_;
};

}  // namespace mechfmu
