// Turns a description into equations.
#include "preparation/compose_mechanism.hpp"

#include "equations/compose_equations.hpp"
#include "equations/nominal_sizes.hpp"
#include "independent.hpp"
#include "mechanics/compose_bodies.hpp"

namespace mechfmu {

std::optional<Equations> compose_mechanism(const Description& description, Diagnostics& diagnostics) {
  std::optional<Equations> equations = description.bodies.empty() ? compose_equations(description, diagnostics)
                                                                  : compose_bodies(description, diagnostics);
  if (equations) find_nominal_sizes(description, *equations);
  if (equations) prefer_coordinates(description, *equations, diagnostics);
  return equations;
}

}  // namespace mechfmu
