// Says which values are in force, where computed values come from, and how the simulation takes new values in.
#include <algorithm>

#include "values.hpp"

namespace mechfmu {

double Values::file_tolerance() const {
  const Sequence<VariableRow> all = variables_.all();
  const VariableRow* row = std::find_if(all.begin(), all.end(), is_tolerance);
  return row == all.end() ? Settings{}.tolerance : row->start;
}

double Values::shown_tolerance() const {
  if (!tolerance_was_set_ && setup_tolerance_ > 0) return setup_tolerance_;
  return settings().tolerance;
}

/// Is true if the start of a state has an effect: the start parameter is a guess, which the state's own start can stand
/// for. A start that is held, or calculated from other parameters, is exact: a start set on the state says nothing
/// then.
bool Values::start_has_effect(const VariableRow& state) const {
  const Sequence<VariableRow> all = variables_.all();
  return std::any_of(all.begin(), all.end(), [&](const VariableRow& row) {
    return row.guess_of != 0 && &variables_.rows[row.guess_of - 1] == &state;
  });
}

/// Returns the value that was set. The start of a state that was set on the state itself stands for its start
/// parameter, unless that was set too: importers that set all starts of modelDescription.xml, the assembled ones of
/// states among them, shall not undo what their users set.
double Values::value_in_force(int row) const {
  const VariableRow& guess = variables_.rows[row];
  if (guess.guess_of == 0 || set_values_[row] != guess.start) return set_values_[row];
  const int state = guess.guess_of - 1;
  return set_values_[state] == variables_.rows[state].start ? set_values_[row] : set_values_[state];
}

/// Nothing is computed while instantiated: a state shows its start, another coordinate the guess it will start from.
double Values::start_value(const VariableRow& row) {
  if (has_start(row)) return set_values_[static_cast<int>(&row - variables_.rows)];
  const double* guesses = nullptr;
  if (row.source == Source::position) guesses = (take_over(), simulation_.position_guesses());
  if (row.source == Source::velocity) guesses = (take_over(), simulation_.velocity_guesses());
  if (row.source == Source::position_rate) guesses = (take_over(), simulation_.position_rate_guesses());
  if (guesses == nullptr) return row.start;
  return (guesses[row.index] - row.offset) / row.factor;
}

/// Reads one value in the variable's unit. If it returns false, the value cannot be computed, and the log says why.
bool Values::read(const VariableRow& row, double& value) {
  if (is_tolerance(row)) {
    value = shown_tolerance();
    return true;
  }
  if (row.settable()) {
    value = set_values_[static_cast<int>(&row - variables_.rows)];
    return true;
  }
  if (row.source == Source::degrees_of_freedom || row.source == Source::time) return compute(row, value);
  if (mode_ == Mode::instantiated) {
    value = start_value(row);
    return true;
  }
  if (!computed_values_exist()) return false;

  if (compute(row, value)) return true;
  fail("%s cannot be computed at %.12g s: %s", row.name, last_time(), simulation_.message().text);
  return false;
}

/// Computes a value with the simulation. Returns false if it cannot; the simulation's message says why.
bool Values::compute(const VariableRow& row, double& value) {
  const double* values = nullptr;
  switch (row.source) {
    case Source::parameter: values = simulation_.parameters(); break;
    case Source::position: values = simulation_.positions(); break;
    case Source::position_rate: values = simulation_.position_rates(); break;
    case Source::velocity: values = simulation_.velocities(); break;
    case Source::acceleration: values = simulation_.velocity_rates(); break;
    case Source::multiplier: values = simulation_.multipliers(); break;
    case Source::output: values = simulation_.outputs(row.group); break;
    case Source::independent: value = simulation_.is_independent(row.index) ? 1 : 0; return true;
    case Source::tangent_velocity:
      values = simulation_.tangent_velocities();
      value = values == nullptr ? 0 : values[row.index];
      return true;
    case Source::contact_state: value = simulation_.contact_state(row.index, row.group); return true;
    case Source::impulse: value = simulation_.impulse(row.index, row.group) / row.factor; return true;
    case Source::indicator: values = simulation_.indicators(); break;
    case Source::degrees_of_freedom: value = row.start; return true;
    case Source::time: value = last_time(); return true;
    default:
      switch (static_cast<Statistic>(row.index)) {
        case Statistic::position_violation: value = simulation_.position_violation(); break;
        case Statistic::velocity_violation: value = simulation_.velocity_violation(); break;
        case Statistic::acceleration_violation: value = simulation_.acceleration_violation(); return value == value;
        case Statistic::closure_gap: value = simulation_.closure_gap(); break;
        case Statistic::steps: value = simulation_.steps(); break;
        case Statistic::rejected_steps: value = simulation_.rejected_steps(); break;
        case Statistic::evaluations: value = simulation_.evaluations(); break;
        case Statistic::basis_switches: value = simulation_.basis_switches(); break;
        case Statistic::basis_quality: value = simulation_.basis_quality(); break;
        case Statistic::events: value = simulation_.events(); break;
      }
      return true;
  }
  if (values != nullptr) value = (values[row.index] - row.offset) / row.factor;
  return values != nullptr;
}

bool Values::computed_values_exist() {
  if (mode_ == Mode::initialization) return assemble();
  if (mode_ == Mode::event && staged_) return take_in();
  if (mode_ == Mode::continuous && staged_) take_over();
  if (consistent_) return true;
  fail("nothing has been computed: initialization did not succeed");
  return false;
}

Settings Values::settings() const {
  Settings settings;
  for (int i = 0; i < settable_count_; ++i) {
    const VariableRow& row = variables_.rows[settable_[i]];
    const double value = set_values_[settable_[i]];
    if (row.source == Source::solver_number) settings.*solver_numbers[row.index] = row.factor * value + row.offset;
    if (!row.is_choice()) continue;
    settings.*solver_choices[row.index].member = index_of_item(static_cast<int>(value));
  }
  return settings;
}

bool Values::assemble() {
  if (consistent_ && !staged_) return true;
  consistent_ = false;
  Settings chosen = settings();
  chosen.tolerance = shown_tolerance();
  if (!simulation_.use(chosen)) {
    fail("these solver settings cannot be used: %s", simulation_.message().text);
    return false;
  }
  take_over();
  if (!calculated_parameters_lie_inside()) {
    staged_ = true;
    return false;
  }
  if (!simulation_.assemble(start_time_)) {
    staged_ = true;
    fail("no consistent start: %s", simulation_.message().text);
    return false;
  }
  return consistent_ = true;
}

/// Is true if the simulation, integrated from outside, has the positions and velocities of a state of its.
bool Values::same_state(const double* state) const {
  const Sizes& sizes = simulation_.mechanism().sizes;
  const auto same = [&](const double* values, int count) {
    return std::equal(values, values + count, state + (values - simulation_.state()));
  };
  return same(simulation_.positions(), sizes.positions) && same(simulation_.velocities(), sizes.velocities);
}

bool Values::take_in() {
  std::copy_n(simulation_.state(), simulation_.state_size(), before_.data());
  // A gap that the importer has passed is one of the old parameters: the new ones begin behind this event.
  if (wishes_.model_exchange && !(simulation_.meet_event() && simulation_.settle_contacts())) return refuse_event();
  const bool parameters = take_over();
  if (parameters && !calculated_parameters_lie_inside()) {
    put_back();
    return false;
  }
  const bool fits = !parameters || simulation_.adopt_parameters();
  if (fits && (mode_ != Mode::event || (simulation_.adopt_inputs() && simulation_.meet_event()))) {
    states_jumped_ = states_jumped_ || (wishes_.model_exchange && !same_state(before_.data()));
    return true;
  }
  fail("the new %s cannot be used at %.12g s: %s", parameters ? "parameters" : "inputs", simulation_.time(),
       simulation_.message().text);
  put_back();
  return false;
}

bool Values::event_is_met() {
  if (staged_) return take_in();
  std::copy_n(simulation_.state(), simulation_.state_size(), before_.data());
  if (!simulation_.meet_event()) return refuse_event();
  states_jumped_ = states_jumped_ || (wishes_.model_exchange && !same_state(before_.data()));
  return true;
}

bool Values::refuse_event() {
  fail("the event at %.12g s has no end: %s", simulation_.time(), simulation_.message().text);
  return false;
}

void Values::put_back() {
  simulation_.restore(before_.data());
  staged_ = true;
}

bool Values::take_over() {
  bool changed = false;
  const double* parameters = simulation_.parameters();
  for (int i = 0; i < settable_count_; ++i) {
    const VariableRow& row = variables_.rows[settable_[i]];
    const double si = row.factor * value_in_force(settable_[i]) + row.offset;
    if (row.source == Source::parameter && parameters[row.index] != si) {
      simulation_.set_parameter(row.index, si);
      changed = true;
    } else if (row.source == Source::input && simulation_.inputs()[row.index] != si) {
      simulation_.set_input(row.index, si);
    }
  }
  staged_ = false;
  return changed;
}

void Values::stay() {
  const Sizes& sizes = simulation_.mechanism().sizes;
  std::copy_n(simulation_.positions(), sizes.positions, moved_.data());
  std::copy_n(simulation_.velocities(), sizes.velocities, moved_.data() + sizes.positions);
}

void Values::move(const VariableRow& row, double value) {
  const int first = row.source == Source::position ? 0 : simulation_.mechanism().sizes.positions;
  moved_[first + row.index] = row.factor * value + row.offset;
}

void Values::take_place() { simulation_.place(moved_.data(), moved_.data() + simulation_.mechanism().sizes.positions); }

}  // namespace mechfmu
