// "zero_eigenvalue" takes the null space from the eigenvectors of Cᵀ C that belong to zeros (Walton and Steeves 1969,
// Kamman and Huston 1985; Pennestrì and Valentini 2007, (20)–(23)). Jacobi's rotations find them.
#pragma once

#include "linear/jacobi.hpp"
#include "normal_matrix.hpp"

namespace mechfmu {

template <int fixed_n>
struct Eigenvectors {
  static constexpr const char* name = "zero_eigenvalue";
  Eigenvectors(Arena&, int) {}
  bool decompose(WritableColumns<fixed_n> H, WritableColumns<fixed_n> T) {
    dense::diagonalise(H, T);
    return true;
  }
};

template <class Model>
using ZeroEigenvalueNullSpace = NormalMatrixNullSpace<Model, Eigenvectors>;

template <class Model>
using ZeroEigenvalueBasis = CarriedBasis<Model, ZeroEigenvalueNullSpace>;

}  // namespace mechfmu
