// The state of a simulation: one array of doubles that says everything. It is what an FMU saves, restores and
// serialises; whatever else the core holds is derived from it.
#pragma once

#include "linear/buffer.hpp"
#include "linear/dense.hpp"
#include "linear/sparse_cholesky.hpp"
#include "mechanism.hpp"
#include "settings.hpp"

namespace mechfmu {

/// Derivatives of inputs by time that can be given for a step: up to the third, so that an input's error within a step
/// of H is of the order H⁴.
inline constexpr int most_input_derivatives = 3;

/// What is warned of once in a motion.
enum class Warning { step, drift, count };

/// Whether all is solved along the nonzeros of M.
constexpr bool is_large_and_free(const Sizes& s) { return s.rows() == 0 && s.velocities >= sparse_inertia_from; }

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

  // What a step changes, first and together, but for turns: saved before a step and put back if it fails.
  double* time = nullptr;
  double* step = nullptr;   ///< the integrator's step size, 0: choose one
  double* steps = nullptr;  ///< counters
  double* rejected_steps = nullptr;
  double* evaluations = nullptr;
  double* basis_switches = nullptr;
  double* assembled = nullptr;  ///< 1 after a consistent start
  double* warned = nullptr;     ///< by Warning: 1 if that was said
  double* rounded = nullptr;    ///< 1 if dependent constraints disagree by more than rounding: all are closed together
  double* q = nullptr;
  double* v = nullptr;
  double* lowest = nullptr;  ///< of each position since the start
  double* highest = nullptr;
  double* u = nullptr;
  double* integral = nullptr;     ///< ∫ f dt, drift correction "integral"
  double* angles = nullptr;       ///< angles that the position tells up to whole turns, with their turns
  double* loads = nullptr;        ///< at the beginning of the last step: where to begin looking for them
  double* independent = nullptr;  ///< columns of E*, k indices
  double* dependent = nullptr;    ///< the other columns, in C_d
  double* rows = nullptr;         ///< independent rows of C, in C_d
  double* covectors = nullptr;    ///< E* of a basis that is carried along, n × k
  // What only the user changes.
  double* settings = nullptr;
  double* parameters = nullptr;
  double* inputs = nullptr;             ///< at the state's time; their tail, `turns`, is what a step changes, too
  double* turns = nullptr;              ///< whole turns of angles, beside q
  double* input_order = nullptr;        ///< highest derivative given for the coming step; 0: inputs are constant
  double* input_derivatives = nullptr;  ///< first ones of all inputs, second ones, …
  double* course_order = nullptr;       ///< during a step: inputs are polynomials of this order, of the time since
  double* course_begin = nullptr;
  double* course_values = nullptr;  ///< when inputs were these

  /// What a step changes, to be put back if it fails: `kept` numbers.
  static int kept(const Sizes& sizes) { return State(sizes).kept(); }
  void keep(double* values) const {
    dense::copy(moving_, data(), values);
    dense::copy(turning_, turns, values + moving_);
  }
  void put_back(const double* values) {
    dense::copy(moving_, values, data());
    dense::copy(turning_, values + moving_, turns);
  }

  /// True once in a motion: the warning is to be said.
  bool warns_now(Warning which) {
    double& said = warned[static_cast<int>(which)];
    const bool now = said == 0;
    said = 1;
    return now;
  }

  /// The range that positions have passed: from here on, and with where they are.
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
            settings[8]};
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
    settings[8] = s.max_steps;
  }

 private:
  /// Counts only.
  explicit State(const Sizes& sizes) { layout(sizes, nullptr); }
  int kept() const { return moving_ + turning_; }
  /// Hands out places one after the other; returns the length.
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
    take(covectors, is_large_and_free(s) ? 0 : s.velocities * k);
    moving_ = used;
    take(settings, 9);
    take(parameters, s.parameters);
    take(inputs, s.inputs);
    turning_ = s.turning;
    if (start != nullptr) turns = inputs + s.inputs - s.turning;
    take(input_order, 1);
    take(input_derivatives, s.inputs * most_input_derivatives);
    take(course_order, 1);
    take(course_begin, 1);
    take(course_values, s.inputs);
    size_ = used;
    return used;
  }

  int size_ = 0, moving_ = 0, turning_ = 0, position_count_ = 0;
  double* values_ = nullptr;
};

}  // namespace mechfmu
