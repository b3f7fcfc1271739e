// This file has the response of a mechanism without constraints.
#include "free_response.hpp"

#include "linear/dense.hpp"

namespace mechfmu {

FreeResponse::FreeResponse(Arena& arena, const Mechanism& m)
    : mechanism_(m), inertia_(arena, m.M, Pattern{}), x_(arena, m.sizes.velocities) {}

bool FreeResponse::factor(const Matrices& given, double time, Message& message) {
  return inertia_.factor(given.M) || fail_inertia(mechanism_, *this, time, message);
}

void FreeResponse::respond(const double* h, const double*, double* acceleration, double*) {
  inertia_.solve(h, x_.data());
  inertia_.solve_transposed(x_.data(), acceleration);
}

void FreeResponse::preimage(const double*, double* z) { dense::fill(mechanism_.sizes.velocities, 0, z); }

}  // namespace mechfmu
