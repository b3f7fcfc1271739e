// Enters the author's unknowns, in every kind of mechanism: their symbols, the parameters that they start with, and
// their equations.
#pragma once

#include "equations/compose_parameters.hpp"

namespace mechfmu {

class UnknownComposer {
 public:
  /// Enters a start parameter for each unknown.
  UnknownComposer(const Description& description, ParameterComposer& parameters);

  const casadi::SX& symbols() const { return symbols_; }
  /// Makes the unknowns known to formulas.
  void define(Translator& translate) const;
  /// Adds their equations behind those of frictions, and each unknown to what is shown; `value` translates.
  void add_equations(const std::function<casadi::SX(const Expression&)>& value, Equations& equations) const;
  std::vector<std::pair<Shown, casadi::SX>> shown() const;

 private:
  const Description& description_;
  casadi::SX symbols_;
  std::vector<casadi::SX> starts_;
};

}  // namespace mechfmu
