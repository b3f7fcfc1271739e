// Describes a body in space by equations made by hand, for tests of rotations: coordinates x, orientation, y, z, so
// that a quaternion has scalars on both sides, and constraints that tie it to the ground.
#pragma once

#include <string>
#include <vector>

#include <casadi/casadi.hpp>

#include "equations/equations.hpp"

namespace mechfmu::test {

/// Columns of the turned frame in the one that it is turned against, of a unit quaternion.
inline casadi::SX rotation_matrix(const casadi::SX& p) {
  using casadi::SX;
  const SX w = p(0), x = p(1), y = p(2), z = p(3);
  return SX::vertcat({SX::horzcat({1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)}),
                      SX::horzcat({2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)}),
                      SX::horzcat({2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)})});
}

class SpatialBody {
 public:
  using SX = casadi::SX;

  /// `inertia`: principal ones about the mass centre, which x, y, z are the position of. Gravity points along −z.
  SpatialBody(double mass, const std::vector<double>& inertia, double gravity) {
    Equations& e = equations_;
    e.name = "SpatialBody";
    Symbols& s = e.symbols;
    e.positions = shown({"x", "orientation.w", "orientation.x", "orientation.y", "orientation.z", "y", "z"});
    e.velocities = shown({"der(x)", "omega.x", "omega.y", "omega.z", "der(y)", "der(z)"});
    e.accelerations = shown({"der(x,2)", "der(omega.x)", "der(omega.y)", "der(omega.z)", "der(y,2)", "der(z,2)"});
    e.position_fixed = e.velocity_fixed = std::vector<bool>(6, false);
    e.quaternions = {{1, 1}};
    s.time = SX::sym("time");
    s.q = SX::sym("q", 7);
    s.v = SX::sym("v", 6);
    s.acceleration = SX::sym("a", 6);
    s.inputs = SX::sym("push");
    e.input_names = {"push"};
    e.input_values = {0};
    orientation = s.q(casadi::Slice(1, 5));
    omega = s.v(casadi::Slice(1, 4));
    R = rotation_matrix(orientation);
    position = SX::vertcat({s.q(0), s.q(5), s.q(6)});
    const SX w = orientation(0), p = orientation(casadi::Slice(1, 4));
    s.q_rate = SX::vertcat({s.v(0), -SX::dot(p, omega) / 2, (w * omega + SX::cross(p, omega)) / 2, s.v(4), s.v(5)});

    const SX m = parameter("m", mass),
             I = SX::vertcat({parameter("I1", inertia[0]), parameter("I2", inertia[1]), parameter("I3", inertia[2])});
    const SX g = parameter("g", gravity);
    e.mass_matrix = SX::diag(SX::vertcat({m, I, m, m}));
    e.inertia_forces = SX::vertcat({0, -SX::cross(omega, I * omega), 0, 0});
    e.kinetic_energy = SX::bilin(*e.mass_matrix, s.v, s.v) / 2;
    e.potential_energy = m * g * s.q(6);
    e.forces = SX::vertcat({s.inputs, SX::zeros(5)});
    add_output("angular_momentum.x", SX::mtimes(R, I * omega)(0));
    add_output("angular_momentum.y", SX::mtimes(R, I * omega)(1));
    add_output("angular_momentum.z", SX::mtimes(R, I * omega)(2));
    add_output("energy", e.kinetic_energy + *e.potential_energy);
  }

  static std::vector<Shown> shown(const std::vector<std::string>& names) {
    std::vector<Shown> result;
    for (const std::string& name : names) result.push_back({name, "", Unit{}, Place{}});
    return result;
  }

  SX parameter(const std::string& name, double value) {
    equations_.parameters.push_back({shown({name}).front()});
    equations_.parameter_values.push_back(value);
    parameters_.push_back(SX::sym(name));
    return parameters_.back();
  }

  /// Adds a position constraint that is held at 0, or with level velocity one that is linear in the velocities.
  void constrain(const std::string& name, const SX& residual, Level level = Level::position) {
    ConstraintEquation row;
    row.name = name;
    row.level = level;
    row.residual = residual;
    equations_.constraints.push_back(row);
    multipliers_.push_back(SX::sym(name));
  }

  /// The point of the body at `s` stays at the origin.
  void pin(const std::vector<double>& s) {
    const SX at = position + SX::mtimes(R, SX(s));
    for (int i = 0; i < 3; ++i) constrain(std::string("pin_") + "xyz"[i], at(i));
  }

  void add_output(const std::string& name, const SX& value) {
    OutputEquation output;
    output.shown = shown({name}).front();
    output.value = value;
    output.index = static_cast<int>(equations_.outputs.size());
    equations_.outputs.push_back(output);
  }

  /// Has start values: parameters "x_start" and so on, in the order of positions, then of velocities.
  Equations equations(const std::vector<double>& q, const std::vector<double>& v) {
    std::vector<SX> q_guess, v_guess;
    for (std::size_t i = 0; i < q.size(); ++i)
      q_guess.push_back(parameter(equations_.positions[i].name + "_start", q[i]));
    for (std::size_t i = 0; i < v.size(); ++i)
      v_guess.push_back(parameter(equations_.velocities[i].name + "_start", v[i]));
    Equations result = equations_;
    result.nominal = result.rate_nominal = std::vector<double>(v.size(), 1);
    result.position_guess = SX::vertcat(q_guess);
    result.velocity_guess = SX::vertcat(v_guess);
    result.symbols.parameters = SX::vertcat(parameters_);
    result.symbols.multipliers = multipliers_.empty() ? SX(0, 1) : SX::vertcat(multipliers_);
    return result;
  }

  /// Returns the equations for further changes; call it before equations().
  Equations& further() { return equations_; }

  SX position, orientation, omega, R;

 private:
  Equations equations_;
  std::vector<SX> parameters_, multipliers_;
};

}  // namespace mechfmu::test
