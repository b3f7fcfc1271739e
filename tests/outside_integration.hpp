// Integrates a simulation from outside, as an importer of model exchange does: by the classical method of order 4, with
// events found within steps where indicators change their sign.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "fmu_src/simulation/simulation.hpp"

namespace mechfmu::testing {

/// States are positions, then velocities.
class OutsideIntegration {
 public:
  /// The simulation is assembled, and has been told that somebody outside integrates.
  OutsideIntegration(Simulation& simulation, const Sizes& sizes) : simulation_(simulation), sizes_(sizes) {
    take_states();
    CHECK(all_positive());
  }

  /// Integrates by steps of this length; `located` says whether events are found within steps.
  void run(double end, double h, bool located = true) {
    while (time_ < end) {
      const double begin = time_, length = std::fmin(h, end - begin);
      const std::vector<double> from = states_;
      step(from, begin, length, length == end - begin ? end : begin + length);
      if (!all_positive()) {
        if (located) locate(from, begin, length);
        meet();
        continue;
      }
      REQUIRE(simulation_.complete_step());
      CHECK_FALSE(simulation_.is_at_event());
    }
  }

  /// Enters event mode.
  void meet() {
    INFO("at " << time_);
    const bool met = simulation_.meet_event();
    INFO(simulation_.message().text);
    REQUIRE(met);
    take_states();
    CHECK(all_positive());
    ++events;
  }

  double time() const { return time_; }
  void take_states() {
    states_.assign(simulation_.positions(), simulation_.positions() + sizes_.positions);
    states_.insert(states_.end(), simulation_.velocities(), simulation_.velocities() + sizes_.velocities);
    time_ = simulation_.time();
  }

  int events = 0;

 private:
  void place(double t, const std::vector<double>& y) {
    simulation_.move_to(t);
    simulation_.place(y.data(), y.data() + sizes_.positions);
  }
  std::vector<double> rates(double t, const std::vector<double>& y) {
    place(t, y);
    const double *q = simulation_.position_rates(), *v = simulation_.velocity_rates();
    INFO(simulation_.message().text);
    REQUIRE(q != nullptr);
    REQUIRE(v != nullptr);
    std::vector<double> result(q, q + sizes_.positions);
    result.insert(result.end(), v, v + sizes_.velocities);
    return result;
  }
  static std::vector<double> moved(std::vector<double> y, double h, const std::vector<double>& rate) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * rate[i];
    return y;
  }
  void step(const std::vector<double>& y, double t, double h, double end) {
    const auto k1 = rates(t, y), k2 = rates(t + h / 2, moved(y, h / 2, k1)), k3 = rates(t + h / 2, moved(y, h / 2, k2)),
               k4 = rates(end, moved(y, h, k3));
    states_ = y;
    for (std::size_t i = 0; i < y.size(); ++i) states_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    time_ = end;
    place(time_, states_);
  }
  bool all_positive() {
    const double* found = simulation_.indicators();
    REQUIRE(found != nullptr);
    bool positive = true;
    for (int i = 0; i < sizes_.indicators(); ++i) positive = positive && found[i] > 0;
    return positive;
  }
  /// Shortens the step to just behind the event.
  void locate(const std::vector<double>& from, double begin, double length) {
    double early = 0, late = length;
    while (late - early > 1e-13 * (1 + begin)) {
      const double middle = (early + late) / 2;
      step(from, begin, middle, begin + middle);
      (all_positive() ? early : late) = middle;
    }
    step(from, begin, late, begin + late);
  }

  Simulation& simulation_;
  Sizes sizes_;
  std::vector<double> states_;
  double time_ = 0;
};

}  // namespace mechfmu::testing
