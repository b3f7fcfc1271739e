// Measures one evaluation of a model's equations of motion, as the integrators ask for it in the FMU. It is compiled
// for each model. Prints its degrees of freedom, velocities, independent constraints, and the nanoseconds.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "equations.cpp"  // benchmarks/generate_sources.cpp generates it
#include "model.hpp"

using namespace mechfmu;

int main() {
  const Mechanism& mechanism = exported_mechanism();
  Arena memory;
  StandaloneSimulation simulation(mechanism, Settings{}, make_stepper);
  set_up(simulation);
  State state(memory, mechanism.sizes);
  std::memcpy(state.data(), simulation.state(), sizeof(double) * static_cast<std::size_t>(state.size()));
  static ExportedMotion motion(memory, mechanism, Model{}, Drift::projection);  // may be large
  Message message;
  if (!motion.begin(state, message)) fail(message.text);
  std::vector<double> y(static_cast<std::size_t>(motion.length())), rate(y.size());
  motion.pack(state, y.data());

  const int rounds = 200, evaluations = 1 + 20000 / (20 + mechanism.sizes.velocities);
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const double begin = now();
    int failed = 0;
    for (int i = 0; i < evaluations; ++i) {
      failed += !motion.rate(0, y.data(), rate.data());
      if (!y.empty()) y[0] += 1e-13;  // No two evaluations are equal.
    }
    best = std::fmin(best, (now() - begin) / evaluations);
    if (failed > 0) fail(motion.trouble().text);
  }
  const Sizes& sizes = mechanism.sizes;
  std::printf("%d %d %d %.1f\n", sizes.degrees_of_freedom(), sizes.velocities, sizes.rank, best * 1e9);
  return 0;
}
