// Enters parameters, start values and inputs of every kind of mechanism: their symbols, their numbers as the file gives
// them, and the formulas of those that are calculated from others.
#pragma once

#include <functional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "translate.hpp"

namespace mechfmu {

class ParameterComposer {
 public:
  /// Enters the author's parameters.
  ParameterComposer(const Description& description, Equations& equations);

  /// Enters a start value, which may be calculated from the author's parameters; returns its symbol.
  casadi::SX add(const ShownParameter& shown, const Expression& formula);
  casadi::SX add(const ShownParameter& shown, const casadi::SX& value);

  /// Returns a formula of parameters; what a calculated one is calculated from stands in its place.
  casadi::SX formula(const Expression& expression) { return of_parameters_(expression); }
  /// Returns the symbol of one of the author's parameters.
  const casadi::SX& symbol(std::size_t parameter) const { return symbols_[parameter]; }
  /// Returns the numbers of an expression of parameters, with the file's values.
  std::vector<double> numbers(const casadi::SX& expression) const;

  /// Fills in what equations say about parameters. Adds an error for each that has no finite value.
  void finish(Diagnostics& diagnostics);

 private:
  casadi::SX add_symbol(const ShownParameter& shown);
  casadi::SX given_values() const;

  Equations& equations_;
  Translator of_parameters_;
  std::vector<casadi::SX> symbols_, values_;
};

/// Enters names and start values of the author's inputs.
void enter_inputs(const Description& description, Equations& equations);

}  // namespace mechfmu
