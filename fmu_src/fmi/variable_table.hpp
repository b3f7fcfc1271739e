// The table says all that an exported FMU knows about its variables at run time. The exporter writes one such table per
// model (generation/emit_variables.hpp); the XML has the same rows in the same order. A value reference is a row's
// position counted from 1, in FMI 2 and 3 alike.
#pragma once

#include <cstddef>
#include <limits>

#include "mechanism/families.hpp"
#include "mechanism/settings.hpp"

namespace mechfmu {

/// Says where a variable's value lives; `VariableRow::index` counts within it.
enum class Source : unsigned char {
  time,
  parameter,  ///< Mechanism's parameters, start values among them
  input,
  position,
  position_rate,  ///< rate of a quaternion's component; other rates are velocities
  velocity,
  acceleration,
  multiplier,
  output,         ///< an output of group VariableRow::group
  solver_number,  ///< solver_numbers below
  solver_choice,  ///< solver_choices below; the value is an item's number
  statistic,      ///< Statistic below
  independent,    ///< 1 if the velocity is independent now, else 0
  tangent_velocity,
  /// Is 0 while a contact is open, 1 while it slides, 2 while it holds. For something with two sides, whose upper one
  /// is `index` and whose lower one is `group`, it is 1 while the upper one holds and -1 while the lower one does.
  contact_state,
  impulse,             ///< sum of impulses in row `index` less that in row `group`; -1: there is no such row
  indicator,           ///< event indicator of a contact: positive while it stays as it is
  degrees_of_freedom,  ///< start is its value
};

/// Says how an importer may use a variable.
enum class Role : unsigned char {
  independent,
  fixed_parameter,
  tunable_parameter,
  calculated_parameter,
  input,
  output,
  local,
};

/// Source::solver_number has these members, by index.
inline constexpr double Settings::* solver_numbers[] = {
    &Settings::tolerance,         &Settings::step,           &Settings::drift_gain_1, &Settings::drift_gain_0,
    &Settings::closure_tolerance, &Settings::drift_interval, &Settings::drift_bound,  &Settings::max_steps};
inline constexpr int tolerance_index = 0, step_index = 1, max_steps_index = 7;

/// A choice from a list of names: an enumeration, whose items are numbered from 1 in the list's order.
struct SolverChoice {
  int Settings::* member;
  const MemberNames* names;
};

/// Converts between an item's number and its index in the list.
constexpr int item_of_index(int index) { return index + 1; }
constexpr int index_of_item(int item) { return item - 1; }

/// Source::solver_choice has these choices, by index.
inline constexpr SolverChoice solver_choices[] = {{&Settings::method, &integration_methods},
                                                  {&Settings::tangent_basis, &tangent_bases},
                                                  {&Settings::drift_correction, &drift_corrections}};

/// Source::statistic has these values, by index.
enum class Statistic {
  position_violation,
  velocity_violation,
  acceleration_violation,
  closure_gap,
  steps,
  rejected_steps,
  evaluations,
  basis_switches,
  basis_quality,
  events,
};

/// A value without limits has this one.
inline constexpr double unlimited = std::numeric_limits<double>::infinity();

struct VariableRow {
  const char* name;
  Source source;
  Role role;
  int index;
  int group;
  double factor, offset;  ///< SI value = factor * value + offset
  double start;           ///< has the variable's unit; a solver_choice has the item's number
  int derivative = 0;     ///< value reference of its time derivative, 0: there is none
  int components = 1;     ///< length of an array of FMI 3, which this row begins; 0: the row belongs to one begun
                          ///< before
  int guess_of = 0;       ///< for a start that is a guess: value reference of its state; 0: none
  double minimum = -unlimited, maximum = unlimited;  ///< have the variable's unit
  const char* unit = "";                             ///< unit of the limits, for messages

  constexpr bool is_choice() const { return source == Source::solver_choice; }
  constexpr bool settable() const {
    return role == Role::fixed_parameter || role == Role::tunable_parameter || role == Role::input;
  }
};

/// Up to which order derivatives of outputs by time can be asked for.
inline constexpr int most_output_derivatives = 2;

struct VariableTable {
  const char* token;  ///< FMI 2 guid, FMI 3 instantiationToken
  int count;
  const VariableRow* rows;

  Sequence<VariableRow> all() const { return {rows, static_cast<std::size_t>(count)}; }
};

/// The table of the model that this library was exported for.
const VariableTable& exported_variables();

}  // namespace mechfmu
