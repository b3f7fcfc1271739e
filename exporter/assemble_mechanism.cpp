// Description to equations.
#include "assemble_mechanism.hpp"

#include "assemble_equations.hpp"
#include "mechanics/assemble_bodies.hpp"

namespace mechfmu {

std::optional<Equations> assemble_mechanism(const Description& description, Diagnostics& diagnostics) {
  return description.bodies.empty() ? assemble_equations(description, diagnostics)
                                    : assemble_bodies(description, diagnostics);
}

}  // namespace mechfmu
