// This class finds accelerations by null spaces on both sides:
//
//   v̇ = a_p + V (Lᵀ M V)⁻¹ Lᵀ (h − M a_p)      C_a a_p = −γ
//   λ = B_b⁻¹ (M v̇ − h)_b
#pragma once

#include "kept_rows.hpp"

namespace mechfmu {

class NullSpaceResponse final : public KeptRows {
 public:
  NullSpaceResponse(Arena&, const Mechanism&);
  bool factor(const Matrices&, double time, Message&) override;
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) override;

 private:
  bool factor_inertia(double time, Message&);

  const double* M_ = nullptr;
  RunTimeColumns MV_, K_;  ///< M V; the factors of Lᵀ M V
  Buffer<dynamic> force_;
  IndexBuffer K_pivot_;
};

}  // namespace mechfmu
