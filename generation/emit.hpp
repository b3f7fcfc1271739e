// The equations of motion as C++: equations.cpp of an exported FMU, and what variables.cpp begins with.
#pragma once

#include <array>
#include <string>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Which classes of the core the generated code is compiled with.
struct CompiledChoice {
  std::string resolution_class, method_class;  ///< "PartitionedBasis", "Dopri5"
  int resolution_index = 0, method_index = 0;  ///< in mechanism/families.hpp
  bool with_basis = true;                      ///< else steps ask for accelerations
};

/// Arithmetic operations of every function, as emitted.
struct OperationCounts {
  int prepare = 0, position = 0, velocity = 0;
  int violation = 0, acceleration = 0, calculate = 0;
  std::array<int, output_group_count> outputs{};
};
OperationCounts count_operations(const Derivation& derivation);

/// Two files, or parts of one.
struct EmittedEquations {
  std::string motion;   ///< all that moves, and the mechanism's table
  std::string outputs;  ///< the groups of outputs that it refers to
};

/// Statements are put into functions of at most `chunk_size`.
EmittedEquations emit_equations(const Derivation& derivation, const CompiledChoice& choice, int chunk_size = 1000);

}  // namespace mechfmu
