// Rows of contacts, and what they show; docs/method.md, contacts in the motion.
#include "derivation/rows/contact_rows.hpp"

#include <algorithm>
#include <set>

#include "equations/columns.hpp"
#include "equations/contact_efforts.hpp"
#include "equations/contact_variables.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

class ContactRows {
 public:
  explicit ContactRows(Equations& equations) : e_(equations) {}

  void add() {
    for (const ContactEquation& contact : e_.contacts)
      if (contact.rows() == 0) show(contact);
    std::erase_if(e_.contacts, [](const ContactEquation& contact) { return contact.rows() == 0; });
    const std::size_t lasting_outputs = e_.outputs.size();
    for (const ContactEquation& contact : e_.contacts) {
      const auto row = [&](const std::string& name, Level level, const SX& residual, const Unit& unit) {
        ConstraintEquation one;
        one.name = name;
        one.place = contact.place;
        one.level = level;
        one.residual = residual;
        one.unit = unit;
        one.of_joint = true;  // it may restrict nothing
        e_.changing.push_back(std::move(one));
      };
      if (contact.has_gap()) row(contact.name, Level::position, contact.gap, contact.gap_unit);
      else if (!contact.speed.is_empty()) row(contact.name, Level::velocity, contact.speed, contact.slip_unit);
      for (const SX& slip : contact.slips) row(contact.name + ".slip", Level::velocity, slip, contact.slip_unit);
    }
    int group = 0, first = 0;
    for (const ContactEquation& contact : e_.contacts) {
      e_.symbols.multipliers = SX::vertcat({e_.symbols.multipliers, contact.multipliers});
      e_.symbols.slide = SX::vertcat({e_.symbols.slide, contact.slide});
      if (contact.one_side_of.empty()) {
        show(contact);
        show_changes(contact, group, first);
      }
      show_indicators(contact, group);
      ++group;
      first += static_cast<int>(contact.rows());
    }
    show_sides();
    if (std::any_of(e_.contacts.begin(), e_.contacts.end(),
                    [](const ContactEquation& contact) { return contact.law != contacts::Law::capacity; }))
      show_reaction_impulses(lasting_outputs);
  }

 private:
  /// Adds the sums of impulses of lasting constraints, in multipliers and in the first outputs. These are linear in v̇
  /// and λ, so that their slopes give the impulses: what else they contain is finite and gives none.
  void show_reaction_impulses(std::size_t output_count) {
    const SX late = SX::vertcat({e_.symbols.acceleration, e_.symbols.multipliers});
    const auto add = [&](const Shown& reaction, const SX& value) {
      const std::string name = impulse_name(reaction.name);
      if (name.empty() || reaction.hidden) return;
      e_.impulses.push_back({{name, "sum of impulses since the start: " + reaction.description,
                              impulse_unit(reaction.unit), reaction.place},
                             static_cast<int>(e_.changing.size() + e_.reaction_impulses.size()),
                             -1});
      e_.reaction_impulses.push_back({name, SX::densify(SX::jtimes(value, late, late))});
    };
    for (std::size_t i = 0; i < e_.constraints.size(); ++i)
      add(e_.constraints[i].multiplier, e_.symbols.multipliers(static_cast<casadi_int>(i)));
    for (std::size_t i = 0; i < output_count; ++i) add(e_.outputs[i].shown, e_.outputs[i].value);
  }

  /// Adds what the core knows of a group beside outputs.
  void show_changes(const ContactEquation& contact, int group, int first) {
    const bool holds_only = contact.slips.empty();
    e_.contact_states.push_back(
        {{contact.name + ".state",
          holds_only ? "2 while " + contact.what + " holds, else 0"
                     : "state of " + contact.what + ": 0 open, 1 sliding, 2 at rest",
          Unit{}, contact.place},
         group,
         no_side});
    if (contact.gives_way() || contact.of_force) return;
    const auto impulse = [&](const std::string& name, const std::string& what, const Unit& force) {
      e_.impulses.push_back({{contact.name + name, "sum of impulses of " + contact.what + what + " since the start",
                              impulse_unit(force), contact.place},
                             first++,
                             -1});
    };
    if (contact.has_gap()) impulse(".normal.impulse", " that open its gap", contact.force_unit);
    else if (!contact.speed.is_empty()) impulse(".impulse", "", contact.force_unit);
    for (std::size_t i = 0; i < contact.slips.size(); ++i)
      impulse(friction_of(contact) + "impulse" + slip_axis(contact, i), " along its slip", contact.friction_unit);
  }

