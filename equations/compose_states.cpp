// Enters the states of the file.
#include "equations/compose_states.hpp"

#include "columns.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Shown shown_state(const OwnState& state) { return {state.name, state.description, state.unit, state.place}; }

}  // namespace

StateComposer::StateComposer(const Description& description, ParameterComposer& parameters)
    : description_(description) {
  std::vector<std::string> names;
  for (const OwnState& state : description.states) {
    names.push_back(state.name);
    ShownParameter start = shown_start(shown_state(state), state.start);
    if (state.steady) start.description = "where the search for the steady start of " + state.name + " begins";
    starts_.push_back(parameters.add(start, state.start.value.expression));
  }
  symbols_ = column_of_symbols(names);
}

void StateComposer::define(Translator& translate) const {
  for (std::size_t i = 0; i < description_.states.size(); ++i)
    translate.define(description_.states[i].name, symbols_(static_cast<casadi_int>(i)));
}

SX StateComposer::rates(Translator& translate) const {
  std::vector<SX> rates;
  for (const OwnState& state : description_.states) rates.push_back(translate(state.rate));
  const SX all = dense_column(rates);
  translate.let_move(symbols_, all);
  return all;
}

void StateComposer::add_resets(const std::function<SX(const Expression&)>& value, Equations& equations) const {
  for (std::size_t i = 0; i < description_.states.size(); ++i) {
    const std::optional<StateReset>& reset = description_.states[i].reset;
    if (!reset) continue;
    const SX condition = SX::if_else(value(reset->when), 1, 0);
    equations.resets.push_back({static_cast<int>(i), SX::densify(condition), SX::densify(value(reset->value))});
  }
}

void StateComposer::enter(const SX& rates, Equations& equations) const {
  int index = 0;
  for (const OwnState& state : description_.states) {
    const Shown shown = shown_state(state);
    Shown rate = shown_rate(shown, state.rate_unit);
    rate.hidden = true;  // The variable is that of a position's rate.
    equations.positions.push_back(shown);
    equations.states.push_back({state.name, state.steady});
    equations.outputs.push_back({rate, SX::densify(SX(rates(index))), state_rate_outputs, index});
    ++index;
  }
  equations.position_guess = SX::vertcat({equations.position_guess, column(starts_)});
}

}  // namespace mechfmu
