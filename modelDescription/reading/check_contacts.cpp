// Checks contacts: their gaps and slips.
#include "modelDescription/formulas/expression.hpp"
#include "read_checks.hpp"

namespace mechfmu {

void check_contact(Contact& contact, Reading& reading, Checker& checker) {
  const Name* name = reading.names.find(contact.name);
  if (!name || name->kind != NameKind::contact || name->broken) return;
  const std::string what = "the gap of the contact " + in_quotes(contact.name);
  const Measure gap = checker.check(contact.gap, gap_usage(what));
  contact.dimension = gap.dimension;
  if (gap.kind != Measure::Kind::unknown && checker.content(contact.gap).order < 0)
    reading.diagnostics.add(contact.gap.place, what + " does not contain a coordinate",
                            "write a formula of coordinates that is positive where nothing touches");
  // Friction is a part of the normal force, so that power tells the dimension of the slip.
  Measure wanted = gap.is_quantity() ? Measure::quantity(gap.dimension / time_dimension()) : Measure{};
  for (const Expression& slip : contact.slips) {
    const std::string of_slip = "the slip of the contact " + in_quotes(contact.name);
    const std::size_t errors = reading.diagnostics.size();
    if (wanted.is_quantity()) checker.expect(slip, slip_usage(of_slip), wanted);
    else wanted = checker.check(slip, slip_usage(of_slip));
    if (!gap.is_quantity() && wanted.is_quantity()) contact.dimension = wanted.dimension * time_dimension();
    if (reading.diagnostics.size() == errors && checker.content(slip).order < 1)
      reading.diagnostics.add(slip.place, of_slip + " does not contain der(…) of a coordinate",
                              "write the speed along the surface, or remove slip and friction");
  }
}

}  // namespace mechfmu
