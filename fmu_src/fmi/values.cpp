// Gets and sets variables in the importer's calls: what may be set when.
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "linear/finite.hpp"

namespace mechfmu {

bool InstanceModel::has_all_states() const {
  const auto count = [&](Source source) {
    return std::count_if(variables.all().begin(), variables.all().end(), [&](const VariableRow& row) {
      return row.source == source;
    });
  };
  const Sizes& sizes = mechanism.sizes;
  return count(Source::position) == sizes.positions && count(Source::velocity) == sizes.velocities;
}

Values::Values(Arena&& memory, Standard standard, const InstanceModel& model, const char* name, const Log& log,
               const Wishes& wishes)
    : Messenger(std::move(memory), name, log), standard_(standard), variables_(model.variables),
      simulation_(memory_, model.mechanism, Settings{}, model.make_stepper), wishes_(wishes),
      states_have_starts_(model.has_all_states()), set_values_(memory_, model.variables.count),
      settable_(memory_, model.variables.count),
      moved_(memory_, wishes.model_exchange ? model.mechanism.sizes.positions + model.mechanism.sizes.velocities : 0),
      intermediate_(memory_, model.variables.count), before_(memory_, simulation_.state_size()) {
  if (wishes.model_exchange) simulation_.integrate_outside();
  if (!simulation_.ok()) return;
  for (int row = 0; row < variables_.count; ++row) {
    if (variables_.rows[row].settable() || has_start(variables_.rows[row])) settable_[settable_count_++] = row;
  }
  for (std::size_t i = 0; i < wishes.variable_count; ++i) {
    if (const VariableRow* row = find(wishes.variables[i])) intermediate_[row_number(*row)] = 1;
  }
}

void Values::set_defaults() {
  for (int row = 0; row < variables_.count; ++row) set_values_[row] = variables_.rows[row].start;
  mode_ = Mode::instantiated;
  consistent_ = tolerance_was_set_ = states_jumped_ = false;
  staged_ = true;
  setup_tolerance_ = start_time_ = 0;
}

Status Values::succeed() {
  if (!simulation_.message().warns()) return Status::ok;
  Message message;
  message.add("%s: %s", call_, simulation_.message().warnings);
  write(Status::warning, message.text);
  simulation_.clear_warnings();
  return Status::warning;
}

const VariableRow* Values::find(std::uint32_t reference) const {
  const bool known = reference >= 1 && reference <= static_cast<std::uint32_t>(variables_.count);
  return known && components(variables_.rows[reference - 1]) > 0 ? &variables_.rows[reference - 1] : nullptr;
}

Status Values::check_count(const std::uint32_t* references, std::size_t count, std::size_t values) {
  std::size_t needed = count;
  for (std::size_t i = 0; i < count && references != nullptr; ++i) {
    if (const VariableRow* row = find(references[i])) needed += static_cast<std::size_t>(components(*row)) - 1;
  }
  if (needed == values) return Status::ok;
  return fail("%zu variables need %zu values, not %zu", count, needed, values);
}

/// Arrays are there, and every reference names a variable of the right type.
Status Values::check(const std::uint32_t* references, std::size_t count, const void* values, bool choices) {
  if (count > 0 && (references == nullptr || values == nullptr)) return fail("an array is NULL");
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow* row = find(references[i]);
    if (row == nullptr) return fail("there is no variable with value reference %u", references[i]);
    if (row->is_choice() != choices) {
      return fail("%s is of another type, %s", row->name, choices ? "real" : "enumeration");
    }
    if (mode_ == Mode::intermediate && intermediate_[row_number(*row)] == 0) {
      return fail("%s was not among the requiredIntermediateVariables of the instantiation", row->name);
    }
  }
  return Status::ok;
}

Status Values::no_variables(std::size_t count, const char* type) {
  return count == 0 ? Status::ok : fail("this FMU has no variables of type %s", type);
}

/// Before a step all parameters, starts and inputs; inputs while instantiated are not in the text of FMI 2, but FMPy
/// and the FMU checker set them then. Starts of states, which are no more than guesses, while instantiated only.
/// Afterwards inputs and tunable parameters; between communication points inputs; in continuous-time mode inputs and
/// states.
bool Values::may_set(const VariableRow& row) const {
  if (mode_ == Mode::instantiated && has_start(row)) return true;
  if (is_state(row)) return mode_ == Mode::continuous;
  if (!row.settable()) return false;
  if (mode_ == Mode::intermediate) return row.role == Role::input && inputs_wanted_;
  if (mode_ == Mode::continuous) return row.role == Role::input;
  return mode_ == Mode::instantiated || mode_ == Mode::initialization || row.role != Role::fixed_parameter;
}

