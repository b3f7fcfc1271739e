// Writes C++ text of numbers, names and operations.
#pragma once

#include <string>
#include <vector>

#include "derivation/program/program.hpp"
#include "fmu_src/mechanism/tape.hpp"

namespace mechfmu {

/// The shortest text that is read back as exactly this double.
std::string number_text(double value);

/// Returns a string literal.
std::string literal(const std::string& text);

/// Returns an operation as a C++ expression of its operands' texts (names or literals).
std::string operation_text(const Node& value, const std::vector<std::string>& operands);

/// Returns the operation on a tape.
Operation operation_on_tape(const Node& value);

/// C++ functions that operation_text may call beyond <math.h>: name and definition.
struct HelperFunction {
  const char* call;  ///< "sign("
  const char* definition;
};
const std::vector<HelperFunction>& helper_functions();

}  // namespace mechfmu
