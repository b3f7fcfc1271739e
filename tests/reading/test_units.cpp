// Tests units: exponents, factors, offsets, errors, and the units that the program writes itself.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numbers>

#include "modelDescription/formulas/unit_names.hpp"
#include "modelDescription/formulas/units.hpp"

using namespace mechfmu;

namespace {

constexpr double pi = std::numbers::pi;

Unit unit_of(const std::string& text) {
  UnitError error;
  const std::optional<Unit> unit = parse_unit(text, error);
  INFO(text << ": " << error.problem);
  REQUIRE(unit);
  return *unit;
}

UnitError error_of(const std::string& text) {
  UnitError error;
  INFO(text);
  REQUIRE_FALSE(parse_unit(text, error));
  return error;
}

}  // namespace

TEST_CASE("units have SI base exponents, a factor and an offset", "[units]") {
  struct Row {
    const char* text;
    std::array<double, 7> exponents;
    double factor = 1, offset = 0;
    int radian = 0;
  };
  const Row rows[] = {
      {"", {}},
      {"1", {}},
      {"m", {0, 1}},
      {"mm", {0, 1}, 0.001},
      {"um", {0, 1}, 1e-6},
      {"µm", {0, 1}, 1e-6},
      {"nm", {0, 1}, 1e-9},
      {"km", {0, 1}, 1000},
      {"cm2", {0, 2}, 1e-4},
      {"mm^3", {0, 3}, 1e-9},
      {"in", {0, 1}, 0.0254},
      {"l", {0, 3}, 0.001},
      {"L", {0, 3}, 0.001},
      {"g", {1}, 0.001},
      {"kg", {1}},
      {"t", {1}, 1000},
      {"s", {0, 0, 1}},
      {"ms", {0, 0, 1}, 0.001},
      {"min", {0, 0, 1}, 60},
      {"h", {0, 0, 1}, 3600},
      {"A", {0, 0, 0, 1}},
      {"K", {0, 0, 0, 0, 1}},
      {"mol", {0, 0, 0, 0, 0, 1}},
      {"cd", {0, 0, 0, 0, 0, 0, 1}},
      {"rad", {}, 1, 0, 1},
      {"mrad", {}, 0.001, 0, 1},
      {"deg", {}, pi / 180, 0, 1},
      {"rev", {}, 2 * pi, 0, 1},
      {"rpm", {0, 0, -1}, 2 * pi / 60, 0, 1},
      {"rad/s", {0, 0, -1}, 1, 0, 1},
      {"deg/s2", {0, 0, -2}, pi / 180, 0, 1},
      {"N", {1, 1, -2}},
      {"kN", {1, 1, -2}, 1000},
      {"MN", {1, 1, -2}, 1e6},
      {"N.m", {1, 2, -2}},
      {"N*m", {1, 2, -2}},
      {"N.m/rad", {1, 2, -2}, 1, 0, -1},
      {"N.m.s/rad", {1, 2, -1}, 1, 0, -1},
      {"J", {1, 2, -2}},
      {"W", {1, 2, -3}},
      {"kW", {1, 2, -3}, 1000},
      {"kW.h", {1, 2, -2}, 3.6e6},
      {"Pa", {1, -1, -2}},
      {"hPa", {1, -1, -2}, 100},
      {"bar", {1, -1, -2}, 1e5},
      {"N/mm2", {1, -1, -2}, 1e6},
      {"Hz", {0, 0, -1}},
      {"V", {1, 2, -3, -1}},
      {"C", {0, 0, 1, 1}},
      {"Ohm", {1, 2, -3, -2}},
      {"H", {1, 2, -2, -2}},
      {"F", {-1, -2, 4, 2}},
      {"Wb", {1, 2, -2, -1}},
      {"T", {1, 0, -2, -1}},
      {"kg.m2", {1, 2}},
      {"kg.m^2", {1, 2}},
      {"kg.m2/s2", {1, 2, -2}},
      {"m/s/s", {0, 1, -2}},
      {"m.s-1", {0, 1, -1}},
      {"m.s^-1", {0, 1, -1}},
      {"1/s", {0, 0, -1}},
      {"km/h", {0, 1, -1}, 1000.0 / 3600.0},
      {"J/(kg.K)", {0, 2, -2, 0, -1}},
      {"(m/s)^2", {0, 2, -2}},
      {"m^0.5", {0, 0.5}},
      {"degC", {0, 0, 0, 0, 1}, 1, 273.15},
  };
  for (const Row& row : rows) {
    const Unit unit = unit_of(row.text);
    INFO(row.text);
    CHECK(unit.dimension.exponents == row.exponents);
    CHECK(unit.factor == Approx(row.factor).epsilon(1e-15));
    CHECK(unit.offset == row.offset);
    CHECK(unit.radian == row.radian);
  }
  for (const std::string& name : unit_names()) {
    INFO("unit " << name << ": give it a row here");
    CHECK(std::any_of(std::begin(rows), std::end(rows), [&](const Row& row) { return row.text == name; }));
  }
}

