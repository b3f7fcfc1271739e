// When Newton's iterations end. Near a regular solution the steps shrink quadratically, until rounding of the residuals
// stops them: a step that is small and no longer half of the one before is such rounding.
#pragma once

#include "finite.hpp"

namespace mechfmu {

/// Sizes of steps, relative to the sizes of what they move.
struct NewtonRule {
  double exact;     ///< a step up to here changes nothing that is shown
  double rounding;  ///< steps below may be rounding
};

/// The sizes of the steps of one iteration, as they come.
class NewtonSteps {
 public:
  explicit NewtonSteps(const NewtonRule& rule) : rule_(rule) {}

  /// The next step has this size.
  void take(double size) {
    last_ = size_;
    size_ = size;
  }
  /// The iteration begins anew.
  void forget() { last_ = size_ = beyond_all; }
  double size() const { return size_; }
  /// The step is shorter than this part of the one before. False for NaN.
  bool shrinks(double part = 0.5) const { return size_ <= part * last_; }
  /// Nothing is left but rounding.
  bool ended() const { return size_ <= rule_.exact || (size_ < rule_.rounding && size_ > last_ / 2); }

 private:
  NewtonRule rule_;
  double last_ = beyond_all, size_ = beyond_all;
};

}  // namespace mechfmu
