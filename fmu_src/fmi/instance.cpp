// Life of an instance: creation, initialization, steps, reset, messages.
#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mechfmu {

namespace {

/// Whether all coordinates and rates are variables.
bool has_all_states(const Instance::Model& model) {
  const auto count = [&](Source source) {
    return std::count_if(model.variables.all().begin(), model.variables.all().end(), [&](const VariableRow& row) {
      return row.source == source;
    });
  };
  const Sizes& sizes = model.mechanism.sizes;
  return count(Source::position) == sizes.positions && count(Source::velocity) == sizes.velocities;
}

}  // namespace

Instance::Instance(Arena&& memory, Standard standard, const Model& model, const char* name, const Log& log,
                   const Wishes& wishes)
    : memory_(std::move(memory)), standard_(standard), variables_(model.variables),
      simulation_(memory_, model.mechanism, Settings{}, model.make_stepper), log_(log), wishes_(wishes),
      name_(memory_, static_cast<int>(std::strlen(name)) + 1), states_have_starts_(has_all_states(model)),
      set_values_(memory_, model.variables.count), settable_(memory_, model.variables.count),
      states_(memory_, wishes.model_exchange ? model.variables.count : 0),
      moved_(memory_, wishes.model_exchange ? model.mechanism.sizes.positions + model.mechanism.sizes.velocities : 0),
      intermediate_(memory_, model.variables.count), direction_(memory_, model.variables.count),
      motion_direction_(memory_, direction_size(model.mechanism.sizes)), before_(memory_, simulation_.state_size()) {
  if (wishes.model_exchange) simulation_.integrate_outside();
  if (!ok()) return;
  std::strcpy(name_.data(), name);
  for (int row = 0; row < variables_.count; ++row) {
    if (variables_.rows[row].settable() || has_start(variables_.rows[row])) settable_[settable_count_++] = row;
  }
  for (std::size_t i = 0; i < wishes.variable_count; ++i) {
    if (const VariableRow* row = find(wishes.variables[i])) intermediate_[row_number(*row)] = 1;
  }
  if (wishes.model_exchange) list_states();
  set_defaults();
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
  if (wishes.model_exchange && !has_all_states(model)) {
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
  Arena memory;
  auto* instance =
      memory.make<Instance, Arena::Destroyed::by_caller>(std::move(memory), standard, model, name, log, wishes);
  if (instance != nullptr && instance->ok()) return instance;
  destroy(instance);
  return refuse("no instance: out of memory");
}

void Instance::destroy(Instance* instance) {
  if (instance == nullptr) return;
  const Arena memory = std::move(instance->memory_);  // in which the instance lies
  instance->~Instance();
}

void Instance::tell(Status status, const char* text) {
  if (status == Status::error || log_.on[category_of(status)]) write(status, text);
}

void Instance::write(Status status, const char* text) {
  if (log_.write != nullptr) log_.write(log_, name_.data(), status, text);
}

Status Instance::tell(Status status, const char* format, std::va_list arguments) {
  Message message;
  message.add("%s: ", call_);
  char text[sizeof message.text];
  std::vsnprintf(text, sizeof text, format, arguments);
  message.add("%s", text);
  tell(status, message.text);
  return status;
}

Status Instance::fail(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Status status = tell(Status::error, format, arguments);
  va_end(arguments);
  return status;
}

Status Instance::refrain(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const Status status = tell(Status::discard, format, arguments);
  va_end(arguments);
  return status;
}

void Instance::warn(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  tell(Status::warning, format, arguments);
  va_end(arguments);
}

Status Instance::succeed() {
  if (!simulation_.message().warns()) return Status::ok;
  Message message;
  message.add("%s: %s", call_, simulation_.message().warnings);
  write(Status::warning, message.text);
  simulation_.clear_warnings();
  return Status::warning;
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
  for (int row = 0; row < variables_.count; ++row) set_values_[row] = variables_.rows[row].start;
  mode_ = Mode::instantiated;
  set_up_ = consistent_ = tolerance_was_set_ = stop_defined_ = states_jumped_ = false;
  staged_ = true;
  setup_tolerance_ = start_time_ = stop_time_ = earliest_time_ = completed_time_ = 0;
}

Status Instance::set_up(bool tolerance_defined, double tolerance, double start_time, bool stop_defined,
                        double stop_time) {
  if (tolerance_defined && !(tolerance >= 0 && std::isfinite(tolerance))) {
    return fail("the tolerance %.12g is not a positive number", tolerance);
  }
  if (tolerance_defined && tolerance == 0) warn("a tolerance of 0 is ignored, as if none had been given");
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

Status Instance::enter_step_mode() { return !staged_ || take_in() ? Status::ok : Status::error; }

/// What is told here is for the log: the results are what they are.
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

Status Instance::set_logging(bool on, std::size_t count, const char* const* categories) {
  if (count > 0 && categories == nullptr) return fail("the categories are NULL");
  const auto index_of = [](const char* name) {
    int index = 0;
    const auto is_other = [&] { return name == nullptr || std::strcmp(name, log_categories[index].name) != 0; };
    while (index < log_category_count && is_other()) ++index;
    return index;
  };
  if (count == 0) log_.turn_all(on);
  Message unknown;
  for (std::size_t i = 0; i < count; ++i) {
    const int index = index_of(categories[i]);
    if (index < log_category_count) log_.on[index] = on;
    else unknown.add(" \"%s\"", categories[i] == nullptr ? "NULL" : categories[i]);
  }
  if (unknown.empty()) return Status::ok;
  Message message;  // whatever is turned on, since it is about the log
  message.add("%s: there is no log category%s, which is ignored; there are", call_, unknown.text);
  for (const LogCategory& category : log_categories) message.add(" \"%s\"", category.name);
  write(Status::warning, message.text);
  return Status::ok;
}

}  // namespace mechfmu
