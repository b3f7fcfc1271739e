// Enters parameters and start values.
#include "equations/compose_parameters.hpp"

#include "columns.hpp"
#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

ShownParameter shown(const Parameter& parameter) {
  ShownParameter result{{parameter.name, parameter.description, parameter.unit, parameter.place}};
  result.written = parameter.value.written;
  result.calculated = parameter.calculated;
  result.tunable = parameter.tunable;
  result.minimum = parameter.minimum;
  result.maximum = parameter.maximum;
  return result;
}

}  // namespace

ParameterComposer::ParameterComposer(const Description& description, Equations& equations)
    : equations_(equations), of_parameters_(description.functions) {
  for (const Parameter& parameter : description.parameters) add_symbol(shown(parameter));
  values_.resize(symbols_.size());
  const auto evaluate = [&](std::size_t index) {
    const Parameter& parameter = description.parameters[index];
    values_[index] = of_parameters_(parameter.value.expression);
    of_parameters_.define(parameter.name, parameter.calculated ? values_[index] : symbols_[index]);
  };
  for (std::size_t i = 0; i < description.parameters.size(); ++i)
    if (!description.parameters[i].calculated) evaluate(i);
  for (const int i : description.calculation_order) evaluate(static_cast<std::size_t>(i));
}

SX ParameterComposer::add_symbol(const ShownParameter& shown) {
  equations_.parameters.push_back(shown);
  symbols_.push_back(SX::sym(shown.name));
  return symbols_.back();
}

SX ParameterComposer::add(const ShownParameter& shown, const Expression& formula) {
  return add(shown, of_parameters_(formula));
}

SX ParameterComposer::add(const ShownParameter& shown, const SX& value) {
  const SX symbol = add_symbol(shown);
  values_.push_back(value);
  equations_.parameters.back().calculated = !value.is_constant();
  return symbol;
}

/// Returns the values that are numbers, and 0 for those that follow from them.
SX ParameterComposer::given_values() const {
  std::vector<SX> given(values_.size(), SX(0));
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].is_constant()) given[i] = values_[i];
  return column(given);
}

std::vector<double> ParameterComposer::numbers(const SX& expression) const {
  // Calculated parameters are replaced first, since the expression may use their symbols.
  const SX values = SX::substitute(column(values_), column(symbols_), given_values());
  return static_cast<casadi::DM>(SX::densify(SX::substitute(expression, column(symbols_), values))).nonzeros();
}

void ParameterComposer::finish(Diagnostics& diagnostics) {
  equations_.symbols.parameters = column(symbols_);
  equations_.parameter_values = numbers(column(symbols_));
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const ShownParameter& parameter = equations_.parameters[i];
    if (parameter.calculated) equations_.calculations.push_back({static_cast<int>(i), values_[i]});
    // A table may hide a division by zero from those who evaluate formulas of numbers alone.
    if (!is_finite(equations_.parameter_values[i]))
      diagnostics.add(parameter.place, "the value of " + in_quotes(parameter.name) + " is not a finite number",
                      "look for divisions by zero and roots of negative numbers");
  }
}

void enter_inputs(const Description& description, Equations& equations) {
  for (const Input& input : description.inputs) {
    equations.input_names.push_back(input.name);
    equations.input_values.push_back(to_si(input.start, input.unit));
  }
}

}  // namespace mechfmu
