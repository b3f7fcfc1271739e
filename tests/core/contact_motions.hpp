// Has motions with contacts that tests of the simulation and of an importer outside compare with.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "mechanisms.hpp"

namespace mechfmu::testing {

/// Returns the four-bar whose rocker meets a stop without loss at 2 rad, with the inertias of the reference.
inline std::string four_bar_with_stop() {
  std::string text = text_of_model("four_bar");
  text = replaced(text, "\"crank_mass*crank_length^2/12\"", "0.0833");
  text = replaced(text, "\"coupler_mass*coupler_length^2/12\"", "1.302");
  text = replaced(text, "\"rocker_mass*rocker_length^2/12\"", "0.6667");
  return text + "[contacts.stop]\ngap = \"2 - D.angle\"\nrestitution = 1\n";
}
inline constexpr double four_bar_at_5_s = -0.19303035616778913;  ///< A.angle after three reflections, in 16 digits

/// A spring pulls a block back, and a belt takes it along: it sticks until k x = μ_s m g, slides as an oscillator about
/// μ m g / k from there, and sticks again when it has the belt's speed.
struct BlockOnBelt {
  static constexpr double k = 50, m = 2, N = 20, mu = 0.2, mu_s = 0.4, v = 0.1;
  static constexpr double x_slip = mu_s * N / k, t_slip = x_slip / v, center = mu * N / k;
  const double w = std::sqrt(k / m), a = x_slip - center, phase = std::atan2(v / w, a),
               amplitude = std::hypot(a, v / w);
  /// The rate is v again when w t = π + 2 phase has passed since t_slip, by the symmetry of the ellipse.
  const double sliding = (std::numbers::pi + 2 * phase) / w, x_stick = 2 * center - x_slip,
               period = (x_slip - x_stick) / v + sliding;

  /// Returns x at a time after t_slip while it slides.
  double x(double t) const { return center + amplitude * std::cos(w * t - phase); }

  static std::string text() {
    return R"toml(
[mechanism]
name = "Belt"
[parameters]
m = { value = 2, unit = "kg" }
k = { value = 50, unit = "N/m" }
v = { value = 0.1, unit = "m/s" }
weight = { value = 20, unit = "N" }
[coordinates]
x = { unit = "m", start = 0, rate_start = 0.1 }
y = { unit = "m", start = 0 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "k*x^2/2 + weight*y"
[contacts.belt]
gap = "y"
slip = "der(x) - v"
friction = 0.2
static = 0.4
)toml";
  }
};

/// Returns a puck of 2 kg that slides with 3 and 4 m/s on a table in space; μ = 0.25.
inline std::string puck_on_table() {
  return R"toml(
[mechanism]
name = "Puck"
[coordinates]
x = { unit = "m", rate_start = 3 }
y = { unit = "m", rate_start = 4 }
z = { unit = "m" }
[dynamics]
kinetic_energy = "(der(x)^2 + der(y)^2 + der(z)^2)*2/2"
potential_energy = "2*9.81*z"
[contacts.table]
gap = "z"
slip = ["der(x)", "der(y)"]
friction = 0.25
)toml";
}

}  // namespace mechfmu::testing
