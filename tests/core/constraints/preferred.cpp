// Tests independent coordinates that the file prefers (constraints/choice.hpp), and what readers see of the choice.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Returns the text of a mechanism that prefers these coordinates.
std::string preferring(const std::string& text, const std::string& coordinates) {
  const std::string key = "independent = [" + coordinates + "]\n";
  return text.find("[solver]\n") == std::string::npos
             ? text + "\n[solver]\n" + key
             : replaced(text, "[solver]\n", "[solver]\n" + key);
}

/// Says how good these columns are beside the best ones: the smallest pivot of g_i = W_dᵀ k_i √M_ii, (5.4)–(5.5).
double quality_beside_best(const Evaluation& e, const std::vector<int>& columns) {
  const MatrixXd N = null_space(e.C), W = N * inverse_of(upper_factor_of(N.transpose() * e.M * N));
  const MatrixXd G = (e.M.diagonal().cwiseSqrt().asDiagonal() * W).transpose();
  MatrixXd chosen(G.rows(), static_cast<int>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) chosen.col(static_cast<int>(j)) = G.col(columns[j]);
  return smallest_pivot_of(chosen) / smallest_pivot_of(G);
}

bool all_independent(const Simulation& simulation, const std::vector<int>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](int j) { return simulation.is_independent(j); });
}

int count_independent(const Simulation& simulation, int velocities) {
  int count = 0;
  for (int j = 0; j < velocities; ++j) count += simulation.is_independent(j);
  return count;
}

/// Checks after each accepted step that the preferred columns are independent while they may be.
struct Follower final : StepWatcher {
  Follower(const Loaded& l, Simulation& s, std::vector<int> c) : loaded(l), simulation(s), columns(std::move(c)) {
    look(0.1);
  }
  bool accepted(double&, Message&) override {
    look(held ? 0.1 : 0.3);
    return true;
  }
  void look(double enough) {
    const double quality = quality_beside_best(evaluate(loaded, simulation), columns);
    const bool now = all_independent(simulation, columns);
    if (std::fabs(quality - enough) > 1e-9) CHECK(now == (quality >= enough));
    changes += now != held;
    held = now;
    (now ? lowest_held : highest_left) = now ? std::min(lowest_held, quality) : std::max(highest_left, quality);
    CHECK(count_independent(simulation, loaded.sizes().velocities) == static_cast<int>(columns.size()));
  }
  const Loaded& loaded;
  Simulation& simulation;
  std::vector<int> columns;
  bool held = true;
  int changes = 0;
  double lowest_held = 1, highest_left = 0;
};

struct Preferring {
  const char* what;
  std::string text, coordinates;
  std::vector<int> columns;
  double duration;
};

std::vector<Preferring> preferring_mechanisms() {
  return {{"a bar on a pin", bar_pendulum(), R"("y")", {1}, 3},
          {"a four-bar linkage", text_of_model("four_bar_equations"), R"("theta3")", {2}, 6},
          {"a robot", three_motor_robot(), R"("A1", "B2", "C")", {0, 3, 6}, 3},
          {"a parallelogram with one row twice",
           replaced(bar_pendulum("[constraints.again]\nposition = \"x^2 + y^2 - L^2\"\n"), "rate_start = 1.5",
                    "rate_start = 4"),
           R"("x")",
           {0},
           3}};
}

}  // namespace

