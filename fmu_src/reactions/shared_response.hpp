// In this response the kept rows share what the others leave open where data are rounded
// (constraints/shared_saddle.hpp). While nothing is to be shared, it is the response that it is built on.
#pragma once

#include "constraints/shared_saddle.hpp"
#include "response.hpp"

namespace mechfmu {

class SharedResponse final : public Response {
 public:
  /// `kept` answers for the kept rows, and lies in the same arena.
  SharedResponse(Arena&, const Mechanism&, Response* kept);
  /// Says whether dropped rows take part from the next factor() on. They can if all constraints are ideal.
  void share(bool wanted) { wanted_ = wanted && mechanism_.character.ideal && mechanism_.sizes.changing_rows == 0; }
  /// Tells whether they do.
  bool shares() const { return shares_; }

  bool factor(const Matrices&, double time, Message&) override;
  int row(int i) const override { return kept_->row(i); }
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) override;
  void multipliers(const double* force, double* multipliers) override { kept_->multipliers(force, multipliers); }
  void preimage(const double* multipliers, double* z) override { kept_->preimage(multipliers, z); }

 private:
  auto respond_in_order();

  const Mechanism& mechanism_;
  Response* kept_;
  int rows_;
  bool wanted_ = false, shares_ = false;
  SharedSaddle shared_;
  IndexBuffer order_;
  Buffer<dynamic> metric_, gamma_, multipliers_, no_force_;
};

}  // namespace mechfmu
