// The choice rests on measurements: docs/methods-compared.md.
#include "suited_resolution.hpp"

namespace mechfmu {

namespace {

/// From as many velocities on, without constraints, M v̇ = h takes about half of the time and less: M is factored along
/// its nonzeros either way, but tangent velocities make it the unit matrix, and need Ṁ and the derivative of the
/// factors for that. With fewer the gain is some ten nanoseconds.
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
