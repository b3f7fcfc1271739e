// Finds the parts of a system of equations that have nothing to do with each other.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Holds rows and columns of a matrix, ascending, that its entries join, directly or through each other.
struct Connected {
  std::vector<casadi_int> rows, columns;
};

/// Returns the groups of a matrix in the order of their first rows; columns of zeros come last, each by itself.
std::vector<Connected> connected(const casadi::Sparsity& pattern);

}  // namespace mechfmu
