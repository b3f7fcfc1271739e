// Everything that describes a mechanism, and everything that is done with one, meets here: at the mechanism's
// equations, which are CasADi expressions of named symbols. Nothing behind this header knows where they came from.
//
//   M v̇ = h + B λ,   M = ∂²T/∂v²,   positions f_p(t, q) = 0, velocities f_v(t, q, v) = 0, accelerations
//   f_a(t, q, v, v̇) = 0;   q̇ = q_rate(q, v), which is v itself for ordinary coordinates. States of the file have rates
//   of their own; forces may use them like positions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <casadi/casadi.hpp>

#include "fmu_src/contacts/problem.hpp"
#include "fmu_src/mechanism/mechanism.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/description/shown.hpp"

namespace mechfmu {

/// Holds columns of symbols; every expression of a mechanism is made of them.
struct Symbols {
  casadi::SX time, q, v, inputs, parameters;
  casadi::SX acceleration;  ///< v̇
  casadi::SX multipliers;   ///< λ, position constraints first, then velocity, then acceleration constraints
  /// Count the whole turns of angles that are told from the position; whoever builds equations uses `turns`. derive()
  /// replaces them by expressions of `angles`: these are the unwrapped angles of a moment ago, and the present ones are
  /// nearest to them, rad.
  casadi::SX turns = casadi::SX(0, 1), angles = casadi::SX(0, 1);
  casadi::SX loads = casadi::SX(0, 1);   ///< unknowns beside accelerations and multipliers
  casadi::SX slide = casadi::SX(0, 1);   ///< how contacts slide, Point::slide
  casadi::SX q_rate;                     ///< q̇ as an expression of q and v
  casadi::SX states = casadi::SX(0, 1);  ///< states of the file

  /// Returns all positions as the core has them: those of coordinates, then states.
  casadi::SX positions() const { return casadi::SX::vertcat({q, states}); }

