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

/// A step whose parts have rules of their own is made of these parts, one after the other.
class NewtonStep {
 public:
  /// Adds a part, relative to the size of what it moves. A part that is not a number makes the whole none.
  void add(double part, const NewtonRule& rule) {
    if (size_ == size_ && !(part <= size_)) size_ = part;
    exact_ = exact_ && part <= rule.exact;
    at_rounding_ = at_rounding_ && part < rule.rounding;
  }
  double size() const { return size_; }
  /// Is true if no part changes anything that is shown.
  bool exact() const { return exact_; }
  /// Is true if all parts may be rounding.
  bool at_rounding() const { return at_rounding_; }

 private:
  double size_ = 0;
  bool exact_ = true, at_rounding_ = true;
};

/// This class takes the steps of one iteration as they come.
class NewtonSteps {
 public:
  NewtonSteps() = default;
  /// All steps have this rule.
  explicit NewtonSteps(const NewtonRule& rule) : rule_(rule) {}

  /// Takes the size of the next step.
  void take(double size) {
    NewtonStep step;
    step.add(size, rule_);
    take(step);
  }
  void take(const NewtonStep& step) {
    last_ = size_;
    size_ = step.size();
    exact_ = step.exact();
    at_rounding_ = step.at_rounding();
  }
  /// Lets the iteration begin anew.
  void forget() {
    last_ = size_ = beyond_all;
    exact_ = at_rounding_ = false;
  }
  double size() const { return size_; }
  /// Is true if the step is not longer than this part of the one before. Is false for NaN.
  bool shrinks(double part = 0.5) const { return size_ <= part * last_; }
  /// Is true if nothing is left but rounding.
  bool ended() const { return exact_ || (at_rounding_ && size_ > last_ / 2); }
  /// Is true if the step changes nothing that is shown.
  bool exact() const { return exact_; }
  /// Is true if the step is so short that residuals cannot judge it.
  bool at_rounding() const { return at_rounding_; }

 private:
  NewtonRule rule_{};
  double last_ = beyond_all, size_ = beyond_all;
  bool exact_ = false, at_rounding_ = false;
};

}  // namespace mechfmu
