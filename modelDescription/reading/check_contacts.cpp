// Checks contacts: their gaps and slips.
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

/// Checks that the function of a profile makes a height of a place, both lengths.
void check_profile(const Surface& surface, const Contact& contact, Checker& checker, Reading& reading) {
  if (surface.function.empty()) return;
  const std::string what = "the profile of the contact " + in_quotes(contact.name);
  const Name* name = reading.names.find(surface.function);
  if (!name || name->kind != NameKind::function) {
    reading.diagnostics.add(
        surface.value_place, what + " is " + in_quotes(surface.function) + ", which is no function of the file",
        suggestion(surface.function, reading.names.of_kinds({NameKind::function}), "declare it in [functions]"));
    return;
  }
  Expression argument, call;
  argument.kind = Expression::Kind::symbol;
  argument.name = "x";
  call.kind = Expression::Kind::operation;
  call.name = surface.function;
  argument.place = call.place = surface.value_place;
  call.arguments = {argument};
  const Measure length = Measure::quantity(known_unit("m").dimension);
  const std::size_t errors = reading.diagnostics.size();
  const Measure found = checker.check(call, parameter_usage(what), {{"x", length}});
  if (reading.diagnostics.size() == errors && found.is_quantity() && found.dimension != length.dimension)
    reading.diagnostics.add(surface.value_place, what + " is in " + readable(found.dimension) + ", not a length",
                            "write a function that returns a height in m, for a place in m");
}

/// Checks stiffness and damping against the dimension of the gap.
void check_compliance(const Contact& contact, Checker& checker) {
  if (!contact.compliance) return;
  const auto expect = [&](const Expression& number, const char* key, const Dimension& dimension) {
    checker.expect(number, contact_force_usage(in_quotes(key) + " of the contact " + in_quotes(contact.name)),
                   Measure::quantity(dimension));
  };
  expect(contact.compliance->stiffness, "stiffness",
         energy_dimension() / power(contact.dimension, contact.compliance->exponent + 1));
  expect(contact.compliance->damping, "damping", time_dimension() / contact.dimension);
}

}  // namespace

void check_contact(Contact& contact, Reading& reading, Checker& checker) {
  const Name* name = reading.names.find(contact.name);
  if (!name || name->kind != NameKind::contact || name->broken) return;
  if (!contact.surfaces.empty()) {
    contact.dimension = known_unit("m").dimension;
    for (const Surface& surface : contact.surfaces) check_profile(surface, contact, checker, reading);
    checker.set_contact(contact.name, Measure::quantity(contact.dimension));
    check_compliance(contact, checker);
    return;
  }
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
  if (gap.kind == Measure::Kind::unknown) return;
  checker.set_contact(contact.name, Measure::quantity(contact.dimension));
  check_compliance(contact, checker);
}

}  // namespace mechfmu
