// The state of a simulation is one array of doubles. An FMU saves, restores and serialises it; the core derives all
// else that it holds from it.
#pragma once

#include <cstring>

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "linear/sparse_cholesky.hpp"
#include "mechanism.hpp"
#include "settings.hpp"

namespace mechfmu {

/// Derivatives of inputs by time can be given for a step up to this order, so that an input's error within a step of H
/// is of the order H⁴.
inline constexpr int most_input_derivatives = 3;

/// Each of these warnings is given once in a motion.
enum class Warning { step, drift, count };

/// Is true if there are no constraints and everything is solved by the nonzeros of M.
constexpr bool is_free_and_sparse(const Sizes& s) { return s.rows() == 0 && s.velocities >= sparse_inertia_from; }

class State {
 public:
  State(Arena& arena, const Sizes& sizes) : values_(arena.zeros<double>(layout(sizes, nullptr))) {
    layout(sizes, values_);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  int size() const { return size_; }
  double* data() { return values_; }
  const double* data() const { return values_; }

  // A step writes these numbers, which lie together at the beginning, and `turns`. They are saved before a step and put
  // back if it fails.
  double* time = nullptr;
  double* step = nullptr;   ///< the integrator's step size, s; 0: it chooses one
  double* steps = nullptr;  ///< counters
  double* rejected_steps = nullptr;
  double* evaluations = nullptr;
  double* basis_switches = nullptr;
  double* uncorrected = nullptr;  ///< steps since the drift was corrected
  double* assembled = nullptr;    ///< 1 after a consistent start
  double* warned = nullptr;       ///< by Warning: 1 if the warning was given
  double* rounded = nullptr;  ///< 1 if dependent constraints disagree by more than rounding: all are closed together
  double* q = nullptr;
  double* v = nullptr;
  double* lowest = nullptr;  ///< lowest value of each position since the start
  double* highest = nullptr;
  double* u = nullptr;
  double* integral = nullptr;     ///< ∫ f dt, for the drift correction "integral"
  double* angles = nullptr;       ///< angles that the position tells up to whole turns, with their turns, rad
  double* loads = nullptr;        ///< at the beginning of the last step: the next search for them begins here
  double* independent = nullptr;  ///< columns of E*, k indices
  double* dependent = nullptr;    ///< the other columns, in C_d
  double* rows = nullptr;         ///< independent rows of C, in C_d
  double* covectors = nullptr;    ///< E* of a carried basis, n × k
  double* events = nullptr;       ///< how often rows have come or gone since the start
  double* held = nullptr;         ///< is 1 for rows that come and go that hold now, as in Point
  double* slide = nullptr;        ///< how contacts slide, as in Point
  double* contact_sizes =
      nullptr;                 ///< sizes of gaps, speeds and forces, from nominal changes at the start of the motion
  double* impulses = nullptr;  ///< sums of the impulses in rows that come and go, then of reactions, since the start
  double* contact_changes = nullptr;  ///< how often contacts have changed
  double* shifts = nullptr;           ///< by how much indicators of events are raised for an integrator outside
  double* decided = nullptr;          ///< parameters and inputs with which contacts were decided last
  double* put_off = nullptr;          ///< 1: the state is where rows come or go, and they have not been changed yet
  double* triggered = nullptr;        ///< is 1 for resets whose condition has held at the last event
  double* wishes = nullptr;           ///< each group then asks for this (stepping/contact_changes.hpp)
  // Only the user sets these numbers.
  double* settings = nullptr;
  double* parameters = nullptr;
  double* inputs = nullptr;  ///< belong to the state's time; a step also changes their tail, `sides` and `turns`
  /// Sides of switches. They are 0 where the numbers decide: between steps, but for an integrator outside.
  double* sides = nullptr;
  double* turns = nullptr;              ///< whole turns of angles, kept beside q
  double* input_order = nullptr;        ///< highest derivative given for the coming step; 0: inputs are constant
  double* input_derivatives = nullptr;  ///< the first derivatives of all inputs, then the second ones, …
  double* course_order = nullptr;       ///< order of the inputs' polynomials in time − `course_begin` during a step
  double* course_begin = nullptr;
  double* course_values = nullptr;  ///< values of inputs at `course_begin`

  /// Returns how many numbers a step changes. keep() saves so many, and put_back() restores them if the step fails.
  static int kept(const Sizes& sizes) { return State(sizes).kept(); }
  /// (Where contacts may act, each step keeps them: a plain loop of copies would cost as much as gaps do.)
  void keep(double* values) const {
    copy_block(moving_, data(), values);
    copy_block(tail_, sides, values + moving_);
  }
  void put_back(const double* values) {
    copy_block(moving_, values, data());
    copy_block(tail_, values + moving_, sides);
  }

  /// Returns true once in a motion: then the caller gives the warning.
  bool warns_now(Warning which) {
    double& said = warned[static_cast<int>(which)];
    const bool now = said == 0;
    said = 1;
    return now;
  }

  /// Lets a point know which rows hold and which contacts slide.
  void give_contacts(Point& p) const {
    if (changing_rows_ == 0) return;
    p.slide = slide;
    p.held = nullptr;
    for (int i = 0; i < changing_rows_; ++i) {
      if (held[i] != 0) p.held = held;
    }
  }
  /// Gives a switch its side, also in the inputs' course of a step.
  void set_side(int index, double side) {
    const double change = side - sides[index];
    sides[index] = side;
    if (*course_order > 0) course_values[sides - inputs + index] += change;
  }
  /// Notes the parameters and inputs with which contacts are decided. Returns true if they have not changed since.
  bool note_decision() {
    bool same = true;
    const double* given = parameters;  // the inputs follow
    for (int i = 0; i < decided_count_; ++i) same = same && decided[i] == given[i];
    dense::copy(decided_count_, given, decided);
    return same;
  }
  /// Lets the numbers of switches decide again.
  void clear_sides() {
    for (int i = 0; i < switches_; ++i) set_side(i, 0);
  }
  /// Forgets all contacts.
  void open_contacts() {
    if (has_events_) *events = 0;
    dense::fill(indicator_count_, 0, shifts);
    if (changing_rows_ == 0) return;
    dense::fill(changing_rows_, 0, held);
    dense::fill(changing_rows_, 0, slide);
    dense::fill(impulse_count_, 0, impulses);
    dense::fill(contacts_, 0, wishes);
    *contact_changes = *put_off = 0;
  }

  /// Begins, or widens, the range of values that each position has had.
  void begin_range() {
    dense::copy(position_count_, q, lowest);
    dense::copy(position_count_, q, highest);
  }
  void widen_range() {
    for (int i = 0; i < position_count_; ++i) {
      if (q[i] < lowest[i]) lowest[i] = q[i];
      if (q[i] > highest[i]) highest[i] = q[i];
    }
  }

  Settings get_settings() const {
    return {static_cast<int>(settings[0]),
            static_cast<int>(settings[1]),
            static_cast<int>(settings[2]),
            settings[3],
            settings[4],
            settings[5],
            settings[6],
            settings[7],
            settings[8],
            settings[9],
            settings[10]};
  }
  void set_settings(const Settings& s) {
    settings[0] = s.method;
    settings[1] = s.tangent_basis;
    settings[2] = s.drift_correction;
    settings[3] = s.tolerance;
    settings[4] = s.step;
    settings[5] = s.drift_gain_1;
    settings[6] = s.drift_gain_0;
    settings[7] = s.closure_tolerance;
    settings[8] = s.drift_interval;
    settings[9] = s.drift_bound;
    settings[10] = s.max_steps;
  }

 private:
  /// Only counts; this state has no memory.
  explicit State(const Sizes& sizes) { layout(sizes, nullptr); }
  int kept() const { return moving_ + tail_; }
  static void copy_block(int count, const double* from, double* to) {
    if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(double));
  }
  /// Gives each member its place, one after the other; returns the length.
  int layout(const Sizes& s, double* start) {
    int used = 0;
    const auto take = [&](double*& place, int count) {
      place = start == nullptr ? nullptr : start + used;
      used += count;
    };
    const int k = s.degrees_of_freedom();
    take(time, 1);
    take(step, 1);
    take(steps, 1);
    take(rejected_steps, 1);
    take(evaluations, 1);
    take(basis_switches, 1);
    take(uncorrected, 1);
    take(assembled, 1);
    take(warned, static_cast<int>(Warning::count));
    take(rounded, 1);
    take(q, s.positions);
    take(v, s.velocities);
    take(lowest, s.positions);
    take(highest, s.positions);
    position_count_ = s.positions;
    take(u, k);
    take(integral, s.position_rows);
    take(angles, s.angles);
    take(loads, s.loads);
    take(independent, k);
    take(dependent, s.rank);
    take(rows, s.rank);
    take(covectors, is_free_and_sparse(s) ? 0 : s.velocities * k);
    has_events_ = s.contacts + s.switches + s.resets > 0;
    take(events, has_events_ ? 1 : 0);
    take(held, s.changing_rows);
    take(slide, s.changing_rows);
    take(contact_sizes, 3 * s.changing_rows);
    impulse_count_ = s.changing_rows + s.reaction_impulses;
    take(impulses, impulse_count_);
    indicator_count_ = s.indicators();
    take(shifts, indicator_count_);
    take(contact_changes, has_events_ ? 1 : 0);
    take(put_off, has_events_ ? 1 : 0);
    take(triggered, s.resets);
    decided_count_ = s.contacts + s.resets > 0 ? s.parameters + s.inputs : 0;
    take(decided, decided_count_);
    take(wishes, s.contacts);
    changing_rows_ = s.changing_rows;
    contacts_ = s.contacts;
    moving_ = used;
    take(settings, 11);
    take(parameters, s.parameters);
    take(inputs, s.inputs);
    tail_ = s.switches + s.turning;
    switches_ = s.switches;
    if (start != nullptr) turns = inputs + s.inputs - s.turning;
    if (start != nullptr) sides = turns - s.switches;
    take(input_order, 1);
    take(input_derivatives, s.inputs * most_input_derivatives);
    take(course_order, 1);
    take(course_begin, 1);
    take(course_values, s.inputs);
    size_ = used;
    return used;
  }

  int size_ = 0, moving_ = 0, tail_ = 0, switches_ = 0, decided_count_ = 0, position_count_ = 0, changing_rows_ = 0,
      contacts_ = 0, impulse_count_ = 0, indicator_count_ = 0;
  bool has_events_ = false;
  double* values_ = nullptr;
};

}  // namespace mechfmu
