// Takes the results of Mechanism::start apart, or their slopes.
#pragma once

#include "mechanism.hpp"

namespace mechfmu {

struct StartTape {
  StartTape(const Mechanism& m, const double* results) : next_(results) {
    const Sizes& s = m.sizes;
    M = take(s.M_nonzeros);
    C = take(s.C_nonzeros);
    c_t = take(s.rows());
    f_v = take(s.nonlinear_rows);
    F_v = take(s.nonlinear_rows * s.velocities);
    f = take(s.position_rows);
    f_start = take(s.start_position_rows);
    F = take(s.start_position_rows * s.velocities);
    r = take(s.start_velocity_rows);
    R = take(s.start_velocity_rows * s.velocities);
    missed = take(s.start_guess_rows);
    missed_slopes = take(s.start_guess_rows * s.velocities);
    q = take(s.positions);
    v = take(s.velocities);
    calculated = take(m.calculated_count);
  }
  const double *M, *C, *c_t, *f_v, *F_v, *f, *f_start, *F, *r, *R, *missed, *missed_slopes, *q, *v, *calculated;

 private:
  const double* take(int count) {
    const double* taken = next_;
    next_ += count;
    return taken;
  }
  const double* next_;
};

}  // namespace mechfmu
