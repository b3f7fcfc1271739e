// Measures all resolutions of one mechanism in one program; every member is compiled for the mechanism's sizes. The
// program is compiled for each mechanism; benchmarks/methods.py calls it and says what the lines are for.
//
//   evaluation STOP                  a line a member: ns of an evaluation, compiled for the sizes and not
//   simulation STOP TOLERANCE…       a line a member and tolerance: steps, rejected, evaluations, switches, ms, largest
//                                    error of a coordinate at STOP; or the reason why it failed
//   passing STOP METHOD VALUE…       the same lines for another integrator, its sizes known at run time; values are
//                                    tolerances, or steps in s of a method without error control
//   drift STOP STEP KIND GAIN GAIN   rk4 with `projection` and so on: steps, largest violations so far of positions and
//                                    of velocities; last the reason if it failed
//   matrices STOP COUNT              n, r; then at equal times M, the kept rows of C and the columns of E*, a line each
// Words NAME=VALUE, last, are values of inputs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equations.cpp"  // benchmarks/generate_sources.cpp generates it
#include "fmu_src/constraints/saddle_solvers/any_solver.hpp"
#include "fmu_src/constraints/tangent_bases/any_basis.hpp"
#include "fmu_src/stepping/member_facts.hpp"
#include "model.hpp"

namespace {

using namespace mechfmu;

constexpr int bases = Members<TangentBases<Model>>::count, members = bases + Members<SaddleSolvers<Model>>::count;
constexpr double budget = 2;                       // seconds for measuring evaluations
constexpr double steps_of_motion = 200;            // evaluations lie within a step of which a motion takes so many
constexpr int fewest_rounds = 15;                  // rounds, in each of which every member has its turn
constexpr double exact[] = {1e-13, 1e-12, 1e-11};  // tolerances of the motion with which errors are compared
// evaluations and seconds after which a simulation counts as stuck; methods of low order need more
constexpr double most_evaluations = 1e5, most_of_low_order = 1e7, longest = 30;

// --- Members as types -----------------------------------------------------------------------------------------------

template <int i, class First, class... Others>
auto pick(List<First, Others...>) {
  if constexpr (i == 0) return std::type_identity<First>{};
  else return pick<i - 1>(List<Others...>{});
}

template <int i>
struct Nth {
  template <class M>
  using Basis = typename decltype(pick<i>(TangentBases<M>{}))::type;
};

template <int i>
auto motion_at() {
  if constexpr (i < bases) {
    return std::type_identity<typename MotionWith<Model, Nth<i>::template Basis>::Type>{};
  } else {
    return std::type_identity<FullMotion<Model, typename decltype(pick<i - bases>(SaddleSolvers<Model>{}))::type>>{};
  }
}
template <int i>
using CompiledMotion = typename decltype(motion_at<i>())::type;

/// Calls act(i) for all members; i is a constant.
template <class Act>
void for_members(Act&& act) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (act(std::integral_constant<int, i>{}), ...);
  }(std::make_integer_sequence<int, members>{});
}

template <int i>
Stepper* make_compiled(Arena& arena, const Mechanism& mechanism, const Settings& settings) {
  return arena.make<Integration<CompiledMotion<i>, Dop853>>(arena, mechanism, Model{},
                                                            static_cast<Drift>(settings.drift_correction));
}

// --- Simulations ----------------------------------------------------------------------------------------------------

/// Holds values of inputs that replace their start values.
std::vector<std::pair<std::string, double>> inputs;

/// Sets parameters and inputs, and returns the settings of the solver.
Settings prepare(Simulation& simulation) {
  const Settings settings = take_start_values(simulation);
  for (const auto& [name, value] : inputs) {
    for (const VariableRow& row : exported_variables().all()) {
      if (row.source != Source::input || name != row.name) continue;
      simulation.set_input(row.index, row.factor * value + row.offset);
    }
  }
  return settings;
}

int method(const char* name) {
  int i = 0;
  while (std::strcmp(integration_methods[i], name) != 0) ++i;
  return i;
}

