// The family of forces: what a member does. One file a member, one line in force_laws.cpp.
//
// A force enters by its power: an effort on a rate. What acts on bodies and what generalised forces follow is derived.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <casadi/casadi.hpp>

#include "mechanics/kinematics.hpp"
#include "mechanics/virtual_power.hpp"

namespace mechfmu {

/// What a force's formulas are made with.
struct ForceBuilder {
  const Force& force;
  const Kinematics& kinematics;
  VirtualPower& power;
  std::function<casadi::SX(const Expression&)> value;
  std::function<casadi::SX(const std::string& name)> named;  ///< "A.angle": as it is read
  /// Makes a variable of the force known: "length" of force F is F.length.
  std::function<void(const std::string& variable, const casadi::SX& value)> show;
  /// The symbol of the joint's normal force, found with the reactions.
  std::function<casadi::SX()> normal_force;
  /// True if an expression depends on parameters only.
  std::function<bool(const casadi::SX&)> is_constant;

  casadi::SX number(const std::string& key, double otherwise = 0) const {
    const auto found = force.numbers.find(key);
    return found == force.numbers.end() ? casadi::SX(otherwise) : value(found->second);
  }
  casadi::SX rate(const casadi::SX& expression) const { return kinematics.motions->rate(expression); }
  /// The components that the file gives, in the frame that it names; and that frame against the ground.
  casadi::SX components() const;
  const casadi::SX& frame() const;
  /// Shows the components of a vector: "force.x", …
  void show_components(const std::string& variable, const casadi::SX& vector) const;
  /// Enters an effort on a rate and shows its power.
  void act(const casadi::SX& effort, const casadi::SX& rate) const;
  /// An effort on a joint's coordinate, shown as force or torque.
  void act_on_coordinate(const casadi::SX& effort) const;
  /// Between the points "from" and "to", pull positive; shows length first.
  casadi::SX line_length() const;
};

struct ForceLaw {
  const char* name;
  void (*apply)(const ForceBuilder&);
};

/// All forces.
std::span<const ForceLaw> force_laws();

const ForceLaw& find_force_law(const std::string& name);

}  // namespace mechfmu
