// Tests velocities that a file declares: the equations of motion against those of Boltzmann and Hamel, and of Euler.
#include <catch2/catch.hpp>

#include "derived.hpp"
#include "equations/columns.hpp"

using namespace mechfmu;
using namespace mechfmu::test;
using casadi::DM;
using casadi::SX;

namespace {

/// It has three coordinates, and three velocities without any meaning. A rate has a part without velocity, which
/// depends on time.
const char* const three_velocities = R"toml(
[mechanism]
name = "ThreeVelocities"
[parameters]
k = 1.7
[coordinates]
a = { start = 0.4 }
b = { start = 0.7 }
c = { start = -0.3 }
[velocities]
p = { unit = "1/s", start = 0.3 }
q = { unit = "1/s", start = -0.2, fixed = true }
r = { unit = "1/s", start = 1 }
[velocities.rate]
a = "(2 + sin(b))*p + a*q"
b = "k*q - c*r/3 + 0.2*sin(1*time)"
c = "p*b/2 + (3 + cos(a*c))*r"
[dynamics]
kinetic_energy = "1*((2 + cos(b))*p^2 + p*q/2 + (1 + a^2)*q^2 + (3 + sin(c))*r^2 + q*r*a/4)"
potential_energy = "1*(a^2*b + sin(c))"
[dynamics.forces]
q = "-0.3*q*(1 + a^2)"
c = "0.1*a"
)toml";

SX the(const Equations& e, const std::string& name) {
  for (std::size_t i = 0; i < e.outputs.size(); ++i)
    if (e.outputs[i].shown.name == name) return e.outputs[i].value;
  throw std::logic_error("no output " + name);
}

/// Finds v̇ and λ at a state by the equations of motion, and enters them there.
void accelerate(const Derivation& d, State& state) {
  const Symbols& s = d.equations.symbols;
  const auto column = [](const Numbers& numbers) { return DM(numbers); };
  const std::vector<DM> at = {
      state.time,
      column(state.q),
      column(state.v),
      column(state.inputs),
      column(state.parameters),
      DM::zeros(s.acceleration.numel()),
      DM::zeros(s.multipliers.numel()),
      DM::zeros(s.angles.numel()),
      DM::zeros(s.loads.numel()),
      DM::zeros(s.slide.numel())};
  const std::vector<DM> stage = d.staged(at), motion = d.acceleration(at);
  const DM M = DM::tril2symm(DM(d.M, stage[0])), C_a = DM::densify(DM(d.C_a, motion[2]));
  const DM B = d.character.ideal ? C_a.T() : DM::densify(DM(d.B, motion[3]));
  const DM matrix =
      DM::vertcat({DM::horzcat({DM::densify(M), -B}), DM::horzcat({C_a, DM::zeros(B.size2(), B.size2())})});
  const DM found = DM::solve(matrix, DM::vertcat({motion[0], -motion[1]}));
  const auto n = static_cast<std::size_t>(s.v.numel());
  const Numbers all = found.nonzeros();
  state.acceleration.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
  state.multipliers.assign(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
}

}  // namespace

TEST_CASE("equations in the file's velocities are those of Boltzmann and Hamel", "[velocities]") {
  const Derivation d = derivation_of(three_velocities);
  const Equations& e = d.equations;
  const Symbols& s = e.symbols;
  REQUIRE(e.own_velocities.size() == 3);
  // This writes the same by hand: q̇ = A v + a, T* in v, and the forces by velocity.
  const SX a = s.q(0), b = s.q(1), c = s.q(2), k = 1.7, t = s.time, v = SX::sym("v", 3);
  const SX A = SX::vertcat(
      {SX::horzcat({2 + sin(b), a, 0}), SX::horzcat({0, k, -c / 3}), SX::horzcat({b / 2, 0, 3 + cos(a * c)})});
  const SX drift = SX::vertcat({0, 0.2 * sin(t), 0});
  const SX Y = SX::densify(SX::inv(A));
  const SX T = (2 + cos(b)) * sq(v(0)) + v(0) * v(1) / 2 + (1 + sq(a)) * sq(v(1)) + (3 + sin(c)) * sq(v(2)) +
               v(1) * v(2) * a / 4;
  const SX Q = SX::vertcat({-2 * a * b, -sq(a), 0.1 * a - cos(c)});
  const SX own_force = SX::vertcat({0, -0.3 * v(1) * (1 + sq(a)), 0});
  // ṗ*_k + p*_j (∂Y_js/∂q_r q̇_r + ∂Y_js/∂t) A_sk − A_sk ∂T*/∂q_s − p*_j A_sk ∂(Y (q̇ − a))_j/∂q_s at fixed q̇ = Aᵀ Q
  const SX rate = SX::mtimes(A, v) + drift, momentum = SX::gradient(T, v), I = SX::hessian(T, v);
  const SX fixed_rate = SX::sym("fixed_rate", 3), of_rate = SX::mtimes(Y, fixed_rate - drift);
  SX right = SX::mtimes(A.T(), Q + SX::gradient(T, s.q)) + own_force;
  SX by_q = SX::substitute(SX::jacobian(of_rate, s.q), fixed_rate, rate);
  right += SX::mtimes(SX::mtimes(by_q, A).T(), momentum);
  for (casadi_int j = 0; j < 3; ++j) {
    const SX Y_rate = SX::jtimes(Y(j, casadi::Slice()).T(), s.q, rate);
    right -= momentum(j) * SX::mtimes(A.T(), Y_rate);
  }
  right -= SX::jtimes(momentum, s.q, rate);  // the rest of ṗ* = I v̇ + …
  const SX expected = SX::solve(I, right);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    State state = random_state(e, seed);
    std::fill(state.inputs.begin(), state.inputs.end(), 0);  // no whole turns
    accelerate(d, state);
    const SX given = SX::mtimes(Y, s.v - drift);
    for (int j = 0; j < 3; ++j) {
      const std::string name = e.own_velocities[static_cast<std::size_t>(j)].shown.name;
      CHECK(value_of(the(e, name), e, state) == Approx(value_of(SX(given(j)), e, state)).epsilon(1e-12));
      const double by_hand = value_of(SX(SX::substitute(expected, v, given)(j)), e, state);
      CHECK(value_of(the(e, "der(" + name + ")"), e, state) == Approx(by_hand).epsilon(1e-10).margin(1e-10));
    }
  }
}

