// Couples coordinates by a linear equation: Σ factor · coordinate = constant.
#include "coupling_equation.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

CouplingEquation linear_equation(const Coupling& coupling, const Surroundings& around) {
  SX sum = -around.number(coupling.numbers, "constant");
  for (const auto& [coordinate, factor] : coupling.terms) sum += around.value(factor) * around.named(coordinate);
  return {Level::position, sum};
}

}  // namespace

CouplingType couplings::linear() {
  return {.name = "linear",
          .couples = CouplingType::sum,
          .holds = CouplingType::the_sum,
          .numbers = {{"constant", Measures::sum}},
          .equation = linear_equation};
}

}  // namespace mechfmu
