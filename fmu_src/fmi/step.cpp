// A communication step: from where to where, what is asked of the importer between, and how it fails.
#include <cmath>

#include "instance.hpp"
#include "linear/finite.hpp"

namespace mechfmu {

/// After every internal step the importer may look, set inputs for what follows, and end the step. The step ends by
/// itself where contacts change if the importer handles events and allows it.
class Instance::OnTheWay final : public StepWatcher {
 public:
  explicit OnTheWay(Instance& instance)
      : instance_(instance), step_call_(instance.call_), arithmetic_(*instance.arithmetic_) {}

  bool stops_at_events() const override { return instance_.wishes_.event_mode && instance_.wishes_.early_return; }
  bool accepted(double& end, Message& message) override {
    Instance& self = instance_;
    if (self.wishes_.update == nullptr) return true;
    const double time = self.simulation_.time();
    double wanted = end;
    self.mode_ = Mode::intermediate;
    self.inputs_wanted_ = time < end;
    const bool returns = arithmetic_.suspended([&] {
      return self.wishes_.update(self.wishes_, time, time < end, self.wishes_.early_return, wanted);
    });
    const bool failed = self.mode_ != Mode::intermediate;
    self.mode_ = Mode::step;
    self.call_ = step_call_;
    if (failed) return message.fail("A call of the intermediate update callback failed at t = %.9g s.", time);
    if (self.staged_ && time < end) {
      self.take_over();
      if (!self.simulation_.adopt_inputs()) return false;
    }
    if (returns && self.wishes_.early_return && !(wanted >= end)) end = wanted > time ? wanted : time;
    return true;
  }

 private:
  Instance& instance_;
  const char* step_call_;
  const DefaultArithmetic& arithmetic_;
};

Status Instance::do_step(double communication_point, double step_size, Ending* ending) {
  const double time = simulation_.time();
  if (simulation_.waits_at_event() && wishes_.event_mode) {
    return fail(
        "at %.12g s a contact is about to change, as the last step said by eventHandlingNeeded: "
        "enter event mode first",
        time);
  }
  if (!is_finite(communication_point) || !is_finite(step_size) || step_size <= 0) {
    return fail("a step of %.12g s at %.12g s is impossible; communicationStepSize must be positive", step_size,
                communication_point);
  }
  if (std::abs(communication_point - time) > clock_tolerance(time, step_size)) {
    return fail("the step starts at %.17g s, but the instance is at %.17g s", communication_point, time);
  }
  // The importer's own sum, so that its clock and ours never drift apart; a step smaller than the clocks' difference
  // still goes forward.
  double end = communication_point + step_size;
  if (end <= time) end = time + step_size;
  if (stop_defined_ && end - stop_time_ > clock_tolerance(stop_time_, step_size)) {
    return fail("the step to %.12g s leads beyond the stop time %.12g s", end, stop_time_);
  }

  const bool watched = wishes_.update != nullptr, restorable = staged_ || watched;
  if (restorable && !take_in()) return Status::error;
  const bool inputs_vary = simulation_.inputs_vary();
  const double changes = simulation_.contact_changes();
  OnTheWay on_the_way(*this);
  const bool looks = watched || on_the_way.stops_at_events();
  // A state that waits was saved in an instance with event mode.
  if (end > time && !(simulation_.meet_waiting_event() && simulation_.advance(end, looks ? &on_the_way : nullptr))) {
    const Status status = fail("the step from %.12g s to %.12g s failed: %s", time, end, simulation_.message().text);
    if (restorable) put_back();
    return status;
  }
  if (inputs_vary) staged_ = true;  // by the next step inputs are what was set again
  if (ending != nullptr) {
    ending->early = simulation_.time() < end;
    ending->event = wishes_.event_mode && (simulation_.waits_at_event() || simulation_.contact_changes() != changes);
  }
  return succeed();
}

}  // namespace mechfmu
