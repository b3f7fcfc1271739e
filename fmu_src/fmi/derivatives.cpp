// Directional and adjoint derivatives of what is computed by what can be set.
//
// All follow from the equations' own derivatives, exactly: while running, of accelerations, reactions and outputs by
// time, states and inputs (simulation/slopes.cpp); where what is set moves positions, too (everything during
// initialization, in co-simulation inputs of prescribed motions, and parameters), of these as well
// (start/changes/start_slopes.cpp, constraints/fitting.cpp). Only a start that depends on the way to it
// (ConsistentStart::Derivative) is differenced as a whole: centrally, with steps that are extrapolated to zero (Ridders
// 1982), which leaves errors of about 1e-10.
#include "derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/tolerances.hpp"

namespace mechfmu {

namespace {

constexpr int most_levels = 8;
constexpr double shrink = 1.5;  ///< the step shrinks by this from level to level

/// A derivative from differences with smaller and smaller steps: of the table the entry that differs least from those
/// that it is made from.
double extrapolated(const double* differences) {
  double last[most_levels] = {differences[0]}, value = differences[0], smallest = 0;
  for (int level = 1; level < most_levels; ++level) {
    double row[most_levels] = {differences[level]}, factor = shrink * shrink;
    for (int j = 1; j <= level; ++j, factor *= shrink * shrink) {
      row[j] = row[j - 1] + (row[j - 1] - last[j - 1]) / (factor - 1);
      const double error = std::fmax(std::fabs(row[j] - row[j - 1]), std::fabs(row[j] - last[j - 1]));
      if (level == 1 || error < smallest) value = row[j], smallest = error;
    }
    std::copy_n(row, level + 1, last);
  }
  return value;
}

}  // namespace

Derivatives::Derivatives(Arena&& memory, Standard standard, const InstanceModel& model, const char* name,
                         const Log& log, const Wishes& wishes)
    : Values(std::move(memory), standard, model, name, log, wishes), direction_(memory_, model.variables.count),
      direction_values_(memory_, direction_size(model.mechanism.sizes)) {}

/// How many values the variables of a request have.
std::size_t Derivatives::value_count(const Request& request) const {
  std::size_t values = 0;
  for (std::size_t i = 0; i < request.count; ++i) {
    values += static_cast<std::size_t>(components(*find(request.references[i])));
  }
  return values;
}

/// Time, inputs, parameters, and where they are not computed from these, states.
bool Derivatives::has_derivatives_by(const VariableRow& row) const {
  if (row.source == Source::position || row.source == Source::velocity) return mode_ != Mode::initialization;
  if (row.source == Source::parameter) return row.settable();
  return row.source == Source::time || row.source == Source::input;
}

/// Is true for values of the solver that are not the mechanism's own, but no counts either.
bool Derivatives::depends_on_choice(const VariableRow& row) {
  return row.source == Source::tangent_velocity || row.source == Source::contact_state ||
         row.source == Source::impulse || row.source == Source::indicator ||
         (row.source == Source::statistic && static_cast<Statistic>(row.index) == Statistic::basis_quality);
}

/// Unknowns are computed, and there are derivatives by the knowns.
Status Derivatives::check_derivative(const Request& unknowns, const Request& knowns) {
  if (const Status status = check(unknowns.references, unknowns.count, unknowns.values); status != Status::ok) {
    return status;
  }
  if (const Status status = check(knowns.references, knowns.count, knowns.values); status != Status::ok) {
    return status;
  }
  for (std::size_t i = 0; i < unknowns.count; ++i) {
    const VariableRow& row = *find(unknowns.references[i]);
    if (row.settable()) return refrain("%s is set, not computed: it has no derivatives", row.name);
    if (depends_on_choice(row)) return refrain("%s depends on the solver's choices: it has no derivatives", row.name);
  }
  for (std::size_t i = 0; i < knowns.count; ++i) {
    const VariableRow& row = *find(knowns.references[i]);
    if (has_derivatives_by(row)) continue;
    return refrain("there are no derivatives by %s%s", row.name,
                   mode_ == Mode::initialization ? " in initialization mode" : "");
  }
  return unknowns.count == 0 || computed_values_exist() ? Status::ok : Status::error;
}

Status Derivatives::directional_derivative(const Request& unknowns, const Request& knowns, double* sensitivity) {
  if (unknowns.count > 0 && sensitivity == nullptr) return fail("an array is NULL");
  if (const Status status = check_derivative({unknowns.references, unknowns.count, sensitivity}, knowns);
      status != Status::ok) {
    return status;
  }
  std::fill_n(direction_.data(), variables_.count, 0.0);
  const double* seed = knowns.values;
  for (std::size_t i = 0; i < knowns.count; ++i) {
    const VariableRow* row = find(knowns.references[i]);
    for (const VariableRow* end = row + components(*row); row != end; ++row, ++seed) {
      if (!is_finite(*seed)) return fail("the seed of %s cannot be %g", row->name, *seed);
      direction_[static_cast<int>(row - variables_.rows)] += *seed;
    }
  }
  const auto write = [&](std::size_t k, double slope) { sensitivity[k] = slope; };
  return derive(unknowns, write);
}

Status Derivatives::adjoint_derivative(const Request& unknowns, const Request& knowns, double* sensitivity) {
  if (knowns.count > 0 && sensitivity == nullptr) return fail("an array is NULL");
  if (const Status status = check_derivative(unknowns, {knowns.references, knowns.count, sensitivity});
      status != Status::ok) {
    return status;
  }
  const std::size_t values = value_count(unknowns);
  for (std::size_t i = 0; i < values; ++i) {
    if (!is_finite(unknowns.values[i])) return fail("a seed cannot be %g", unknowns.values[i]);
  }
  for (std::size_t i = 0; i < knowns.count; ++i) {
    const VariableRow* row = find(knowns.references[i]);
    for (const VariableRow* end = row + components(*row); row != end; ++row, ++sensitivity) {
      std::fill_n(direction_.data(), variables_.count, 0.0);
      direction_[static_cast<int>(row - variables_.rows)] = 1;
      double sum = 0;
      const auto add = [&](std::size_t k, double slope) { sum += unknowns.values[k] * slope; };
      if (const Status status = derive(unknowns, add); status != Status::ok) return status;
      *sensitivity = sum;
    }
  }
  return Status::ok;
}

/// Hands take(k, derivative) those of the unknowns along direction_, one after the other.
template <class Take>
Status Derivatives::derive(const Request& unknowns, Take&& take) {
  if (unknowns.count == 0) return Status::ok;
  using Answer = ConsistentStart::Derivative;
  const Answer answer = differentiate();
  if (answer == Answer::none) {
    return refrain("derivatives cannot be computed at %.12g s: %s", last_time(), simulation_.message().text);
  }
  if (answer == Answer::path_dependent) {
    const std::size_t values = value_count(unknowns);
    Arena memory;
    Buffer<dynamic> derivatives(memory, static_cast<int>(values));
    if (!memory.ok()) return fail("out of memory");
    if (const Status status = difference(unknowns, derivatives.data()); status != Status::ok) return status;
    for (std::size_t k = 0; k < values; ++k) take(k, derivatives[static_cast<int>(k)]);
    return Status::ok;
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < unknowns.count; ++i) {
    const VariableRow* row = find(unknowns.references[i]);
    for (const VariableRow* end = row + components(*row); row != end; ++row, ++k) {
      double slope;
      if (!read_slope(*row, slope)) {
        return refrain("the derivative of %s is not a number at %.12g s", row->name, last_time());
      }
      take(k, slope);
    }
  }
  return Status::ok;
}

/// Differentiates along direction_. At the start, everything moves positions and velocities; while running, in
/// co-simulation, inputs of prescribed motions and parameters do. Time and states are those of model exchange, in
/// co-simulation too.
ConsistentStart::Derivative Derivatives::differentiate() {
  const Mechanism& mechanism = simulation_.mechanism();
  const Sizes& sizes = mechanism.sizes;
  double *inputs = direction_values_.data(), *q = inputs + sizes.inputs, *v = q + sizes.positions,
         *parameters = v + sizes.velocities;
  std::fill_n(direction_values_.data(), direction_size(sizes), 0.0);
  bool by_drives = false, by_parameters = false, freely = false;
  const double time = time_seed();
  if (time != 0 && mechanism.input_time >= 0) inputs[mechanism.input_time] = time;
  for (int i = 0; i < variables_.count; ++i) {
    const VariableRow& row = variables_.rows[i];
    const double change = row.factor * direction_[i];
    if (change == 0) continue;
    if (row.source == Source::position) q[row.index] = change;
    if (row.source == Source::velocity) v[row.index] = change;
    if (row.source == Source::parameter) parameters[row.index] = change;
    if (row.source == Source::input) inputs[row.index] = change;
    by_parameters |= row.source == Source::parameter;
    by_drives |= row.source == Source::input && mechanism.drives != nullptr && mechanism.drives[row.index];
    freely |= row.source == Source::time || row.source == Source::position || row.source == Source::velocity;
  }
  if (by_parameters) simulation_.differentiate_calculated(parameters);
  if (mode_ == Mode::initialization) return simulation_.differentiate_start(time, parameters, inputs);
  const Simulation::Direction direction{time, q, v, inputs, by_parameters ? parameters : nullptr};
  const bool moves = by_drives || by_parameters;
  const bool found =
      wishes_.model_exchange ? simulation_.differentiate(direction)
      : moves                ? simulation_.differentiate_jump(direction, freely)
      : freely               ? simulation_.differentiate_freely(direction)
                             : simulation_.differentiate(direction);
  return found ? ConsistentStart::Derivative::found : ConsistentStart::Derivative::none;
}

double Derivatives::time_seed() const {
  for (int i = 0; i < variables_.count; ++i) {
    if (variables_.rows[i].source == Source::time) return direction_[i];
  }
  return 0;
}

/// Finds the derivative of a computed value along the simulation's last direction, in the variable's unit. Returns
/// false if it has no number.
bool Derivatives::read_slope(const VariableRow& row, double& slope) {
  const double* slopes = nullptr;
  slope = 0;
  switch (row.source) {
    case Source::parameter:
      slopes = simulation_.parameter_slopes();
      if (slopes == nullptr) return true;
      break;
    case Source::position: slopes = simulation_.position_slopes(); break;
    case Source::position_rate: slopes = simulation_.rate_slopes(); break;
    case Source::velocity: slopes = simulation_.velocity_slopes(); break;
    case Source::acceleration: slopes = simulation_.velocity_rate_slopes(); break;
    case Source::multiplier: slopes = simulation_.multiplier_slopes(); break;
    case Source::output: slopes = simulation_.output_slopes(row.group); break;
    default: return true;  // the solver's counts, which do not change
  }
  slope = slopes == nullptr ? NAN : slopes[row.index] / row.factor;
  return is_finite(slope);
}

/// Finds derivatives of the unknowns along direction_, by differences of whole starts.
Status Derivatives::difference(const Request& unknowns, double* derivatives) {
  const std::size_t values = value_count(unknowns);
  Arena memory;
  Buffer<dynamic> origin(memory, simulation_.state_size()), ahead(memory, static_cast<int>(values)),
      behind(memory, static_cast<int>(values));
  Buffer<dynamic> differences(memory, most_levels * static_cast<int>(values));  // are sorted by unknown, then by level
  if (!memory.ok()) return fail("out of memory");
  std::copy_n(simulation_.state(), simulation_.state_size(), origin.data());
  double step = first_difference();
  bool done = step == 0;  // nothing changes, and differences stay 0
  for (int attempt = 0; attempt < 10 && !done; ++attempt, step /= 4) {
    done = true;
    double h = step;
    for (int level = 0; level < most_levels && done; ++level, h /= shrink) {
      done = values_beside(origin.data(), h, unknowns, ahead.data()) &&
             values_beside(origin.data(), -h, unknowns, behind.data());
      for (std::size_t k = 0; k < values && done; ++k) {
        const int index = static_cast<int>(k);
        differences[most_levels * index + level] = (ahead[index] - behind[index]) / (2 * h);
      }
    }
  }
  Message why;
  if (!done) why.fail("%s", simulation_.message().text);
  simulation_.restore(origin.data());
  if (!done) {
    return refrain("derivatives cannot be computed at %.12g s: next to the values that are set there are none: %s",
                   last_time(), why.text);
  }
  for (std::size_t k = 0; k < values; ++k) {
    derivatives[k] = extrapolated(differences.data() + most_levels * k);
  }
  return Status::ok;
}

/// Returns the largest step along direction_: a twentieth of the smallest value that it changes, in that variable's
/// unit.
double Derivatives::first_difference() {
  constexpr double part = 0.05;
  double step = 0;
  const auto limit = [&](double seed, double value) {
    if (seed == 0) return;
    const double size = std::fabs(value), own = part * (size > no_own_size ? size : 1) / std::fabs(seed);
    step = step == 0 ? own : std::fmin(step, own);
  };
  limit(time_seed(), start_time_);
  for (int i = 0; i < settable_count_; ++i) limit(direction_[settable_[i]], set_values_[settable_[i]]);
  return step;
}

/// Finds the unknowns where everything set is a step along direction_ away.
bool Derivatives::values_beside(const double* origin, double step, const Request& unknowns, double* values) {
  simulation_.restore(origin);
  for (int i = 0; i < settable_count_; ++i) {
    const VariableRow& row = variables_.rows[settable_[i]];
    const double change = step * row.factor * direction_[settable_[i]];
    if (change == 0) continue;
    if (row.source == Source::input) simulation_.set_input(row.index, simulation_.inputs()[row.index] + change);
    else simulation_.set_parameter(row.index, simulation_.parameters()[row.index] + change);
  }
  const bool there = mode_ == Mode::initialization ? simulation_.assemble(start_time_ + step * time_seed())
                                                   : simulation_.adopt_inputs();
  for (std::size_t i = 0; i < unknowns.count && there; ++i) {
    const VariableRow* row = find(unknowns.references[i]);
    for (const VariableRow* end = row + components(*row); row != end; ++row, ++values) {
      if (!compute(*row, *values) || !is_finite(*values)) return false;
    }
  }
  return there;
}

Status Derivatives::get_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                                    double* values) {
  if (const Status status = check(references, count, values); status != Status::ok) return status;
  if (count > 0 && orders == nullptr) return fail("an array is NULL");
  for (std::size_t i = 0; i < count; ++i) {
    const VariableRow& row = *find(references[i]);
    if (row.role != Role::output) return fail("%s is not an output: only those have derivatives", row.name);
    if (orders[i] < 1 || orders[i] > most_output_derivatives) {
      return fail("the derivative of order %d of %s does not exist; orders are 1 to %d", static_cast<int>(orders[i]),
                  row.name, most_output_derivatives);
    }
    if (!computed_values_exist()) return Status::error;
    for (int c = 0; c < components(row); ++c, ++values) {
      if (!read_derivative((&row)[c], orders[i], *values)) return Status::error;
      if (!is_finite(*values)) return fail("a derivative of %s is not a number at %.12g s", row.name, last_time());
    }
  }
  return Status::ok;
}

/// Reads the derivative if it is a variable of its own; for the last such variable it finds the slope along the motion.
/// Higher orders are 0, as the standards want it of orders that do not exist.
bool Derivatives::read_derivative(const VariableRow& row, int order, double& value) {
  const VariableRow* last = &row;
  for (; order > 0 && last->derivative != 0; --order) last = &variables_.rows[last->derivative - 1];
  if (order > 1) {
    value = 0;
    return true;
  }
  if (order == 1 && !simulation_.differentiate_by_time()) {
    fail("%s has no derivative at %.12g s: %s", row.name, last_time(), simulation_.message().text);
    return false;
  }
  if (order == 1 && !read_slope(*last, value)) {
    fail("the derivative of %s is not a number at %.12g s", last->name, last_time());
    return false;
  }
  if (order == 0 && !read(*last, value)) return false;
  value *= last->factor / row.factor;
  return true;
}

}  // namespace mechfmu
