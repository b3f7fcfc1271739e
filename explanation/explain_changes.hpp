// Tells what may change at instants of the motion: rows that come and go, with what acts at the start and why, and
// conditions in formulas.
#pragma once

#include <string>

#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Returns the paragraphs; they are empty if nothing of this kind is there.
std::string explain_changes(const Prepared&);

}  // namespace mechfmu
