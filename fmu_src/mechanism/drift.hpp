// Ways to keep the constraints.
#pragma once

namespace mechfmu {

/// families.hpp: drift_corrections.
enum class Drift { projection, integral, baumgarte, none };

}  // namespace mechfmu
