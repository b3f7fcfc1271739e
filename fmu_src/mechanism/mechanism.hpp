// The numeric face of one mechanism: sizes, sparsity patterns and functions of (t, q, v, inputs, parameters).
// The core sees nothing else of a model: no joints, no forces, no text. An exported FMU fills this table with
// generated C++; the exporter's own checks fill it with CasADi's evaluator.
//
// Notation (docs/method.md): M v̇ = h + B λ, constraints C v + c_t = 0 (rows: position constraints, then velocity
// constraints) and C_a v̇ + γ = 0 (the rows of C, then constraints given at acceleration level).
#pragma once

#include "linear/pattern.hpp"

namespace mechfmu {

/// Everything that decides an array's length.
struct Sizes {
  int positions = 0;          ///< n_q, length of q
  int velocities = 0;         ///< n, length of v
  int position_rows = 0;      ///< rows of f_p, the first rows of C
  int velocity_rows = 0;      ///< the further rows of C
  int acceleration_rows = 0;  ///< the further rows of C_a
  int rank = 0;               ///< generic rank of C; degrees of freedom k = velocities - rank
  int position_rank = 0;      ///< generic rank of the position rows
  int inputs = 0;             ///< the author's, the time of the inputs where Mechanism::input_time says so, whole turns
  int parameters = 0;         ///< the author's, start values among them
  int work = 0;               ///< numbers that one stage leaves for the next
  int M_nonzeros = 0, C_nonzeros = 0, M_rate_nonzeros = 0, C_rate_nonzeros = 0;
  int quaternions = 0;          ///< positions = velocities + quaternions
  int start_position_rows = 0;  ///< equations that hold at the start only, of positions
  int start_velocity_rows = 0;  ///< and of velocities
  int start_guess_rows = 0;     ///< guesses of coordinates that are not among the positions
  int branches = 0;             ///< conditions of the right branch of an assembly
  int angles = 0;               ///< angles that are told from the position up to whole turns
  int loads =
      0;  ///< unknowns beside accelerations and reactions: normal forces of friction, then the author's unknowns
  int unknowns = 0;  ///< the author's, the last of the loads
  int turning = 0;   ///< angles whose whole turns are counted apart

  constexpr int rows() const { return position_rows + velocity_rows; }
  constexpr int all_rows() const { return rows() + acceleration_rows; }
  constexpr int degrees_of_freedom() const { return velocities - rank; }
};

/// Facts that allow shorter formulas.
struct Character {
  bool ideal = true;          ///< B = C_aᵀ for every constraint
  bool rheonomic = false;     ///< c_t is not identically zero
  bool short_form = false;    ///< k = 1, ideal, no acceleration rows, C and M free of time: u̇ = w_dᵀ Q needs no Ṁ, Ċ
  bool reads_angles = false;  ///< the motion itself depends on Point::angles
  bool affine_loads = true;   ///< v̇ and λ are affine in the loads: h and γ are, and M, C_a and B are free of them
  bool loads_in_matrices = false;  ///< in M, C_a or B
  bool loads_in_mass = false;      ///< in M: Mechanism::mass gives it, and position() a metric
  bool several_units = false;      ///< rows of C are measured in units that differ
};

/// Where the equations are evaluated. Only what a function reads needs to be set.
struct Point {
  double time = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* inputs = nullptr;
  const double* parameters = nullptr;
  const double* acceleration = nullptr;  ///< v̇
  const double* multipliers = nullptr;   ///< λ, one for each row of C_a
  /// What the angles that are told up to whole turns were a moment ago, or are expected to be: every function takes the
  /// values nearest to these.
  const double* angles = nullptr;
  const double* loads = nullptr;
  const double* carrier = nullptr;  ///< z of Mechanism::balance
  double* work = nullptr;           ///< Sizes::work numbers, filled by prepare and position
  const void* context = nullptr;    ///< whatever the table's functions need; generated code ignores it
};

/// A unit quaternion among the positions: w, x, y, z from `position` on, its angular velocity from `velocity` on, in
/// the turned frame, q̇ = ½ q ∘ (0, ω). All other positions are integrals of their velocities, in the same order.
struct Quaternion {
  int position = 0;
  int velocity = 0;
};

/// A function of a Point as data, for its derivatives; mechanism/tape.hpp.
struct Tape {
  using Step = unsigned long long;  ///< an Operation and two operands
  int step_count = 0;
  const Step* steps = nullptr;
  const double* numbers = nullptr;
  int result_count = 0;
  const int* results = nullptr;  ///< the steps whose values are returned
};

/// A group of output expressions that is evaluated as a whole.
struct OutputGroup {
  int count = 0;
  bool needs_acceleration = false;  ///< reads Point::acceleration or Point::multipliers
  void (*evaluate)(const Point&, double* values) = nullptr;
  Tape tape;  ///< of the same values
};

/// A unit that messages show numbers in: SI value = factor · number + offset.
struct ShownUnit {
  const char* symbol = "";
  double factor = 1, offset = 0;
};

/// What a list of Mechanism::units_of has a unit for.
enum class Told { positions, velocities, rows, start_positions, start_velocities, loads, load_residuals };

/// Neighbouring rows of C that messages tell together: those that hold a joint's points, say. The text has a # for each
/// number: what the rows leave open together, then lengths.
struct ToldRows {
  enum class Gap : unsigned char {
    residual,  ///< the root of the sum of squares
    sine,      ///< that is the sine of an angle
    rod,       ///< (d² − l²)/2l is told as |d − l|; l is the first of the lengths
  };
  int first = 0, count = 0;
  Gap gap = Gap::residual;
  unsigned char unit = 0;
  const char* text = "";
  int first_length = 0;  ///< of Mechanism::told_lengths
};
inline constexpr int most_told_lengths = 64;

/// What has to hold of two numbers, the second often 0: no mass is negative, gears' radii fit the distance of their
/// axes.
struct Condition {
  enum Relation { at_least, more_than, agrees_with };
  /// When it is judged each time parameters have changed: before the mechanism is assembled, as soon as its position
  /// is, or at the end; `always`: also before each step that the importer asks for, since time, inputs or positions
  /// change it.
  enum When { before_assembly, positioned, assembled };
  Relation relation = at_least;
  When when = before_assembly;
  bool always = false;
  double tolerance = 0;     ///< agrees_with: relative to the second number; absolute where that is 0
  const char* what = "";    ///< the first number: "the mass of the body 'crank'"
  const char* other = "";   ///< the second; "": a plain number
  ShownUnit unit;           ///< that messages tell both in
  const char* repair = "";  ///< what to do
};

struct Mechanism {
  const char* name = "";
  const char* remark = nullptr;   ///< what to know about the results; nullptr: nothing
  const void* context = nullptr;  ///< what callers put into Point::context
  Sizes sizes;
  Character character;

