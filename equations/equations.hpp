// The one meeting point of everything that can describe a mechanism and everything that can be done with one:
// its equations as CasADi expressions of named symbols. Nothing behind this header knows where they came from.
//
//   M v̇ = h + B λ,   M = ∂²T/∂v²,   positions f_p(t, q) = 0, velocities f_v(t, q, v) = 0, accelerations
//   f_a(t, q, v, v̇) = 0;   q̇ = q_rate(q, v), which is v itself for ordinary coordinates.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <casadi/casadi.hpp>

#include "fmu_src/mechanism/mechanism.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/description/shown.hpp"

namespace mechfmu {

/// Columns of symbols that every expression of a mechanism is made of.
struct Symbols {
  casadi::SX time, q, v, inputs, parameters;
  casadi::SX acceleration;  ///< v̇
  casadi::SX multipliers;   ///< λ, position constraints first, then velocity, then acceleration constraints
  /// Whole turns of angles told from the position, for those who build equations. derive() puts in their place what
  /// `angles` say: the unwrapped angles of a moment ago, which the present ones are nearest to.
  casadi::SX turns = casadi::SX(0, 1), angles = casadi::SX(0, 1);
  casadi::SX loads = casadi::SX(0, 1);  ///< unknowns beside accelerations and multipliers
  casadi::SX q_rate;                    ///< q̇ as an expression of q and v

  /// In the order of every function made from the equations.
  std::vector<casadi::SX> all() const {
    return {time, q, v, inputs, parameters, acceleration, multipliers, angles, loads};
  }
};

/// What messages say where rows stay open: ToldRows of the core.
struct RowMeaning {
  std::string text = {};  ///< a # for each number; neighbouring rows of the same text are told together
  ToldRows::Gap gap = ToldRows::Gap::residual;
  std::vector<casadi::SX> lengths = {};  ///< of the numbers after the first, of time and parameters
};

struct ConstraintEquation {
  std::string name;  ///< for messages
  Place place;
  Level level = Level::position;
  casadi::SX residual;  ///< scalar, = 0
  /// Column of B; empty: ideal, B = C_aᵀ.
  std::optional<casadi::SX> realised_by;
  Shown multiplier = {};
  std::string description = {};
  /// One of a joint's own equations: it may turn out to constrain nothing, where others imply it everywhere.
  bool of_joint = false;
  std::string driven = {};  ///< it prescribes the motion of this, "A.angle" or "rod.length"; empty: of nothing
  Unit unit = {};           ///< of the residual, as messages show it
  RowMeaning meaning = {};  ///< text empty: told by its name
};

/// An equation that holds at the start only.
struct StartEquation {
  std::string name;
  Place place;
  casadi::SX residual;  ///< = 0, of positions (and velocities, linear) and parameters
  Unit unit = {};       ///< that messages show it in
};

/// An angle that the position tells up to whole turns; Symbols::turns counts them.
struct AngleEquation {
  std::string name;
  casadi::SX raw;    ///< in (−π, π]
  casadi::SX guess;  ///< of parameters: what the start values say of it
};

/// What a nominal size was taken from.
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

/// A friction's normal force, or an unknown of the author's; Symbols::loads stands for it. Frictions come first.
struct LoadEquation {
  std::string name;
  Place place;
  casadi::SX value;  ///< the load is this, of v̇ and λ, and everything else; of an unknown: this is zero
  std::optional<casadi::SX> start = {};  ///< of an unknown, of parameters: where the search begins
  Unit unit = {}, residual_unit = {};    ///< that messages show it in, and what its equation leaves open
  double nominal = 1;                    ///< as in Mechanism::load_nominal; equations/nominal_sizes.hpp
  NominalOrigin nominal_origin = NominalOrigin::nothing;
};

/// A number that is positive on the right branch of an assembly.
struct BranchCondition {
  std::string name;  ///< of the joint
  Place place;
  casadi::SX value;
};

/// What has to hold whenever a motion begins or parameters change: Condition, with its two numbers.
struct ConditionEquation {
  Condition::Relation relation = Condition::at_least;
  std::string what, other;
  Unit unit;
  std::string repair;  ///< as in Condition
  Place place;
  casadi::SX number = {}, bound = 0;
  double tolerance = 0;
  Condition::When when = Condition::before_assembly;  ///< derive() finds out
  bool always = false;                                ///< likewise