  /// Adds the event indicators that can change: that of what opens or closes, and that of friction.
  void show_indicators(const ContactEquation& contact, int group) {
    const auto indicator = [&](const std::string& name, int which) {
      e_.indicators.push_back(
          {{contact.name + name, "event indicator: positive while " + contact.what + " stays as it is", Unit{},
            contact.place},
           2 * group + which,
           -1});
    };
    const bool capacity = contact.law == contacts::Law::capacity;
    if (!capacity) indicator(".indicator", 0);
    if (capacity || rubs(contact)) indicator(friction_of(contact) + "indicator", 1);
  }

  /// Adds the variables of limits of a coordinate, or of a coupling with backlash, from its sides.
  void show_sides() {
    for (const ContactVariable& effort : side_efforts(e_.contacts)) output(effort);
    std::set<std::string> shown;
    for (const ContactEquation& side : e_.contacts) {
      const std::string& name = side.one_side_of;
      if (name.empty() || !shown.insert(name).second) continue;
      ChangingVariable state{
          {name + ".state", "1 at the upper limit, -1 at the lower one, else 0", Unit{}, side.place}},
          impulse{{name + ".impulse", "sum of impulses of " + name + " since the start, positive upward",
                   impulse_unit(side.force_unit), side.place}};
      int row = 0;
      for (std::size_t i = 0; i < e_.contacts.size(); ++i) {
        const ContactEquation& one = e_.contacts[i];
        if (one.one_side_of == name) {
          (one.upper_side ? state.plus : state.minus) = static_cast<int>(i);
          (one.upper_side ? impulse.minus : impulse.plus) = row;
        }
        row += static_cast<int>(one.rows());
      }
      e_.contact_states.push_back(state);
      e_.impulses.push_back(impulse);
    }
  }

  static Unit impulse_unit(const Unit& force) { return si_unit_of(force.dimension * time_dimension()); }
  /// A capacity rubs and does nothing else: it has no normal force to tell its friction from.
  static std::string friction_of(const ContactEquation& contact) {
    return contact.has_own_capacity() ? "." : ".friction.";
  }

  /// Adds the outputs of a group, and its force while it slides with a given capacity.
  void show(const ContactEquation& contact) {
    for (const ContactVariable& variable : contact_variables(contact)) output(variable);
    if (contact.law != contacts::Law::capacity) return;
    const std::vector<SX> directions = slip_directions(contact);
    for (std::size_t i = 0; i < directions.size(); ++i)
      e_.forces -= SX::densify(Places(e_.symbols.v).jacobian(contact.slips[i]).T()) * contact.capacity * directions[i];
  }

  void output(const ContactVariable& variable) {
    const auto count = std::count_if(e_.outputs.begin(), e_.outputs.end(), [&](const OutputEquation& one) {
      return one.group == variable.group;
    });
    e_.outputs.push_back({variable.shown, SX::densify(variable.value), variable.group, static_cast<int>(count)});
  }

  Equations& e_;
};

/// Adds an event indicator for each switch; the core has them behind those of contacts.
void show_condition_indicators(Equations& e) {
  for (std::size_t i = 0; i < e.switches.size(); ++i)
    e.indicators.push_back(
        {{"solver.condition[" + std::to_string(i + 1) + "].indicator",
          "event indicator: positive while " + e.switches[i].what + " keeps its branch",
          Unit{},
          {}},
         static_cast<int>(2 * e.contacts.size() + i),
         -1});
}

}  // namespace

void add_contact_rows(const Equations& equations, const MotionRates& rates, std::vector<SX>& gamma,
                      std::vector<SX>& C_a, std::vector<SX>& B) {
  const Places by_v(equations.symbols.v);
  std::vector<SX> directions;
  for (const ConstraintEquation& row : equations.changing) {
    const bool of_positions = row.level == Level::position;
    directions.push_back(of_positions ? rates.along_velocities(row.residual) : by_v.jacobian(row.residual));
    C_a.push_back(directions.back());
    gamma.push_back(rates.at_fixed_velocities(of_positions ? rates.at_fixed_velocities(row.residual) : row.residual));
    B.push_back(directions.back().T());
  }
  std::size_t first = 0;
  for (const ContactEquation& contact : equations.contacts) {
    SX& column = B[B.size() - directions.size() + first];
    const std::vector<SX> slips = rubs(contact) ? slip_directions(contact) : std::vector<SX>{};
    for (std::size_t i = 0; i < slips.size(); ++i)
      column = SX::sparsify(column - contact.friction * slips[i] * directions[first + 1 + i].T());
    first += contact.rows();
  }
}

Equations with_contact_rows(Equations e) {
  if (!e.contacts.empty()) ContactRows(e).add();
  show_condition_indicators(e);
  return e;
}

}  // namespace mechfmu
