// Takes the file's wish which coordinates shall be independent.
#pragma once

#include <vector>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Marks the velocities of these coordinates in the equations, and those of filters, which are always independent. Adds
/// an error if the motion has no such coordinate, chooses none, or if it has no tangent velocities or no drift although
/// the file asks for them.
void prefer_coordinates(const Description&, Equations&, Diagnostics&);

/// Adds an error if other than k coordinates are named, or if they depend on each other at almost all positions. `q` is
/// a consistent position.
void check_preference(const Description&, const Derivation&, const std::vector<double>& q, Diagnostics&);

}  // namespace mechfmu
