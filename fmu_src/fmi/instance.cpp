// Life of an instance: creation, initialization, steps, reset, messages.
#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace mechfmu {
namespace {

/// How far an importer's clock may differ from ours: sums of many steps round differently. Relative to the time, and
/// a millionth of the step; a real mistake, a step left out or done twice, is of the order of the step itself.
double clock_tolerance(double time, double step_size) { return 1e-9 * std::abs(time) + 1e-6 * step_size; }

}  // namespace

Instance::Instance(Standard standard, const Model& model, const Log& log)
    : standard_(standard),
      variables_(model.variables),
      simulation_(model.mechanism, Settings{}, model.make_stepper),
      log_(log),
      set_values_(model.variables.count),
      settable_(model.variables.count),
      before_(simulation_.state_size()) {
  if (!ok()) return;
  for (int row = 0; row < variables_.count; ++row) {
    if (variables_.rows[row].settable()) settable_[settable_count_++] = row;
  }
  set_defaults();
}

bool Instance::ok() const { return simulation_.ok() && set_values_.ok() && settable_.ok() && before_.ok(); }

Instance* Instance::create(Standard standard, const Model& model, const char* name, const char* token,
                           const Log& log) {
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
    message.fail("no instance: the token given is \"%s\", but this library belongs to \"%s\"; "
                 "read modelDescription.xml of the same FMU",
                 token == nullptr ? "NULL" : token, model.variables.token);
    return refuse(message.text);
  }
  void* memory = std::malloc(sizeof(Instance));
  if (memory == nullptr) return refuse("no instance: out of memory");
  Instance* instance = new (memory) Instance(standard, model, log);
  const std::size_t length = std::strlen(name) + 1;
  instance->name_ = static_cast<char*>(std::malloc(length));
  if (!instance->ok() || instance->name_ == nullptr) {
    destroy(instance);
    return refuse("no instance: out of memory");
  }
  std::memcpy(instance->name_, name, length);
  return instance;
}

void Instance::destroy(Instance* instance) {
  if (instance == nullptr) return;
  std::free(instance->name_);
  instance->~Instance();
  std::free(instance);
}

Status Instance::fail(const char* format, ...) {
  if (log_.write == nullptr) return Status::error;
  Message message;
  message.add("%s: ", call_);
  char text[sizeof message.text];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  message.add("%s", text);
  log_.write(log_, name_, Status::error, message.text);
  return Status::error;
}

Status Instance::refuse(const AllowedCall& call) {
  if (call.never != nullptr) return fail("this function %s", call.never);
  return fail("not allowed while the instance is %s", readable(mode_));
}

void Instance::set_defaults() {
  for (int row = 0; row < variables_.count; ++row) set_values_[row] = variables_.rows[row].start;
  mode_ = Mode::instantiated;
  set_up_ = consistent_ = tolerance_was_set_ = stop_defined_ = false;
  staged_ = true;
  setup_tolerance_ = start_time_ = stop_time_ = 0;
}

Status Instance::set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined,
                        double stop_time) {
  if (tolerance_defined && !(tolerance > 0 && std::isfinite(tolerance))) {
    return fail("the tolerance %.12g is not a positive number", tolerance);
  }
  if (!std::isfinite(start_time)) return fail("the start time %.12g is not a number", start_time);
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
  const char* remark = simulation_.mechanism().remark;
  if (remark != nullptr && log_.on && log_.write != nullptr) log_.write(log_, name_, Status::warning, remark);
  return Status::ok;
}

Status Instance::do_step(double communication_point, double step_size) {
  const double time = simulation_.time();
  if (!std::isfinite(communication_point) || !std::isfinite(step_size) || step_size <= 0) {
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

  const bool restorable = staged_;
  if (restorable) {
    std::copy_n(simulation_.state(), simulation_.state_size(), before_.data());
    if (take_over() && !simulation_.adopt_parameters()) {
      const Status status = fail("the new parameters cannot be used at %.12g s: %s", time, simulation_.message().text);
      simulation_.restore(before_.data());
      staged_ = true;
      return status;
    }
  }
  if (end > time && !simulation_.advance(end)) {
    const Status status = fail("the step from %.12g s to %.12g s failed: %s", time, end, simulation_.message().text);
    if (restorable) {
      simulation_.restore(before_.data());
      staged_ = true;
    }
    return status;
  }
  return Status::ok;
}

Status Instance::reset() {
  simulation_.reset();
  set_defaults();
  return Status::ok;
}

Status Instance::set_logging(bool on, std::size_t count, const char* const* categories) {
  if (count > 0 && categories == nullptr) return fail("the categories are NULL");
  bool warnings = count == 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto is = [&](const char* name) { return categories[i] != nullptr && std::strcmp(categories[i], name) == 0; };
    if (!is(error_category) && !is(warning_category)) {
      return fail("there is no log category \"%s\"; there are %s and %s",
                  categories[i] == nullptr ? "NULL" : categories[i], error_category, warning_category);
    }
    warnings |= is(warning_category);
  }
  if (warnings) log_.on = on;
  return Status::ok;
}

}  // namespace mechfmu
