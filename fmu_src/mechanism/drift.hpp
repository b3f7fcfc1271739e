// Names the ways to keep the constraints.
#pragma once

namespace mechfmu {

/// The members have the order of drift_corrections in families.hpp.
enum class Drift { projection, integral, baumgarte, none };

}  // namespace mechfmu