/// Ends a simulation that makes no progress.
class Patience final : public StepWatcher {
 public:
  explicit Patience(const Simulation& simulation, double most = most_evaluations)
      : simulation_(simulation), most_(most) {}
  bool accepted(double&, Message& message) override {
    return (simulation_.evaluations() < most_ && now() - begin_ < longest) ||
           message.fail("The motion does not get on.");
  }

 private:
  const Simulation& simulation_;
  const double most_, begin_ = now();
};

std::vector<double> positions(const Simulation& simulation) {
  return {simulation.positions(), simulation.positions() + simulation.mechanism().sizes.positions};
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// `value` is the tolerance, or the step if the method has no error control.
std::unique_ptr<StandaloneSimulation> begin(int member, double value, StepperFactory factory,
                                            const char* method_name = "dop853") {
  auto simulation = std::make_unique<StandaloneSimulation>(exported_mechanism(), Settings{}, factory);
  Settings settings = prepare(*simulation);
  settings.method = method(method_name);
  settings.tangent_basis = member;
  (std::strcmp(method_name, "rk4") == 0 ? settings.step : settings.tolerance) = value;
  if (!simulation->use(settings)) fail(simulation->message().text);
  return simulation;
}

/// Returns the positions of the default member at the finest tolerance that rounding allows.
std::vector<double> exact_positions(double stop) {
  for (const double tolerance : exact) {
    const auto simulation = begin(0, tolerance, make_compiled<0>);
    if (simulation->assemble(0) && simulation->advance(stop)) return positions(*simulation);
  }
  fail("the motion that errors are taken against fails");
}

void show_run(const Simulation& simulation, double seconds, const std::vector<double>& expected) {
  std::printf("%.0f %.0f %.0f %.0f %.4f %.2e\n", simulation.steps(), simulation.rejected_steps(),
              simulation.evaluations(), simulation.basis_switches(), seconds * 1e3,
              difference(positions(simulation), expected));
}

void simulate(double stop, const std::vector<double>& tolerances) {
  const std::vector<double> expected = exact_positions(stop);
  for (const double tolerance : tolerances) {
    for_members([&](auto member) {
      const auto simulation = begin(member, tolerance, make_compiled<member>);
      std::printf("%s %g ", tangent_bases[member], tolerance);
      double best = 1e300;
      for (int round = 0; round < 5; ++round) {
        Patience patience(*simulation);
        const bool starts = simulation->assemble(0);
        const double t0 = now();
        if (!starts || !simulation->advance(stop, &patience)) {
          std::printf("failed %s\n", simulation->message().text);
          return;
        }
        const double taken = now() - t0;
        best = std::fmin(best, taken);
        if (taken > 0.5) break;
      }
      show_run(*simulation, best, expected);
    });
  }
}

void pass(double stop, const char* method_name, const std::vector<double>& values) {
  const std::vector<double> expected = exact_positions(stop);
  for (const double value : values) {
    for (int member = 0; member < members; ++member) {
      const auto simulation = begin(member, value, make_run_time_stepper, method_name);
      Patience patience(*simulation, most_of_low_order);
      std::printf("%s %g ", tangent_bases[member], value);
      const double t0 = now();
      if (simulation->assemble(0) && simulation->advance(stop, &patience)) show_run(*simulation, now() - t0, expected);
      else std::printf("failed %s\n", simulation->message().text);
    }
  }
}

void show_drift(double stop, double step, const char* kind, double gain_1, double gain_0) {
  StandaloneSimulation simulation(exported_mechanism(), Settings{}, make_run_time_stepper);
  Settings settings = prepare(simulation);
  settings.method = method("rk4");
  settings.step = step;
  settings.drift_gain_1 = gain_1;
  settings.drift_gain_0 = gain_0;
  while (std::strcmp(drift_corrections[settings.drift_correction], kind) != 0) ++settings.drift_correction;
  if (!simulation.use(settings) || !simulation.assemble(0)) fail(simulation.message().text);
  double position = 0, velocity = 0;
  const long steps = std::lround(stop / step);
  for (long i = 1, shown = 1; i <= steps; ++i) {
    if (!simulation.advance(i == steps ? stop : static_cast<double>(i) * step)) {
      std::printf("failed %ld %s\n", i, simulation.message().text);
      return;
    }
    position = std::fmax(position, simulation.position_violation());
    velocity = std::fmax(velocity, simulation.velocity_violation());
    if (i < shown && i < steps) continue;
    std::printf("%ld %.3e %.3e\n", i, position, velocity);
    shown = 1 + i * 5 / 4;
  }
}

// --- Evaluations ----------------------------------------------------------------------------------------------------

/// Is a motion whose rates are timed.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual bool start(State&) = 0;
  /// Returns nanoseconds of an evaluation, measured over so many.
  virtual double measure(int evaluations) = 0;
};

