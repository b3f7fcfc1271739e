// The names that units are made of (units.cpp), for those who ask whether a document or a test has them all.
#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Without prefixes: "m", "N", "rpm", …
std::vector<std::string> unit_names();

}  // namespace mechfmu
