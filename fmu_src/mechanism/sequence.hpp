// A sequence is a view of elements that lie one after the other. (std::span needs C++20, and FMUs' sources may be
// compiled as C++17.)
#pragma once

#include <cstddef>

namespace mechfmu {

template <class Element>
struct Sequence {
  const Element* first;
  std::size_t length;

  constexpr Sequence(const Element* elements, std::size_t count) : first(elements), length(count) {}
  template <std::size_t count>
  // NOLINTNEXTLINE(google-explicit-constructor): where a sequence is expected, an array is one.
  constexpr Sequence(const Element (&elements)[count]) : first(elements), length(count) {}

  constexpr const Element* begin() const { return first; }
  constexpr const Element* end() const { return first + length; }
  constexpr std::size_t size() const { return length; }
  constexpr const Element& operator[](std::size_t i) const { return first[i]; }
};

}  // namespace mechfmu