  static constexpr std::size_t count = 10;
  /// Returns the columns in the order that every function made from the equations has.
  std::vector<casadi::SX> all() const {
    return {time, positions(), v, inputs, parameters, acceleration, multipliers, angles, loads, slide};
  }
};

/// Is what messages say where rows stay open: ToldRows of the core.
struct RowMeaning {
  std::string text = {};  ///< has a # for each number; neighbouring rows of the same text are told together
  ToldRows::Gap gap = ToldRows::Gap::residual;
  std::vector<casadi::SX> lengths = {};  ///< lengths for the numbers after the first, m; depend on time and parameters
};

/// Is a local coordinate x of a constraint f̂(x, t) = 0.
struct LocalCoordinateEquation {
  Shown reaction;       ///< the reaction along it
  std::string formula;  ///< Constraints of one point share local coordinates of the same formula.
  casadi::SX value;     ///< x as a function of positions and time
  casadi::SX slope;     ///< ∂f̂/∂x
};

/// Is a row that keeps the acceleration of a constraint in its place.
struct HeldInstead {
  casadi::SX residual;
  Level level = Level::position;
};

struct ConstraintEquation {
  std::string name;  ///< name in messages
  Place place;
  Level level = Level::position;
  casadi::SX residual;  ///< scalar, = 0
  /// Is the column of B. If it is empty, the constraint is ideal: B = C_aᵀ.
  std::optional<casadi::SX> realised_by;
  Shown multiplier = {};
  std::string description = {};
  /// Is true for a joint's own equations. They may turn out to constrain nothing, where others imply them everywhere.
  bool of_joint = false;
  /// Is true for a constraint that is not linear in the velocities, or accelerations, that it is given for; derive()
  /// finds it.
  bool nonlinear = false;
  /// A servo constraint whose control does not act on its acceleration is kept by a row that it hides; derive() finds
  /// both. The hidden row is a constraint, too: positions or velocities have to fulfil it, but it has no acceleration
  /// or multiplier of its own.
  std::optional<HeldInstead> instead = {};
  bool kept_by_others = false;
  std::string driven = {};  ///< names what the constraint drives, "A.angle" or "rod.length"; empty: it drives nothing
  Unit unit = {};           ///< unit of the residual, as messages show it
  std::vector<LocalCoordinateEquation> local = {};
  DriftGains gains = {};    ///< the row's own gains of drift correction by feedback
  bool of_file = false;     ///< is true for an entry of [constraints]
  RowMeaning meaning = {};  ///< If its text is empty, the row is told by its name.
};

/// Is a group of rows that come and go, with one law (fmu_src/contacts/problem.hpp).
struct ContactEquation {
  std::string name;  ///< begins the names of its variables: "heel", "A.angle.limit.upper"
  std::string what;  ///< words of messages: "the contact 'heel'", "the upper limit of 'A.angle'"
  Place place;
  contacts::Law law = contacts::Law::unilateral;
  casadi::SX gap;  ///< is not negative, unless the contact gives way; a function of time, positions and parameters
  /// Is the force that opens the gap of a contact that gives way, or is empty. It is among the mechanism's forces. The
  /// group then has rows for friction only, whose capacity follows from it; without friction it has none.
  casadi::SX normal_force = {};
  casadi::SX
      speed;  ///< bilateral, or unilateral without a gap (second never slower than first): its speed, linear in v
  std::vector<casadi::SX> slips;  ///< speeds along the surface, linear in v: none to two
  /// Is the coefficient of sliding friction. This number and the next four may be functions of all that a force may
  /// use, but not of v̇ and λ. Only a capacity may depend on loads, which are normal forces then.
  casadi::SX friction = 0;
  casadi::SX rest = 1;         ///< factor, at least 1, by which friction or capacity is larger at rest
  casadi::SX restitution = 0;  ///< is between 0 and 1
  casadi::SX capacity = 0;     ///< capacity: largest effort while it slides
  /// A bilateral group holds while this number is positive; if it is not there, always.
  std::optional<casadi::SX> when = {};
  Unit gap_unit = {};       ///< unit of the gap, or of the position that a speed belongs to
  Unit slip_unit = {};      ///< unit of the slips, or of the speed
  Unit force_unit = {};     ///< unit of the force on the gap: power / rate of the gap
  Unit friction_unit = {};  ///< unit of the force against the slip: power / slip
  std::string description = {};
  /// Names the two-sided thing that this is one side of, "A.angle.limit" or "coupling.teeth", or is empty. Its force is
  /// that of the lower side less that of the upper one.
  std::string one_side_of = {};
  /// Is true for the friction of a joint, whose force shows what it does.
  bool of_force = false;
  bool upper_side = false;
  /// Have an entry for each row; make_contact_symbols() makes them. The core multiplies rows by the first, and says by
  /// the others how the group slides (Point::slide).
  casadi::SX multipliers = {}, slide = {};

  bool gives_way() const { return !normal_force.is_empty(); }
  /// Is true if a row keeps the gap.
  bool has_gap() const { return !gap.is_empty() && !gives_way(); }
  /// Is true for friction that no normal force belongs to.
  bool has_own_capacity() const { return law == contacts::Law::capacity && !gives_way(); }
  /// Returns how many rows it has.
  std::size_t rows() const { return slips.size() + (law == contacts::Law::capacity ? 0 : 1); }

