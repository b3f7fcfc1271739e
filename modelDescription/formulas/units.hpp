// Reads units as authors write them: "mm", "N.m.s/rad", "kg.m^2", "rpm", "J/(kg.K)".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formulas.hpp"

namespace mechfmu {

/// Says why a unit cannot be read: the problem, the repair, and the byte of the text.
struct UnitError {
  std::string problem, repair;
  std::size_t offset = 0;
};

/// Reads a unit: names with SI prefixes, `.` or `*`, `/`, powers (`m2`, `m^2`, `s-1`), parentheses. "1" and "" are
/// dimensionless.
std::optional<Unit> parse_unit(std::string_view text, UnitError& error);

/// Reads a unit that the program itself writes.
Unit known_unit(std::string_view text);

// Dimensions multiply and divide by adding and subtracting exponents.
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, double exponent);

/// These are the dimensions that mechanics needs.
Dimension time_dimension();
Dimension energy_dimension();

/// Returns unit/s: "m" → "m/s", "rad/s" → "rad/s2", "" → "1/s".
Unit per_second(const Unit& unit);

/// Returns the SI unit of a dimension: "N" for a force, "N.m" for a torque or an energy, "W" for a power, "N/m" for a
/// stiffness; otherwise base units such as "kg.m2"; "" for none.
Unit si_unit_of(const Dimension& dimension);

/// Returns the SI unit for messages: "1" if there is no dimension.
std::string readable(const Dimension& dimension);

/// Returns the SI unit of a generalised force on a coordinate: "N" for a length, "N.m" for an angle.
Unit force_unit_of(const Unit& coordinate);
/// Returns the SI unit of a generalised force along a velocity: power / velocity.
Unit force_unit_along(const Unit& velocity);

double to_si(double value, const Unit& unit);
double from_si(double value, const Unit& unit);

}  // namespace mechfmu
