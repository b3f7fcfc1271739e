// Has a hand-written model behind the FMI functions: a point mass on a massless rod in coordinates x, y.
//   m ẍ = push,  m ÿ = −m g,  f = x² + y² − l² = 0
#include <cmath>

#include "fmu_src/fmi/exported_model.hpp"
#include "fmu_src/stepping/stepper.hpp"
#include "pendulum.hpp"
#include "traced.hpp"

namespace mechfmu {
namespace {

constexpr double gravity = 9.81;
enum Parameter { mass, length, weight, x_start, y_start, x_rate_start, y_rate_start };

constexpr int diagonal[] = {0, 1};
constexpr int first_row[] = {0, 0};
constexpr int weight_index[] = {weight};
constexpr bool position_fixed[] = {true, false};
constexpr double nominal[] = {1, 1};
constexpr bool velocity_fixed[] = {true, false};
constexpr bool realised[] = {false};
constexpr const char* names[] = {"x", "y"};
constexpr const char* constraint_names[] = {"rod"};
constexpr const char* driven[] = {""};
constexpr int same_unit[] = {0};
constexpr bool bare[] = {false};

void position(const Point& p, double* M, double* C, double*) {
  M[0] = M[1] = p.parameters[mass];
  C[0] = 2 * p.q[0];
  C[1] = 2 * p.q[1];
}

constexpr auto forces = [](const auto& p, auto* Q) {
  Q[0] = p.inputs[0];
  Q[1] = -gravity * p.parameters[mass];
};

void acceleration(const Point& p, double* h, double* gamma, double* C_a, double*) {
  forces(p, h);
  gamma[0] = 2 * (p.v[0] * p.v[0] + p.v[1] * p.v[1]);
  C_a[0] = 2 * p.q[0];
  C_a[1] = 2 * p.q[1];
}

constexpr auto angle = [](const auto& p, auto* values) {
  using std::atan2, std::sqrt;
  values[0] = atan2(p.q[0], -p.q[1]);
  values[1] = sqrt(p.q[0] - 0.1);  // not a number on the left of x = 0.1 m
  values[3] = p.v[1] * p.parameters[mass];
  values[4] = -p.v[0] * p.parameters[mass];
  values[2] = (p.q[0] * p.v[1] - p.q[1] * p.v[0]) / (p.q[0] * p.q[0] + p.q[1] * p.q[1]);
};

/// Mechanism::start: M, C, c_t, f, what the parameters say of x, y and their rates, the calculated parameter.
constexpr auto start = [](const auto& p, auto* values) {
  values[0] = values[1] = 1.0 * p.parameters[mass];
  for (int i = 0; i < 2; ++i) values[2 + i] = 2 * p.q[i];
  values[4] = 0.0 * p.q[0];
  values[5] = p.q[0] * p.q[0] + p.q[1] * p.q[1] - p.parameters[length] * p.parameters[length];
  constexpr int guesses[] = {x_start, y_start, x_rate_start, y_rate_start};
  for (int i = 0; i < 4; ++i) values[6 + i] = 1.0 * p.parameters[guesses[i]];
  values[10] = gravity * p.parameters[mass];
};

constexpr auto tension = [](const auto& p, auto* values) { values[0] = -2 * p.multipliers[0] * p.parameters[length]; };

/// This is Mechanism::balance.
constexpr auto balance = [](const auto& p, auto* values) {
  forces(p, values);
  for (int i = 0; i < 2; ++i) {
    values[i] = values[i] + 2 * p.q[i] * p.multipliers[0] - p.parameters[mass] * p.acceleration[i];
  }
  values[2] = 2 * (p.v[0] * p.v[0] + p.v[1] * p.v[1] + p.q[0] * p.acceleration[0] + p.q[1] * p.acceleration[1]);
  values[3] = p.q[0] * p.q[0] + p.q[1] * p.q[1] - p.parameters[length] * p.parameters[length];
  values[4] = 2 * (p.q[0] * p.v[0] + p.q[1] * p.v[1]);
  values[5] = 2 * (p.q[0] * p.preimage[0] + p.q[1] * p.preimage[1]);
};

Mechanism make_mechanism() {
  static Recorder of_balance, of_start, of_angle, of_tension;
  record<6>(of_balance, balance);
  record<11>(of_start, start);
  record<5>(of_angle, angle);
  record<1>(of_tension, tension);
  static const OutputGroup groups[] = {
      {5, false, [](const Point& p, double* values) { angle(p, values); }, of_angle.tape()},
      {1, true, [](const Point& p, double* values) { tension(p, values); }, of_tension.tape()}};
  Mechanism m;
  m.name = "Pendulum";
  m.sizes.positions = m.sizes.velocities = 2;
  m.sizes.position_rows = m.sizes.rank = m.sizes.position_rank = 1;
  m.sizes.inputs = 1;
  m.sizes.parameters = 7;
  m.sizes.M_nonzeros = m.sizes.C_nonzeros = 2;
  m.character.short_form = true;
  m.M = {2, 2, 2, diagonal, diagonal};
  m.C = m.C_a = {1, 2, 2, first_row, diagonal};
  m.M_rate = {2, 2, 0, nullptr, nullptr};
  m.C_rate = {1, 2, 0, nullptr, nullptr};
  m.B = {2, 0, 0, nullptr, nullptr};
  m.prepare = [](const Point&) {};
  m.position = position;
  m.velocity = [](const Point& p, double* g, double*, double*) { forces(p, g); };
  m.violation = [](const Point& p, double* f) {
    f[0] = p.q[0] * p.q[0] + p.q[1] * p.q[1] - p.parameters[length] * p.parameters[length];
  };
  m.acceleration = acceleration;
  m.calculate = [](const Point& p, double* values) { values[0] = p.parameters[mass] * gravity; };
  m.guess = [](const Point& p, double* q, double* v) {
    q[0] = p.parameters[x_start];
    q[1] = p.parameters[y_start];
    v[0] = p.parameters[x_rate_start];
    v[1] = p.parameters[y_rate_start];
  };
  m.calculated_count = 1;
  m.calculated = weight_index;
  m.group_count = 2;
  m.groups = groups;
  m.balance = of_balance.tape();
  m.start = of_start.tape();
  m.nominal = m.rate_nominal = nominal;
  m.position_fixed = position_fixed;
  m.velocity_fixed = velocity_fixed;
  m.realised = realised;
  m.position_names = m.velocity_names = names;
  m.constraint_names = constraint_names;
  m.driven = driven;
  m.same_unit = same_unit;
  m.bare = bare;
  return m;
}

constexpr double degree = 3.14159265358979323846 / 180;

constexpr VariableRow rows[] = {
    {"time", Source::time, Role::independent, 0, 0, 1, 0, 0},
    {"mass", Source::parameter, Role::fixed_parameter, mass, 0, 1, 0, 2},
    {"length", Source::parameter, Role::tunable_parameter, length, 0, 1e-3, 0, 1000, 0, 1, 0, 0, 1e4, "mm"},
    {"weight", Source::parameter, Role::calculated_parameter, weight, 0, 1, 0, 2 * gravity, 0, 1, 0, -unlimited, 1000,
     "N"},
    {"push", Source::input, Role::input, 0, 0, 1, 0, 0, 0, 1, 0, -1e6, unlimited, "N"},
    {"x_start", Source::parameter, Role::fixed_parameter, x_start, 0, 1, 0, 0.6},
    {"x_rate_start", Source::parameter, Role::fixed_parameter, x_rate_start, 0, 1, 0, 0},
    {"y_start", Source::parameter, Role::fixed_parameter, y_start, 0, 1, 0, -1, 0, 1, 11},
    {"y_rate_start", Source::parameter, Role::fixed_parameter, y_rate_start, 0, 1, 0, 0, 0, 1, 31},
    {"x", Source::position, Role::output, 0, 0, 1, 0, 0.6, 12},
    {"y", Source::position, Role::output, 1, 0, 1, 0, -0.8, 13},
    {"der(x)", Source::position_rate, Role::local, 0, 0, 1, 0, 0},
    {"der(y)", Source::position_rate, Role::local, 1, 0, 1, 0, 0},
    {"der(x,2)", Source::acceleration, Role::local, 0, 0, 1, 0, 0},
    {"constraint.rod.multiplier", Source::multiplier, Role::output, 0, 0, 1, 0, 0},
    {"angle", Source::output, Role::output, 0, 0, degree, 0, 0, 26},
    {"root", Source::output, Role::local, 1, 0, 1, 0, 0},
    {"tension", Source::output, Role::output, 0, 1, 1, 0, 0},
    {"solver.tolerance", Source::solver_number, Role::fixed_parameter, 0, 0, 1, 0, 1e-8, 0, 1, 0, 0},
    {"solver.step", Source::solver_number, Role::fixed_parameter, 1, 0, 1, 0, 1e-3},
    {"solver.method", Source::solver_choice, Role::fixed_parameter, 0, 0, 1, 0, 1},
    {"solver.tangent_basis", Source::solver_choice, Role::fixed_parameter, 1, 0, 1, 0, 1},
    {"solver.steps", Source::statistic, Role::local, static_cast<int>(Statistic::steps), 0, 1, 0, 0},
    {"solver.position_violation", Source::statistic, Role::local, static_cast<int>(Statistic::position_violation), 0, 1,
     0, 0},
    {"solver.degrees_of_freedom", Source::degrees_of_freedom, Role::local, 0, 0, 1, 0, 1},
    {"der(angle)", Source::output, Role::local, 2, 0, 1, 0, 0},  // It is in rad/s.
    {"solver.basis_switches", Source::statistic, Role::local, static_cast<int>(Statistic::basis_switches), 0, 1, 0, 0},
    {"turned.x", Source::output, Role::output, 3, 0, 1, 0, 0, 0,
     2},  // This array of FMI 3 is the momentum, turned by −90°.
    {"turned.y", Source::output, Role::output, 4, 0, 1, 0, 0, 0, 0},
    {"x_rate", Source::velocity, Role::local, 0, 0, 1, 0, 0, 14},
    {"y_rate", Source::velocity, Role::local, 1, 0, 1, 0, 0},
};

constexpr VariableTable table{pendulum_token, static_cast<int>(std::size(rows)), rows};

}  // namespace

const Mechanism& exported_mechanism() {
  static const Mechanism mechanism = make_mechanism();
  return mechanism;
}

const VariableTable& exported_variables() { return table; }

Stepper* make_stepper(Arena& arena, const Mechanism& mechanism, const Settings& settings) {
  return make_run_time_stepper(arena, mechanism, settings);
}

}  // namespace mechfmu
