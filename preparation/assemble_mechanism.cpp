// Turns a description into equations.
#include "assemble_mechanism.hpp"

#include "equations/assemble_equations.hpp"
#include "equations/nominal_sizes.hpp"
#include "independent.hpp"
#include "mechanics/assemble_bodies.hpp"

namespace mechfmu {

std::optional<Equations> assemble_mechanism(const Description& description, Diagnostics& diagnostics) {
  std::optional<Equations> equations = description.bodies.empty() ? assemble_equations(description, diagnostics)
                                                                  : assemble_bodies(description, diagnostics);
  if (equations) find_nominal_sizes(description, *equations);
  if (equations) prefer_coordinates(description, *equations, diagnostics);
  return equations;
}

}  // namespace mechfmu