Status Values::refuse_set(const VariableRow& row) {
  if (mode_ == Mode::intermediate && row.settable()) {
    return fail(row.role == Role::input ? "%s cannot be set where intermediateVariableSetRequested is false"
                                        : "%s cannot be set between communication points, only inputs can",
                row.name);
  }
  if (has_start(row) && mode_ == Mode::initialization)
    return fail("the start of %s can be set on it before initialization mode only; set %s_start", row.name, row.name);
  if (is_state(row) && mode_ == Mode::event) return fail("%s is a state: it is set in continuous-time mode", row.name);
  switch (row.role) {
    case Role::tunable_parameter: return fail("%s cannot be set in continuous-time mode, but in event mode", row.name);
    case Role::fixed_parameter: return fail("%s is fixed: it can be set only before initialization ends", row.name);
    case Role::calculated_parameter: return fail("%s is calculated from other parameters; set those", row.name);
    case Role::output: return fail("%s is an output; where it starts is set by the start parameters", row.name);
    default: return fail("%s cannot be set", row.name);
  }
}

Status Values::set_numbers(const std::uint32_t* references, std::size_t count, const double* values) {
  if (const Status status = check(references, count, values); status != Status::ok) return status;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    if (!may_set(row)) return refuse_set(row);
    if (!is_finite(values[i])) return fail("%s cannot be %g", row.name, values[i]);
    if (const Status status = check_limits(row, values[i]); status != Status::ok) return status;
    const bool must_be_positive =
        row.source == Source::solver_number && (row.index == step_index || row.index == max_steps_index);
    if (must_be_positive && !(values[i] > 0)) return fail("%s cannot be %g: it must be positive", row.name, values[i]);
  }
  bool moves = false;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    if (is_state(row) && mode_ == Mode::continuous) {
      if (!moves) stay();
      moves = true;
      move(row, values[i]);
      continue;
    }
    if (is_tolerance(row) && values[i] == 0) {
      warn("%s = 0 is ignored, as if it had not been set", row.name);
      continue;
    }
    if (has_start(row) && values[i] != row.start && !start_has_effect(row)) {
      Message message;  // whatever is turned on: results are others than the importer may think
      message.add(
          "%s: %s = %.12g is ignored, since %s_start says where it starts; set that, or what it is calculated "
          "from",
          call_, row.name, values[i], row.name);
      write(Status::warning, message.text);
    }
    set_values_[static_cast<int>(references[i]) - 1] = values[i];
    if (is_tolerance(row)) tolerance_was_set_ = true;
    staged_ = true;
  }
  if (moves) take_place();
  return Status::ok;
}

template <class Integer>
Status Values::set_items(const std::uint32_t* references, std::size_t count, const Integer* values) {
  if (const Status status = check(references, count, values, true); status != Status::ok) return status;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    if (!may_set(row)) return refuse_set(row);
    const MemberNames& names = *solver_choices[row.index].names;
    if (values[i] >= item_of_index(0) && values[i] < item_of_index(static_cast<int>(names.size()))) continue;
    Message items;
    int item = item_of_index(0);
    for (const char* name : names) items.add(items.empty() ? "%d (%s)" : ", %d (%s)", item++, name);
    return fail("%s cannot be %lld; it is one of: %s", row.name, static_cast<long long>(values[i]), items.text);
  }
  for (std::size_t i = 0; i < count; ++i) {
    set_values_[static_cast<int>(references[i]) - 1] = static_cast<double>(values[i]);
  }
  if (count > 0) staged_ = true;
  return Status::ok;
}

template <class Integer>
Status Values::get_items(const std::uint32_t* references, std::size_t count, Integer* values) {
  if (const Status status = check(references, count, values, true); status != Status::ok) return status;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<Integer>(set_values_[static_cast<int>(references[i]) - 1]);
  }
  return Status::ok;
}

template Status Values::set_items(const std::uint32_t*, std::size_t, const std::int32_t*);
template Status Values::set_items(const std::uint32_t*, std::size_t, const std::int64_t*);
template Status Values::get_items(const std::uint32_t*, std::size_t, std::int32_t*);
template Status Values::get_items(const std::uint32_t*, std::size_t, std::int64_t*);

Status Values::get_numbers(const std::uint32_t* references, std::size_t count, double* values) {
  if (const Status status = check(references, count, values); status != Status::ok) return status;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow* row = find(references[i]);
    for (const VariableRow* end = row + components(*row); row != end; ++row, ++values) {
      if (!read(*row, *values)) return Status::error;
      if (!is_finite(*values)) {
        return fail("%s is %s at %.12g s", row->name, std::isnan(*values) ? "not a number" : "infinite", last_time());
      }
    }
  }
  return Status::ok;
}

Status Values::set_input_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                                     const double* values) {
  if (const Status status = check(references, count, values); status != Status::ok) return status;
  if (count > 0 && orders == nullptr) return fail("an array is NULL");
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    if (row.role != Role::input) return fail("%s is not an input: only those can be given derivatives", row.name);
    if (!is_finite(values[i])) return fail("a derivative of %s cannot be %g", row.name, values[i]);
    if (orders[i] < 1 || orders[i] > most_input_derivatives) {
      return fail("the derivative of order %d of %s cannot be used; orders are 1 to %d", static_cast<int>(orders[i]),
                  row.name, most_input_derivatives);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    simulation_.set_input_derivative(row.index, orders[i], row.factor * values[i]);
  }
  return Status::ok;
}

}  // namespace mechfmu
