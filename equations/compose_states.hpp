// Enters the states of the file, in every kind of mechanism: their symbols, the parameters that they start with, and
// their rates.
#pragma once

#include "equations/compose_parameters.hpp"

namespace mechfmu {

class StateComposer {
 public:
  /// Enters a start parameter for each state.
  StateComposer(const Description& description, ParameterComposer& parameters);

  const casadi::SX& symbols() const { return symbols_; }
  /// Makes the states known to formulas.
  void define(Translator& translate) const;
  /// Returns their rates, from which formulas take derivatives.
  casadi::SX rates(Translator& translate) const;
  /// Adds them to the positions, behind those of coordinates, and to what is shown.
  void enter(const casadi::SX& rates, Equations& equations) const;
  /// Adds their resets; `value` translates.
  void add_resets(const std::function<casadi::SX(const Expression&)>& value, Equations& equations) const;

 private:
  const Description& description_;
  casadi::SX symbols_;
  std::vector<casadi::SX> starts_;
};

}  // namespace mechfmu
