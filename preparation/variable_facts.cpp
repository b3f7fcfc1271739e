// Collects what the derived equations show.
#include "variable_facts.hpp"

#include "dependencies.hpp"

namespace mechfmu {

namespace {

/// Adds dependencies that another search found. A motion on its constraints knows those on parameters more exactly.
void join(Dependence& all, const Dependence& others) {
  for (auto list : {&Dependence::positions, &Dependence::position_rates, &Dependence::velocities,
                    &Dependence::accelerations, &Dependence::multipliers, &Dependence::outputs}) {
    for (std::size_t i = 0; i < (all.*list).size(); ++i) {
      Known other = (others.*list)[i];
      other.parameters.clear();
      KnownUnion together;
      together.join((all.*list)[i]);
      together.join(other);
      (all.*list)[i] = together.known();
    }
  }
}

}  // namespace

VariableFacts variable_facts(const Derivation& derivation) {
  const Equations& equations = derivation.equations;
  VariableFacts facts;
  facts.tangent_velocities = derivation.sizes.degrees_of_freedom();
  facts.degrees_of_freedom = facts.tangent_velocities - derivation.sizes.nonlinear_rank;
  facts.filters = equations.filters;
  facts.remark = derivation.equations.remark;
  facts.positions = equations.positions;
  facts.velocities = equations.velocities;
  facts.accelerations = equations.accelerations;
  for (const ConstraintEquation& row : equations.constraints) {
    facts.multipliers.push_back(row.multiplier);
    facts.constraints.push_back({row.name, row.description, row.level});
  }
  for (const OutputEquation& output : equations.outputs) {
    facts.outputs.push_back({output.shown, output.group, output.index});
    if (output.group != state_rate_outputs) continue;
    facts.state_rates.push_back(output.shown);
    facts.state_rates.back().hidden = false;
  }
  facts.has_events = !equations.contacts.empty() || !equations.switches.empty();
  for (const ChangingVariable& one : equations.contact_states)
    facts.contact_states.push_back({one.shown, one.plus, one.minus});
  for (const ChangingVariable& one : equations.impulses) facts.impulses.push_back({one.shown, one.plus, one.minus});
  for (const ChangingVariable& one : equations.indicators) facts.indicators.push_back({one.shown, one.plus, one.minus});
  facts.parameters = equations.parameters;
  facts.parameter_values = equations.parameter_values;
  const Dependencies dependencies(derivation);
  facts.calculated = dependencies.calculated();
  facts.in_step = dependencies.in_step();
  if (facts.states_are_shown()) join(facts.in_step, dependencies.from_outside());
  facts.at_start = dependencies.at_start();
  return facts;
}

}  // namespace mechfmu
