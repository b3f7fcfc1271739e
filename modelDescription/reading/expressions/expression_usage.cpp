// Says which names are allowed where, with one function for each kind of place, and what a formula depends on.
#include <algorithm>

#include "expression_check.hpp"

namespace mechfmu {

Usage parameter_usage(std::string what) {
  Usage usage;
  usage.what = std::move(what);
  return usage;
}

Usage definition_usage(std::string what) {
  Usage usage{std::move(what)};
  usage.time = usage.inputs = usage.coordinates = usage.unknowns = usage.states = usage.state_rates = true;
  usage.derivatives = 2;
  return usage;
}

Usage kinetic_usage() {
  Usage usage{"the kinetic energy"};
  usage.time = usage.coordinates = usage.states = true;
  usage.derivatives = 1;
  // M v̇ follows from d/dt ∂T/∂v, which would contain the input's derivative.
  usage.why_no_input = "its derivative would be needed, and an input has none";
  usage.instead_of_input = "let the input act in [dynamics.forces]";
  usage.why_no_unknown = "its derivative would be needed, and an unknown has none";
  usage.instead_of_unknown = "write mass_matrix = [[…], …]: in it the unknown is held";
  return usage;
}

Usage mass_usage(std::string what) {
  Usage usage = kinetic_usage();
  usage.what = std::move(what);
  usage.derivatives = 0;
  usage.unknowns = true;
  return usage;
}

Usage potential_usage() {
  Usage usage{"the potential energy"};
  usage.time = usage.inputs = usage.coordinates = usage.states = true;
  usage.instead_of_unknown = "let its force act in [dynamics.forces]";
  return usage;
}

Usage force_usage(std::string what) {
  Usage usage{std::move(what)};
  usage.time = usage.inputs = usage.coordinates = usage.unknowns = usage.states = usage.state_rates = true;
  usage.derivatives = 1;
  return usage;
}

Usage constraint_usage(Level level, std::string what) {
  Usage usage{std::move(what)};
  usage.time = usage.coordinates = true;
  usage.derivatives = static_cast<int>(level);
  usage.inputs = usage.unknowns = usage.states = usage.state_rates = level == Level::acceleration;
  if (level != Level::acceleration) {
    usage.why_no_input = "its derivatives would be needed, and an input has none";
    usage.instead_of_input = "write the constraint as acceleration = \"…\", with an input for the acceleration";
    usage.why_no_unknown = "its derivatives would be needed, and an unknown has none";
    usage.instead_of_unknown = "make it a coordinate without inertia, with its equation as a constraint";
    usage.why_no_state = "no force could make a state give way";
    usage.instead_of_state = "let a force depend on the state";
  }
  return usage;
}

Usage local_constraint_usage(std::string what) {
  Usage usage{std::move(what)};
  usage.time = true;
  usage.why_no_coordinate = "it has local coordinates";
  usage.instead_of_coordinate = "make it one of them";
  return usage;
}

/// Its second derivative is needed, as that of a position constraint.
Usage gap_usage(std::string what) {
  Usage usage = constraint_usage(Level::position, std::move(what));
  usage.instead_of_input = usage.instead_of_unknown = "";
  return usage;
}

Usage slip_usage(std::string what) {
  Usage usage = constraint_usage(Level::velocity, std::move(what));
  usage.instead_of_input = usage.instead_of_unknown = "";
  return usage;
}

/// Coefficients and capacities belong to impacts, too, where accelerations and what is found with them have no meaning.
Usage contact_force_usage(std::string what) {
  Usage usage = force_usage(std::move(what));
  usage.unknowns = usage.state_rates = false;
  usage.why_no_unknown = "it is found together with accelerations, which an impact does not have";
  return usage;
}

Usage rate_usage(std::string what) {
  Usage usage{std::move(what)};
  usage.time = usage.coordinates = usage.velocities = true;
  return usage;
}

/// Rates of states are formulas of all that forces may use. They do not use each other, so that none needs itself.
Usage state_rate_usage(std::string what) {
  Usage usage = force_usage(std::move(what));
  usage.state_rates = false;
  return usage;
}

Usage prescribed_motion_usage(std::string what) {
  Usage usage{std::move(what)};
  usage.time = usage.inputs = true;
  return usage;
}

Usage output_usage(std::string what) {
  Usage usage = definition_usage(std::move(what));
  usage.results = true;
  return usage;
}

Usage unknown_usage(std::string what) {
  Usage usage = definition_usage(std::move(what));
  usage.multipliers = true;
  return usage;
}

Content Checker::content(const Expression& expression) {
  Content content;
  add_content(expression, 0, content);
  return content;
}

void Checker::add_content(const Expression& expression, int order, Content& content) {
  const bool derivative = expression.kind == Expression::Kind::operation && expression.name == "der";
  for (const Expression& argument : expression.arguments) add_content(argument, order + derivative, content);
  if (expression.kind == Expression::Kind::number) return;
  if (expression.name == "time") content.time = true;
  if (const auto variable = variables_.find(expression.name); variable != variables_.end()) {
    const bool rate = variable->second.kind == Quantity::Kind::rate;
    if (!rate && variable->second.kind != Quantity::Kind::coordinate) return;
    content.coordinate = expression.name;
    content.order = std::max(content.order, order + rate);
  }
  const Name* entry = names_.find(expression.name);
  if (!entry || entry->broken) return;
  if (entry->kind == NameKind::parameter) content.parameters.insert(expression.name);
  if (entry->kind == NameKind::input) content.input = expression.name;
  if (entry->kind == NameKind::unknown) content.unknown = expression.name;
  if (entry->kind == NameKind::state) {
    content.state = expression.name;
    content.state_order = std::max(content.state_order, order);
  }
  if (entry->kind == NameKind::velocity) {
    content.coordinate = expression.name;
    content.order = std::max(content.order, order + 1);
  }
  if (entry->kind == NameKind::coordinate) {
    content.coordinate = expression.name;
    content.order = std::max(content.order, order);
  }
  if (entry->kind == NameKind::definition) add_content(description_.definitions[entry->index].value, order, content);
  if (entry->kind == NameKind::function && description_.functions[entry->index].formula)
    add_content(*description_.functions[entry->index].formula, order, content);
}

}  // namespace mechfmu
