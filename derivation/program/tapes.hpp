// Functions as data for fmu_src/mechanism/tape.hpp.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

#include "fmu_src/mechanism/mechanism.hpp"

namespace mechfmu {

/// Holds what a Tape points to.
struct TapeStorage {
  std::vector<Tape::Step> steps;
  std::vector<double> numbers;
  std::vector<int> results;

  Tape tape() const {
    return {static_cast<int>(steps.size()), steps.data(), numbers.data(), static_cast<int>(results.size()),
            results.data()};
  }
};

/// Returns the tape of a function of Symbols::all(), and of Point::preimage if it has that. Results are all its
/// outputs' elements.
TapeStorage tape_of(const casadi::Function& function);

}  // namespace mechfmu
