// Lists the names of units (units.cpp), for tests that ask whether a document or another test has them all.
#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Returns the names without prefixes: "m", "N", "rpm", …
std::vector<std::string> unit_names();

}  // namespace mechfmu
