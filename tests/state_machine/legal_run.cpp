// Chooses legal calls and compares each answer with the model.
#include "legal_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mechfmu::importer {
namespace {

constexpr std::size_t most_saved = 6;

bool is_tolerance(const Variable& variable) { return variable.name == "solver.tolerance"; }

}  // namespace

LegalRun::LegalRun(const Subject& subject, unsigned seed, bool asks_for_derivatives)
    : subject_(subject), step_state_(fmu_.description.fmi3 ? 'S' : 'C'),
      event_mode_(subject.has("hasEventMode") && seed % 2 == 1), asks_(asks_for_derivatives),
      has_impacts_(fmu_.description.has_impacts()), random_(seed), moments_(seed), questions_(seed) {
  for (const Variable& variable : fmu_.description.variables) {
    const bool input = variable.causality == "input", parameter = variable.causality == "parameter";
    const bool of_solver = variable.name.rfind("solver.", 0) == 0;
    const bool known = variable.causality == "independent" || input || (parameter && !of_solver);
    if (known) knowns_.push_back(variable.reference);
    if (!variable.is_choice()) all_numbers_.push_back(variable.reference);
    if (variable.intermediate_update) in_updates_.push_back(variable.reference);
    if (variable.intermediate_update && input) inputs_in_updates_.push_back(variable);
    if (variable.is_guessed()) guessed_.push_back(variable);
    if (!input && !parameter) continue;
    (variable.is_choice() ? choices_ : settable_).push_back(variable);
    if (input || variable.variability == "tunable") settable_while_stepping_.push_back(variable);
    if (input) inputs_.push_back(variable);
  }
  for (const Variable& choice : choices_) {
    items_[choice.reference] = allowed_items(choice);
    for (const int item : items_[choice.reference]) begun_[choice.name][item] = 0;
  }
  settable_while_instantiated_ = settable_;
  settable_while_instantiated_.insert(settable_while_instantiated_.end(), guessed_.begin(), guessed_.end());
  for (int i = 0; i < 2; ++i) {
    Options options;
    options.event_mode = event_mode_;
    if (subject.has("providesIntermediateUpdate") && seed % 4 < 2) {
      options.intermediate = [this, i](bool set_requested, bool get_allowed) { update(i, set_requested, get_allowed); };
    }
    sessions_[i] = make_session(subject, options);
    models_[i] = fresh();
  }
}

LegalRun::~LegalRun() {
  for (Saved& saved : saved_) sessions_[0]->free_state(&saved.handle);
}

LegalRun::Model LegalRun::fresh() const {
  Model model;
  for (const Variable& variable : settable_while_instantiated_)
    model.numbers[variable.reference] = std::stod(variable.start);
  for (const Variable& variable : choices_) model.items[variable.reference] = std::stoi(variable.start);
  return model;
}

std::vector<int> LegalRun::allowed_items(const Variable& choice) const {
  std::vector<int> allowed;
  for (const int item : fmu_.description.items.at(choice.declared_type)) {
    const std::unique_ptr<Session> session = make_session(subject_, {});
    const bool set = session->set_items(&choice.reference, 1, &item) == ok;
    const double none = std::nan("");
    if (set && session->enter(0, 0, none) == ok && session->exit() == ok) {
      allowed.push_back(item);
      continue;
    }
    // Some ways to resolve the constraints need ideal ones, or a regular mass matrix.
    if (session->log().find("tangent_basis = ") == std::string::npos) {
      throw std::runtime_error(subject_.name() + ": " + choice.name + " cannot be " + std::to_string(item) +
                               ", and nothing is said of what to choose\n" + session->log());
    }
  }
  return allowed;
}

void LegalRun::make(int calls) {
  for (const long end = calls_ + calls; calls_ < end;) {
    const int chosen = chance(0.8) ? 0 : 1;
    session_ = sessions_[chosen].get();
    model_ = &models_[chosen];
    ask_for_derivatives();
    // How often each is tried; the rest are steps, or the next mode where there are none.
    const double what = number(0, 1);
    if (what < 0.25) set_something();
    else if (what < 0.27) set_item();
    else if (what < 0.45) read_something();
    else if (what < 0.50) read_everything();
    else if (what < 0.55) save();
    else if (what < 0.60) restore();
    else if (what < 0.62) free_saved();
    else if (what < 0.65) serialize();
    else if (what < 0.655) reset();
    else if (what < 0.66) change_logging();
    else if (what < 0.70) change_mode();
    else if (what < 0.73 && subject_.exchange() && model_->state == 'M') look_elsewhere();
    else if (what < 0.73 && subject_.has("canInterpolateInputs")) set_input_derivatives();
    else if (model_->state == 'M') integrate();
    else if (stepping()) step();
    else change_mode();
  }
}

void LegalRun::expect(int status, const char* what) {
  if (!asking_) {
    ++calls_;
    digest(&status, sizeof status);
  }
  last_calls_ += std::string(" ") + model_->state + ":" + what;
  if (last_calls_.size() > 600) last_calls_.erase(0, 200);
  check(status == ok, what);
}

