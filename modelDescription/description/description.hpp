// What a mechanism file says, after reading and checking: every name resolved, every dimension
// agreed, every piece with its place in the text. All numbers here are SI; what the author wrote
// in a declared unit is kept beside it where the FMU shows it.
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
  bool calculated = false;                 ///< depends on other parameters: an FMI calculatedParameter
  bool tunable = false;                    ///< declared, or calculated from a tunable one
  std::optional<double> minimum, maximum;  ///< in the declared unit
};

struct Input {
  std::string name, description;
  Place place;
  Unit unit;
  double start = 0;  ///< in the declared unit
  std::optional<double> minimum, maximum;
};

struct Coordinate {
  std::string name, description;
  Place place;
  Unit unit;       ///< of the coordinate
  Unit rate_unit;  ///< unit/s, e.g. "rad/s"; text "1/s" for a dimensionless one
  Unit acceleration_unit;
  Start start, rate_start;  ///< rate_start.value.written is in rate_unit
  Nominal nominal;
};

/// What has neither inertia nor a rate: a pressure, a contact force, a slip. Its equation determines it.
struct Unknown {
  std::string name, description;
  Place place;
  Unit unit;
  Start start;                    ///< where the search begins; never fixed
  std::optional<double> nominal;  ///< what it is large or small against, SI, where the author says so
  Expression equation;            ///< = 0
  Dimension dimension;            ///< of the equation
};

struct Definition {
  std::string name, description;
  Place place;
  Dimension dimension;
  Expression value;
};

enum class Level { position, velocity, acceleration };

struct Constraint {
  std::string name, description;
  Place place;
  Level level = Level::position;
  Expression residual;  ///< = 0
  Dimension dimension;
  /// Column of B: coordinate → coefficient. Empty: ideal, B = Cᵀ.
  std::vector<std::pair<std::string, Expression>> realised_by;
  Unit multiplier_unit;  ///< SI unit of the multiplier, derived from dimensions (power / constraint rate); text empty
                         ///< if it has none
};

/// What [outputs] declares: a formula, or something of a body against the ground. One for each component.
struct Output {
  enum class Kind {
    value,
    position,
    velocity,
    acceleration,  ///< of a point
    angle,
    orientation,
    angular_velocity,
    angular_acceleration,  ///< of a body
  };
  std::string name, description;
  Place place;
  Unit unit;
  Kind kind = Kind::value;
  Expression value;
  PointReference point;  ///< of the other kinds: the point, or the body's origin
  int component = 0;     ///< x, y, z; of an orientation w, x, y, z
  int frame = 0;         ///< body whose frame the component is in
};

struct Dynamics {
  Place place;
  std::optional<Expression> kinetic_energy;
  std::vector<std::vector<Expression>> mass_matrix;  ///< instead, row by row
  std::optional<Expression> potential_energy;
  std::vector<std::pair<std::string, Expression>> forces;  ///< coordinate → generalised force
};

struct SolverOptions {
  std::string method = "dopri5";
  double tolerance = 1e-8;
  double step = 1e-3;
  std::string tangent_basis = "partitioned";
  bool tangent_basis_given = false;             ///< otherwise the exporter chooses
  std::string drift_correction = "projection";  ///< projection | integral | baumgarte | none
  /// Feedback gains of "integral" (G₁, G₀ of Blajer 1993 (4.6a)) and "baumgarte" (K_v, K_p of Blajer et al. 1994 (34)).
  double drift_gain_1 = 20, drift_gain_0 = 100;
  double closure_tolerance = 1e-6;  ///< by how much dependent constraints may disagree, of the mechanism's size
  double max_steps = 1e7;           ///< of the integrator, in one communication step
  double stop_time = 10;
  double communication_step = 0.01;
};

/// Which of what is computed are outputs: coordinates, rates, reactions, multipliers and what [outputs] declares; these
/// and accelerations of coordinates; what [outputs] declares alone.
enum class Expose { all, accelerations, declared };

/// One mechanism file: either bodies and joints, or coordinates and dynamics.
struct Description {
  std::string file;
  std::string name, description;
  Place place;
  Expose expose = Expose::all;
  bool spatial = false;      ///< dimension, of bodies
  Vector gravity;            ///< of bodies; zero if not given
  bool absolute = false;     ///< coordinates = "absolute"
  bool equilibrium = false;  ///< start = "equilibrium"
  std::vector<Body> bodies;  ///< the first is the ground; empty: a mechanism of equations
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Coupling> couplings;
  std::vector<Sensor> sensors;
  std::vector<Parameter> parameters;   ///< in file order
  std::vector<int> calculation_order;  ///< indices of calculated parameters, each after what it needs
  std::vector<Input> inputs;
  std::vector<Coordinate> coordinates;
  std::vector<Unknown> unknowns;
  std::vector<Definition> definitions;
  std::vector<Function> functions;
  Dynamics dynamics;
  std::vector<Constraint> constraints;
  std::vector<Output> outputs;
  SolverOptions solver;
  std::vector<Unit> units;  ///< every distinct unit text used, for UnitDefinitions
};

}  // namespace mechfmu
