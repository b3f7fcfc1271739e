// Gives a force's formulas what they need to enter its power and to show its variables.
#pragma once

#include <string>

#include <casadi/casadi.hpp>

#include "elements/surroundings.hpp"

namespace mechfmu {

class ForceBuilder {
 public:
  ForceBuilder(const Force& one, const Surroundings& mechanism) : force(one), around(mechanism) {}
  virtual ~ForceBuilder() = default;

  const Force& force;
  const Surroundings& around;

  /// Enters an effort on a rate, component by component, and shows their power.
  void act(const casadi::SX& effort, const casadi::SX& rate) const;
  /// Enters an effort on the joint's coordinate, and shows it as force or torque, with another one that has been
  /// entered.
  void act_on_coordinate(const casadi::SX& effort, const casadi::SX& entered = 0) const;
  /// Adds energy that efforts already entered store.
  virtual void store(const casadi::SX& energy) const = 0;

  /// Makes a variable of the force known: "length" of force F is F.length.
  virtual void show(const std::string& variable, const casadi::SX& value) const = 0;
  /// Shows the components of a vector: "force.x", …
  void show_components(const std::string& variable, const casadi::SX& vector) const;

  /// Returns the number of one of its keys, or `otherwise` if the file does not give it.
  casadi::SX number(const std::string& key, double otherwise = 0) const;
  /// Returns the components of one of its keys; zeros if the file does not give it.
  casadi::SX vector(const std::string& key) const;
  /// Returns the components that the file gives, in the frame that it names; frame() returns that frame against the
  /// ground.
  casadi::SX components() const;
  casadi::SX frame() const { return around.rotation(force.frame); }
  /// Returns the distance between the points "from" and "to", and makes it known as length.
  casadi::SX line_length() const;
  /// Returns the symbol of the joint's normal force, which is found with the reactions.
  virtual casadi::SX normal_force() const = 0;
  /// Lets the joint's coordinate stick: friction of this capacity, which is `rest` times larger at rest, acts against
  /// its rate. Returns its effort, which is found with the reactions.
  virtual casadi::SX stick(const casadi::SX& capacity, const casadi::SX& rest) const = 0;
  /// Is true if an expression depends on parameters only.
  virtual bool is_constant(const casadi::SX&) const = 0;

 private:
  virtual void enter(const casadi::SX& effort, const casadi::SX& rate) const = 0;
};

}  // namespace mechfmu
