// This table is the numeric face of one mechanism: sizes, sparsity patterns and functions of (t, q, v, inputs,
// parameters). The core sees nothing else of a model: no joints, no forces, no text. An exported FMU fills the table
// with generated C++; the exporter's own checks fill it with CasADi's evaluator.
//
// Notation (docs/method.md): M v̇ = h + B λ, constraints C v + c_t = 0 (rows: position constraints, then velocity
// constraints) and C_a v̇ + γ = 0 (the rows of C, then constraints given at acceleration level, then rows that come and
// go).
#pragma once

#include "contacts/problem.hpp"
#include "linear/pattern.hpp"

namespace mechfmu {

/// The lengths of all arrays follow from these numbers.
struct Sizes {
  int positions = 0;          ///< n_q, length of q: positions of coordinates, then states of the file
  int velocities = 0;         ///< n, length of v
  int position_rows = 0;      ///< rows of f_p, the first rows of C
  int velocity_rows = 0;      ///< the further rows of C
  int acceleration_rows = 0;  ///< the further rows of C_a that last, those of f_v first
  int rank = 0;               ///< generic rank of C; degrees of freedom k = velocities - rank
  int position_rank = 0;      ///< generic rank of the position rows
  int inputs = 0;             ///< the author's inputs, the time of inputs if Mechanism::input_time has it, sides, whole
                              ///< turns
  int parameters = 0;         ///< the author's parameters, with start values
  int work = 0;               ///< numbers that one stage leaves for the next
  int M_nonzeros = 0, C_nonzeros = 0, M_rate_nonzeros = 0, C_rate_nonzeros = 0;
  int quaternions = 0;          ///< positions = velocities + quaternions + states()
  int start_position_rows = 0;  ///< equations of positions that hold at the start only
  int start_velocity_rows = 0;  ///< equations of velocities that hold at the start only
  int start_guess_rows = 0;     ///< guesses of coordinates that are not among the positions
  int branches = 0;             ///< conditions of the right branch of an assembly
  int angles = 0;               ///< angles that are told from the position up to whole turns
  int loads = 0;                ///< unknowns beside v̇ and λ: normal forces of frictions, then the author's unknowns
  int unknowns = 0;             ///< the author's unknowns, the last of the loads
  int turning = 0;              ///< angles whose whole turns are counted apart
  int local_coordinates = 0;    ///< x of Mechanism::local_frames; 0 if every row of C is its own local coordinate
  int nonlinear_rows = 0;       ///< rows of f_v: velocity constraints that are not linear in v
  int nonlinear_rank = 0;       ///< so many of them are independent of each other and of C
  int contacts = 0;             ///< groups of rows that come and go: contacts, limits, locks
  int changing_rows = 0;        ///< the rows of these groups, the last ones of C_a
  int reaction_impulses = 0;    ///< reactions whose impulses are summed
  int switches = 0;             ///< numbers that decide which branches of formulas count
  int resets = 0;               ///< jumps of states

