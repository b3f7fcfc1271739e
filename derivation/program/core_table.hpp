// Lists once what the core asks a mechanism for: every member of the Mechanism table with where it comes from.
// Generated code (emit.cpp), CasADi's evaluator (interpret.cpp) and the test that compares the two follow these lists.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "derivation/derive.hpp"

namespace mechfmu {

/// Says what the elements of a result belong to.
enum class Along {
  positions,
  velocities,
  moves,          ///< entries of M: coordinates, called by their velocities where there are quaternions
  position_rows,  ///< rows of f_p
  rows,           ///< rows of C
  local_coordinates,
  nonlinear_rows,   ///< rows of f_v
  all_rows,         ///< rows of C_a
  start_positions,  ///< rows that hold at the start only
  start_velocities,
  start_guesses,
  branches,
  conditions,  ///< two numbers each
  angles,
  loads,
  calculated,  ///< parameters
  told_lengths,
  contacts,
  changing_rows,
  switches,
  resets,
  reaction_impulses,
  contact_laws,  ///< contact_law_numbers for each contact
  balanced,      ///< velocities and all_rows
  unknown,       ///< velocities, all_rows and loads
};

/// Returns names along an axis, for comments.
std::vector<std::string> names_along(Along axis, const Derivation& derivation);

/// Is a matrix whose nonzeros are given.
struct CorePattern {
  const char* name;
  Pattern Mechanism::* member;
  casadi::Sparsity (*derived)(const Derivation&);
  Along rows, columns;
  bool symmetric;  ///< the lower triangle is given
  bool in_steps;   ///< compiled steps know it, too
};

inline constexpr CorePattern core_patterns[] = {
    {"M", &Mechanism::M, [](const Derivation& d) { return d.M; }, Along::moves, Along::moves, true, true},
    {"C", &Mechanism::C, [](const Derivation& d) { return d.C; }, Along::rows, Along::velocities, false, true},
    {"M_rate", &Mechanism::M_rate, [](const Derivation& d) { return d.stage_M_rate(); }, Along::moves, Along::moves,
     true, true},
    {"C_rate", &Mechanism::C_rate, [](const Derivation& d) { return d.stage_C_rate(); }, Along::rows, Along::velocities,
     false, true},
    {"C_a", &Mechanism::C_a, [](const Derivation& d) { return d.C_a; }, Along::all_rows, Along::velocities, false,
     false},
    {"B", &Mechanism::B, [](const Derivation& d) { return d.B; }, Along::velocities, Along::all_rows, false, false},
};

/// Is an array that a function fills: a column along an axis, a dense matrix (column by column), or nonzeros of a
/// pattern.
struct CoreResult {
  const char* name = "";
  enum Shape { column, dense, nonzeros } shape = column;
  Along rows = Along::positions, columns = Along::positions;
  int pattern = -1;  ///< index in core_patterns
};

namespace core_table {

constexpr CoreResult column(const char* name, Along rows) { return {name, CoreResult::column, rows}; }
constexpr CoreResult full(const char* name, Along rows, Along columns) {
  return {name, CoreResult::dense, rows, columns};
}
constexpr CoreResult nonzeros(const char* name, Pattern Mechanism::* member) {
  for (int i = 0; i < static_cast<int>(std::size(core_patterns)); ++i) {
    if (core_patterns[i].member == member)
      return {name, CoreResult::nonzeros, core_patterns[i].rows, core_patterns[i].columns, i};
  }
  throw "not a pattern of the core's";
}

}  // namespace core_table

/// Says how soon a result is wanted, which decides how a function is compiled.
enum class Wanted {
  staged,    ///< by compiled steps: prepare, position and velocity are stages of one program
  compiled,  ///< by compiled steps, which call it without the table
  in_steps,
  in_steps_or_shown,  ///< accelerations: it depends on the method
  seldom,             ///< at the start, or when somebody reads it
};

/// A function of the table, and the CasADi function that has the same results.
template <class Member>
struct CoreFunction {
  const char* name;
  Member Mechanism::* member;
  casadi::Function Derivation::* derived;
  Wanted wanted;
  bool always;  ///< the core calls it even if it has nothing to return
  std::array<CoreResult, 4> results;

