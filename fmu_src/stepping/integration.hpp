// Error-controlled integration: one step reads aloud — try, judge the error, project, accept.
//
// The contract of a method, whatever its kind. A member is a struct of constants,
//   name, order                         `order` is that of the solution carried on
//   fixed_step                          true: no error estimate, the user's step is taken
//   error_exponent, safety              the step is scaled by safety · error^(-1/error_exponent)
// and names its kind as Step<length>, which offers
//   first_slope()                       f(t, y), filled before anything else at (t, y)
//   linearise(equations, t, y)          at once after that: what serves all trials from (t, y)
//   step(equations, t, y, h, y1)        y₁ from y
//   error(h, judge)                     local error of the last step, accepted if ≤ 1: judge(e) says how large an error
//   e
//                                       of y₁ is
//   rough(bound, h, judge, Roughness&)  of a fixed step: true if its local error may be above `bound`
//   ends_at_result                      true: the last thing that step() evaluates is f(t + h, y₁)
//   linear                              true: it needs the derivatives of f
// false from linearise() and step(): the equations cannot be evaluated. A kind asks `equations` for
//   rate(t, y, dy)                      f
//   linearise(t, y, slope, J, f_t)      J = ∂f/∂y, column by column, and f_t = ∂f/∂t at (t, y), where f was just
//                                       evaluated; how is the motion's affair, and so is what f is beside the
//                                       constraints
//   sizes()                             after that: the nominal sizes of y
#pragma once

#include <cmath>
#include <type_traits>

#include "stepper.hpp"
#include "tangent_motion.hpp"

namespace mechfmu {

template <class Motion, class Method>
class Integration final : public Stepper {
 public:
  template <class... MotionArguments>
  Integration(Arena& arena, const Mechanism& mechanism, const MotionArguments&... arguments)
      : motion_(arena, mechanism, arguments...), directions_(arena, motion_), length_(motion_.length()),
        mechanism_(mechanism), method_(arena, length_), y_(arena, length_), y1_(arena, length_), probe_(arena, length_),
        saved_(arena, State::kept(mechanism.sizes)) {}

  bool start(State& state, Message& message) override {
    *state.step = 0;
    return motion_.start(state, message);
  }
  void forget() override { motion_.forget(); }

  bool advance(State& state, double end, StepWatcher* watcher, Message& message) override {
    state.keep(saved_.data());
    if (Method::fixed_step ? equal_steps(state, end, watcher, message)
                           : controlled_steps(state, end, watcher, message)) {
      return true;
    }
    state.put_back(saved_.data());
    motion_.forget();
    return false;
  }

 private:
  static constexpr double largest_growth = 6, largest_shrink = 0.2;
  static constexpr int most_failures = 60;  // in a row: the step has shrunk by more than 1e-17 then
  // Whether a call would need more than the settings' max_steps is judged by the pace of these, and of as many again.
  static constexpr double steps_judged = 1e4;
  // Local errors of one fixed step, judged as those of error control: beyond the one results are doubtful, beyond the
  // other there is nothing left of them.
  static constexpr double doubtful = 1e-4, senseless = 0.1;
  static constexpr double finest_tolerance = 1e-14;  // what rounding leaves of the estimates of one step

  /// The user's step, shortened so that a whole number of steps fits.
  bool equal_steps(State& state, double end, StepWatcher* watcher, Message& message) {
    const Settings settings = state.get_settings();
    while (*state.time < end) {
      const double begin = *state.time, last = end;
      const double count = std::ceil((last - begin) / settings.step * (1 - 1e-9));
      if (count > settings.max_steps) {
        return message.fail(
            "From t = %.9g s to %.9g s there would be %.3g steps of solver.step = %.3g s, and "
            "solver.max_steps allows %.3g. Choose a longer solver.step, shorter communication steps or "
            "more solver.max_steps.",
            begin, end, count, settings.step, settings.max_steps);
      }
      const double h = (last - begin) / (count > 1 ? count : 1);
      for (double i = 1; *state.time < last && end == last; ++i) {
        const double t = *state.time, t1 = i >= count ? last : begin + i * h;
        if (!prepare(state, message)) return false;
        if (!attempt(t, t1 - t)) return fail_evaluation(t, message);
        if (!judge_roughness(state, t1 - t, message) || !accept(state, t1, message)) return false;
        if (watcher != nullptr && !watcher->accepted(end, message)) return false;
      }
    }
    return true;
  }

