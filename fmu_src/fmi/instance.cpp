// Implements the life of an instance: it is created, initialized, changes its mode, and is reset.
#include "instance.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "linear/finite.hpp"

namespace mechfmu {

Instance::Instance(Arena&& memory, Standard standard, const Model& model, const char* name, const Log& log,
                   const Wishes& wishes)
    : ModelExchange(std::move(memory), standard, model, name, log, wishes) {
  if (simulation_.ok()) set_defaults();
}

Instance* Instance::create(Standard standard, const Model& model, const char* name, const char* token, const Log& log,
                           const Wishes& wishes) {
  const DefaultArithmetic arithmetic;
  const auto refuse = [&](const char* why) {
    if (log.write != nullptr) {
      log.write(log, name == nullptr ? "" : name, Status::error, why);
    }
    return nullptr;
  };
  if (name == nullptr || *name == '\0') return refuse("no instance: it needs a name; give instanceName");
  if (token == nullptr || std::strcmp(token, model.variables.token) != 0) {
    Message message;
    message.fail(
        "no instance: the token given is \"%s\", but this library belongs to \"%s\"; "
        "read modelDescription.xml of the same FMU",
        token == nullptr ? "NULL" : token, model.variables.token);
    return refuse(message.text);
  }
  if (wishes.model_exchange && !model.has_all_states()) {
    return refuse(
        "no instance: the mechanism has coordinates that are no variables of this FMU, so there is no model "
        "exchange; use co-simulation");
  }
  if (wishes.variable_count > 0 && wishes.variables == nullptr) {
    return refuse("no instance: requiredIntermediateVariables is NULL");
  }
  for (std::size_t i = 0; i < wishes.variable_count; ++i) {
    const std::uint32_t reference = wishes.variables[i], count = static_cast<std::uint32_t>(model.variables.count);
    if (reference >= 1 && reference <= count && model.variables.rows[reference - 1].components > 0) continue;
    Message message;
    message.fail("no instance: there is no variable with value reference %u, given in requiredIntermediateVariables",
                 wishes.variables[i]);
    return refuse(message.text);
  }
  Arena memory(Arena::of_instance);
  auto* instance =
      memory.make<Instance, Arena::Destroyed::by_caller>(std::move(memory), standard, model, name, log, wishes);
  if (instance != nullptr && instance->simulation_.ok()) return instance;
  destroy(instance);
  return refuse("no instance: out of memory");
}

void Instance::destroy(Instance* instance) {
  if (instance == nullptr) return;
  const Arena memory = std::move(instance->memory_);  // in which the instance lies
  instance->~Instance();
}

Status Instance::refuse(const AllowedCall& call) {
  if (call.never != nullptr) return fail("this function %s", call.never);
  if (*call.modes(wishes_.model_exchange) == '\0') {
    const char* const kinds[] = {"co-simulation", "model exchange"};
    return fail("this function belongs to %s, but this instance is one for %s", kinds[!wishes_.model_exchange],
                kinds[wishes_.model_exchange]);
  }
  if (call.of_event_mode && !wishes_.event_mode) {
    return fail("there is no event mode in an instance made with eventModeUsed = false");
  }
  return fail("not allowed while the instance is %s", readable(mode_));
}

void Instance::set_defaults() {
  Values::set_defaults();
  forget_times();
  set_up_ = stop_defined_ = false;
  stop_time_ = 0;
}

Status Instance::set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined,
                        double stop_time) {
  if (tolerance_defined && !(tolerance >= 0 && is_finite(tolerance))) {
    return fail("the tolerance %.12g is not a positive number", tolerance);
  }
  if (tolerance_defined && tolerance == 0) warn("a tolerance of 0 is ignored, as if none had been given");
  if (!is_finite(start_time)) return fail("the start time %.12g is not a number", start_time);
  if (stop_defined && !(stop_time >= start_time)) {
    return fail("the stop time %.12g does not lie after the start time %.12g", stop_time, start_time);
  }
  setup_tolerance_ = tolerance_defined ? tolerance : 0;
  start_time_ = start_time;
  stop_defined_ = stop_defined;
  stop_time_ = stop_time;
  set_up_ = true;
  return Status::ok;
}

Status Instance::enter_initialization() {
  if (!set_up_) return fail("fmi2SetupExperiment must be called before");
  staged_ = true;
  return Status::ok;
}

Status Instance::exit_initialization() {
  if (!assemble()) return Status::error;
  earliest_time_ = completed_time_ = start_time_;
  const char* remark = simulation_.mechanism().remark;
  if (remark != nullptr) tell(Status::warning, remark);
  constexpr double much_coarser = 100;
  if (!tolerance_was_set_ && setup_tolerance_ > much_coarser * file_tolerance()) {
    warn(
        "the tolerance %g that the importer gave holds, and the model's own, %g, does not: results are as coarse as that; "
        "set solver.tolerance to have another",
        setup_tolerance_, file_tolerance());
  }
  return succeed();
}

Status Instance::enter_step_mode() {
  const bool anything = staged_ || simulation_.waits_at_event();
  return !anything || event_is_met() ? Status::ok : Status::error;
}

/// Tells the log only: the results stay as they are.
Status Instance::terminate() {
  simulation_.warn_of_small_ranges(start_time_);
  if (simulation_.message().warns()) warn("%s", simulation_.message().warnings);
  simulation_.clear_warnings();
  return Status::ok;
}

Status Instance::reset() {
  simulation_.reset();
  set_defaults();
  return Status::ok;
}

}  // namespace mechfmu
