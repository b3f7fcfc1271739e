// Holds the contents of a mechanism file after reading and checking: names are resolved, dimensions agree, and every
// part has its place in the text. All numbers here are SI. If the FMU shows a number in a declared unit, that number is
// kept beside it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bodies.hpp"
#include "modelDescription/formulas/formulas.hpp"

namespace mechfmu {

struct Parameter {
  std::string name, description;
  Place place;
  Unit unit;
  Value value;
  bool calculated = false;                 ///< is true if it depends on other parameters: an FMI calculatedParameter
  bool tunable = false;                    ///< is true if the file says so, or if it is calculated from a tunable one
  std::optional<double> minimum, maximum;  ///< have the declared unit
};

struct Input {
  std::string name, description;
  Place place;
  Unit unit;
  double start = 0;  ///< has the declared unit
  std::optional<double> minimum, maximum;
};

struct Coordinate {
  std::string name, description;
  Place place;
  Unit unit;       ///< unit of the coordinate
  Unit rate_unit;  ///< unit/s, e.g. "rad/s"; text "1/s" for a dimensionless one
  Unit acceleration_unit;
  Start start, rate_start;  ///< rate_start.value.written is in rate_unit.
  Nominal nominal;
  std::optional<CoordinateLimits> limits;
  std::optional<Expression> rate;  ///< gives the coordinate's rate by velocities of the file
};

/// Is a velocity that is no coordinate's rate; the rates of coordinates are formulas of such velocities.
struct Velocity {
  std::string name, description;
  Place place;
  Unit unit, acceleration_unit;
  Start start;
};

/// Is a quantity that has neither inertia nor a rate, such as a pressure, a contact force or a slip. Its equation
/// determines it.
struct Unknown {
  std::string name, description;
  Place place;
  Unit unit;
  Start start;                    ///< The search begins here; it is never fixed.
  std::optional<double> nominal;  ///< size that it is large or small against, SI, if the file gives one
  Expression equation;            ///< is held at 0
  Dimension dimension;            ///< dimension of the equation
};

/// Says when a state jumps to a value.
struct StateReset {
  Place place;
  Expression when;   ///< a condition; the state jumps where it becomes true
  Expression value;  ///< is taken just before
};

/// Is a quantity with a rate of its own, but without inertia, such as a current, a pressure or a temperature.
struct OwnState {
  std::string name, description;
  Place place;
  Unit unit, rate_unit;
  Start start;
  std::optional<double> nominal;  ///< size that it is large or small against, SI, if the file gives one
  Expression rate;
  bool steady = false;  ///< It starts where its rate is zero; `start` is where the search begins.
  std::optional<StateReset> reset;
};

struct Definition {
  std::string name, description;
  Place place;
  Dimension dimension;
  Expression value;
};

enum class Level { position, velocity, acceleration };

/// Is a local coordinate of a constraint, x = g(q, t).
struct LocalCoordinate {
  std::string name;
  Place place;
  Expression value;
  Unit reaction_unit;  ///< SI unit of the reaction along it: energy / unit of the coordinate
};

struct Constraint {
  std::string name, description;
  Place place;
  Level level = Level::position;
  Expression residual;  ///< is held at 0
  Dimension dimension;
  /// If there are some, the residual is a formula of them; their names are the constraint's own.
  std::vector<LocalCoordinate> local;
  DriftGains gains;
  /// Is the column of B: coordinates and their coefficients. If it is empty, the constraint is ideal and B = Cᵀ.
  std::vector<std::pair<std::string, Expression>> realised_by;
  /// SI unit of the multiplier: power / rate of the constraint; its text is empty if the dimension is 1
  Unit multiplier_unit;
};

/// Is a gap that must not close further, with what acts where it is closed.
/// A contact that gives way has the force stiffness δ^exponent (1 + damping δ̇) at the depth δ, but never pulls.
struct ContactCompliance {
  Expression stiffness, damping;  ///< damping is 0 if the file gives none
  double exponent = 1;
};

struct Contact {
  std::string name, description;
  Place place;
  std::vector<Surface> surfaces;              ///< two, or none: then there are formulas of gap and slips
  Expression gap;                             ///< is not negative
  std::vector<Expression> slips;              ///< speeds along the surface: none, one, or two in space
  Dimension dimension;                        ///< dimension of the gap; that of the slips is by the second
  bool has_friction = false;                  ///< is true if the file gives the next coefficient
  Expression friction;                        ///< coefficient of sliding friction; 0 if the file gives none
  std::optional<Expression> static_friction;  ///< coefficient at rest, if the file gives one
  Expression restitution;                     ///< 0 if the file gives none
  std::optional<ContactCompliance> compliance;
};

/// Is one result that [outputs] declares: a formula, or a component of a quantity of a body against the ground.
struct Output {
  enum class Kind {
    value,
    position,
    velocity,
    acceleration,  ///< position, velocity and acceleration belong to a point
    angle,
    orientation,
    angular_velocity,
    angular_acceleration,  ///< angle to angular_acceleration belong to a body
  };
  std::string name, description;
  Place place;
  Unit unit;
  Kind kind = Kind::value;
  Expression value;
  PointReference point;  ///< the point, or the body's origin; not used by a formula
  int component = 0;     ///< 0, 1, 2 for x, y, z; for an orientation 0 to 3 for w, x, y, z
  int frame = 0;         ///< body in whose frame the component is
};

struct Dynamics {
  Place place;
  std::optional<Expression> kinetic_energy;
  std::vector<std::vector<Expression>> mass_matrix;  ///< rows of the mass matrix, in place of the kinetic energy
  std::optional<Expression> potential_energy;
  std::vector<std::pair<std::string, Expression>> forces;  ///< coordinates and their generalised forces
};

/// Names something in the file.
struct NamedPlace {
  std::string name;
  Place place;
};

struct SolverOptions {
  std::string method = "dopri5";
  bool method_given = false;  ///< is false if the exporter chooses
  double tolerance = 1e-8;
  double step = 1e-3;
  std::string tangent_basis = "partitioned";
  bool tangent_basis_given = false;             ///< is false if the exporter chooses
  std::vector<NamedPlace> independent;          ///< coordinates that shall be independent, if the file says so
  Place independent_place;                      ///< is the place at which it says so
  std::string drift_correction = "projection";  ///< is projection, integral, baumgarte or none
  /// These are the feedback gains of "integral" (G₁, G₀ of Blajer 1993 (4.6a)) and "baumgarte" (K_v, K_p of Blajer et
  /// al. 1994 (34)).
  double drift_gain_1 = 20, drift_gain_0 = 100;
  /// Limits the difference of redundant constraints, relative to the mechanism's size, and in rad.
  double closure_tolerance = 1e-6;
  double drift_interval = 1;  ///< steps after which projection corrects; 0: drift_bound alone decides
  double drift_bound = 0;     ///< violation above which it corrects sooner, relative to sizes; 0: however large
  std::optional<NamedPlace> occasional;  ///< the key that lets it correct occasionally, if one does
  double max_steps = 1e7;                ///< largest number of internal steps in one communication step
  double stop_time = 10;
  double communication_step = 0.01;
};

/// Says which variables are outputs. `all`: coordinates, rates, reactions, multipliers and the entries of [outputs].
/// `accelerations`: also accelerations of coordinates. `declared`: the entries of [outputs] only.
enum class Expose { all, accelerations, declared };

/// Holds one mechanism file: either bodies and joints, or coordinates and dynamics.
struct Description {
  std::string file;
  std::string name, description;
  Place place;
  Expose expose = Expose::all;
  bool exposes_solver = false;  ///< is true if tangent velocities are variables, too
  Place expose_place;
  bool spatial = false;      ///< is true if dimension = "spatial"
  Vector gravity;            ///< m/s²; zero if the file gives none
  bool absolute = false;     ///< is true if coordinates = "absolute"
  bool equilibrium = false;  ///< is true if start = "equilibrium"
  /// Is the place of hidden = "add": position constraints that others hide are added there.
  std::optional<Place> adds_hidden;
  std::vector<Body> bodies;  ///< The first is the ground. The list is empty for a mechanism of equations.
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Coupling> couplings;
  std::vector<Sensor> sensors;
  std::vector<Parameter> parameters;   ///< are in the order of the file
  std::vector<int> calculation_order;  ///< indices of calculated parameters; each comes after those it needs
  std::vector<Input> inputs;
  std::vector<Coordinate> coordinates;
  std::vector<Velocity> velocities;
  std::vector<OwnState> states;
  std::vector<Unknown> unknowns;
  std::vector<Definition> definitions;
  std::vector<Function> functions;
  Dynamics dynamics;
  std::vector<Constraint> constraints;
  std::vector<Contact> contacts;
  std::vector<Output> outputs;
  SolverOptions solver;
  std::vector<Unit> units;  ///< every distinct unit of the file, for UnitDefinitions
};

}  // namespace mechfmu
