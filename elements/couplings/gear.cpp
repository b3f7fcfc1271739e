// A gear between two coordinates: second = ratio · first + offset.
#include "coupling_equation.hpp"
#include "list.hpp"

namespace mechfmu {

namespace {

CouplingEquation equation(const Coupling& coupling, const Surroundings& around) {
  const casadi::SX ratio = number_of(coupling, "ratio", around);
  return {Level::position, proportion(coupling, ratio, number_of(coupling, "offset", around), around)};
}

}  // namespace

CouplingType couplings::gear() {
  return {.name = "gear",
          .numbers = {{"ratio", LoadNumber::ratio, true}, {"offset", LoadNumber::second}},
          .equation = equation};
}

}  // namespace mechfmu
