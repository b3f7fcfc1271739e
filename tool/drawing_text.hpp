// Draws a mechanism at its start, for scripts that make pictures of it.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Returns JSON: the mechanism's name, lines, places on the ground, wheels (see scripts/icon.py).
std::string drawing_text(const Prepared& prepared);

}  // namespace mechfmu
