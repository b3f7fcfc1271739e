// Closing the position constraints after a step: Blajer 1993 (4.5a) with one factorisation.
#pragma once

#include "mechanism/kinematics.hpp"
#include "projection.hpp"

namespace mechfmu {

/// What became of q.
enum class Closing { in_place, moved, failed };

/// Moves q until f_p is at round-off. violation() fills f with f_p at q; correction() fills delta with the step that
/// one factorisation gives for f: q is 1e-8 or so away, and the factors at the first q serve all iterations.
/// Corrections below `rounding`, of the coordinates' sizes, that no longer become smaller are rounding of f, which a
/// singular position enlarges by the inverse of the distance from it.
template <class Model, class Violation, class Correction>
Closing close_positions(const Model& model, const double* C, const double* f, double* f_scale, const double* delta,
                        double* q, double rounding, Violation&& violation, Correction&& correction) {
  bool moved = false;
  double last = 1e300;
  for (int iteration = 0; iteration < 20; ++iteration) {
    violation();
    correction();
    const double size = relative_size(model, delta, q);
    if (size == 0) break;
    if (!(size < 0.5 * last)) {  // at round-off, or not converging
      if (size < rounding || at_round_off(model, C, model.sizes().position_rows, f, q, f_scale)) break;
      return Closing::failed;
    }
    move(model, delta, q);
    moved = true;
    last = size;
    if (size < 1e-15) break;
  }
  return moved ? Closing::moved : Closing::in_place;
}

}  // namespace mechfmu