void LegalRun::check(bool right, const char* what) {
  if (right) return;
  throw std::runtime_error(
      subject_.name() + ": " + what + " at " + std::to_string(model_->time) + " s in " + model_->state + ", call " +
      std::to_string(calls_) + ":" + last_calls_ + "\n" + session_->log());
}

void LegalRun::digest(const void* bytes, std::size_t size) {
  const unsigned char* byte = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) digest_ = (digest_ ^ byte[i]) * 1099511628211u;
}

double LegalRun::input_near(const Variable& input) {
  const double start = std::stod(input.start);
  return std::clamp(start + number(-0.1, 0.1) * std::max(1.0, std::abs(start)), input.minimum, input.maximum);
}

/// Near the start, so that every mechanism still fits together.
void LegalRun::set_something() {
  if (model_->state == 'T') return;
  const std::vector<Variable>& candidates =
      model_->state == 'I'   ? settable_while_instantiated_
      : before()             ? settable_
      : model_->state == 'M' ? inputs_
                             : settable_while_stepping_;
  std::vector<unsigned> references;
  std::vector<double> values;
  for (int count = static_cast<int>(number(0, 4)); count > 0; --count) {
    const Variable& variable = any(candidates);
    const double start = std::stod(variable.start);
    double value =
        std::clamp(start + number(-1, 1) * (start == 0 ? 1e-4 : 1e-3 * start), variable.minimum, variable.maximum);
    if (variable.causality == "input") value = input_near(variable);
    references.push_back(variable.reference);
    values.push_back(value);
    model_->numbers[variable.reference] = value;
    if (is_tolerance(variable)) model_->tolerance_set = true;
    if (!stepping()) model_->computed.clear();
    model_->set_in_event |= model_->state == 'V';
  }
  expect(session_->set(references.data(), references.size(), values.data(), values.size()), "set");
}

void LegalRun::set_item() {
  if (!before() || choices_.empty()) return;
  const Variable& variable = any(choices_);
  const int value = any(items_.at(variable.reference));
  expect(session_->set_items(&variable.reference, 1, &value), "set item");
  model_->items[variable.reference] = value;
  model_->computed.clear();
}

void LegalRun::read_something() {
  if (!fmu_.description.fmi3 && model_->state == 'I') return;
  if (!choices_.empty() && chance(0.1)) {
    const Variable& variable = any(choices_);
    int item = 0;
    expect(session_->get_items(&variable.reference, 1, &item), "get item");
    check(model_->items[variable.reference] == item, "an item is not what was set");
    return;
  }
  std::vector<unsigned> references;
  for (int count = static_cast<int>(number(0, 6)); count > 0; --count) references.push_back(any(all_numbers_));
  std::vector<double> values(references.size(), std::nan(""));
  expect(session_->get(references.data(), references.size(), values.data(), values.size()), "get");
  for (const double value : values) check(std::isfinite(value), "a value that is no number");
  digest(values.data(), sizeof(double) * values.size());
}

void LegalRun::read_everything() {
  if (!fmu_.description.fmi3 && model_->state == 'I') return;
  std::vector<double> values(all_numbers_.size(), std::nan(""));
  expect(session_->get(all_numbers_.data(), values.size(), values.data(), values.size()), "get all");
  std::vector<double> computed;
  std::size_t i = 0;
  for (const Variable& variable : fmu_.description.variables) {
    if (variable.is_choice()) continue;
    const double value = values[i++];
    if (variable.name == "solver.events") events_ = std::max(events_, value);
    check(std::isfinite(value), "a value that is no number");
    const auto set = model_->numbers.find(variable.reference);
    if (variable.causality == "independent") {
      check(value == model_->time, "another time than expected");
    } else if (set == model_->numbers.end()) {
      const std::size_t k = computed.size();
      if (!model_->computed.empty() && value != model_->computed[k]) last_calls_ += " (" + variable.name + ")";
      computed.push_back(value);
    } else if (!is_tolerance(variable) || model_->tolerance_set) {
      if (value != set->second) last_calls_ += " (" + variable.name + ")";
      check(value == set->second, "a value is not what was set");
    }
  }
  digest(values.data(), sizeof(double) * values.size());
  if (!model_->computed.empty()) check(computed == model_->computed, "computed values changed without a reason");
  model_->computed = computed;
}

void LegalRun::step() {
  const double stop = fmu_.description.stop_time;
  if (model_->time > stop) return saved_.empty() ? reset() : restore();
  // It is mostly a fraction of the run, and sometimes hardly anything; impacts want longer ones.
  const double h = chance(0.05) ? 1e-13 : stop * std::pow(10, number(-5, has_impacts_ ? -1 : -3));
  expect(session_->step(model_->time, h), "step");
  check(worst_in_updates_ == ok, "a call in intermediate update mode failed");
  model_->time += h;
  model_->computed.clear();
}

