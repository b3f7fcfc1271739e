// A pattern says where a sparse matrix has its nonzeros.
#pragma once

namespace mechfmu {

/// A pattern has the nonzeros of a matrix, column by column. A symmetric matrix lists its lower triangle only.
struct Pattern {
  int rows = 0;
  int columns = 0;
  int nonzeros = 0;
  const int* row = nullptr;
  const int* column = nullptr;
};

}  // namespace mechfmu