  /// Returns how many states the file has: quantities with rates of their own, such as currents and pressures, which
  /// nothing constrains.
  constexpr int states() const { return positions - first_state(); }
  /// Returns the place in q of the first state.
  constexpr int first_state() const { return velocities + quaternions; }
  constexpr int rows() const { return position_rows + velocity_rows; }
  /// Returns how many rows positions and velocities have to fulfil: those of C, then those of f_v.
  constexpr int rate_rows() const { return rows() + nonlinear_rows; }
  /// Returns how many rows of C_a hold at all times.
  constexpr int lasting_rows() const { return rows() + acceleration_rows; }
  constexpr int all_rows() const { return lasting_rows() + changing_rows; }
  /// Returns how many indicators of events an integrator outside has: two of each group, then one of each switch.
  constexpr int indicators() const { return 2 * contacts + switches; }
  /// Is true if C_a has more rows than C.
  constexpr bool has_further_rows() const { return acceleration_rows + changing_rows > 0; }
  /// Returns k, the number of tangent velocities. (Constraints that are not linear leave fewer of them free.)
  constexpr int degrees_of_freedom() const { return velocities - rank; }
};

/// These facts allow shorter formulas.
struct Character {
  bool ideal = true;          ///< B = C_aᵀ for every row
  bool rheonomic = false;     ///< c_t is not identically zero
  bool short_form = false;    ///< k = 1, ideal, no acceleration rows, C and M free of time: u̇ = w_dᵀ Q needs no Ṁ, Ċ
  bool reads_angles = false;  ///< the motion itself depends on Point::angles
  bool affine_loads = true;   ///< v̇ and λ are affine in the loads: so are h and γ; M, C_a and B contain none
  bool loads_in_matrices = false;      ///< M, C_a or B contain loads
  bool loads_in_mass = false;          ///< M contains loads: Mechanism::mass gives it, and position() gives a metric
  bool several_units = false;          ///< rows of C have different units
  bool ideal_without_contacts = true;  ///< B = C_aᵀ for every row that lasts
};

/// The equations are evaluated at a point. Only the members that a function reads need to be set.
struct Point {
  double time = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* inputs = nullptr;
  const double* parameters = nullptr;
  const double* acceleration = nullptr;  ///< v̇
  const double* multipliers = nullptr;   ///< λ, one for each row of C_a
  /// The angles that positions tell up to whole turns, as they were a moment ago or as they are expected, in rad: every
  /// function takes the values nearest to these.
  const double* angles = nullptr;
  const double* loads = nullptr;
  /// Says how contacts slide, a number for each row that comes and goes; 0 for rows that do not slide. A single row of
  /// a group has the sign of its slip. Two rows have a speed in the slip's direction, which is nothing beside the slip.
  const double* slide = nullptr;
  const double* preimage = nullptr;  ///< z of Mechanism::balance
  double* work = nullptr;            ///< Sizes::work numbers, filled by prepare and position
  const double* held = nullptr;   ///< is 1 for the rows that come and go that hold, else 0; nullptr: none of them holds
  const void* context = nullptr;  ///< the data of the table's functions; generated code ignores it
};

/// A unit quaternion among the positions has w, x, y, z from `position` on, and its angular velocity, in the turned
/// frame, from `velocity` on: q̇ = ½ q ∘ (0, ω). All other positions but states are integrals of their velocities, in
/// this order.
struct Quaternion {
  int position = 0;
  int velocity = 0;
};

/// A tape is a function of a Point as data, for its derivatives (mechanism/tape.hpp).
struct Tape {
  using Step = unsigned long long;  ///< an Operation and two operands
  int step_count = 0;
  const Step* steps = nullptr;
  const double* numbers = nullptr;
  int result_count = 0;
  const int* results = nullptr;  ///< the steps whose values are returned
};

/// The output expressions of a group are evaluated together.
struct OutputGroup {
  int count = 0;
  bool needs_acceleration = false;  ///< reads Point::acceleration, Point::multipliers or Point::loads
  void (*evaluate)(const Point&, double* values) = nullptr;
  Tape tape;  ///< a tape that returns these values
};

/// This output group has the rates of states.
inline constexpr int state_rate_group = 5;

/// Messages show numbers in such a unit: SI value = factor · number + offset.
struct ShownUnit {
  const char* symbol = "";
  double factor = 1, offset = 0;
};

/// Mechanism::units_of has a unit for each item of these lists.
enum class Told { positions, velocities, rows, start_positions, start_velocities, loads, load_residuals };

/// Messages tell neighbouring rows of C together, for example the rows that hold the points of a joint. The text has a
/// # for each number: first what the rows leave open together, then lengths.
struct ToldRows {
  enum class Gap : unsigned char {
    residual,  ///< the root of the sum of squares
    sine,      ///< this root is the sine of an angle
    rod,       ///< (d² − l²)/2l is told as |d − l|; l is the first of the lengths
  };
  int first = 0, count = 0;
  Gap gap = Gap::residual;
  unsigned char unit = 0;
  const char* text = "";
  int first_length = 0;  ///< index in Mechanism::told_lengths
};
inline constexpr int most_told_lengths = 64;

/// A condition compares two numbers; the second is often 0. Examples: no mass is negative; the radii of gears fit the
/// distance of their axes.
struct Condition {
  enum Relation { at_least, more_than, agrees_with };
  /// Says when a condition is judged, each time parameters have changed: before the mechanism is assembled, as soon as
  /// its position is assembled, or at the end. With `always`, it is also judged before each step that the importer asks
  /// for, since time, inputs or positions change it.
  enum When { before_assembly, positioned, assembled };
  Relation relation = at_least;
  When when = before_assembly;
  bool always = false;
  double tolerance = 0;     ///< for agrees_with: relative to the second number; absolute if that is 0
  const char* what = "";    ///< the first number: "the mass of the body 'crank'"
  const char* other = "";   ///< the second number; "" if it has no name
  ShownUnit unit;           ///< unit of both numbers in messages
  const char* repair = "";  ///< says how to mend it
};

/// Mechanism::contact_laws returns these numbers for each group of rows that come and go.
struct ContactLaw {
  double friction = 0;     ///< μ while it slides
  double rest = 1;         ///< the factor that μ or the capacity is larger by at rest
  double restitution = 0;  ///< e
  double capacity = 0;
  double holds = 1;  ///< A bilateral row holds while this is positive.
};
inline constexpr int contact_law_numbers = 5;
/// Is in place of the lower side of what has one side only.
inline constexpr int no_side = -2;

class Changes;
struct Mechanism;
/// Makes what follows the changes of rows that come and go (stepping/changes.hpp).
using ChangesFactory = Changes* (*)(Arena&, const Mechanism&);

struct Mechanism {
  const char* name = "";
  const char* remark = nullptr;   ///< tells users something about the results; nullptr: nothing
  const void* context = nullptr;  ///< callers put it into Point::context
  Sizes sizes;
  Character character;