  /// Calls `act` for every expression that is there.
  template <class Act>
  void for_expressions(Act&& act) {
    for_geometry(act);
    for_law(act);
  }
  /// Calls `act` for every expression of the law's numbers.
  template <class Act>
  void for_law(Act&& act) {
    for (casadi::SX* number : {&friction, &rest, &restitution, &capacity}) act(*number);
  }
  /// Calls `act` for every other expression that is there.
  template <class Act>
  void for_geometry(Act&& act) {
    if (!gap.is_empty()) act(gap);
    if (gives_way()) act(normal_force);
    if (!speed.is_empty()) act(speed);
    for (casadi::SX& slip : slips) act(slip);
    if (when) act(*when);
  }
};

/// Is a variable that the core has of contacts or of their rows: that of one of them less that of another one. An index
/// may be missing, -1.
struct ChangingVariable {
  Shown shown;
  int plus = -1, minus = -1;
};

/// Is the impulse of a reaction at impulses of contacts.
struct ReactionImpulse {
  std::string name;
  /// Is the reaction's change, linear in v̇ and λ; the core puts the change of v and impulses in their place.
  casadi::SX value;
};

/// Is a number that decides which branch of a formula counts: by its sign, or by its whole part.
struct SwitchEquation {
  std::string what;  ///< words of messages: "a condition of A.angle and time"
  casadi::SX number;
  bool counts = false;  ///< decides by its whole part
};

/// Is an equation that holds at the start only.
struct StartEquation {
  std::string name;
  Place place;
  casadi::SX residual;  ///< is zero; contains positions and parameters, and velocities linearly
  Unit unit = {};       ///< Messages show the residual in it.
};

/// Is an angle that the position tells up to whole turns; Symbols::turns counts them.
struct AngleEquation {
  std::string name;
  casadi::SX raw;    ///< lies in (−π, π], rad
  casadi::SX guess;  ///< angle that the start values give, a function of parameters, rad
};

/// Says where a nominal size was taken from.
enum class NominalOrigin {
  file,
  angle,
  mechanism_length,
  largest_start,
  nothing,
  own_start,
  mechanism_sizes,
  own_unit
};

/// Is the equation of a friction's normal force or of an author's unknown; Symbols::loads stands for it. Frictions come
/// first.
struct LoadEquation {
  std::string name;
  Place place;
  casadi::SX value;  ///< friction: the load equals it; unknown: it is zero. It contains v̇ and λ, and everything else.
  std::optional<casadi::SX> start = {};  ///< unknowns only: value at which the search begins, a function of parameters
  Unit unit = {}, residual_unit = {};    ///< units in which messages show the load, and what its equation leaves open
  double nominal = 1;                    ///< size as in Mechanism::load_nominal; equations/nominal_sizes.hpp
  NominalOrigin nominal_origin = NominalOrigin::nothing;
  /// Is the index of a constraint that is not linear in an acceleration, if the load is this acceleration, or -1.
  int row = -1;
};

/// Is a state of the file. Among Equations::positions it follows those of coordinates, and its rate is an output.
struct StateEquation {
  std::string name;
  bool steady = false;  ///< starts where its rate is zero
  double nominal = 1;   ///< size as in Mechanism::nominal; equations/nominal_sizes.hpp
  NominalOrigin nominal_origin = NominalOrigin::nothing;
};

/// Lets a state jump where a condition becomes true.
struct ResetEquation {
  int state = 0;         ///< index into the states
  casadi::SX condition;  ///< is 1 while the condition holds, else 0
  casadi::SX value;      ///< the state's value behind the jump
};

/// Is a number that is positive on the right branch of an assembly.
struct BranchCondition {
  std::string name;  ///< name of the joint
  Place place;
  casadi::SX value;
};

/// Has to hold whenever a motion begins or parameters change: it is a Condition with its two numbers.
struct ConditionEquation {
  Condition::Relation relation = Condition::at_least;
  std::string what, other;
  Unit unit;
  std::string repair;  ///< text as in Condition
  Place place;
  casadi::SX number = {}, bound = 0;
  double tolerance = 0;
  Condition::When when = Condition::before_assembly;  ///< is found by derive()
  bool always = false;                                ///< is found by derive()

  /// Returns the condition for the core; it points to the texts here.
  Condition condition() const {
    return {relation,
            when,
            always,
            tolerance,
            what.c_str(),
            other.c_str(),
            {unit.text.c_str(), unit.factor, unit.offset},
            repair.c_str()};
  }
};

/// Is a velocity of the file: a linear function of the rates of coordinates.
struct VelocityEquation {
  Shown shown;
  casadi::SX value;      ///< function of time, positions and v
  casadi::SX slopes;     ///< ∂value/∂v, a row: a force along the velocity acts on v by it
  casadi::SX direction;  ///< ∂v/∂value, a column: a reaction B λ acts along the velocity by it
};

/// Says which outputs are evaluated together.
enum OutputGroupIndex {
  motion_outputs = 0,
  reaction_outputs = 1,
  energy_outputs = 2,
  effort_outputs = 3,
  violation_outputs = 4,
  state_rate_outputs = state_rate_group,
  output_group_count = 6
};

struct OutputEquation {
  Shown shown;
  casadi::SX value;
  /// reaction_outputs: needs v̇ or λ; effort_outputs: many, which few read, so that they are not computed with others
  int group = motion_outputs;
  int index = 0;  ///< place in its group
};

/// Gives a parameter or start value by other parameters.
struct Calculation {
  int parameter = 0;  ///< index into the parameters
  casadi::SX value;   ///< contains parameters that are not calculated
};

/// Is a polygon of points against the ground.
using DrawnLine = std::vector<casadi::SX>;

/// Is a circle about its centre; in space, round its axis.
struct DrawnWheel {
  casadi::SX center, axis, radius;
};

/// Holds the looks of a mechanism, as functions of positions and parameters. It is empty if nobody knows them.
struct Drawing {
  std::vector<DrawnLine> lines;
  std::vector<casadi::SX> ground;  ///< places where the ground holds something
  std::vector<DrawnWheel> wheels;
};

struct Equations {
  std::string name;
  Symbols symbols;
  std::vector<Shown> positions, velocities, accelerations;  ///< variables of all positions, v, v̇
  std::vector<ShownParameter> parameters;
  std::vector<std::string> input_names;
  std::vector<double> parameter_values, input_values;  ///< values as the file gives them, SI
  std::vector<bool> position_fixed, velocity_fixed;    ///< have an entry for each velocity: a quaternion has three
  std::vector<bool> preferred;  ///< is true for velocities that the file wants independent; empty: it wants none

