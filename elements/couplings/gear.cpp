// Couples two coordinates by a gear: second = ratio · first + offset.
#include "coupling_equation.hpp"
#include "list.hpp"

namespace mechfmu {

namespace {

CouplingEquation gear_equation(const Coupling& coupling, const Surroundings& around) {
  const casadi::SX ratio = around.number(coupling.numbers, "ratio");
  return {Level::position, proportion(coupling, ratio, around.number(coupling.numbers, "offset"), around)};
}

}  // namespace

CouplingType couplings::gear() {
  return {.name = "gear",
          .numbers = {{"ratio", Measures::ratio, true, Bound::not_zero}, {"offset", Measures::second}},
          .equation = gear_equation};
}

}  // namespace mechfmu
