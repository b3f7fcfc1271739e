// Chooses by measurements: docs/methods-compared.md.
#include "suited_resolution.hpp"

namespace mechfmu {

SuitedResolution suited_resolution(const Sizes& sizes, const Character& character, const Description& description) {
  if (!description.solver.independent.empty())
    return {"partitioned", "as the file says which coordinates are independent"};
  if (description.exposes_solver) return {"partitioned", "as the file asks for tangent velocities"};
  const bool one_freedom = sizes.degrees_of_freedom() == 1;  // u̇ needs no forces of inertia
  if (sizes.lasting_rows() == 0) {
    if (one_freedom) return {"partitioned", "as the mechanism has one degree of freedom"};
    return {"null_space_block",
            "as the mechanism has no constraints: only M has to be factored, and its rate is not needed"};
  }
  // Angular velocities are those in the bodies' frames and turn with them. Directions that are orthonormal in M turn
  // about twice as fast where M turns, too, so that integration in them takes more and shorter steps. Position
  // constraints could come to a singular position, where only a basis is sure.
  const bool only_rolls = sizes.position_rows == 0 && sizes.acceleration_rows == 0 && character.ideal_without_contacts;
  if (only_rolls && sizes.quaternions > 0 && !one_freedom) {
    return {"null_space_block",
            "as bodies that turn freely only have constraints of velocities: their mass matrix turns with them"};
  }
  return {"partitioned", "as the mechanism has constraints: fast, and sure in singular positions"};
}

}  // namespace mechfmu