  std::vector<Quaternion> quaternions;
  /// Are the known sizes, m: places of joints and mass centres against the ground, and radii, as functions of positions
  /// and parameters.
  std::vector<casadi::SX> places, radii;
  casadi::SX total_mass = 0, gravity = 0;      ///< kg and m/s²; functions of parameters
  std::vector<double> nominal, rate_nominal;   ///< sizes by velocity, as in Mechanism; equations/nominal_sizes.hpp
  std::vector<NominalOrigin> nominal_origins;  ///< have an entry for each velocity
  double duration = 1, nominal_force = 1;
  casadi::SX position_guess, velocity_guess;  ///< functions of parameters
  std::vector<StartEquation> start_positions, start_velocities;
  std::vector<VelocityEquation> own_velocities;  ///< velocities of the file
  std::vector<StartEquation> start_guesses;      ///< hold as nearly as the assembly can
  bool equilibrium = false;                      ///< coordinates that are not fixed start where forces balance, at rest
  std::vector<AngleEquation> angles;
  std::vector<LoadEquation> loads;
  std::vector<StateEquation> states;
  std::vector<ResetEquation> resets;
  std::vector<BranchCondition> branches;
  std::vector<ConditionEquation> conditions;
  std::string structure;             ///< says how bodies and joints hang together
  std::vector<std::string> filters;  ///< driven coordinates whose filters are among the hidden positions
  std::string remark;                ///< says what to know about the results; found when the mechanism is assembled
  /// Is the index of an input that is the time at which the others were last set, or -1. It is the last of the author's
  /// inputs, has a name and a value like the others, and is no variable of the FMU.
  int input_time = -1;
  /// Lists positions whose whole turns are counted apart, by further inputs; derive() finds them.
  std::vector<int> turning;
  /// Lists switches, whose sides are further inputs before the whole turns; derive() finds them.
  std::vector<SwitchEquation> switches;
  /// Is true for a switch whose rate of change follows from positions and velocities.
  bool has_rate(const SwitchEquation& one) const {
    return !casadi::SX::depends_on(one.number, casadi::SX::vertcat(
                                                   {symbols.v, symbols.inputs(casadi::Slice(0, given_inputs()))})) &&
           !(casadi::SX::depends_on(one.number, symbols.states) && is_late(state_rate_outputs));
  }
  /// Returns an expression as the author wrote it: numbers of conditions decide by themselves.
  casadi::SX without_sides(const casadi::SX& expression) const {
    const casadi::SX sides = symbols.inputs(casadi::Slice(given_inputs(), first_turns()));
    return sides.is_empty() ? expression : casadi::SX::substitute(expression, sides, casadi::SX::zeros(sides.numel()));
  }
  int given_inputs() const { return first_turns() - static_cast<int>(switches.size()); }
  /// Returns the index of the first input that counts whole turns.
  int first_turns() const { return static_cast<int>(input_names.size() - turning.size()); }