/// They hold within the next step: nothing else shows them.
void LegalRun::set_input_derivatives() {
  if (!before() && !stepping()) return;
  std::vector<unsigned> references;
  std::vector<int> orders;
  std::vector<double> values;
  for (int count = static_cast<int>(number(0, 4)); count > 0; --count) {
    const Variable& input = any(inputs_);
    references.push_back(input.reference);
    orders.push_back(static_cast<int>(number(1, 4)));
    values.push_back(input_near(input) - std::stod(input.start));
  }
  expect(session_->set_input_derivatives(references, orders, values), "set input derivatives");
}

void LegalRun::update(int instance, bool set_requested, bool get_allowed) {
  Session& session = *sessions_[instance];
  const auto note = [this](int status) {
    ++calls_;
    worst_in_updates_ = std::max(worst_in_updates_, status);
  };
  if (get_allowed && !in_updates_.empty() && chance(0.5)) {
    double value = std::nan("");
    note(session.get(any(in_updates_), value));
    note(std::isfinite(value) ? ok : error);
    digest(&value, sizeof value);
  }
  if (set_requested && !inputs_in_updates_.empty() && chance(0.2)) {
    const Variable& input = any(inputs_in_updates_);
    const double value = input_near(input);
    note(session.set(input.reference, value));
    models_[instance].numbers[input.reference] = value;
  }
}

void LegalRun::save() {
  if (saved_.size() == most_saved) return free_saved();
  const bool reuse = !saved_.empty() && chance(0.3);
  Saved fresh_one{nullptr, {}};
  Saved& saved = reuse ? saved_.back() : fresh_one;
  expect(session_->save(&saved.handle), "save");
  check(saved.handle != nullptr, "a state that is NULL");
  saved.model = *model_;
  if (!reuse) saved_.push_back(saved);
}

/// Into either instance, whatever it is doing.
void LegalRun::restore() {
  if (saved_.empty()) return;
  const Saved& saved = any(saved_);
  void* handle = saved.handle;
  expect(session_->restore(handle), "restore");
  check(handle == saved.handle, "the importer's state was replaced");
  *model_ = saved.model;
}

void LegalRun::free_saved() {
  if (saved_.empty()) return;
  expect(session_->free_state(&saved_.front().handle), "free state");
  check(saved_.front().handle == nullptr, "a freed state that is not NULL");
  saved_.erase(saved_.begin());
}

/// There and back: a saved state becomes bytes and a state again.
void LegalRun::serialize() {
  if (saved_.empty()) return;
  Saved& saved = saved_.front();
  std::size_t size = 0;
  expect(session_->serialized_size(saved.handle, &size), "serialized size");
  std::vector<char> bytes(size);
  expect(session_->serialize(saved.handle, bytes.data(), size), "serialize");
  expect(session_->free_state(&saved.handle), "free state");
  expect(session_->deserialize(bytes.data(), size, &saved.handle), "deserialize");
  digest(bytes.data(), size);
}

void LegalRun::change_mode() {
  char& state = model_->state;
  if (state == 'I') {
    const double start = chance(0.2) ? number(0, 1) : 0, tolerance = chance(0.2) ? number(1e-9, 1e-6) : 0;
    expect(session_->enter(tolerance, start, chance(0.5) ? start + 1e6 : std::nan("")), "enter");
    model_->time = start;
    model_->computed.clear();
    for (const Variable& variable : guessed_) model_->numbers.erase(variable.reference);  // they are computed now
    state = 'N';
  } else if (state == 'N') {
    expect(session_->exit(), "exit");
    for (const Variable& choice : choices_) ++begun_.at(choice.name)[model_->items.at(choice.reference)];
    state = event_mode_ || subject_.exchange() ? 'V' : step_state_;
    model_->earliest = model_->completed = model_->time;
    if (subject_.exchange()) model_->states = states();
  } else if (state == 'V') {
    update_discrete_states();
    if (chance(0.2)) return;  // Another round follows.
    if (chance(0.02)) {
      expect(session_->terminate(), "terminate");
      state = 'T';
    } else if (subject_.exchange()) {
      expect(session_->enter_continuous_time_mode(), "enter continuous-time mode");
      state = 'M';
    } else {
      expect(session_->enter_step_mode(), "enter step mode");
      state = step_state_;
    }
  } else if (state == 'T') {
    chance(0.3) && !saved_.empty() ? restore() : reset();
  } else if ((event_mode_ || subject_.exchange()) && chance(0.9)) {
    enter_event_mode();
  } else if (chance(0.05)) {
    expect(session_->terminate(), "terminate");
    state = 'T';
  }
}

void LegalRun::reset() {
  expect(session_->reset(), "reset");
  *model_ = fresh();
}

void LegalRun::change_logging() {
  const std::vector<std::string>& categories = fmu_.description.log_categories;
  const bool on = chance(0.5), all = chance(0.5);
  const std::size_t which = std::uniform_int_distribution<std::size_t>(0, categories.size() - 1)(random_);
  const char* const category = categories[which].c_str();
  expect(session_->set_logging(on, all ? 0 : 1, &category), "set logging");
}

}  // namespace mechfmu::importer
