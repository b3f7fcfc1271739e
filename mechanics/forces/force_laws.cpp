// The list of forces, and what they share.
#include "force_laws.hpp"

#include <algorithm>
#include <stdexcept>

#include "mechanics/components.hpp"

namespace mechfmu {

using casadi::SX;

std::span<const ForceLaw> force_laws() {
  static const ForceLaw types[] = {
      {"force", apply_force},
      {"torque", apply_torque},
      {"joint_force", apply_joint_force},
      {"line_force", apply_line_force},
      {"spring_damper", apply_spring_damper},
      {"joint_spring_damper", apply_joint_spring_damper},
      {"friction", apply_friction},
  };
  return types;
}

const ForceLaw& find_force_law(const std::string& name) {
  const auto types = force_laws();
  const auto found = std::find_if(types.begin(), types.end(), [&](const ForceLaw& type) { return name == type.name; });
  if (found == types.end()) throw std::logic_error("no force of type " + name);
  return *found;
}

SX ForceBuilder::components() const {
  std::vector<SX> given;
  for (const Expression& component : force.value) given.push_back(value(component));
  return SX::vertcat(given);
}

const SX& ForceBuilder::frame() const { return kinematics.bodies[static_cast<std::size_t>(force.frame)].frame.R; }

void ForceBuilder::show_components(const std::string& variable, const SX& vector) const {
  show_each(variable, vector, xyz, show);
}

void ForceBuilder::act(const SX& effort, const SX& rate) const {
  power.act(effort, rate);
  show("power", SX::dot(effort, rate));
}

void ForceBuilder::act_on_coordinate(const SX& effort) const {
  const auto [joint, i] = kinematics.coordinate(force.coordinate);
  show(joint->form->coordinates[i].angle ? "torque" : "force", effort);
  act(effort, rate(named(force.coordinate)));
}

SX ForceBuilder::line_length() const {
  const SX length = SX::norm_2(kinematics.point(force.to) - kinematics.point(force.at));
  show("length", length);
  return length;
}

}  // namespace mechfmu
