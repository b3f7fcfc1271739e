// Chooses by measurements: docs/methods-compared.md.
#include "suited_resolution.hpp"

namespace mechfmu {

namespace {

/// From this many velocities on, without constraints, M v̇ = h takes at most about half of the time. Both ways factor M
/// along its nonzeros, but tangent velocities make it the unit matrix, and need Ṁ and the derivative of the factors for
/// this. With fewer velocities the gain is about ten nanoseconds.
constexpr int many_velocities = 4;

}  // namespace

SuitedResolution suited_resolution(const Sizes& sizes) {
  if (sizes.all_rows() > 0) {
    return {"partitioned", "as the mechanism has constraints: fast, and sure in singular positions"};
  }
  if (sizes.velocities < many_velocities) return {"partitioned", "as the mechanism is small"};
  return {"null_space_block",
          "as the mechanism has no constraints: only M has to be factored, and its rate is not needed"};
}

}  // namespace mechfmu