  Pattern M;       ///< n × n, lower triangle
  Pattern C;       ///< rows() × n
  Pattern M_rate;  ///< Ṁ along the motion, lower triangle
  Pattern C_rate;  ///< Ċ along the motion
  Pattern C_a;     ///< all_rows() × n
  Pattern B;       ///< n × all_rows(); empty when ideal

  /// Evaluates formulas of parameters alone; call it after every change of parameters. It leaves numbers in `work`.
  void (*prepare)(const Point&) = nullptr;
  /// Returns M, C and c_t at (t, q), and leaves numbers in `work` for velocity(). c_t is written only if the mechanism
  /// is rheonomic. If M contains loads, this is M at their starts: a metric, in which bases are orthonormal and
  /// corrections smallest.
  void (*position)(const Point&, double* M, double* C, double* c_t) = nullptr;
  /// Returns g = h + Ṁ v = d(Mv)/dt without reactions, Ċ and Ṁ, at v and at the (t, q) of the last position(). In short
  /// form, g holds the Q of u̇ = w_dᵀ Q; C_rate and M_rate have empty patterns and are not written.
  void (*velocity)(const Point&, double* g, double* C_rate, double* M_rate) = nullptr;
  /// Returns f_p at (t, q).
  void (*violation)(const Point&, double* f) = nullptr;
  /// Returns J = ∂x/∂q A and Ĉ with C = Ĉ J, at (t, q), where rows of C are functions of local coordinates x. Both are
  /// dense, column by column. A row without local coordinates of its own is one itself.
  void (*local_frames)(const Point&, double* J, double* C_hat) = nullptr;
  const int* local_points = nullptr;  ///< number of the constrained point of each local coordinate, from 0
  const int* row_points = nullptr;    ///< number of the constrained point of each row of C
  /// Returns f_v and Fᵀ at (t, q, v), F = ∂f_v/∂v: n × nonlinear_rows numbers, dense, column by column. Each f_v = 0 is
  /// a velocity constraint that is not linear in v. The rows of F are among those of C_a.
  void (*nonlinear)(const Point&, double* f, double* F_transposed) = nullptr;
  /// Returns h, γ, C_a and, unless the mechanism is ideal, B at (t, q, v).
  void (*acceleration)(const Point&, double* h, double* gamma, double* C_a, double* B) = nullptr;
  /// Returns the gaps of groups of rows that come and go, at (t, q); 0 for those that have none.
  void (*gaps)(const Point&, double* gaps) = nullptr;
  /// Returns the speeds of rows that come and go, at (t, q, v): rates of gaps, slips, speeds of locks.
  void (*contact_speeds)(const Point&, double* speeds) = nullptr;
  /// Returns a ContactLaw for each group.
  void (*contact_laws)(const Point&, double* laws) = nullptr;
  /// Returns the impulses of reactions at impulses of contacts, where acceleration is the change of v, and multipliers
  /// are the impulses in the rows of C_a.
  void (*reaction_impulses)(const Point&, double* impulses) = nullptr;
  const contacts::Group* contacts = nullptr;  ///< the groups, without the numbers of their laws
  /// Is true for groups with a gap; a unilateral group without one has a speed that is not negative.
  const bool* has_gap = nullptr;
  /// Is true for groups that rub where a contact gives way: they are open while their capacity is 0.
  const bool* gives_way = nullptr;
  const char* const* contact_names = nullptr;  ///< names of groups in messages: "the contact 'heel'"
  /// Returns numbers that decide which branches of formulas count, at (t, q, v), and their rates in time where
  /// switch_has_rate says so. The inputs before those of whole turns are their sides: 0 where the numbers themselves
  /// decide, else a sign, or 2n + 1 for numbers that decide by their whole part n.
  void (*switches)(const Point&, double* numbers, double* rates) = nullptr;
  const bool* switch_counts = nullptr;        ///< is true for those that decide by their whole part
  const bool* switch_has_rate = nullptr;      ///< is true for those that depend on time and positions only
  const char* const* switch_names = nullptr;  ///< names in messages: "a condition of x and time"
  /// Returns conditions of resets, 1 or 0, and the values that their states take where a condition becomes 1.
  void (*resets)(const Point&, double* conditions, double* values) = nullptr;
  const int* reset_states = nullptr;  ///< positions of these states
  /// For each state: it starts where its rate is zero; its start value is where the search begins. nullptr: none does.
  const bool* steady = nullptr;
  ChangesFactory make_changes = nullptr;  ///< follows contacts, switches and resets; nullptr if there are none
  /// Computes calculated parameters from the others; `values[i]` belongs at parameters[calculated[i]].
  void (*calculate)(const Point&, double* values) = nullptr;
  int calculated_count = 0;
  const int* calculated = nullptr;