  bool exists(const Derivation& d) const { return always || (d.*derived).nnz_out() > 0; }
  /// Returns how many arrays the function has to fill.
  std::size_t result_count() const {
    std::size_t count = 0;
    while (count < results.size() && *results[count].name != '\0') ++count;
    return count;
  }
};
template <class Member>
CoreFunction(const char*, Member Mechanism::*, casadi::Function Derivation::*, Wanted, bool, std::array<CoreResult, 4>)
    -> CoreFunction<Member>;

/// Lists all functions but `prepare`, which returns nothing.
inline constexpr auto core_functions = [] {
  using namespace core_table;
  using M = Mechanism;
  using D = Derivation;
  using Results = std::array<CoreResult, 4>;
  return std::tuple{
      CoreFunction{"position", &M::position, &D::position, Wanted::staged, true,
                   Results{nonzeros("M", &M::M), nonzeros("C", &M::C), column("c_t", Along::rows)}},
      CoreFunction{"velocity", &M::velocity, &D::velocity, Wanted::staged, true,
                   Results{column("g", Along::velocities), nonzeros("C_rate", &M::C_rate),
                           nonzeros("M_rate", &M::M_rate)}},
      CoreFunction{"violation", &M::violation, &D::violation, Wanted::compiled, true,
                   Results{column("f", Along::position_rows)}},
      CoreFunction{"local_frames", &M::local_frames, &D::local_frames, Wanted::compiled, false,
                   Results{full("J", Along::local_coordinates, Along::velocities),
                           full("C_hat", Along::rows, Along::local_coordinates)}},
      CoreFunction{"nonlinear", &M::nonlinear, &D::nonlinear, Wanted::in_steps, false,
                   Results{column("f", Along::nonlinear_rows),
                           full("F_transposed", Along::velocities, Along::nonlinear_rows)}},
      CoreFunction{"acceleration", &M::acceleration, &D::acceleration, Wanted::in_steps_or_shown, true,
                   Results{column("h", Along::velocities), column("gamma", Along::all_rows), nonzeros("C_a", &M::C_a),
                           nonzeros("B", &M::B)}},
      CoreFunction{"gaps", &M::gaps, &D::gaps, Wanted::in_steps, false, Results{column("gaps", Along::contacts)}},
      CoreFunction{"contact_speeds", &M::contact_speeds, &D::contact_speeds, Wanted::in_steps, false,
                   Results{column("speeds", Along::changing_rows)}},
      CoreFunction{"contact_laws", &M::contact_laws, &D::contact_laws, Wanted::in_steps, false,
                   Results{column("laws", Along::contact_laws)}},
      CoreFunction{"reaction_impulses", &M::reaction_impulses, &D::reaction_impulses, Wanted::in_steps, false,
                   Results{column("impulses", Along::reaction_impulses)}},
      CoreFunction{"switches", &M::switches, &D::switches, Wanted::in_steps, false,
                   Results{column("numbers", Along::switches), column("rates", Along::switches)}},
      CoreFunction{"resets", &M::resets, &D::resets, Wanted::in_steps, false,
                   Results{column("conditions", Along::resets), column("values", Along::resets)}},
      CoreFunction{"calculate", &M::calculate, &D::calculate, Wanted::seldom, true,
                   Results{column("values", Along::calculated)}},
      CoreFunction{"guess", &M::guess, &D::guess, Wanted::seldom, true,
                   Results{column("q", Along::positions), column("v", Along::velocities)}},
      CoreFunction{"start_positions", &M::start_positions, &D::start_positions, Wanted::seldom, false,
                   Results{column("f", Along::start_positions), full("F", Along::start_positions, Along::velocities)}},
      CoreFunction{"start_velocities", &M::start_velocities, &D::start_velocities, Wanted::seldom, false,
                   Results{column("r", Along::start_velocities),
                           full("R", Along::start_velocities, Along::velocities)}},
      CoreFunction{"start_guesses", &M::start_guesses, &D::start_guesses, Wanted::seldom, false,
                   Results{column("g", Along::start_guesses), full("G", Along::start_guesses, Along::velocities)}},
      CoreFunction{"branches", &M::branches, &D::branches, Wanted::seldom, false,
                   Results{column("values", Along::branches)}},
      CoreFunction{"told_lengths", &M::told_lengths, &D::told_lengths, Wanted::seldom, false,
                   Results{column("lengths", Along::told_lengths)}},
      CoreFunction{"condition_values", &M::condition_values, &D::condition_values, Wanted::seldom, false,
                   Results{column("values", Along::conditions)}},
      CoreFunction{"angles", &M::angles, &D::angles, Wanted::in_steps, false,
                   Results{column("raw", Along::angles), column("rates", Along::angles),
                           column("guesses", Along::angles)}},
      CoreFunction{"mass", &M::mass, &D::mass_with_loads, Wanted::in_steps, false, Results{nonzeros("M", &M::M)}},
      CoreFunction{"loads", &M::loads, &D::loads, Wanted::in_steps, false, Results{column("residuals", Along::loads)}},
      CoreFunction{"load_slopes", &M::load_slopes, &D::load_slopes, Wanted::in_steps, false,
                   Results{full("slopes", Along::loads, Along::unknown)}},
      CoreFunction{"load_actions", &M::load_actions, &D::load_actions, Wanted::in_steps, false,
                   Results{full("actions", Along::balanced, Along::loads)}},
      CoreFunction{"load_starts", &M::load_starts, &D::load_starts, Wanted::seldom, false,
                   Results{column("starts", Along::loads)}},
  };
}();
inline constexpr std::size_t core_function_count = std::tuple_size_v<decltype(core_functions)>;

/// Calls act(entry, index) for each entry of a tuple; the index is a constant.
template <class Tuple, class Act>
constexpr void for_each_entry(const Tuple& entries, Act&& act) {
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    (act(std::get<index>(entries), std::integral_constant<std::size_t, index>{}), ...);
  }(std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

/// Is a function as data.
struct CoreTape {
  const char* name;
  Tape Mechanism::* member;
  casadi::Function Derivation::* derived;
};
inline constexpr CoreTape core_tapes[] = {{"balance", &Mechanism::balance, &Derivation::balance},
                                          {"start", &Mechanism::start, &Derivation::start}};

/// An array of the table, and a copy of its elements as the exporter has them.
template <class Element, class Value>
struct CoreArray {
  const char* name;
  const Element* Mechanism::* member;
  std::vector<Value> (*derived)(const Derivation&);
  bool in_steps = false;  ///< compiled steps know it, too
};
template <class Element, class Derive>
constexpr auto core_array(const char* name, const Element* Mechanism::* member, Derive derive, bool in_steps = false) {
  using Values = decltype(derive(std::declval<const Derivation&>()));
  return CoreArray<Element, typename Values::value_type>{name, member, derive, in_steps};
}

/// Conditions, units and rows keep their texts where the derivation has them.
inline constexpr auto core_arrays = [] {
  using M = Mechanism;
  using D = const Derivation&;
  return std::tuple{
      core_array(
          "quaternions", &M::quaternions, [](D d) { return d.equations.quaternions; }, true),
      core_array(
          "nominal", &M::nominal, [](D d) { return d.equations.position_sizes(); }, true),
      core_array(
          "rate_nominal", &M::rate_nominal, [](D d) { return d.equations.rate_nominal; }, true),
      core_array(
          "local_points", &M::local_points, [](D d) { return d.frames.points; }, true),
      core_array(
          "row_points", &M::row_points, [](D d) { return d.frames.row_points; }, true),
      core_array("contacts", &M::contacts,
                 [](D d) {
                   std::vector<contacts::Group> groups;
                   for (const ContactEquation& one : d.equations.contacts)
                     groups.push_back({one.law, static_cast<int>(one.slips.size()), 0, 0});
                   return groups;
                 }),
      core_array("has_gap", &M::has_gap,
                 [](D d) {
                   std::vector<bool> gaps;
                   for (const ContactEquation& one : d.equations.contacts) gaps.push_back(one.has_gap());
                   return gaps;
                 }),
      core_array("gives_way", &M::gives_way,
                 [](D d) {
                   std::vector<bool> give;
                   for (const ContactEquation& one : d.equations.contacts) give.push_back(one.gives_way());
                   return give;
                 }),
      core_array("contact_names", &M::contact_names,
                 [](D d) {
                   std::vector<std::string> names;
                   for (const ContactEquation& one : d.equations.contacts) names.push_back(one.what);
                   return names;
                 }),
      core_array("switch_counts", &M::switch_counts,
                 [](D d) {
                   std::vector<bool> counts;
                   for (const SwitchEquation& one : d.equations.switches) counts.push_back(one.counts);
                   return counts;
                 }),
      core_array("switch_has_rate", &M::switch_has_rate,
                 [](D d) {
                   std::vector<bool> have;
                   for (const SwitchEquation& one : d.equations.switches) have.push_back(d.equations.has_rate(one));
                   return have;
                 }),
      core_array("switch_names", &M::switch_names,
                 [](D d) {
                   std::vector<std::string> names;
                   for (const SwitchEquation& one : d.equations.switches) names.push_back(one.what);
                   return names;
                 }),
      core_array("reset_states", &M::reset_states,
                 [](D d) {
                   std::vector<int> positions;
                   for (const ResetEquation& one : d.equations.resets)
                     positions.push_back(d.sizes.first_state() + one.state);
                   return positions;
                 }),
      core_array("steady", &M::steady,
                 [](D d) {
                   std::vector<bool> steady;
                   for (const StateEquation& state : d.equations.states) steady.push_back(state.steady);
                   const bool any = std::find(steady.begin(), steady.end(), true) != steady.end();
                   return any ? steady : std::vector<bool>{};
                 }),
      core_array("calculated", &M::calculated,
                 [](D d) {
                   std::vector<int> parameters;
                   for (const Calculation& one : d.equations.calculations) parameters.push_back(one.parameter);
                   return parameters;
                 }),
      core_array("conditions", &M::conditions,
                 [](D d) {
                   std::vector<Condition> conditions;
                   for (const ConditionEquation& one : d.equations.conditions) conditions.push_back(one.condition());
                   return conditions;
                 }),
      core_array("turning", &M::turning, [](D d) { return d.equations.turning; }),
      core_array("drift_gains", &M::drift_gains,
                 [](D d) {
                   std::vector<double> gains;
                   bool own = false;
                   for (const ConstraintEquation& row : d.equations.constraints) {
                     if (row.level == Level::acceleration) continue;
                     for (const auto& gain : {row.gains.first, row.gains.second}) {
                       own = own || gain;
                       gains.push_back(gain.value_or(-1));
                     }
                   }
                   return own ? gains : std::vector<double>{};
                 }),
      core_array("preferred", &M::preferred, [](D d) { return d.equations.preferred; }),
      core_array("drives", &M::drives, [](D d) { return d.drives; }),
      core_array("position_fixed", &M::position_fixed, [](D d) { return d.equations.position_fixed; }),
      core_array("velocity_fixed", &M::velocity_fixed, [](D d) { return d.equations.velocity_fixed; }),
      core_array("realised", &M::realised, [](D d) { return d.realised; }),
      core_array("bare", &M::bare, [](D d) { return d.bare; }),
      core_array("same_unit", &M::same_unit, [](D d) { return d.same_unit; }),
      core_array("position_names", &M::position_names, [](D d) { return names_of(d.equations.positions); }),
      core_array("velocity_names", &M::velocity_names, [](D d) { return names_of(d.equations.velocities); }),
      core_array("constraint_names", &M::constraint_names, [](D d) { return names_of(d.equations.all_rows()); }),
      core_array("driven", &M::driven, [](D d) { return d.told.driven; }),
      core_array("start_position_names", &M::start_position_names,
                 [](D d) { return names_of(d.equations.start_positions); }),
      core_array("start_velocity_names", &M::start_velocity_names,
                 [](D d) { return names_of(d.equations.start_velocities); }),
      core_array("load_names", &M::load_names, [](D d) { return names_of(d.equations.loads); }),
      core_array("load_rows", &M::load_rows,
                 [](D d) {
                   std::vector<int> rows;
                   for (const LoadEquation& load : d.equations.loads) rows.push_back(load.row);
                   return rows;
                 }),
      core_array("load_nominal", &M::load_nominal, [](D d) { return d.equations.load_sizes(); }),
      core_array("branch_names", &M::branch_names, [](D d) { return names_of(d.equations.branches); }),
      core_array("units", &M::units,
                 [](D d) {
                   std::vector<ShownUnit> units;
                   for (const Unit& unit : d.told.units) units.push_back({unit.text.c_str(), unit.factor, unit.offset});
                   return units;
                 }),
      core_array("units_of", &M::units_of,
                 [](D d) { return std::vector<unsigned char>(d.told.units_of.begin(), d.told.units_of.end()); }),
      core_array("told", &M::told,
                 [](D d) {
                   std::vector<ToldRows> rows;
                   for (const ToldTables::Rows& row : d.told.rows)
                     rows.push_back({row.first, row.count, row.gap, static_cast<unsigned char>(row.unit),
                                     row.text.c_str(), row.first_length});
                   return rows;
                 }),
  };
}();

/// Is a single value of the table.
template <class Value>
struct CoreValue {
  const char* name;
  Value Mechanism::* member;
  Value (*derived)(const Derivation&);
};
template <class Value, class Derive>
constexpr auto core_value(const char* name, Value Mechanism::* member, Derive derive) {
  return CoreValue<Value>{name, member, derive};
}
inline constexpr auto core_values = [] {
  using M = Mechanism;
  using D = const Derivation&;
  return std::tuple{
      core_value("name", &M::name, [](D d) { return d.equations.name.c_str(); }),
      core_value("remark", &M::remark,
                 [](D d) { return d.equations.remark.empty() ? nullptr : d.equations.remark.c_str(); }),
      core_value("calculated_count", &M::calculated_count,
                 [](D d) { return static_cast<int>(d.equations.calculations.size()); }),
      core_value("group_count", &M::group_count, [](D) { return static_cast<int>(output_group_count); }),
      core_value("condition_count", &M::condition_count,
                 [](D d) { return static_cast<int>(d.equations.conditions.size()); }),
      core_value("told_count", &M::told_count, [](D d) { return static_cast<int>(d.told.rows.size()); }),
      core_value("equilibrium", &M::equilibrium, [](D d) { return d.equations.equilibrium; }),
      core_value("input_time", &M::input_time, [](D d) { return d.equations.input_time; }),
      core_value("duration", &M::duration, [](D d) { return d.equations.duration; }),
  };
}();

/// Numbers that decide lengths; the generated code knows its `work` itself.
struct CoreSize {
  const char* name;
  int Sizes::* member;
};
inline constexpr CoreSize core_sizes[] = {
    {"positions", &Sizes::positions},
    {"velocities", &Sizes::velocities},
    {"position_rows", &Sizes::position_rows},
    {"velocity_rows", &Sizes::velocity_rows},
    {"acceleration_rows", &Sizes::acceleration_rows},
    {"rank", &Sizes::rank},
    {"position_rank", &Sizes::position_rank},
    {"inputs", &Sizes::inputs},
    {"parameters", &Sizes::parameters},
    {"work", &Sizes::work},
    {"M_nonzeros", &Sizes::M_nonzeros},
    {"C_nonzeros", &Sizes::C_nonzeros},
    {"M_rate_nonzeros", &Sizes::M_rate_nonzeros},
    {"C_rate_nonzeros", &Sizes::C_rate_nonzeros},
    {"quaternions", &Sizes::quaternions},
    {"start_position_rows", &Sizes::start_position_rows},
    {"start_velocity_rows", &Sizes::start_velocity_rows},
    {"start_guess_rows", &Sizes::start_guess_rows},
    {"branches", &Sizes::branches},
    {"angles", &Sizes::angles},
    {"loads", &Sizes::loads},
    {"unknowns", &Sizes::unknowns},
    {"turning", &Sizes::turning},
    {"local_coordinates", &Sizes::local_coordinates},
    {"nonlinear_rows", &Sizes::nonlinear_rows},
    {"nonlinear_rank", &Sizes::nonlinear_rank},
    {"contacts", &Sizes::contacts},
    {"changing_rows", &Sizes::changing_rows},
    {"reaction_impulses", &Sizes::reaction_impulses},
    {"switches", &Sizes::switches},
    {"resets", &Sizes::resets}};

struct CoreTrait {
  const char* name;
  bool Character::* member;
};
inline constexpr CoreTrait core_traits[] = {
    {"ideal", &Character::ideal},
    {"rheonomic", &Character::rheonomic},
    {"short_form", &Character::short_form},
    {"reads_angles", &Character::reads_angles},
    {"affine_loads", &Character::affine_loads},
    {"loads_in_matrices", &Character::loads_in_matrices},
    {"loads_in_mass", &Character::loads_in_mass},
    {"several_units", &Character::several_units},
    {"ideal_without_contacts", &Character::ideal_without_contacts}};

// No member may be missing above: counted by how many initialisers each struct takes.
namespace core_table {

struct Anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... index>
constexpr bool takes(std::index_sequence<index...>) {
  return requires { T{(static_cast<void>(index), Anything{})...}; };
}
template <class T, std::size_t count = 0>
constexpr std::size_t member_count() {
  if constexpr (takes<T>(std::make_index_sequence<count + 1>{})) return member_count<T, count + 1>();
  else return count;
}

static_assert(member_count<Sizes>() == std::size(core_sizes));
static_assert(member_count<Character>() == std::size(core_traits));
static_assert(member_count<Mechanism>() ==
              std::size(core_patterns) + core_function_count + std::size(core_tapes) +
                  std::tuple_size_v<decltype(core_arrays)> + std::tuple_size_v<decltype(core_values)> +
                  6);  // sizes, character, prepare, groups, make_changes; context, for callers

}  // namespace core_table

}  // namespace mechfmu
