// Writes the equations of motion as C++: equations.cpp of an exported FMU, and the beginning of variables.cpp.
#pragma once

#include <array>
#include <string>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Says which classes of the core the generated code instantiates.
struct CompiledChoice {
  std::string resolution_class, method_class;  ///< class names: "PartitionedBasis", "Dopri5"
  int resolution_index = 0, method_index = 0;  ///< indices in mechanism/families.hpp
  bool with_basis = true;                      ///< is false if steps need accelerations
};

/// Counts the arithmetic operations of every emitted function.
struct OperationCounts {
  int prepare = 0, position = 0, velocity = 0;
  int violation = 0, acceleration = 0, calculate = 0;
  std::array<int, output_group_count> outputs{};
};
OperationCounts count_operations(const Derivation& derivation);

/// Holds two files, or parts of one.
struct EmittedEquations {
  std::string motion;   ///< has all functions of the motion, and the mechanism's table
  std::string outputs;  ///< has the groups of outputs that the table refers to
};

/// Writes the equations. A function has at most `chunk_size` statements.
EmittedEquations emit_equations(const Derivation& derivation, const CompiledChoice& choice, int chunk_size = 1000);

}  // namespace mechfmu
