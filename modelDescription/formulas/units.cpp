// Reads and writes units, with a table of names and a small grammar.
#include "units.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "diagnostics.hpp"
#include "export_tolerances.hpp"
#include "unit_names.hpp"

namespace mechfmu {

namespace {

constexpr double pi = std::numbers::pi;

/// Is one unit name: 1 name = numerator/denominator (+ offset) in SI base units. Two integers keep factors such as 1/60
/// exact.
struct UnitName {
  const char* name;
  std::array<double, 7> exponents;  // kg, m, s, A, K, mol, cd
  double numerator = 1, denominator = 1;
  bool prefixes = true;
  int radian = 0;
  double offset = 0;
};

// These are the definitions of the SI brochure (9th edition), and units that mechanics uses beside it.
const std::vector<UnitName> names = {
    {"m", {0, 1}},
    {"g", {1}, 1, 1000},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}, 1, 1, true, 1},
    {"N", {1, 1, -2}},
    {"J", {1, 2, -2}},
    {"W", {1, 2, -3}},
    {"Pa", {1, -1, -2}},
    {"Hz", {0, 0, -1}},
    {"V", {1, 2, -3, -1}},
    {"C", {0, 0, 1, 1}},
    {"Ohm", {1, 2, -3, -2}},
    {"H", {1, 2, -2, -2}},
    {"F", {-1, -2, 4, 2}},
    {"Wb", {1, 2, -2, -1}},
    {"T", {1, 0, -2, -1}},
    {"l", {0, 3}, 1, 1000},
    {"L", {0, 3}, 1, 1000},
    {"bar", {1, -1, -2}, 100000},
    {"t", {1}, 1000, 1, false},
    {"in", {0, 1}, 254, 10000, false},
    {"min", {0, 0, 1}, 60, 1, false},
    {"h", {0, 0, 1}, 3600, 1, false},
    {"deg", {}, pi, 180, false, 1},
    {"rev", {}, 2 * pi, 1, false, 1},
    {"rpm", {0, 0, -1}, 2 * pi, 60, false, 1},
    {"degC", {0, 0, 0, 0, 1}, 1, 1, false, 0, 273.15},
};

struct Prefix {
  const char* name;
  double numerator, denominator;
};

constexpr Prefix prefixes[] = {
    {"p", 1, 1e12}, {"n", 1, 1e9}, {"u", 1, 1e6}, {"\u00b5", 1, 1e6}, {"\u03bc", 1, 1e6}, {"m", 1, 1e3},
    {"c", 1, 100},  {"d", 1, 10},  {"h", 100, 1}, {"k", 1e3, 1},      {"M", 1e6, 1},      {"G", 1e9, 1},
};

/// Lists words that authors try, and the units that they mean.
constexpr std::pair<const char*, const char*> words[] = {
    {"meter", "m"},     {"meters", "m"},     {"metre", "m"},   {"metres", "m"},   {"kilogram", "kg"}, {"gram", "g"},
    {"sec", "s"},       {"second", "s"},     {"seconds", "s"}, {"radian", "rad"}, {"radians", "rad"}, {"degree", "deg"},
    {"degrees", "deg"}, {"newton", "N"},     {"joule", "J"},   {"watt", "W"},     {"pascal", "Pa"},   {"minute", "min"},
    {"hour", "h"},      {"hr", "h"},         {"inch", "in"},   {"liter", "l"},    {"litre", "l"},     {"turn", "rev"},
    {"ohm", "Ohm"},     {"Celsius", "degC"}, {"Kelvin", "K"},  {"kelvin", "K"},   {"hertz", "Hz"},    {"volt", "V"},
    {"°C", "degC"},     {"℃", "degC"},       {"°", "deg"},
};

std::optional<UnitName> find_name(std::string_view name) {
  for (const UnitName& unit : names)
    if (name == unit.name) return unit;
  for (const Prefix& prefix : prefixes)
    if (name.starts_with(prefix.name))
      for (const UnitName& unit : names)
        if (unit.prefixes && name.substr(std::string_view(prefix.name).size()) == unit.name) {
          UnitName result = unit;
          result.numerator *= prefix.numerator;
          result.denominator *= prefix.denominator;
          return result;
        }
  return std::nullopt;
}

std::string repair_for(std::string_view name) {
  for (const auto& [word, unit] : words)
    if (name == word) return "did you mean " + in_quotes(unit) + "?";
  for (std::size_t cut = name.size() - 1; cut > 0; --cut)
    if (find_name(name.substr(0, cut)) && find_name(name.substr(cut)))
      return "did you mean " + in_quotes(std::string(name.substr(0, cut)) + "." + std::string(name.substr(cut))) + "?";
  std::vector<std::string> candidates;
  for (const UnitName& unit : names) {
    candidates.push_back(unit.name);
    for (const Prefix& prefix : prefixes)
      if (unit.prefixes) candidates.push_back(std::string(prefix.name) + unit.name);
  }
  return suggestion(name, candidates,
                    "known are SI units with prefixes, deg, rpm, rev, min, h, l, bar, t, in and degC");
}

