// Parameters, start values and inputs: their symbols, their numbers as the file gives them, and the formulas of those
// that are calculated from others. The same for every kind of mechanism.
#pragma once

#include <functional>

#include "equations.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "translate.hpp"

namespace mechfmu {

class ParameterAssembly {
 public:
  /// Enters the author's parameters.
  ParameterAssembly(const Description& description, Equations& equations);

  /// Enters a start value, which may be calculated from the author's parameters; returns its symbol.
  casadi::SX add(const ShownParameter& shown, const Expression& formula);
  casadi::SX add(const ShownParameter& shown, const casadi::SX& value);

  /// A formula of parameters, calculated ones replaced by what they are calculated from.
  casadi::SX formula(const Expression& expression) { return of_parameters_(expression); }
  /// The symbol of one of the author's parameters.
  const casadi::SX& symbol(std::size_t parameter) const { return symbols_[parameter]; }
  /// Numbers of an expression of parameters, with the file's values.
  std::vector<double> numbers(const casadi::SX& expression) const;

  /// Fills what equations say of parameters; errors where one has no finite value.
  void finish(Diagnostics& diagnostics);

 private:
  casadi::SX add_symbol(const ShownParameter& shown);
  casadi::SX given_values() const;

  Equations& equations_;
  Translator of_parameters_;
  std::vector<casadi::SX> symbols_, values_;
};

/// Names and start values of the author's inputs.
void enter_inputs(const Description& description, Equations& equations);

}  // namespace mechfmu