template <class Motion>
class SubjectOf final : public Subject {
 public:
  template <class... Arguments>
  explicit SubjectOf(double step, Arguments... arguments)
      : step_(step), motion_(memory_, exported_mechanism(), arguments...) {}
  bool start(State& state) override {
    Message message;
    if (!memory_.ok() || !motion_.start(state, message) || !motion_.begin(state, message)) return false;
    time_ = *state.time;
    begin_.resize(static_cast<std::size_t>(motion_.length()));
    rate_.resize(begin_.size());
    slope_.resize(begin_.size());
    y_.resize(begin_.size());
    motion_.pack(state, begin_.data());
    return motion_.rate_at_state(time_, begin_.data(), slope_.data());
  }
  double measure(int evaluations) override {
    const double begin = now();
    for (int i = 0; i < evaluations; ++i) {
      const double h = parts[i % 2] * step_;  // as stages of a step go to and fro
      for (std::size_t j = 0; j < y_.size(); ++j) y_[j] = begin_[j] + h * slope_[j];
      if (!motion_.rate(time_ + h, y_.data(), rate_.data())) fail("an evaluation failed");
    }
    return (now() - begin) / evaluations * 1e9;
  }

 private:
  static constexpr double parts[] = {0.3, 0.9};
  double step_;
  Arena memory_;
  Motion motion_;
  double time_ = 0;
  std::vector<double> begin_, slope_, y_, rate_;
};

/// Is a member, compiled or with sizes at run time, with a state of its own.
struct Timed {
  std::unique_ptr<Subject> subject;
  Arena memory{};
  State* state = nullptr;
  int evaluations = 1;
  std::vector<double> times;

  bool start(const Simulation& simulation) {
    state = memory.make<State>(memory, exported_mechanism().sizes);
    std::memcpy(state->data(), simulation.state(), sizeof(double) * static_cast<std::size_t>(state->size()));
    if (!subject->start(*state)) return false;
    constexpr double turn = 1e5;  // ns; long compared with the effects of the clock and cold caches
    while (subject->measure(evaluations) * evaluations < turn) evaluations *= 2;
    return true;
  }
  double median() {
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
    return times[times.size() / 2];
  }
};

void evaluate(double stop) {
  const auto simulation = begin(0, 1e-8, make_compiled<0>);
  if (!simulation->assemble(0) || !simulation->advance(stop / 10)) fail(simulation->message().text);
  const Mechanism& mechanism = exported_mechanism();
  const RunTimeModel at_run_time(mechanism);
  std::vector<Timed> compiled(members), run_time(members), *all[] = {&compiled, &run_time};
  const double step = stop / steps_of_motion;
  for_members([&](auto i) {
    compiled[i].subject = std::make_unique<SubjectOf<CompiledMotion<i>>>(step, Model{}, Drift::projection);
    if (integrates_independent(i)) {
      using Motion = IndependentMotion<RunTimeModel, CoordinatePartitioningBasis>;
      run_time[i].subject = std::make_unique<SubjectOf<Motion>>(step, at_run_time, Drift::projection);
    } else if (i < bases) {
      using Motion = TangentMotion<RunTimeModel, AnyBasis>;
      run_time[i].subject =
          std::make_unique<SubjectOf<Motion>>(step, at_run_time, Drift::projection, static_cast<int>(i));
    } else {
      using Motion = FullMotion<RunTimeModel, AnySolver>;
      run_time[i].subject = std::make_unique<SubjectOf<Motion>>(step, at_run_time, Drift::projection, i - bases);
    }
  });
  for (std::vector<Timed>* list : all) {
    for (Timed& timed : *list) {
      if (!timed.start(*simulation)) timed.subject.reset();
    }
  }
  const double begin = now();
  for (int round = 0; round < fewest_rounds || now() - begin < budget; ++round) {
    for (std::vector<Timed>* list : all) {
      for (Timed& timed : *list) {
        if (timed.subject) timed.times.push_back(timed.subject->measure(timed.evaluations));
      }
    }
  }
  for (int i = 0; i < members; ++i) {
    if (!compiled[i].subject || !run_time[i].subject) std::printf("%s failed\n", tangent_bases[i]);
    else std::printf("%s %.2f %.2f\n", tangent_bases[i], compiled[i].median(), run_time[i].median());
  }
}

