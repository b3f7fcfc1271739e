// Arrays of doubles whose length is known when a model is compiled, or only when it is loaded.
// The same algorithms run on both; neither allocates after construction.
#pragma once

#include <cstdlib>

namespace mechfmu {

/// Length or size that is known at run time only.
inline constexpr int dynamic = -1;

/// Product of two sizes, dynamic if one of them is.
constexpr int area(int rows, int columns) { return rows < 0 || columns < 0 ? dynamic : rows * columns; }

/// Fixed length: the numbers lie in the object itself.
template <int fixed_length>
class Buffer {
 public:
  explicit Buffer(int = fixed_length) {}
  double* data() { return values_; }
  const double* data() const { return values_; }
  double& operator[](int i) { return values_[i]; }
  double operator[](int i) const { return values_[i]; }
  bool ok() const { return true; }

 private:
  double values_[fixed_length > 0 ? fixed_length : 1] = {};
};

/// Run-time length: allocated once, with zeros.
template <>
class Buffer<dynamic> {
 public:
  explicit Buffer(int length)
      : values_(static_cast<double*>(std::calloc(static_cast<std::size_t>(length > 0 ? length : 1), sizeof(double)))) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(values_); }
  double* data() { return values_; }
  const double* data() const { return values_; }
  double& operator[](int i) { return values_[i]; }
  double operator[](int i) const { return values_[i]; }
  bool ok() const { return values_ != nullptr; }

 private:
  double* values_;
};

/// The same for indices.
class IndexBuffer {
 public:
  explicit IndexBuffer(int length)
      : values_(static_cast<int*>(std::calloc(static_cast<std::size_t>(length > 0 ? length : 1), sizeof(int)))) {}
  IndexBuffer(const IndexBuffer&) = delete;
  IndexBuffer& operator=(const IndexBuffer&) = delete;
  ~IndexBuffer() { std::free(values_); }
  int* data() { return values_; }
  const int* data() const { return values_; }
  int& operator[](int i) { return values_[i]; }
  int operator[](int i) const { return values_[i]; }
  bool ok() const { return values_ != nullptr; }

 private:
  int* values_;
};

}  // namespace mechfmu