  casadi::SX kinetic_energy;              ///< T(t, q, v), at most quadratic in v
  std::optional<casadi::SX> mass_matrix;  ///< if given, T = ½ vᵀ M v
  /// Are the forces of inertia at v̇ = 0, beside a mass matrix. They are given if they do not follow from M as
  /// Lagrange's equations say, since velocities are not the rates of coordinates.
  std::optional<casadi::SX> inertia_forces;
  std::optional<casadi::SX> potential_energy;
  casadi::SX forces;   ///< applied forces without those of the potential
  Place energy_place;  ///< place of the kinetic energy or the mass matrix

  std::vector<ConstraintEquation> constraints;  ///< have the order of the multipliers
  std::vector<ContactEquation> contacts;
  /// Lists the rows of contacts, one group behind the other; their multipliers follow those of constraints. Their level
  /// is that of the residual, whose rate of change they restrict. derive() finds them.
  std::vector<ConstraintEquation> changing;
  /// These count contacts, their rows, and their indicators of events, two for each; derive() finds them.
  std::vector<ChangingVariable> contact_states, impulses, indicators;
  /// Lists reactions whose impulses are summed; their sums follow those of contacts' rows. derive() finds them.
  std::vector<ReactionImpulse> reaction_impulses;
  std::vector<OutputEquation> outputs;
  std::vector<Calculation> calculations;
  Drawing drawing;

  /// Calls `act` for every expression that the motion and what is shown of it are made of.
  template <class Act>
  void for_motion(Act&& act) {
    for_forces(act);
    for (ContactEquation& contact : contacts) contact.for_geometry(act);
    for (SwitchEquation& one : switches) act(one.number);
    for (AngleEquation& angle : angles) act(angle.raw);
    for (OutputEquation& output : outputs)
      if (output.group != state_rate_outputs) act(output.value);
    for (ConditionEquation& condition : conditions) act(condition.number), act(condition.bound);
  }

  /// Calls `act` for every expression that forces, inertia, rates of states and constraints that last are made of.
  template <class Act>
  void for_forces(Act&& act) {
    act(kinetic_energy);
    act(forces);
    for (std::optional<casadi::SX>* expression : {&mass_matrix, &inertia_forces, &potential_energy})
      if (*expression) act(**expression);
    for (ConstraintEquation& row : constraints) {
      act(row.residual);
      if (row.realised_by) act(*row.realised_by);
      for (LocalCoordinateEquation& local : row.local) act(local.value), act(local.slope);
    }
    for (ContactEquation& contact : contacts) contact.for_law(act);
    for (LoadEquation& load : loads) act(load.value);
    for (ResetEquation& reset : resets) act(reset.condition), act(reset.value);
    for (OutputEquation& output : outputs)
      if (output.group == state_rate_outputs) act(output.value);
  }

  /// Returns the rates of states.
  casadi::SX state_rates() const {
    std::vector<casadi::SX> rates{casadi::SX(0, 1)};
    for (const OutputEquation& output : outputs)
      if (output.group == state_rate_outputs) rates.push_back(output.value);
    return casadi::SX::vertcat(rates);
  }
  /// Is true if an output group may contain v̇, λ or loads.
  bool is_late(int group) const {
    return group == reaction_outputs || group == effort_outputs ||
           (group == state_rate_outputs && casadi::SX::depends_on(state_rates(), symbols.loads));
  }

  /// Returns the nominal sizes of coordinates, by velocity, then those of states.
  std::vector<double> position_sizes() const {
    std::vector<double> sizes = nominal;
    for (const StateEquation& state : states) sizes.push_back(state.nominal);
    return sizes;
  }
  /// Returns the nominal sizes of loads.
  std::vector<double> load_sizes() const {
    std::vector<double> sizes;
    for (const LoadEquation& load : loads) sizes.push_back(load.nominal);
    return sizes;
  }

  /// Returns all rows of C_a.
  std::vector<ConstraintEquation> all_rows() const {
    std::vector<ConstraintEquation> rows = constraints;
    rows.insert(rows.end(), changing.begin(), changing.end());
    return rows;
  }
  int count(Level level) const {
    int rows = 0;
    for (const ConstraintEquation& constraint : constraints) rows += constraint.level == level;
    return rows;
  }
  /// Returns how many velocity constraints are not linear in the velocities.
  int count_nonlinear() const {
    int rows = 0;
    for (const ConstraintEquation& constraint : constraints)
      rows += constraint.nonlinear && constraint.level == Level::velocity;
    return rows;
  }
};

}  // namespace mechfmu