TEST_CASE("rates that are small in SI units determine velocities, too", "[velocities]") {
  std::string text = three_velocities;
  for (const char* rate : {"a = \"", "b = \"k", "c = \"p"}) {
    const std::string small = std::string(rate).insert(5, "1e-5*(");
    text.replace(text.find(rate), std::string(rate).size(), small);
    text.insert(text.find("\"\n", text.find(small)), ")");
  }
  CHECK(equations_of(text).own_velocities.size() == 3);
}

TEST_CASE("a start of a velocity is held, a guess gives guesses of rates", "[velocities]") {
  const Equations e = equations_of(three_velocities);
  REQUIRE(e.start_velocities.size() == 1);
  CHECK(e.start_velocities[0].name == "q");
  State state = random_state(e, 1);
  const casadi::Function guess("guess", {e.symbols.time, e.symbols.parameters}, {e.velocity_guess});
  const Numbers rates = guess(std::vector<DM>{0, state.parameters}).front().nonzeros();
  CHECK(rates[0] == Approx((2 + std::sin(0.7)) * 0.3 + 0.4 * -0.2));
  CHECK(rates[1] == Approx(1.7 * -0.2 + 0.3 / 3 * 1));
  CHECK(rates[2] == Approx(0.3 * 0.7 / 2 + (3 + std::cos(0.4 * -0.3))));
  state.time = 0;
  state.q = {0.4, 0.7, -0.3};
  state.v = rates;
  CHECK(value_of(e.start_velocities[0].residual, e, state) == Approx(0).margin(1e-14));
}

TEST_CASE("four coordinates and three velocities: Euler's equations with a unit quaternion, which a constraint holds",
          "[velocities]") {
  const Derivation d = derivation_of(R"toml(
[mechanism]
name = "Quaternion"
[parameters]
I1 = { value = 1.0, unit = "kg.m2" }
I2 = { value = 1.6, unit = "kg.m2" }
I3 = { value = 2.2, unit = "kg.m2" }
[inputs]
torque = { unit = "N.m", start = 0.7 }
[coordinates]
w = { start = 1 }
x = {}
y = {}
z = {}
[velocities]
o1 = { unit = "rad/s", start = 1 }
o2 = { unit = "rad/s", start = 2 }
o3 = { unit = "rad/s", start = 3 }
[velocities.rate]
w = "-(x*o1 + y*o2 + z*o3)/2"
x = "(w*o1 + y*o3 - z*o2)/2"
y = "(w*o2 + z*o1 - x*o3)/2"
z = "(w*o3 + x*o2 - y*o1)/2"
[dynamics]
kinetic_energy = "(I1*o1^2 + I2*o2^2 + I3*o3^2)/2"
[dynamics.forces]
o1 = "torque"
[constraints.unit]
position = "w^2 + x^2 + y^2 + z^2 - 1"
[constraints.steady]
velocity = "o3 - 0.4"
realised_by = { o3 = 1 }
)toml");
  const Equations& e = d.equations;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    State state = random_state(e, seed);
    double length = 0;
    for (const double component : state.q) length += component * component;
    for (double& component : state.q) component /= std::sqrt(length);
    double along = 0;
    for (int i = 0; i < 4; ++i) along += state.q[i] * state.v[i];
    for (int i = 0; i < 4; ++i) state.v[i] -= along * state.q[i];
    accelerate(d, state);
    const double o1 = value_of(the(e, "o1"), e, state), o2 = value_of(the(e, "o2"), e, state),
                 o3 = value_of(the(e, "o3"), e, state), torque = state.inputs[0];
    // ω is 2 p* ∘ ṗ
    CHECK(o1 == Approx(2 * (state.q[0] * state.v[1] - state.q[1] * state.v[0] - state.q[2] * state.v[3] +
                            state.q[3] * state.v[2])));
    CHECK(value_of(the(e, "der(o1)"), e, state) == Approx(((1.6 - 2.2) * o2 * o3 + torque) / 1.0).epsilon(1e-10));
    CHECK(value_of(the(e, "der(o2)"), e, state) == Approx((2.2 - 1.0) * o3 * o1 / 1.6).epsilon(1e-10));
    CHECK(value_of(the(e, "der(o3)"), e, state) == Approx(0).margin(1e-10));
    const double control = (1.6 - 1.0) * o1 * o2;  // the torque that keeps it
    CHECK(state.multipliers[1] == Approx(control).epsilon(1e-10));
    CHECK(value_of(the(e, "constraint.steady.effort.o3"), e, state) == Approx(control).epsilon(1e-10));
    CHECK(value_of(the(e, "o3.reaction"), e, state) == Approx(control).epsilon(1e-10));
    CHECK(value_of(the(e, "constraint.unit.effort.o2"), e, state) == Approx(0).margin(1e-12));
    CHECK(value_of(the(e, "o1.reaction"), e, state) == Approx(0).margin(1e-12));
  }
}
