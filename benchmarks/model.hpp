// Has what the benchmarks that link a generated model share: a simulation set up as the file says.
#pragma once

#include "clock.hpp"
#include "fmu_src/fmi/variable_table.hpp"
#include "fmu_src/simulation/simulation.hpp"

namespace mechfmu {

/// Gives a simulation the start values of parameters and inputs, and returns the solver that the file chooses.
inline Settings take_start_values(Simulation& simulation) {
  Settings settings;
  for (const VariableRow& row : exported_variables().all()) {
    const double si = row.factor * row.start + row.offset;
    if (row.source == Source::solver_number) settings.*solver_numbers[row.index] = si;
    if (row.is_choice()) settings.*solver_choices[row.index].member = index_of_item(static_cast<int>(row.start));
    if (!row.settable()) continue;
    if (row.source == Source::parameter) simulation.set_parameter(row.index, si);
    if (row.source == Source::input) simulation.set_input(row.index, si);
  }
  return settings;
}

/// Assembles the simulation that the FMU holds, without the FMU.
inline void set_up(Simulation& simulation) {
  const Settings settings = take_start_values(simulation);
  if (!simulation.use(settings) || !simulation.assemble(0)) fail(simulation.message().text);
}

}  // namespace mechfmu
