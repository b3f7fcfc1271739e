// Names components of vectors and quaternions, as the names of variables end.
#pragma once

#include <string>

namespace mechfmu {

inline constexpr const char* xyz[] = {".x", ".y", ".z"};
inline constexpr const char* wxyz[] = {".w", ".x", ".y", ".z"};

/// Calls `show(name + component, value)` for each entry of a column: `xyz` names the entries of a vector, `wxyz` those
/// of a quaternion.
template <class Column, class Names, class Show>
void show_each(const std::string& name, const Column& values, const Names& components, Show&& show) {
  for (int i = 0; i < values.numel(); ++i) show(name + components[i], values(i));
}

}  // namespace mechfmu
