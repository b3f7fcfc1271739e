// Tells what may change at instants of the motion.
#include "explain_changes.hpp"

#include <cmath>

#include "equations/equations.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"
#include "numbers.hpp"
#include "preparation/text_table.hpp"

namespace mechfmu {
namespace {

/// Is a group of rows at the start, as the core has found it.
struct AtStart {
  const ContactEquation& group;
  const double *multipliers, *speeds;  ///< belong to its rows
  double gap;
  int state;
};

/// Returns how fast a group slides.
double slip(const AtStart& at) {
  const std::size_t count = at.group.slips.size();
  const double* slips = at.speeds + at.group.rows() - count;
  return count == 1 ? std::abs(slips[0]) : std::hypot(slips[0], slips[1]);
}

std::string with_unit(double si, const Unit& unit) {
  Unit scale = unit;
  scale.offset = 0;
  return shown(from_si(si, scale), 6) + (unit.text.empty() ? "" : " " + unit.text);
}

/// Says what a group does at the start.
std::string acts_text(const AtStart& at) {
  if (at.group.law == contacts::Law::bilateral) return at.state > 0 ? "holds" : "open";
  if (at.state == 0) return "open";
  if (at.group.slips.empty()) return "holds";
  return at.state == 1 ? "slides" : "sticks";
}

std::string slip_text(const AtStart& at) {
  return slip(at) < least_gap ? "it breaks loose" : "its slip is " + with_unit(slip(at), at.group.slip_unit);
}

/// Says why.
std::string reason_text(const AtStart& at) {
  const ContactEquation& group = at.group;
  if (group.law == contacts::Law::bilateral)
    return at.state > 0 ? "its condition holds" : "its condition does not hold";
  if (group.gives_way()) return at.state > 0 ? "its gap is pressed in" : "its gap is open, or it has no friction";
  if (group.law == contacts::Law::capacity)
    return at.state == 2   ? "it rests, and bears " + with_unit(at.multipliers[0], group.friction_unit)
           : at.state == 1 ? slip_text(at)
                           : "it can bear nothing";
  if (at.state > 0)
    return "it is pressed by " + with_unit(at.multipliers[0], group.force_unit) +
           (at.state == 1 ? ", and " + slip_text(at) : "");
  if (group.has_gap() && at.gap > least_gap) return "its gap is " + with_unit(at.gap, group.gap_unit);
  return at.speeds[0] > 0 ? "it touches, and opens" : "it touches, and nothing presses it";
}

std::string rows_text(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  const FoundStart& start = prepared.start;
  if (equations.contacts.empty()) return "";
  TextTable table;
  table.add({"name", "at the start", "since"});
  auto row = static_cast<std::size_t>(prepared.derivation.sizes.lasting_rows());
  std::size_t own = 0;
  for (std::size_t i = 0; i < equations.contacts.size(); ++i) {
    const ContactEquation& group = equations.contacts[i];
    const AtStart at{group, &start.multipliers[row], &start.speeds[own], start.gaps[i], start.contact_states[i]};
    table.add({group.name, acts_text(at), reason_text(at)});
    row += group.rows();
    own += group.rows();
  }
  return "\nWhat comes and goes: contacts, limits, locks, and friction that sticks\n" + table.text("  ");
}

std::string conditions_text(const Prepared& prepared) {
  const std::vector<SwitchEquation>& switches = prepared.derivation.equations.switches;
  if (switches.empty()) return "";
  TextTable table;
  for (std::size_t i = 0; i < switches.size(); ++i)
    table.add({"solver.condition[" + std::to_string(i + 1) + "]", switches[i].what});
  return "\nConditions in formulas of the motion, where steps end\n" + table.text("  ");
}

}  // namespace

std::string explain_changes(const Prepared& prepared) { return rows_text(prepared) + conditions_text(prepared); }

}  // namespace mechfmu
