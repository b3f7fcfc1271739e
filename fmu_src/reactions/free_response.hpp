// This is the response of a mechanism without constraints: only M is factored, by its nonzeros.
#pragma once

#include "linear/sparse_cholesky.hpp"
#include "response.hpp"

namespace mechfmu {

class FreeResponse final : public Response {
 public:
  FreeResponse(Arena&, const Mechanism&);
  bool factor(const Matrices&, double time, Message&) override;
  int row(int i) const override { return i; }
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) override;
  void multipliers(const double*, double*) override {}
  void preimage(const double*, double* z) override;

 private:
  const Mechanism& mechanism_;
  SparseCholesky inertia_;
  Buffer<dynamic> x_;
};

}  // namespace mechfmu
