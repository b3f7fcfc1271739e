// This file says when Newton's iterations end. Near a regular solution the steps shrink quadratically, until rounding
// of the residuals stops them: a step that is small and no longer half of the one before is such rounding.
#pragma once

#include "finite.hpp"

namespace mechfmu {

/// A rule has sizes of steps, relative to the sizes of what they move.
struct NewtonRule {
  double exact;     ///< a step up to here changes nothing that is shown
  double rounding;  ///< steps below this may be rounding
};

/// This class takes the sizes of the steps of one iteration as they come.
class NewtonSteps {
 public:
  explicit NewtonSteps(const NewtonRule& rule) : rule_(rule) {}

  /// Takes the size of the next step.
  void take(double size) {
    last_ = size_;
    size_ = size;
  }
  /// Lets the iteration begin anew.
  void forget() { last_ = size_ = beyond_all; }
  double size() const { return size_; }
  /// Is true if the step is not longer than this part of the one before. Is false for NaN.
  bool shrinks(double part = 0.5) const { return size_ <= part * last_; }
  /// Is true if nothing is left but rounding.
  bool ended() const { return size_ <= rule_.exact || (size_ < rule_.rounding && size_ > last_ / 2); }

 private:
  NewtonRule rule_;
  double last_ = beyond_all, size_ = beyond_all;
};

}  // namespace mechfmu
