// What a force's formulas are made with.
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
  /// An effort on the joint's coordinate, shown as force or torque.
  void act_on_coordinate(const casadi::SX& effort) const;
  /// Energy that efforts already entered store.
  virtual void store(const casadi::SX& energy) const = 0;

  /// Makes a variable of the force known: "length" of force F is F.length.
  virtual void show(const std::string& variable, const casadi::SX& value) const = 0;
  /// Shows the components of a vector: "force.x", …
  void show_components(const std::string& variable, const casadi::SX& vector) const;

  /// The number of one of its keys, or `otherwise` if the file does not give it.
  casadi::SX number(const std::string& key, double otherwise = 0) const;
  /// The components of one of its keys; zeros if the file does not give it.
  casadi::SX vector(const std::string& key) const;
  /// The components that the file gives, in the frame that it names; and that frame against the ground.
  casadi::SX components() const;
  casadi::SX frame() const { return around.rotation(force.frame); }
  /// The distance between the points "from" and "to", which becomes known as length.
  casadi::SX line_length() const;
  /// The symbol of the joint's normal force, found with the reactions.
  virtual casadi::SX normal_force() const = 0;
  /// Whether an expression depends on parameters only.
  virtual bool is_constant(const casadi::SX&) const = 0;

 private:
  virtual void enter(const casadi::SX& effort, const casadi::SX& rate) const = 0;
};

}  // namespace mechfmu