/// Holds a product on its way. Numerator and denominator stay apart, so that km/h is 1000/3600 rounded once.
struct Product {
  Dimension dimension;
  int radian = 0;
  double numerator = 1, denominator = 1, offset = 0;

  void multiply(const Product& other, int sign) {
    dimension = sign > 0 ? dimension * other.dimension : dimension / other.dimension;
    radian += sign * other.radian;
    numerator *= sign > 0 ? other.numerator : other.denominator;
    denominator *= sign > 0 ? other.denominator : other.numerator;
  }
};

/// unit = factor { ("." | "*" | "/") factor };  factor = ("1" | name | "(" unit ")") [ ["^"] exponent ]
class UnitParser {
 public:
  UnitParser(std::string_view text, UnitError& error) : text_(text), error_(error) {}

  std::optional<Product> whole() {
    const std::size_t blank = text_.find(' ');
    if (blank != std::string_view::npos)
      return fail(blank, "the unit " + in_quotes(text_) + " contains a blank",
                  "write it without blanks, as in N.m/rad");
    std::optional<Product> result = unit();
    if (!result) return std::nullopt;
    if (at_ < text_.size())
      return fail(at_, "the unit " + in_quotes(text_) + " does not end where it should",
                  "join names by . or /, as in N.m/rad");
    if (offset_at_ && !find_name(text_))
      return fail(*offset_at_, "degC has an offset and stands alone only", "use K in products and quotients");
    return result;
  }

 private:
  std::optional<Product> unit() {
    std::optional<Product> result = factor();
    bool divided = false;
    while (result && at_ < text_.size() && std::string_view(".*/").find(text_[at_]) != std::string_view::npos) {
      const std::size_t sign_at = at_;
      const bool divide = text_[at_++] == '/';
      if (divided && !divide)
        return fail(sign_at, "a product after / in the unit " + in_quotes(text_) + " is ambiguous",
                    "use parentheses, as in J/(kg.K), or put all products first");
      divided = divided || divide;
      const std::optional<Product> next = factor();
      if (!next) return std::nullopt;
      result->multiply(*next, divide ? -1 : 1);
    }
    return result;
  }

  std::optional<Product> factor() {
    const std::optional<Product> base = primary();
    if (!base) return std::nullopt;
    double exponent = 1;
    if (!read_exponent(exponent)) return std::nullopt;
    if (exponent == 1) return base;
    Product result;
    result.dimension = power(base->dimension, exponent);
    result.radian = static_cast<int>(std::lround(base->radian * exponent));
    result.numerator = std::pow(exponent > 0 ? base->numerator : base->denominator, std::abs(exponent));
    result.denominator = std::pow(exponent > 0 ? base->denominator : base->numerator, std::abs(exponent));
    return result;
  }

  std::optional<Product> primary() {
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      std::optional<Product> inside = unit();
      if (!inside) return std::nullopt;
      if (at_ == text_.size() || text_[at_] != ')')
        return fail(start, "the parenthesis in the unit " + in_quotes(text_) + " is not closed", "add )");
      ++at_;
      return inside;
    }
    if (at_ < text_.size() && text_[at_] == '1') {
      ++at_;
      return Product{};
    }
    while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || (text_[at_] & 0x80))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty())
      return fail(start, "the unit " + in_quotes(text_) + " lacks a name at its character " + std::to_string(start + 1),
                  "write names joined by . or /, as in N.m/rad");
    const std::optional<UnitName> known = find_name(name);
    if (!known) return fail(start, "unknown unit " + in_quotes(name), repair_for(name));
    if (known->offset != 0) offset_at_ = start;
    return Product{{known->exponents}, known->radian, known->numerator, known->denominator, known->offset};
  }

  bool read_exponent(double& exponent) {
    const auto sees = [&](char c) { return at_ < text_.size() && text_[at_] == c; };
    const auto digit = [&](std::size_t i) {
      return i < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i]));
    };
    const std::size_t start = at_;
    const bool caret = sees('^');
    if (caret) ++at_;
    const std::size_t digits = at_;
    if (sees('-')) ++at_;
    while (digit(at_)) ++at_;
    if (caret && sees('.') && digit(at_ + 1))  // m^0.5 has a point, but m2.s is a product.
      for (++at_; digit(at_);) ++at_;
    if (digits == at_ && !caret) return true;
    const auto [end, code] = std::from_chars(text_.data() + digits, text_.data() + at_, exponent);
    constexpr double largest = 20;
    if (code == std::errc() && end == text_.data() + at_ && exponent != 0 && std::abs(exponent) <= largest) return true;
    fail(start, "the exponent in the unit " + in_quotes(text_) + " is not a number from -20 to 20 other than 0",
         "write powers as m2 or m^2 or s^-1");
    return false;
  }

  std::nullopt_t fail(std::size_t offset, std::string problem, std::string repair) {
    error_ = {std::move(problem), std::move(repair), offset};
    return std::nullopt;
  }

  std::string_view text_;
  UnitError& error_;
  std::size_t at_ = 0;
  std::optional<std::size_t> offset_at_;
};

