// This class finds accelerations of mechanisms with many rows: it factors [M −B; C_a 0] for the rows that are kept, by
// sparse factors.
#pragma once

#include "linear/sparse_split.hpp"
#include "response.hpp"

namespace mechfmu {

class SparseResponse final : public Response {
 public:
  SparseResponse(Arena&, const Mechanism&);
  bool factor(const Matrices&, double time, Message&) override;
  int row(int i) const override { return constraints_.row(i); }
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) override;
  void multipliers(const double* force, double* multipliers) override;
  void preimage(const double* multipliers, double* z) override;

 private:
  void measure(const Matrices&);
  void solve(const double* h, const double* gamma, double* multipliers);

  const Mechanism& mechanism_;
  int n_, rows_, free_rows_;
  SparseSplit constraints_, system_;  ///< C_a; and [M −B; C_a 0] with its dropped rows struck out
  IndexBuffer kept_;                  ///< 1 for each row that is kept, else 0
  /// The last four hold one number for each equation or unknown of the system, n + all_rows() in all.
  Buffer<dynamic> metric_, force_, right_side_, solution_, equation_scale_, unknown_scale_;
};

}  // namespace mechfmu
