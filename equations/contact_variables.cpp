#include "contact_variables.hpp"

#include <algorithm>

#include "contact_efforts.hpp"

namespace mechfmu {

using casadi::SX;

std::string slip_axis(const ContactEquation& contact, std::size_t slip) {
  return contact.slips.size() == 1 ? "" : slip == 0 ? ".x" : ".y";
}

std::vector<ContactVariable> contact_variables(const ContactEquation& contact) {
  std::vector<ContactVariable> variables;
  if (contact.of_force) return variables;
  const auto add = [&](const std::string& name, const std::string& what, const Unit& unit, const SX& value,
                       OutputGroupIndex group) {
    variables.push_back({{contact.name + name, what, unit, contact.place}, SX::densify(value), group});
  };
  const std::string& of = contact.what;
  if (!contact.gap.is_empty()) {
    add(".gap", "gap of " + of, contact.gap_unit, contact.gap, motion_outputs);
    add(".normal.force", "force of " + of + " that opens its gap", contact.force_unit,
        contact.gives_way() ? contact.normal_force : contact.multipliers(0),
        contact.gives_way() ? motion_outputs : reaction_outputs);
  } else if (!contact.speed.is_empty()) {
    add(".multiplier", "force of " + of, contact.force_unit, contact.multipliers(0), reaction_outputs);
  }
  const std::vector<SX> efforts = contact_efforts(contact);
  const std::size_t tangent = contact.rows() - contact.slips.size();
  // A capacity rubs and does nothing else: it has no normal force to tell its friction from.
  const std::string force = contact.has_own_capacity() ? ".multiplier" : ".friction.force";
  for (std::size_t i = 0; i < contact.slips.size(); ++i) {
    const std::string axis = slip_axis(contact, i), which = axis.empty() ? "" : ", " + axis.substr(1);
    add(".slip" + axis, "slip of " + of + which, contact.slip_unit, contact.slips[i], motion_outputs);
    add(force + axis, "friction of " + of + which + ", along its slip", contact.friction_unit, efforts[tangent + i],
        reaction_outputs);
  }
  return variables;
}

std::vector<ContactVariable> side_efforts(const std::vector<ContactEquation>& contacts) {
  std::vector<ContactVariable> efforts;
  for (const ContactEquation& side : contacts) {
    const std::string& thing = side.one_side_of;
    if (thing.empty()) continue;
    const std::string name = thing + (thing.ends_with(".limit") ? ".effort" : ".multiplier");
    auto found = std::find_if(efforts.begin(), efforts.end(), [&](const auto& one) { return one.shown.name == name; });
    if (found == efforts.end())
      found = efforts.insert(
          efforts.end(),
          {{name, "force of " + thing + ", positive pushes up", side.force_unit, side.place}, SX(0), reaction_outputs});
    found->value += side.upper_side ? -side.multipliers(0) : side.multipliers(0);
  }
  return efforts;
}

std::vector<std::pair<std::string, SX>> contact_names(const std::vector<ContactEquation>& contacts) {
  std::vector<std::pair<std::string, SX>> names;
  const auto sum = [&](const std::string& name, const SX& value) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.first == name; });
    if (found == names.end()) names.emplace_back(name, value);
    else found->second += value;
  };
  for (const ContactEquation& contact : contacts) {
    if (!contact.one_side_of.empty()) continue;
    const std::size_t place = contact.name.find('[');
    for (const ContactVariable& one : contact_variables(contact)) {
      if (place == std::string::npos) sum(one.shown.name, one.value);
      else if (one.group == reaction_outputs)
        sum(contact.name.substr(0, place) + one.shown.name.substr(contact.name.size()), one.value);
    }
  }
  for (const ContactVariable& effort : side_efforts(contacts)) sum(effort.shown.name, effort.value);
  return names;
}

}  // namespace mechfmu
