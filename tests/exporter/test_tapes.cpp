// Tests derivatives of tapes against CasADi's.
#include <catch2/catch.hpp>

#include "derivation/program/tapes.hpp"
#include "derived.hpp"
#include "fmu_src/mechanism/tape.hpp"

using namespace mechfmu;
using namespace mechfmu::test;

TEST_CASE("every scalar operation of CasADi has its derivative on tapes") {
  using casadi::SX;
  const SX q = SX::sym("q", 4), direction = SX::sym("direction", 4);
  const SX results = SX::vertcat(all_operations(q));
  const Numbers at = {0.31, 0.62, 1.7, -2.6}, turn = {1.3, -0.4, 0.7, 0.2};
  const TapeStorage storage = tape_of(casadi::Function("f", {SX::sym("t"), q}, {results}));
  Point point, along;
  point.q = at.data();
  along.q = turn.data();
  Numbers values(storage.steps.size()), slopes(storage.steps.size()), found(storage.results.size());
  differentiate(storage.tape(), point, along, values.data(), slopes.data(), found.data());
  const casadi::Function theirs("slopes", {q, direction}, {SX::densify(SX::jtimes(results, q, direction))});
  const std::vector<double> expected = theirs(std::vector<casadi::DM>{at, turn}).at(0).nonzeros();
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(SX(results(static_cast<casadi_int>(i))));
    CHECK(found[i] == Approx(expected[i]).epsilon(1e-14).margin(1e-300));
  }
}

TEST_CASE("what does not change has no share in a slope, even an infinite one") {
  using casadi::SX;
  const SX q = SX::sym("q", 2);
  const SX results = SX::vertcat({sqrt(q(0)) + q(1), pow(q(0), 0.5)});
  const TapeStorage storage = tape_of(casadi::Function("f", {SX::sym("t"), q}, {results}));
  const Numbers at = {0, 1}, turn = {0, 2};
  Point point, along;
  point.q = at.data();
  along.q = turn.data();
  Numbers values(storage.steps.size()), slopes(storage.steps.size()), found(2);
  differentiate(storage.tape(), point, along, values.data(), slopes.data(), found.data());
  CHECK(found == Numbers{2, 0});
}

TEST_CASE("a mechanism's tapes have the derivatives that CasADi gives") {
  using casadi::SX;
  for (const Derivation& d : {derivation_of(everything), derivation_of(guided_pendulum), body_in_space()}) {
    const State s = random_state(d.equations, 3), direction = random_state(d.equations, 4);
    const auto arguments = [&](const State& state, const Numbers& preimage) {
      return std::vector<casadi::DM>{
          state.time,        state.q,      state.v,     state.inputs, state.parameters, state.acceleration,
          state.multipliers, state.angles, state.loads, state.slide,  preimage};
    };
    const Numbers preimage(s.v.size(), 0.7);
    State held = direction;  // angles only say which turns are meant
    for (double& angle : held.angles) angle = 0;
    for (casadi::Function function : {d.balance, d.outputs[0], d.outputs[1], d.outputs[2]}) {
      const TapeStorage storage = tape_of(function);
      const auto point = [&](const State& state, const Numbers& z) {
        Point p = point_at(state);
        p.preimage = z.data();
        return p;
      };
      Numbers values(storage.steps.size()), slopes(storage.steps.size()), found(storage.results.size());
      differentiate(storage.tape(), point(s, preimage), point(held, preimage), values.data(), slopes.data(),
                    found.data());
      std::vector<SX> symbols = d.equations.symbols.all(), turns;
      if (function.n_in() > static_cast<casadi_int>(symbols.size())) symbols.push_back(SX::sym("z", preimage.size()));
      for (const SX& symbol : symbols) turns.push_back(SX::sym("turn", symbol.numel()));
      std::vector<SX> both = symbols;
      both.insert(both.end(), turns.begin(), turns.end());
      const SX result = function(symbols).at(0);
      const casadi::Function theirs("slopes", both,
                                    {SX::densify(SX::jtimes(result, SX::vertcat(symbols), SX::vertcat(turns)))});
      std::vector<casadi::DM> at = arguments(s, preimage), along = arguments(held, preimage);
      at.resize(symbols.size());
      at.insert(at.end(), along.begin(), along.begin() + static_cast<std::ptrdiff_t>(symbols.size()));
      const std::vector<double> expected = theirs(at).at(0).nonzeros();
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        INFO(d.equations.name << ": " << function.name() << " " << i);
        CHECK(found[i] == Approx(expected[i]).epsilon(1e-11).margin(1e-11));
      }
    }
  }
}