  /// For the core; it points to the texts here.
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

/// Which outputs are evaluated together.
enum OutputGroupIndex { motion_outputs = 0, reaction_outputs = 1, energy_outputs = 2, output_group_count = 3 };

struct OutputEquation {
  Shown shown;
  casadi::SX value;
  int group = motion_outputs;  ///< reaction_outputs: needs v̇ or λ
  int index = 0;               ///< in its group
};

/// A parameter or start value that is given by other parameters.
struct Calculation {
  int parameter = 0;  ///< index into the parameters
  casadi::SX value;   ///< of parameters that are not calculated
};

/// A polygon of points against the ground.
using DrawnLine = std::vector<casadi::SX>;

/// A circle about its centre; in space, round its axis.
struct DrawnWheel {
  casadi::SX center, axis, radius;
};

/// What the mechanism looks like: of positions and parameters. Empty: nobody knows.
struct Drawing {
  std::vector<DrawnLine> lines;
  std::vector<casadi::SX> ground;  ///< places where the ground holds something
  std::vector<DrawnWheel> wheels;
};

struct Equations {
  std::string name;
  Symbols symbols;
  std::vector<Shown> positions, velocities, accelerations;  ///< of q, v, v̇
  std::vector<ShownParameter> parameters;
  std::vector<std::string> input_names;
  std::vector<double> parameter_values, input_values;  ///< as the file gives them, SI
  std::vector<bool> position_fixed, velocity_fixed;    ///< both by velocity: a quaternion is three of them

  std::vector<Quaternion> quaternions;
  /// What is known of sizes: places of joints and mass centres against the ground, and radii; of positions and
  /// parameters.
  std::vector<casadi::SX> places, radii;
  casadi::SX total_mass = 0, gravity = 0;      ///< of bodies; of parameters
  std::vector<double> nominal, rate_nominal;   ///< by velocity, as in Mechanism; equations/nominal_sizes.hpp
  std::vector<NominalOrigin> nominal_origins;  ///< by velocity
  double duration = 1, nominal_force = 1;
  casadi::SX position_guess, velocity_guess;  ///< of parameters
  std::vector<StartEquation> start_positions, start_velocities;
  std::vector<StartEquation> start_guesses;  ///< hold as nearly as the assembly can
  bool equilibrium = false;                  ///< coordinates that are not fixed start where forces balance, at rest
  std::vector<AngleEquation> angles;
  std::vector<LoadEquation> loads;
  std::vector<BranchCondition> branches;
  std::vector<ConditionEquation> conditions;
  std::string structure;             ///< how bodies and joints hang together, as text
  std::vector<std::string> filters;  ///< driven coordinates whose filters are among the hidden positions
  std::string remark;                ///< what to know about the results; found when the mechanism is assembled
  /// Index of an input that is the time at which the others were last set; -1: none. It is the last of the author's
  /// inputs, has a name and a value like the others, and is no variable of the FMU.
  int input_time = -1;
  /// Positions whose whole turns are counted apart, by further inputs of this kind; found by derive().
  std::vector<int> turning;
  int given_inputs() const { return static_cast<int>(input_names.size() - turning.size()); }

  casadi::SX kinetic_energy;              ///< T(t, q, v), at most quadratic in v
  std::optional<casadi::SX> mass_matrix;  ///< if given: T = ½ vᵀ M v
  /// With a mass matrix: the forces of inertia at v̇ = 0, where they do not follow from M as Lagrange's equations say,
  /// since velocities are not the rates of coordinates.
  std::optional<casadi::SX> inertia_forces;
  std::optional<casadi::SX> potential_energy;
  casadi::SX forces;   ///< applied, without those of the potential
  Place energy_place;  ///< of the kinetic energy or the mass matrix

  std::vector<ConstraintEquation> constraints;  ///< in the order of the multipliers
  std::vector<OutputEquation> outputs;
  std::vector<Calculation> calculations;
  Drawing drawing;

  /// Every expression that the motion and what is shown of it are made of.
  template <class Act>
  void for_motion(Act&& act) {
    act(kinetic_energy);
    act(forces);
    for (std::optional<casadi::SX>* expression : {&mass_matrix, &inertia_forces, &potential_energy})
      if (*expression) act(**expression);
    for (ConstraintEquation& row : constraints) {
      act(row.residual);
      if (row.realised_by) act(*row.realised_by);
    }
    for (AngleEquation& angle : angles) act(angle.raw);
    for (LoadEquation& load : loads) act(load.value);
    for (OutputEquation& output : outputs) act(output.value);
    for (ConditionEquation& condition : conditions) act(condition.number), act(condition.bound);
  }

  /// Nominal sizes of loads.
  std::vector<double> load_sizes() const {
    std::vector<double> sizes;
    for (const LoadEquation& load : loads) sizes.push_back(load.nominal);
    return sizes;
  }

  int count(Level level) const {
    int rows = 0;
    for (const ConstraintEquation& constraint : constraints) rows += constraint.level == level;
    return rows;
  }
};

}  // namespace mechfmu