  Pattern M;       ///< n × n, lower triangle
  Pattern C;       ///< rows() × n
  Pattern M_rate;  ///< Ṁ along the motion, lower triangle
  Pattern C_rate;  ///< Ċ along the motion
  Pattern C_a;     ///< all_rows() × n
  Pattern B;       ///< n × all_rows(); empty when ideal

  /// Parameters alone; call after every change of parameters. Leaves numbers in `work`.
  void (*prepare)(const Point&) = nullptr;
  /// M, C and c_t at (t, q). Leaves numbers in `work` for velocity(). c_t is written only when rheonomic. If M contains
  /// loads, this is M at their starts: a metric, in which bases are orthonormal and corrections smallest.
  void (*position)(const Point&, double* M, double* C, double* c_t) = nullptr;
  /// At the (t, q) of the last position() and v: g = h + Ṁ v = d(Mv)/dt without reactions, Ċ and Ṁ.
  /// In short form: g holds Q, what u̇ = w_dᵀ Q needs; C_rate and M_rate are not written (patterns empty).
  void (*velocity)(const Point&, double* g, double* C_rate, double* M_rate) = nullptr;
  /// f_p at (t, q).
  void (*violation)(const Point&, double* f) = nullptr;
  /// h, γ, C_a and, unless ideal, B at (t, q, v).
  void (*acceleration)(const Point&, double* h, double* gamma, double* C_a, double* B) = nullptr;
  /// Calculated parameters from the others; `values[i]` belongs at parameters[calculated[i]].
  void (*calculate)(const Point&, double* values) = nullptr;
  int calculated_count = 0;
  const int* calculated = nullptr;

  int group_count = 0;
  const OutputGroup* groups = nullptr;