TEST_CASE("preferred coordinates are independent from three tenths of the best quality on, down to a tenth",
          "[preferred]") {
  int changes = 0;
  for (const Preferring& one : preferring_mechanisms()) {
    INFO(one.what);
    const Loaded loaded = Loaded::text(preferring(one.text, one.coordinates)), indifferent = Loaded::text(one.text);
    for (const char* name : {"partitioned", "gram_schmidt", "local_frames", "coordinate_partitioning"}) {
      INFO(name);
      Settings settings = loaded.settings;
      settings.method = method("dop853");
      settings.tolerance = 1e-10;
      settings.tangent_basis = basis(name);
      const auto simulation = loaded.simulation(settings), other = indifferent.simulation(settings);
      assemble(*simulation);
      assemble(*other);
      Follower follower(loaded, *simulation, one.columns);
      for (int i = 1; i <= 20; ++i) {
        INFO(simulation->message().text);
        REQUIRE(simulation->advance(i * one.duration / 20, &follower));
        advance(*other, i * one.duration / 20);
        CHECK(distance(*simulation, *other) < 1e-6);
      }
      CHECK(simulation->basis_switches() >= follower.changes);
      CHECK(follower.lowest_held < 0.3);
      changes += follower.changes;
    }
  }
  CHECK(changes >= 8);
}

TEST_CASE("a step across a change of preferred coordinates gives the same bits when it is repeated", "[preferred]") {
  for (const Preferring& one : preferring_mechanisms()) {
    INFO(one.what);
    const Loaded loaded = Loaded::text(preferring(one.text, one.coordinates));
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    std::vector<std::vector<double>> states;
    for (int i = 1; i <= 20; ++i) {
      states.push_back(copy_state(*simulation));
      advance(*simulation, i * one.duration / 20);
    }
    states.push_back(copy_state(*simulation));
    REQUIRE(simulation->basis_switches() > 0);
    for (int i = 20; i > 0; --i) {
      simulation->restore(states[static_cast<std::size_t>(i - 1)].data());
      for (int j = 0; j < loaded.sizes().velocities; ++j) simulation->is_independent(j);
      simulation->basis_quality();
      advance(*simulation, i * one.duration / 20);
      CHECK(same_state(*simulation, states[static_cast<std::size_t>(i)]));
    }
  }
}

TEST_CASE("a preference that is the present choice changes no bit", "[preferred]") {
  const Loaded loaded = Loaded::model("four_bar_equations");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  int j = 0;
  while (!simulation->is_independent(j)) ++j;
  const Loaded same = Loaded::text(
      preferring(text_of_model("four_bar_equations"), "\"" + std::string(loaded.table().position_names[j]) + "\""));
  const auto other = same.simulation();
  assemble(*other);
  advance(*simulation, 0.2);
  advance(*other, 0.2);
  REQUIRE(simulation->basis_switches() == 0);
  CHECK(same_state(*other, copy_state(*simulation)));
}