// --- Matrices -------------------------------------------------------------------------------------------------------

void show_matrices(double stop, int count) {
  const Mechanism& mechanism = exported_mechanism();
  const Sizes& s = mechanism.sizes;
  const auto simulation = begin(0, 1e-8, make_compiled<0>);
  if (!simulation->assemble(0)) fail(simulation->message().text);
  Arena memory;
  State state(memory, s);
  Choice choice(memory, s);
  std::vector<double> M(s.M_nonzeros + 1), C(s.C_nonzeros + 1), c_t(s.rows() + 1), work(s.work + 1);
  std::vector<double> full(s.velocities * s.velocities), rows(s.rows() * s.velocities + 1);
  std::printf("%d %d\n", s.velocities, s.rank);
  for (int i = 1; i <= count; ++i) {
    if (!simulation->advance(stop * i / count)) fail(simulation->message().text);
    std::memcpy(state.data(), simulation->state(), sizeof(double) * static_cast<std::size_t>(state.size()));
    choice.take_from(state);
    Point p;
    p.time = *state.time;
    p.q = state.q;
    p.parameters = state.parameters;
    p.inputs = state.inputs;
    p.angles = state.angles;
    p.loads = state.loads;
    p.work = work.data();
    p.context = mechanism.context;
    mechanism.prepare(p);
    mechanism.position(p, M.data(), C.data(), c_t.data());
    expand_symmetric(mechanism.M, M.data(), full.data());
    expand(mechanism.C, C.data(), rows.data());
    for (int e = 0; e < s.velocities * s.velocities; ++e) std::printf("%.17g ", full[e]);
    std::printf("\n");
    for (int row = 0; row < s.rank; ++row) {
      for (int j = 0; j < s.velocities; ++j) std::printf("%.17g ", rows[choice.rows[row] + j * s.rows()]);
    }
    std::printf("\n");
    for (int j = 0; j < s.degrees_of_freedom(); ++j) std::printf("%d ", choice.independent[j]);
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** words) {
  for (; count > 1 && std::strchr(words[count - 1], '=') != nullptr; --count) {
    const std::string word = words[count - 1];
    inputs.emplace_back(word.substr(0, word.find('=')), std::atof(word.c_str() + word.find('=') + 1));
  }
  const auto number = [&](int i) { return i < count ? std::atof(words[i]) : (fail("a number is missing"), 0.0); };
  const std::string what = count > 1 ? words[1] : "";
  if (what == "evaluation") {
    evaluate(number(2));
  } else if (what == "simulation" || what == "passing") {
    const int first = what == "passing" ? 4 : 3;
    std::vector<double> values;
    for (int i = first; i < count; ++i) values.push_back(number(i));
    if (what == "passing") pass(number(2), words[3], values);
    else simulate(number(2), values);
  } else if (what == "drift" && count == 7) {
    show_drift(number(2), number(3), words[4], number(5), number(6));
  } else if (what == "matrices") {
    show_matrices(number(2), static_cast<int>(number(3)));
  } else {
    fail("usage: methods evaluation|simulation|passing|drift|matrices STOP …");
  }
  return 0;
}
