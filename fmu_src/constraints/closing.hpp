// Closes the position constraints after a step by Blajer 1993, (4.5a), with one factorisation.
#pragma once

#include "mechanism/position_rates.hpp"
#include "projection.hpp"

namespace mechfmu {

/// Says what became of q.
enum class Closing { in_place, moved, failed };

/// Moves q until f_p is at round-off. violation() fills f with f_p at q. correction() fills delta with the step that
/// one factorisation gives for f: q is 1e-8 or so away, and the factors at the first q serve all iterations.
/// Corrections that the rule takes for rounding and that no longer become smaller are rounding of f. A singular
/// position enlarges this rounding by the inverse of the distance from it.
template <class Model, class Violation, class Correction>
Closing close_positions(const Model& model, const double* C, const double* f, double* f_scale, const double* delta,
                        double* q, const NewtonRule& rule, Violation&& violation, Correction&& correction) {
  bool moved = false;
  NewtonSteps steps(rule);
  for (int iteration = 0; iteration < 20; ++iteration) {
    violation();
    correction();
    const double size = relative_size(model, delta, q);
    if (size == 0) break;
    steps.take(size);
    if (!steps.shrinks()) {  // f is at round-off, or the steps do not converge
      if (size < rule.rounding || at_round_off(model, C, model.sizes().position_rows, f, q, f_scale)) break;
      return Closing::failed;
    }
    move(model, delta, q);
    moved = true;
    if (size < rule.exact) break;
  }
  return moved ? Closing::moved : Closing::in_place;
}

}  // namespace mechfmu