  int group_count = 0;
  const OutputGroup* groups = nullptr;

  const Quaternion* quaternions = nullptr;  ///< Sizes::quaternions of them, ascending
  /// Returns start values of positions and velocities, which are held or are guesses. They follow from parameters
  /// (calculated ones, too); for the filter of a motion they follow from time and inputs.
  void (*guess)(const Point&, double* q, double* v) = nullptr;
  /// These equations hold at the start only: f(q) = 0 and r(q, v) = 0, r linear in v; `F` and `R` are their derivatives
  /// by quasi-coordinates and velocities, dense, column by column.
  void (*start_positions)(const Point&, double* f, double* F) = nullptr;
  void (*start_velocities)(const Point&, double* r, double* R) = nullptr;
  /// Returns by how much the position misses the guesses of coordinates that are not among the positions, and the
  /// derivatives by quasi-coordinates, dense, column by column.
  void (*start_guesses)(const Point&, double* g, double* G) = nullptr;
  /// Returns numbers that are positive if the mechanism is assembled the right way round.
  void (*branches)(const Point&, double* values) = nullptr;
  /// Is true if the start goes on from the assembly to a position in which forces balance, and begins at rest.
  bool equilibrium = false;
  /// Returns angles that are known up to whole turns, in (−π, π], their rates, and their start values (which depend on
  /// parameters alone).
  void (*angles)(const Point&, double* raw, double* rates, double* guesses) = nullptr;
  /// Returns M with the loads, if it contains them.
  void (*mass)(const Point&, double* M) = nullptr;
  /// Returns the residuals of the loads' equations, F(v̇, λ, loads).
  void (*loads)(const Point&, double* residuals) = nullptr;
  /// Returns the derivatives of these residuals by v̇, λ and the loads: Sizes::loads × (n + all_rows() + loads)
  /// numbers, dense, column by column.
  void (*load_slopes)(const Point&, double* slopes) = nullptr;
  /// Returns ∂/∂loads of h + B λ − M v̇ and of γ + C_a v̇: (n + all_rows()) × loads numbers, dense, column by column.
  void (*load_actions)(const Point&, double* actions) = nullptr;
  /// Returns the loads with which the search begins; they depend on parameters alone, and are 0 for frictions.
  void (*load_starts)(const Point&, double* starts) = nullptr;
  /// Its results have to balance at any v̇, λ, loads and z: h + B λ − M v̇, γ + C_a v̇, the loads' residuals, f_p,
  /// C v + c_t, Bᵀ z; gaps and speeds of rows that come and go.
  Tape balance;
  /// Its results make the start, one after the other: M, C, c_t (of scleronomic constraints, too); the results of
  /// nonlinear, violation, start_positions, start_velocities, start_guesses, guess and calculate.
  Tape start;
  /// The function returns the two numbers of each condition, one after the other.
  int condition_count = 0;
  const Condition* conditions = nullptr;
  void (*condition_values)(const Point&, double* values) = nullptr;
  int input_time = -1;  ///< index of the input that is the time at which inputs were last set; -1: none
  /// These positions are angles within about a turn; the last Sizes::turning inputs count the whole turns beside them.
  const int* turning = nullptr;
  /// Gains G₁ and G₀ of drift correction by feedback for each row of C, one after the other; a negative one is the
  /// settings'. nullptr: all are.
  const double* drift_gains = nullptr;
  double gain_1(int row, double otherwise) const { return own_gain(2 * row, otherwise); }
  double gain_0(int row, double otherwise) const { return own_gain(2 * row + 1, otherwise); }
  double own_gain(int place, double otherwise) const {
    return drift_gains == nullptr || drift_gains[place] < 0 ? otherwise : drift_gains[place];
  }
  /// n flags: is true for the velocities that the author wants independent, k of them; nullptr: any may be.
  const bool* preferred = nullptr;
  const bool* drives = nullptr;  ///< for each input: a position or velocity constraint depends on it; nullptr: on none