TEST_CASE("a unit keeps the author's text, without one it is dimensionless", "[units]") {
  CHECK(unit_of("kg.m^2").text == "kg.m^2");
  CHECK(unit_of("1").text.empty());
}

TEST_CASE("unknown units get the nearest known one", "[units]") {
  CHECK(error_of("Nm").repair == "did you mean 'N.m'?");
  CHECK(error_of("Nm/rad").repair == "did you mean 'N.m'?");
  CHECK(error_of("meter").repair == "did you mean 'm'?");
  CHECK(error_of("degrees").repair == "did you mean 'deg'?");
  CHECK(error_of("radian").repair == "did you mean 'rad'?");
  CHECK(error_of("Rad").repair == "did you mean 'rad'?");
  CHECK(error_of("furlong").repair.starts_with("known are SI units"));
  CHECK(error_of("N.meter").offset == 2);
}

TEST_CASE("units that cannot be read say why", "[units]") {
  for (const char* text : {"m/", "/m", "m//s", "m/(s", "m)", "m s", "m^", "m0", "m99", "degC/s", "1/degC", "degC2",
                           "J/kg.K", "m^x", ".m", "kdeg", "mdegC"}) {
    const UnitError error = error_of(text);
    CHECK_FALSE(error.problem.empty());
    CHECK_FALSE(error.repair.empty());
    CHECK(error.offset <= std::string(text).size());
  }
}

TEST_CASE("rates of units read as their text says", "[units]") {
  const std::pair<const char*, const char*> rows[] = {
      {"m", "m/s"},    {"m/s", "m/s2"},         {"rad", "rad/s"},   {"rad/s", "rad/s2"},      {"", "1/s"},
      {"1/s", "1/s2"}, {"deg", "deg/s"},        {"km/h", "km/h/s"}, {"N.m/rad", "N.m/rad/s"}, {"mm", "mm/s"},
      {"degC", "K/s"}, {"1/(m.s)", "1/(m.s)/s"}};
  for (const auto& [text, rate_text] : rows) {
    const Unit unit = unit_of(text), rate = per_second(unit), read = unit_of(rate_text);
    INFO(text);
    CHECK(rate.text == rate_text);
    CHECK(rate.dimension == read.dimension);
    CHECK(rate.factor == Approx(read.factor).epsilon(1e-15));
    CHECK(rate.radian == read.radian);
    CHECK(rate.offset == 0);
    CHECK(rate.dimension == unit.dimension / time_dimension());
  }
}

TEST_CASE("units derived from dimensions read back as the same dimension", "[units]") {
  const std::pair<const char*, const char*> rows[] = {
      {"N", "N"},        {"kg.m/s2", "N"}, {"J", "N.m"},          {"kW", "W"},        {"m/s", "m/s"},
      {"rad", ""},       {"rpm", "1/s"},   {"Pa", "Pa"},          {"m^0.5", "m^0.5"}, {"J/(kg.K)", "m2/(s2.K)"},
      {"N/m", "N/m"},    {"mm", "m"},      {"V", "kg.m2/(s3.A)"}, {"mol", "mol"},     {"N.m.s/rad", "N.m.s"},
      {"N.s/m", "N.s/m"}};
  for (const auto& [text, si_text] : rows) {
    const Unit si = si_unit_of(unit_of(text).dimension);
    CHECK(si.text == si_text);
    CHECK(si.factor == 1);
    CHECK(unit_of(si.text).dimension == si.dimension);
    CHECK(si.dimension == unit_of(text).dimension);
  }
  CHECK(readable(Dimension{}) == "1");
  CHECK(force_unit_of(unit_of("mm")).text == "N");
  CHECK(force_unit_of(unit_of("deg")).text == "N.m");
  CHECK(si_unit_of(energy_dimension()).text == "N.m");
}

TEST_CASE("numbers go to SI and back", "[units]") {
  CHECK(to_si(25, unit_of("degC")) == 298.15);
  CHECK(from_si(298.15, unit_of("degC")) == Approx(25));
  CHECK(to_si(90, unit_of("deg")) == Approx(pi / 2).epsilon(1e-15));
  CHECK(from_si(pi, unit_of("deg")) == Approx(180).epsilon(1e-15));
}

TEST_CASE("powers of dimensions survive fractions", "[units]") {
  const Dimension third = power(unit_of("m").dimension, 1.0 / 3.0);
  CHECK(power(third, 3) == unit_of("m").dimension);
  CHECK(power(power(unit_of("kg.m/s2").dimension, 0.5), 2) == unit_of("N").dimension);
}
