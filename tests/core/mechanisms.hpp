// Has mechanisms written for tests, as text.
#pragma once

#include <string>

#include "support.hpp"

namespace mechfmu::testing {

/// Says what a random mechanism looks like. All coordinates are angles, so that any formula of them fits.
struct Shape {
  int coordinates = 4;
  int position_rows = 1;
  int velocity_rows = 0;
  bool rheonomic = false;       ///< constraints and masses move with time
  bool redundant = false;       ///< one more position constraint, the sum of the others
  double nearly_dependent = 0;  ///< if positive, the last position row is the first plus this times its own
};

/// Returns a mechanism whose kinetic energy is a sum of squares of velocities of nonlinear functions. Its constraints
/// have this form, too, and are closed at the start; it has forces of every kind. Equal seeds give equal texts.
std::string random_mechanism(unsigned seed, const Shape&);

/// Has six coordinates and constraints of positions and velocities; coordinate 1 and rate 2 are fixed.
Loaded rough_mechanism(unsigned seed, bool rheonomic);

/// A parallelogram linkage of massive cranks of length 1 and a coupler of length 2, without gravity unless given: the
/// crank's angle θ obeys I θ̈ = −g (m_crank + m_coupler) cos θ with I = 2/3 m_crank + m_coupler.
struct Parallelogram {
  double angle = 0.5, rate = 2;
  double gravity = 0;
  static constexpr double m_crank = 1, m_coupler = 3;
  static constexpr double inertia() { return 2.0 / 3 * m_crank + m_coupler; }
};
std::string parallelogram(const Parallelogram&);

/// An arm in the plane on a torsional spring and damper; its angle and the spring's rest are `turns` whole turns away
/// from zero.
struct ArmOnSpring {
  double stiffness = 0, damping = 0;
  double angle = 0.1, rate = 0;
  double turns = 0;
};
std::string arm_on_spring(const ArmOnSpring&);

/// Returns the models of these names in other sizes.
std::string four_bar_windows(int count);
std::string hanging_chain(int links);
std::string spring_net(int rows, int columns);

/// Parallelograms of the same lengths and different masses one behind the other, each crank hinged to the one before by
/// a torsional spring and damper: k = `count`, and every half turn all of them are flat.
std::string coupled_parallelograms(int count, double stiffness, double damping);

/// Links hinged about y and z in turn, in motion; in relative or absolute coordinates.
std::string chain_in_space(int links, bool absolute);

/// A planar platform on three legs of two links, driven by three motors: n = 7, m = 4, k = 3.
std::string three_motor_robot();

/// Returns a pendulum like bar_pendulum() with a spring and damper in place of the bar, unstretched at the start. The
/// stiffer the spring is, the more similar are the motions. The coordinates are x, y or, if `polar` is true, the angle
/// and the length of the spring.
std::string spring_pendulum(double stiffness, double damping, bool polar);

/// Returns the flyball governor: two rods with balls hinged to a spinning shaft, each tied to a slider by a stiff
/// spring and damper. It is problem A05 of the IFToMM benchmark library, in the three coordinates that its symmetry
/// leaves.
std::string flyball_governor();

/// Three coordinates and an unknown that enters masses, forces and a row for accelerations, and whose equation asks for
/// accelerations and multipliers. `realised`: the row's reaction acts in a direction that contains it, too.
std::string unknown_everywhere(bool realised);

/// Returns a point mass on a bar in absolute coordinates, with further constraints.
std::string bar_pendulum(const std::string& more_constraints = "", const std::string& more_parameters = "");

/// Crank and rod of 0.08 and 0.24 m on a slider, in three coordinates A0, B0 and D0, whose entries are given; `count`
/// of them, each with its own names.
std::string slider_cranks(int count, const std::string& a, const std::string& b, const std::string& d);

/// Returns the file of a model.
std::string text_of_model(const std::string& name);
/// A text with another part in place of the first of its kind, which must be there.
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// The model four_bar_in_space, its joint C about an axis that is off by `tilt`.
std::string tilted_four_bar(const std::string& tilt, const std::string& solver = "");

/// Returns a four-bar linkage that a motor drives: its current, what it takes from the source and its heat are states.
std::string driven_four_bar();

}  // namespace mechfmu::testing