  /// A fixed step has no error control: what it leaves of the motion is at least told.
  bool judge_roughness(State& state, double h, Message& message) {
    if constexpr (Method::fixed_step) {
      typename Step::Roughness rough;
      const auto size = [&](const double* e) { return judge(e, y1_.data()); };
      if (!method_.rough(doubtful, h, size, rough)) return true;
      // The error goes with h⁵ once the step follows the fastest rate at all.
      const double by_error = 0.8 * std::pow(doubtful / rough.error, 1.0 / (Method::order + 1));
      const double by_rate = 0.3 / rough.rate;
      const double needed = rounded_down(h * (by_error < by_rate ? by_error : by_rate));
      if (rough.error > senseless) {
        return message.fail(
            "At t = %.9g s a step of %.3g s is too long for '%s': its error there is about %.1g of its size or its "
            "nominal size. A solver.step of %.1g s would do, or a solver.method with error control.",
            *state.time, h, limiting(), rough.error, needed);
      }
      if (state.warns_now(Warning::step)) {
        message.warn(
            "At t = %.9g s a step of %.3g s is rough for '%s': its error there is about %.1g of its size or its "
            "nominal size. A solver.step of %.1g s would do.",
            *state.time, h, limiting(), rough.error, needed);
      }
    }
    return true;
  }

  bool controlled_steps(State& state, double end, StepWatcher* watcher, Message& message) {
    const Settings settings = state.get_settings();
    const double tolerance = settings.tolerance;
    const double span = settings.max_steps < steps_judged ? settings.max_steps : steps_judged;
    double taken = 0, judged = 0, judged_time = *state.time;
    while (*state.time < end) {
      const double t = *state.time, left = end - t;
      if (taken >= judged + span) {
        const double pace = (t - judged_time) / (taken - judged), wanted = taken + left / pace;
        if (wanted > settings.max_steps) return fail_pace(settings, t, end, pace, wanted, message);
        judged = taken;
        judged_time = t;
      }
      ++taken;
      if (!prepare(state, message)) return false;
      if (!(*state.step > 0)) *state.step = first_step(t, left, tolerance);
      int failures = 0;
      for (;;) {
        // A step that would leave a crumb takes half of the rest; one that reaches the end lands on it.
        const double wanted = *state.step;
        const double h = wanted >= 0.999 * left ? left : wanted > 0.5 * left ? 0.5 * left : wanted;
        const bool evaluated = attempt(t, h);
        const double error =
            evaluated ? method_.error(h, [&](const double* e) { return judge(e, y1_.data()) / tolerance; }) : 1e300;
        const double ideal =
            evaluated && error == error
                ? bounded(Method::safety * std::pow(error > 1e-30 ? error : 1e-30, -1.0 / Method::error_exponent))
                : largest_shrink;
        if (error <= 1) {
          if (!accept(state, h == left ? end : t + h, message)) return false;
          const double next = h * (failures > 0 && ideal > 1 ? 1 : ideal);
          // A step cut short to land on `end` says nothing against the longer one.
          *state.step = h < wanted && next < wanted ? wanted : next;
          break;
        }
        ++*state.rejected_steps;
        *state.step = h * (ideal < 1 ? ideal : largest_shrink);
        // Steps of a few roundings of t would creep towards a place that cannot be passed, and never arrive.
        if (++failures > most_failures || t + *state.step / 10 <= t) {
          return evaluated ? fail_collapse(t, h, tolerance, message) : fail_evaluation(t, message);
        }
      }
      if (watcher != nullptr && !watcher->accepted(end, message)) return false;
    }
    return true;
  }

  using Step = typename Method::template Step<Motion::fixed_length>;

  /// The equations of motion as a method sees them: what it evaluates is counted.
  struct Nothing {
    Nothing(Arena&, const Motion&) {}
  };
  using Directions = std::conditional_t<Step::linear, typename Motion::Directions, Nothing>;
  struct Equations {
    Motion& motion;
    Directions& directions;
    double& evaluations;
    bool rate(double t, const double* y, double* dy) const {
      ++evaluations;
      return Step::linear ? motion.rate_on_constraints(t, y, dy) : motion.rate(t, y, dy);
    }
    bool linearise(double t, const double* y, const double* slope, double* J, double* f_t) const {
      return motion.linearise(t, y, slope, J, f_t, directions, evaluations);
    }
    const double* sizes() const { return motion.sizes(); }
  };
  Equations equations() { return {motion_, directions_, *evaluations_}; }

  /// To one digit.
  static double rounded_down(double x) {
    const double digit = std::pow(10, std::floor(std::log10(x)));
    return std::floor(x / digit) * digit;
  }
  static double bounded(double factor) {
    return factor < largest_shrink ? largest_shrink : factor > largest_growth ? largest_growth : factor;
  }