  const Quaternion* quaternions = nullptr;  ///< Sizes::quaternions, ascending
  /// Start values that parameters (and calculated ones) give for positions and velocities: held, or guesses. Where a
  /// motion's filter begins, time and inputs say.
  void (*guess)(const Point&, double* q, double* v) = nullptr;
  /// Equations that hold at the start only: f(q) = 0 and r(q, v) = 0, r linear in v; `F` and `R` are their derivatives
  /// by quasi-coordinates and velocities, dense, column by column.
  void (*start_positions)(const Point&, double* f, double* F) = nullptr;
  void (*start_velocities)(const Point&, double* r, double* R) = nullptr;
  /// What the guesses of coordinates that are not among the positions are missed by, and its derivatives, likewise.
  void (*start_guesses)(const Point&, double* g, double* G) = nullptr;
  /// Numbers that are positive where the mechanism is assembled the right way round.
  void (*branches)(const Point&, double* values) = nullptr;
  /// The start goes on from the assembly to where forces balance, and begins at rest.
  bool equilibrium = false;
  /// Angles that are known up to whole turns, in (−π, π], their rates, and what the start values say of them (of the
  /// parameters alone).
  void (*angles)(const Point&, double* raw, double* rates, double* guesses) = nullptr;
  /// M with the loads, if it contains them.
  void (*mass)(const Point&, double* M) = nullptr;
  /// What the loads' equations leave open, F(v̇, λ, loads).
  void (*loads)(const Point&, double* residuals) = nullptr;
  /// Their derivatives by v̇, λ and the loads: Sizes::loads × (n + all_rows() + loads), dense, column by column.
  void (*load_slopes)(const Point&, double* slopes) = nullptr;
  /// ∂/∂loads of h + B λ − M v̇ and of γ + C_a v̇: (n + all_rows()) × loads, dense, column by column.
  void (*load_actions)(const Point&, double* actions) = nullptr;
  /// Where the search begins (of the parameters alone): 0 for frictions.
  void (*load_starts)(const Point&, double* starts) = nullptr;
  /// What has to balance, at any v̇, λ, loads and z: h + B λ − M v̇, γ + C_a v̇, the loads' residuals, f_p, C v + c_t, Bᵀ
  /// z.
  Tape balance;
  /// What the start is made of, one after the other: M, C, c_t (of scleronomic constraints, too); the results of
  /// violation, start_positions, start_velocities, start_guesses, guess and calculate.
  Tape start;
  /// Conditions, and the two numbers of each, one after the other.
  int condition_count = 0;
  const Condition* conditions = nullptr;
  void (*condition_values)(const Point&, double* values) = nullptr;
  int input_time = -1;  ///< index of an input that is the time at which inputs were last set, -1: none
  /// Positions that are angles within a turn or so: the last Sizes::turning inputs count the whole turns beside them.
  const int* turning = nullptr;
  const bool* drives = nullptr;  ///< inputs on which position or velocity constraints depend; nullptr: none

  bool input_driven() const {
    for (int i = 0; drives != nullptr && i < sizes.inputs; ++i) {
      if (drives[i]) return true;
    }
    return false;
  }

  /// What coordinates and their rates are large or small against (docs/method.md, nominal sizes), n numbers each, by
  /// velocity: for an angle 1, for a displacement a length of the mechanism; for rates that in the time of the file's
  /// experiment; or what the file says.
  const double* nominal = nullptr;
  const double* rate_nominal = nullptr;
  double duration = 1;  ///< of the file's experiment, s
  /// What loads are large or small against: of frictions, whose forces leave roundings where they cancel, bodies'
  /// weight and inertia, N; of unknowns as of coordinates.
  const double* load_nominal = nullptr;

  const bool* position_fixed = nullptr;  ///< start values that hold exactly, n flags: by quasi-coordinate
  const bool* velocity_fixed = nullptr;  ///< n flags
  const bool* realised = nullptr;        ///< rows of C_a that a control or a non-ideal reaction realises

  const char* const* position_names = nullptr;  ///< for messages
  const char* const* velocity_names = nullptr;
  const char* const* constraint_names = nullptr;  ///< rows of C_a, "guide"
  const char* const* driven = nullptr;            ///< rows of C_a: what a motion drives by them, "A.angle"; "": nothing
  const int* same_unit = nullptr;                 ///< row of C_a → the first one whose residual has the same unit
  const bool* bare = nullptr;  ///< rows of C_a whose residual is a number or an angle: small against 1
  const char* const* start_position_names = nullptr;  ///< of the equations that hold at the start only: "C.angle"
  const char* const* start_velocity_names = nullptr;
  const char* const* load_names = nullptr;
  const char* const* branch_names = nullptr;  ///< joints, one for each condition

  /// For messages, too: units, and which of them everything is in: one list after the other, in the order of Told; rows
  /// are those of C_a. nullptr: SI.
  const ShownUnit* units = nullptr;
  const unsigned char* units_of = nullptr;
  int told_count = 0;
  const ToldRows* told = nullptr;  ///< ascending; rows in none of them are told by their names
  void (*told_lengths)(const Point&, double* lengths) = nullptr;  ///< of time and parameters, at most most_told_lengths
};

}  // namespace mechfmu
