// These functions give the messages about steps that fail, or that are doubtful. `limiting` is the name of the
// coordinate whose error allows no longer step.
#pragma once

#include "mechanism/message.hpp"
#include "mechanism/settings.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

/// Judges by the pace of the last thousands of steps whether a call would need more steps than the settings allow.
class Pace {
 public:
  Pace(const Settings& settings, double begin)
      : most_(settings.max_steps), span_(most_ < steps_judged ? most_ : steps_judged), judged_time_(begin) {}

  /// Is called before a step from t, on the way to `end`. Returns false if there would be too many steps; then fail()
  /// says why.
  bool allows(double t, double end) {
    if (taken_ >= judged_ + span_) {
      step_ = (t - judged_time_) / (taken_ - judged_);
      wanted_ = taken_ + (end - t) / step_;
      if (wanted_ > most_) return false;
      judged_ = taken_;
      judged_time_ = t;
    }
    ++taken_;
    return true;
  }
  /// Says why allows() has returned false. The steps of the method go with tolerance^(1/`order`). Returns false.
  bool fail(const Settings&, double t, double end, const char* limiting, double order, Message&) const;

 private:
  static constexpr double steps_judged = 1e4;
  double most_, span_, taken_ = 0, judged_ = 0, judged_time_;
  double step_ = 0, wanted_ = 0;  ///< mean size of the last steps, s; number of steps that the whole call would take
};

/// Warns of a fixed step of size h at the state that has this error and this part of the time scale of the fastest
/// motion, h |λ|. Returns false if the step leaves nothing of the motion.
bool tell_roughness(double error, double rate, double h, int method_order, const char* limiting, State&, Message&);

/// Says that a fixed step needs more steps than are allowed. Returns false.
bool fail_count(const Settings&, double begin, double end, double count, Message&);
/// Says that the step size shrinks without end. Returns false.
bool fail_collapse(double t, double h, double tolerance, const char* limiting, Message&);
/// Says that the equations cannot be evaluated; `trouble` says why, if it is not empty. Returns false.
bool fail_evaluation(double t, const Message& trouble, Message&);

}  // namespace mechfmu