  /// y, its slope and what else the method needs at the state.
  bool prepare(State& state, Message& message) {
    evaluations_ = state.evaluations;
    if (!motion_.begin(state, message)) return false;
    motion_.pack(state, y_.data());
    ++*evaluations_;
    return (motion_.rate_at_state(*state.time, y_.data(), method_.first_slope()) &&
            method_.linearise(equations(), *state.time, y_.data())) ||
           fail_evaluation(*state.time, message);
  }
  bool attempt(double t, double h) { return method_.step(equations(), t, y_.data(), h, y1_.data()); }
  bool accept(State& state, double t1, Message& message) {
    if (!(dense::largest(length_, y1_.data()) < 1e300)) {
      return message.fail("The motion is no longer finite at t = %.9g s.", t1);
    }
    ++*state.steps;
    if (!motion_.accept(t1, y1_.data(), Step::ends_at_result, state, message)) return false;
    state.widen_range();
    return true;
  }

  /// How large an error of y is that belongs to the step to y1.
  double judge(const double* error, const double* y1) {
    worst_ = motion_.judge(error, y_.data(), y1);
    return worst_.size;
  }

  /// A first step from the sizes of y, ẏ and a difference of slopes (Hairer, Nørsett, Wanner I, section II.4), with the
  /// time of the file's experiment as the unit of time.
  double first_step(double t, double left, double tolerance) {
    const double T = mechanism_.duration;
    const double* slope = method_.first_slope();
    const auto size = [&](const double* x) { return judge(x, y_.data()) / tolerance; };
    const double d0 = size(y_.data()), d1 = size(slope) * T;
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * T : 0.01 * d0 / d1 * T;
    if (h0 > left) h0 = left;
    for (int i = 0; i < length_; ++i) y1_[i] = y_[i] + h0 * slope[i];
    if (!equations().rate(t + h0, y1_.data(), probe_.data())) return 1e-6 * left;
    for (int i = 0; i < length_; ++i) probe_[i] -= slope[i];
    const double d2 = size(probe_.data()) * T / h0 * T;
    const double steepest = d1 > d2 ? d1 : d2;
    const double h1 = steepest <= 1e-15 ? (1e-6 * T > h0 * 1e-3 ? 1e-6 * T : h0 * 1e-3)
                                        : std::pow(0.01 / steepest, 1.0 / (Method::order + 1)) * T;
    const double h = 100 * h0 < h1 ? 100 * h0 : h1;
    return h < left ? h : left;
  }

  /// What allows the steps of the size h, of which the last was one, no longer.
  const char* limiting() const { return worst_.name(mechanism_); }

  /// `pace`: the size of the last steps; `wanted`: how many it would take.
  bool fail_pace(const Settings& settings, double t, double end, double pace, double wanted, Message& message) {
    message.fail(
        "At t = %.9g s the integrator takes steps of %.3g s, as '%s' demands: up to %.9g s it would need %.1g of "
        "them, and solver.max_steps allows %.3g. ",
        t, pace, limiting(), end, wanted, settings.max_steps);
    // Steps go with tolerance^(1/p): would an ordinary one do?
    constexpr double ordinary = 1e-6;
    const double enough = wanted * std::pow(settings.tolerance / ordinary, 1.0 / Method::error_exponent);
    if (settings.tolerance < finest_tolerance) {
      message.add("The tolerance %.3g is finer than rounding: nothing below %.0e can be held.", settings.tolerance,
                  finest_tolerance);
    } else if (settings.tolerance < ordinary && enough < settings.max_steps) {
      message.add("The tolerance %.3g asks for so many; with %.0e they would be about %.1g.", settings.tolerance,
                  ordinary, enough);
    } else {
      message.add(
          "If the motion is meant to be so fast, raise solver.max_steps or take shorter communication steps; "
          "stiff springs and dampers want solver.method = rodas; else a force or a torque is far too large.");
    }
    return false;
  }

  bool fail_collapse(double t, double h, double tolerance, Message& message) {
    message.fail(
        "The step size has collapsed at t = %.9g s (h = %.3g s): the error of '%s' cannot be held below the "
        "tolerance %.3g. ",
        t, h, limiting(), tolerance);
    if (tolerance < finest_tolerance) {
      message.add("It is finer than rounding: nothing below %.0e can be held.", finest_tolerance);
    } else {
      message.add("The motion is probably singular there.");
    }
    return false;
  }

  bool fail_evaluation(double t, Message& message) const {
    if (!motion_.trouble().empty()) return message.fail("%s", motion_.trouble().text);
    return message.fail(
        "The equations cannot be solved beyond t = %.9g s: the constraints or the mass matrix become singular there.",
        t);
  }

  Motion motion_;
  Directions directions_;
  int length_;
  const Mechanism& mechanism_;
  LargestError worst_;  ///< of the last that was judged
  Step method_;
  Buffer<Motion::fixed_length> y_, y1_, probe_;
  Buffer<dynamic> saved_;
  double* evaluations_ = nullptr;
};

}  // namespace mechfmu