  bool input_driven() const {
    for (int i = 0; drives != nullptr && i < sizes.inputs; ++i) {
      if (drives[i]) return true;
    }
    return false;
  }

  /// Coordinates and their rates are compared with these nominal sizes (docs/method.md), n numbers each, by velocity;
  /// those of states follow in `nominal`.
  /// An angle has 1, a displacement has a length of the mechanism, and a rate has the size of its coordinate divided by
  /// the duration of the file's experiment; the file may say other sizes.
  const double* nominal = nullptr;
  const double* rate_nominal = nullptr;
  double duration = 1;  ///< duration of the file's experiment, s
  /// Loads are compared with these sizes: frictions, whose forces leave roundings where they cancel, with the weight
  /// and inertia of bodies, N; unknowns with a nominal size as coordinates have it.
  const double* load_nominal = nullptr;

  const bool* position_fixed = nullptr;  ///< n flags, by quasi-coordinate: the start value holds exactly
  const bool* velocity_fixed = nullptr;  ///< n flags: the start value holds exactly
  const bool* realised = nullptr;        ///< is true for rows of C_a that a control or a non-ideal reaction realises

  const char* const* position_names = nullptr;  ///< names for messages
  const char* const* velocity_names = nullptr;
  const char* const* constraint_names = nullptr;  ///< names of rows of C_a: "guide"
  const char* const* driven = nullptr;  ///< has for each row of C_a the coordinate that it drives, "A.angle", or ""
  const int* same_unit = nullptr;       ///< row of C_a → the first one whose residual has the same unit
  const bool* bare = nullptr;  ///< for each row of C_a: its residual is a number or an angle and is compared with 1
  const char* const* start_position_names = nullptr;  ///< names of equations that hold at the start only: "C.angle"
  const char* const* start_velocity_names = nullptr;
  const char* const* load_names = nullptr;
  /// For each load: the row of C_a that is not linear in an acceleration, if the load is this acceleration; else -1.
  /// Such rows are the last ones of C_a.
  const int* load_rows = nullptr;
  const char* const* branch_names = nullptr;  ///< names of joints, one for each condition

  /// Messages also need units. `units_of` has a unit for each item of one list after the other, in the order of Told;
  /// rows are those of C_a. nullptr: all numbers are in SI.
  const ShownUnit* units = nullptr;
  const unsigned char* units_of = nullptr;
  int told_count = 0;
  const ToldRows* told = nullptr;  ///< ascending; messages tell all other rows by their names
  void (*told_lengths)(const Point&, double* lengths) = nullptr;  ///< lengths in the texts, most_told_lengths or fewer
};

}  // namespace mechfmu
