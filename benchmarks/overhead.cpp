// Measures what FMI adds to a step: fmi3DoStep against Simulation::advance, with equal steps from one state, in one
// program and with one compiled model, turn by turn. Prints two lines: for steps alone, and for steps before each of
// which the inputs are set. Each has the best times of a step through FMI and directly, in nanoseconds, and the largest
// difference of the coordinates at the end.
#include <cmath>
#include <cstdio>
#include <vector>

#include "fmi3Functions.h"
#include "fmu_src/fmi/exported_model.hpp"
#include "model.hpp"

namespace {

using namespace mechfmu;

constexpr int steps = 200, rounds = 400;
constexpr double step_size = 1e-4;  // is one internal step

void check(fmi3Status status) {
  if (status != fmi3OK) fail("an FMI function did not return OK");
}

}  // namespace

int main() {
  StandaloneSimulation simulation(exported_mechanism(), Settings{}, make_stepper);
  set_up(simulation);
  const std::vector<double> start(simulation.state(), simulation.state() + simulation.state_size());

  const VariableTable& variables = exported_variables();
  fmi3Instance fmu = fmi3InstantiateCoSimulation("benchmark", variables.token, nullptr, false, false, false, false,
                                                 nullptr, 0, nullptr, nullptr, nullptr);
  if (fmu == nullptr) fail("no instance");
  check(fmi3EnterInitializationMode(fmu, false, 0, 0, false, 0));
  check(fmi3ExitInitializationMode(fmu));
  fmi3FMUState fmu_start = nullptr;
  check(fmi3GetFMUState(fmu, &fmu_start));

  std::vector<fmi3ValueReference> inputs, positions;
  std::vector<double> input_values;
  for (int row = 0; row < variables.count; ++row) {
    const VariableRow& variable = variables.rows[row];
    const auto reference = static_cast<fmi3ValueReference>(row + 1);
    if (variable.source == Source::position) positions.push_back(reference);
    if (variable.source != Source::input) continue;
    inputs.push_back(reference);
    input_values.push_back(variable.start);
  }

  for (const bool with_inputs : {false, true}) {
    double best_fmi = 1e300, best_direct = 1e300, difference = 0;
    for (int round = 0; round < rounds; ++round) {
      check(fmi3SetFMUState(fmu, fmu_start));
      fmi3Boolean event, terminated, early;
      double time;
      int failed = 0;
      const double t0 = now();
      for (int i = 0; i < steps; ++i) {
        if (with_inputs) fmi3SetFloat64(fmu, inputs.data(), inputs.size(), input_values.data(), inputs.size());
        failed += fmi3DoStep(fmu, i * step_size, step_size, true, &event, &terminated, &early, &time) != fmi3OK;
      }
      const double t1 = now();
      simulation.restore(start.data());
      const double t2 = now();
      for (int i = 0; i < steps; ++i) {
        for (const fmi3ValueReference reference : inputs) {
          const VariableRow& row = variables.rows[reference - 1];
          if (with_inputs) simulation.set_input(row.index, row.factor * row.start + row.offset);
        }
        failed += !simulation.advance(i * step_size + step_size);
      }
      const double t3 = now();
      if (failed > 0) fail("a step failed");
      best_fmi = std::fmin(best_fmi, (t1 - t0) / steps * 1e9);
      best_direct = std::fmin(best_direct, (t3 - t2) / steps * 1e9);
    }
    for (const fmi3ValueReference reference : positions) {
      const VariableRow& row = variables.rows[reference - 1];
      double value;
      check(fmi3GetFloat64(fmu, &reference, 1, &value, 1));
      const double si = row.factor * value + row.offset;
      difference = std::fmax(difference, std::fabs(si - simulation.positions()[row.index]));
    }
    std::printf("%.1f %.1f %.2e\n", best_fmi, best_direct, difference);
  }
  check(fmi3FreeFMUState(fmu, &fmu_start));
  fmi3FreeInstance(fmu);
  return 0;
}
