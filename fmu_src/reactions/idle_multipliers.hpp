// Idle multipliers do nothing together: they are null vectors N of B, B N = 0. If rows were dropped, λ is known up to
// combinations of them; among all these λ the one of least Euclidean norm is shown.
#pragma once

#include "linear/columns.hpp"
#include "response.hpp"

namespace mechfmu {

class IdleMultipliers {
 public:
  /// At most `most_dropped` rows are dropped.
  IdleMultipliers(Arena&, const Mechanism&, int most_dropped);

  /// Finds N for the rows that the response has kept.
  void find(Response&, const Response::Matrices&);
  int count() const { return count_; }
  /// Computes λ ← λ − N (NᵀN)⁻¹ Nᵀ (λ − target); `target` = nullptr means 0.
  void spread(double* multipliers, const double* target = nullptr);
  /// Takes back from a spread λ what the dropped rows have, so that λ of the kept rows is left.
  void gather(double* multipliers) const;

 private:
  const Mechanism& mechanism_;
  int n_, rows_, count_ = 0;
  RunTimeColumns null_vectors_, products_;
  Buffer<dynamic> part_, force_, size_, metric_;
  IndexBuffer dropped_;  ///< the dropped row that each null vector begins from
};

}  // namespace mechfmu
