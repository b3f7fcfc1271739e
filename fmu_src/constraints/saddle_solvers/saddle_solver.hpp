// Finds accelerations and multipliers without a tangent basis. This is the contract of a solver of
//
//   [ M  −B ] [ v̇ ]   [  h ]
//   [ C   0 ] [ λ ] = [ −γ ]
//
// With B = Cᵀ and h = 0 it also gives the smallest correction in the metric M that takes −γ from C: Blajer 1993,
// (4.5a), for positions, and likewise for velocities.
//
// A member is a class template over the model and has besides
//   X(Arena&, const Model&)
//   static constexpr const char* name
//   static constexpr bool needs_regular_M     M must be positive definite in every direction, not only in those that
//                                             the constraints leave free
//   static constexpr bool needs_ideal         it solves for B = Cᵀ only
#pragma once

#include <type_traits>

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "mechanism/model.hpp"

namespace mechfmu {

class SaddleSolver {
 public:
  /// Factors the matrix. M is given in full. A = Cᵀ and B belong to r independent rows; they are n × r, column by
  /// column. B = nullptr stands for ideal constraints, B = Cᵀ. Returns false if the matrix is singular.
  virtual bool factor(int r, const double* M, const double* A, const double* B) = 0;
  /// Solves the equations, where h or γ = nullptr stands for 0.
  virtual void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) = 0;

 protected:
  ~SaddleSolver() = default;  // a solver lies in an arena
};

/// Calls act(r), with an r that the compiler knows if all of a generated model's rows are meant.
template <class Model, class Act>
[[gnu::always_inline]] inline auto with_rows(int r, Act&& act) {
  if constexpr (Model::generated) {
    constexpr std::integral_constant<int, Model::fixed.rank> all{};
    if constexpr (Model::fixed.all_rows() == 0) return act(all);
    else return r == all ? act(all) : act(r);
  } else {
    return act(r);
  }
}

}  // namespace mechfmu
