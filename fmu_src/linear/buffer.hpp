// This file has arrays of doubles whose length is known when a model is compiled, or only at run time. Both kinds
// serve the same algorithms; neither allocates after construction.
#pragma once

#include "arena.hpp"

namespace mechfmu {

/// A length or size has this value if it is known at run time only.
inline constexpr int dynamic = -1;

/// Returns the product of two sizes; it is dynamic if one of them is.
constexpr int area(int rows, int columns) { return rows < 0 || columns < 0 ? dynamic : rows * columns; }

/// A buffer of fixed length holds its numbers in the object itself.
template <int fixed_length>
class Buffer {
 public:
  explicit Buffer(Arena&, int = fixed_length) {}
  double* data() { return values_; }
  const double* data() const { return values_; }
  double& operator[](int i) { return values_[i]; }
  double operator[](int i) const { return values_[i]; }

 private:
  double values_[fixed_length > 0 ? fixed_length : 1] = {};
};

/// An array of run-time length begins as zeros in an arena, which tells whether there was memory for them.
template <class Number>
class Array {
 public:
  Array(Arena& arena, int length) : values_(arena.zeros<Number>(length)) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Number* data() { return values_; }
  const Number* data() const { return values_; }
  Number& operator[](int i) { return values_[i]; }
  Number operator[](int i) const { return values_[i]; }

 private:
  Number* values_;
};

template <>
class Buffer<dynamic> : public Array<double> {
 public:
  using Array::Array;
};

/// An array of run-time length holds indices.
using IndexBuffer = Array<int>;

}  // namespace mechfmu