TEST_CASE("the quality for a bar on a pin is the cosine to the dependent coordinate", "[preferred]") {
  for (const char* name : {"partitioned", "gram_schmidt", "local_frames", "qr", "kkt"}) {
    INFO(name);
    const Loaded loaded = Loaded::text(replaced(bar_pendulum(), "rate_start = 1.5", "rate_start = 4"));
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    const bool chooses = chooses_coordinates(settings.tangent_basis);
    for (int i = 1; i <= 40; ++i) {
      advance(*simulation, i * 0.05);
      const double x = std::fabs(simulation->positions()[0]) / 0.5, y = std::fabs(simulation->positions()[1]) / 0.5;
      CHECK(count_independent(*simulation, 2) == (chooses ? 1 : 0));
      const double expected = !chooses ? std::max(x, y) : simulation->is_independent(0) ? y : x;
      CHECK(simulation->basis_quality() == Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("the quality of a parallelogram vanishes with the sine of its angle", "[preferred]") {
  // The row that vanishes where it is flat comes first, then last.
  const Parallelogram p;
  const std::string along = "\"l*cos(a) + d*cos(c) - l*cos(b) - d\"", across = "\"l*sin(a) + d*sin(c) - l*sin(b)\"",
                    first = parallelogram(p),
                    last = replaced(replaced(replaced(first, along, "?"), across, along), "?", across);
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"partitioned", first}, {"partitioned", last}, {"qr", last}, {"range_space", first}};
  for (const auto& [name, text] : cases) {
    INFO(name << text);
    const Loaded loaded = Loaded::text(text);
    Settings settings = loaded.settings;
    settings.method = method("dop853");
    settings.tangent_basis = basis(name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    double smallest = 1, largest = 0;
    const double flat = (std::acos(-1) - p.angle) / p.rate;
    for (const double before : {0.3, 0.1, 0.03, 0.01, 0.003, 0.001}) {
      advance(*simulation, flat - before);
      const double part = simulation->basis_quality() / std::sin(p.rate * before);
      smallest = std::min(smallest, part);
      largest = std::max(largest, part);
    }
    CHECK(smallest > 0.1);
    CHECK(largest < 1);
    CHECK(largest < 1.5 * smallest);
  }
}

TEST_CASE("the quality is the smallest pivot of the scaled rows", "[preferred]") {
  for (const std::string model : {"four_bar_equations", "slider_crank", "spatial_four_bar", "andrews_equations",
                                  "stewart_platform", "circling_vehicle", "four_bar_windows", "planetary_gear"}) {
    INFO(model);
    const Loaded loaded = Loaded::model(model);
    const Sizes& sizes = loaded.sizes();
    for (const char* name : {"partitioned", "svd"}) {
      INFO(name);
      Settings settings = loaded.settings;
      settings.tangent_basis = basis(name);
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      for (int i = 0; i <= 4; ++i) {
        if (i > 0) advance(*simulation, i * loaded.stop_time / 40);
        const Evaluation e = evaluate(loaded, *simulation);
        VectorXd metric(sizes.velocities);
        column_metric(loaded.table().M, e.M_values.data(), loaded.table().nominal, metric.data());
        const MatrixXd C = e.C.topRows(sizes.rows()) * metric.cwiseSqrt().cwiseInverse().asDiagonal();
        VectorXd length = VectorXd::Zero(C.rows());
        for (int a = 0; a < C.rows(); ++a) {
          for (int b = 0; b < C.rows(); ++b) {
            if (loaded.table().same_unit[a] == loaded.table().same_unit[b])
              length[a] = std::max(length[a], C.row(b).norm());
          }
        }
        const double quality = simulation->basis_quality();
        CHECK(quality > 0);
        CHECK(quality <= 1);
        if (sizes.rank < sizes.rows()) continue;
        MatrixXd C_d(C.rows(), 0);
        for (int j = 0; j < sizes.velocities; ++j) {
          if (simulation->is_independent(j)) continue;
          C_d.conservativeResize(Eigen::NoChange, C_d.cols() + 1);
          C_d.col(C_d.cols() - 1) = C.col(j);
        }
        const MatrixXd scaled = length.cwiseInverse().asDiagonal() * C_d;
        const double least = singular_values_of(scaled).minCoeff();
        CHECK(quality > 0.1 * least);  // pivots follow singular values within growth
        CHECK(quality < 30 * least);
      }
    }
  }
}

TEST_CASE("tangent velocities have the kinetic energy", "[preferred]") {
  const Loaded loaded = Loaded::text(preferring(three_motor_robot(), R"("A1", "A2", "A3")"));
  for (const char* name : {"partitioned", "svd", "kkt"}) {
    INFO(name);
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    for (int i = 1; i <= 10; ++i) {
      advance(*simulation, 0.1 * i);
      const double* u = simulation->tangent_velocities();
      CHECK((u == nullptr) == (std::string(name) == "kkt"));
      if (u == nullptr) continue;
      const Evaluation e = evaluate(loaded, *simulation);
      const VectorXd v = velocities(*simulation);
      CHECK(VectorXd::Map(u, 3).squaredNorm() == Approx(v.dot(e.M * v)).epsilon(1e-12));
    }
  }
  Settings settings = loaded.settings;
  settings.drift_correction = drift("baumgarte");
  const auto full = loaded.simulation(settings);
  assemble(*full);
  CHECK(full->tangent_velocities() == nullptr);
  CHECK(count_independent(*full, 7) == 0);
}
