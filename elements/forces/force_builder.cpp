// Makes pieces that forces share.
#include "force_builder.hpp"

#include "elements/components.hpp"

namespace mechfmu {

using casadi::SX;

SX ForceBuilder::number(const std::string& key, double otherwise) const {
  return around.number(force.numbers, key, otherwise);
}

SX ForceBuilder::vector(const std::string& key) const { return around.vector(force.vectors, key); }

SX ForceBuilder::components() const {
  std::vector<SX> given;
  for (const Expression& component : force.value) given.push_back(around.value(component));
  return SX::vertcat(given);
}

void ForceBuilder::show_components(const std::string& variable, const SX& vector) const {
  show_each(variable, vector, xyz, [this](const std::string& name, const SX& value) { show(name, value); });
}

void ForceBuilder::act(const SX& effort, const SX& rate) const {
  enter(effort, rate);
  show("power", SX::dot(effort, rate));
}

void ForceBuilder::act_on_coordinate(const SX& effort, const SX& entered) const {
  const auto [joint, i] = around.coordinate(force.coordinate);
  const SX rate = around.rate(around.named(force.coordinate));
  show(joint.form.coordinates[i].angle ? "torque" : "force", effort + entered);
  enter(effort, rate);
  show("power", (effort + entered) * rate);
}

SX ForceBuilder::line_length() const {
  const SX length = SX::norm_2(around.point(force.to) - around.point(force.at));
  show("length", length);
  return length;
}

}  // namespace mechfmu
