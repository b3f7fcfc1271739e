// Enters the author's unknowns.
#include "equations/compose_unknowns.hpp"

#include "columns.hpp"
#include "modelDescription/description/own_units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Shown shown_unknown(const Unknown& unknown) {
  Shown shown{unknown.name, unknown.description, unknown.unit, unknown.place};
  shown.nominal = unknown.nominal.value_or(0);
  return shown;
}

}  // namespace

UnknownComposer::UnknownComposer(const Description& description, ParameterComposer& parameters)
    : description_(description) {
  std::vector<std::string> names;
  for (const Unknown& unknown : description.unknowns) {
    names.push_back(unknown.name);
    ShownParameter start = shown_start(shown_unknown(unknown), unknown.start);
    start.description = "where the search for " + unknown.name + " begins";
    starts_.push_back(parameters.add(start, unknown.start.value.expression));
  }
  symbols_ = column_of_symbols(names);
}

void UnknownComposer::define(Translator& translate) const {
  for (std::size_t i = 0; i < description_.unknowns.size(); ++i)
    translate.define(description_.unknowns[i].name, symbols_(static_cast<casadi_int>(i)));
}

void UnknownComposer::add_equations(const std::function<SX(const Expression&)>& value, Equations& equations) const {
  for (std::size_t i = 0; i < description_.unknowns.size(); ++i) {
    const Unknown& unknown = description_.unknowns[i];
    equations.loads.push_back({unknown.name, unknown.place, SX::densify(value(unknown.equation)), starts_[i],
                               unknown.unit, own_unit(description_, unknown.dimension)});
  }
}

std::vector<std::pair<Shown, SX>> UnknownComposer::shown() const {
  std::vector<std::pair<Shown, SX>> result;
  for (std::size_t i = 0; i < description_.unknowns.size(); ++i)
    result.emplace_back(shown_unknown(description_.unknowns[i]), symbols_(static_cast<casadi_int>(i)));
  return result;
}

}  // namespace mechfmu