constexpr const char* base_names[] = {"kg", "m", "s", "A", "K", "mol", "cd"};

std::string exponent_text(double exponent) {
  if (exponent == 1) return "";
  if (exponent == std::floor(exponent)) return std::to_string(static_cast<int>(exponent));
  char digits[32];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, exponent);
  return "^" + std::string(digits, end);
}

std::string base_text(const Dimension& dimension) {
  std::string above, below;
  int below_count = 0;
  for (std::size_t i = 0; i < dimension.exponents.size(); ++i) {
    const double exponent = dimension.exponents[i];
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    below_count += exponent < 0;
    side += (side.empty() ? "" : ".") + std::string(base_names[i]) + exponent_text(std::abs(exponent));
  }
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + (below_count > 1 ? "(" + below + ")" : below);
}

}  // namespace

std::vector<std::string> unit_names() {
  std::vector<std::string> result;
  for (const UnitName& unit : names) result.push_back(unit.name);
  return result;
}

std::optional<Unit> parse_unit(std::string_view text, UnitError& error) {
  if (text.empty() || text == "1") return Unit{};
  const std::optional<Product> product = UnitParser(text, error).whole();
  if (!product) return std::nullopt;
  return Unit{std::string(text), product->dimension, product->radian, product->numerator / product->denominator,
              product->offset};
}

Unit known_unit(std::string_view text) {
  UnitError error;
  return parse_unit(text, error).value();
}

Dimension operator*(const Dimension& a, const Dimension& b) {
  Dimension result;
  for (std::size_t i = 0; i < a.exponents.size(); ++i) result.exponents[i] = a.exponents[i] + b.exponents[i];
  return result;
}

Dimension power(const Dimension& a, double exponent) {
  Dimension result;
  for (std::size_t i = 0; i < a.exponents.size(); ++i) {
    if (a.exponents[i] == 0) continue;
    // Fractions such as 1/3 lose digits; products of the roots up to the tenth are rounded to their fraction again.
    constexpr double common = 2520;
    const double product = a.exponents[i] * exponent, fraction = std::round(product * common) / common;
    result.exponents[i] = std::abs(product - fraction) < fraction_of_exponents ? fraction : product;
  }
  return result;
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, -1); }

Dimension time_dimension() { return {{0, 0, 1}}; }
Dimension energy_dimension() { return {{1, 2, -2}}; }

Unit per_second(const Unit& unit) {
  if (unit.offset != 0) return per_second(si_unit_of(unit.dimension));  // A difference in degC is one in K.
  Unit result = unit;
  result.dimension = unit.dimension / time_dimension();
  if (unit.text.empty()) result.text = "1/s";
  else if (unit.text.ends_with("/s")) result.text = unit.text + "2";
  else result.text = unit.text + "/s";
  return result;
}

Unit si_unit_of(const Dimension& dimension) {
  std::string text = base_text(dimension);
  constexpr std::pair<const char*, const char*> names_of_mechanics[] = {
      {"kg.m/s2", "N"}, {"kg.m2/s2", "N.m"}, {"kg.m2/s3", "W"},    {"kg/(m.s2)", "Pa"},
      {"kg/s2", "N/m"}, {"kg/s", "N.s/m"},   {"kg.m2/s", "N.m.s"},
  };
  for (const auto& [base, name] : names_of_mechanics)
    if (text == base) text = name;
  return {text, dimension};
}

std::string readable(const Dimension& dimension) {
  const std::string text = si_unit_of(dimension).text;
  return text.empty() ? "1" : text;
}

Unit force_unit_of(const Unit& coordinate) { return si_unit_of(energy_dimension() / coordinate.dimension); }

Unit force_unit_along(const Unit& velocity) {
  return si_unit_of(energy_dimension() / time_dimension() / velocity.dimension);
}

double to_si(double value, const Unit& unit) { return unit.factor * value + unit.offset; }
double from_si(double value, const Unit& unit) { return (value - unit.offset) / unit.factor; }

}  // namespace mechfmu
