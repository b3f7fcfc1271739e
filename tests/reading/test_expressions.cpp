// Tests formulas: values against C++, trees, texts, places of errors.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "modelDescription/formulas/expression.hpp"

using namespace mechfmu;

namespace {

std::vector<Place> columns(const std::string& text) {
  std::vector<Place> places;
  for (int i = 0; i <= static_cast<int>(text.size()); ++i) places.push_back({"f.toml", 1, i + 1});
  return places;
}

Expression read(const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<Expression> expression = parse_expression(text, columns(text), diagnostics);
  INFO(text << (diagnostics.empty() ? "" : ": " + to_text(diagnostics.list().front())));
  REQUIRE(expression);
  return *expression;
}

Diagnostic error_of(const std::string& text) {
  Diagnostics diagnostics;
  INFO(text);
  REQUIRE_FALSE(parse_expression(text, columns(text), diagnostics));
  REQUIRE(diagnostics.size() == 1);
  return diagnostics.list().front();
}

}  // namespace

TEST_CASE("formulas have the values that C++ gives", "[expressions]") {
  const double x = 0.7, y = -1.3, pi = std::numbers::pi;
  const std::map<std::string, double> values = {{"x", x}, {"y", y}, {"time", 2.5}, {"long_name_1", 4}};
  const std::pair<const char*, double> rows[] = {
      {"1 + 2*3", 7},
      {"(1 + 2)*3", 9},
      {"7 - 2 - 1", 4},
      {"12/2/3", 2},
      {"12/2*3", 18},
      {"2^3^2", 512},
      {"(2^3)^2", 64},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-2", 0.25},
      {"2*-3", -6},
      {"- -3", 3},
      {"+3", 3},
      {"1.5e-3", 1.5e-3},
      {".5", 0.5},
      {"5.", 5},
      {"2.5E+2", 250},
      {"x*y", x * y},
      {"x - -y", x + y},
      {"time/long_name_1", 2.5 / 4},
      {"pi", pi},
      {"sin(x)", std::sin(x)},
      {"cos(x)", std::cos(x)},
      {"tan(x)", std::tan(x)},
      {"asin(x)", std::asin(x)},
      {"acos(x)", std::acos(x)},
      {"atan(y)", std::atan(y)},
      {"atan2(y, -x)", std::atan2(y, -x)},
      {"sqrt(x)", std::sqrt(x)},
      {"exp(y)", std::exp(y)},
      {"log(x)", std::log(x)},
      {"tanh(y)", std::tanh(y)},
      {"abs(y)", std::abs(y)},
      {"sign(y)", -1},
      {"sign(0)", 0},
      {"sign(x)", 1},
      {"min(x, y)", y},
      {"max(x, y, 3, 2)", 3},
      {"min(x, y, 3, -2)", -2},
      {"mod(7.5, 2)", 1.5},
      {"mod(-0.5, 2)", 1.5},
      {"if(x > y, 1, 2)", 1},
      {"if(x < y, 1, 2)", 2},
      {"if(x <= x, 1, 2)", 1},
      {"if(x >= y + 10, 1, 2)", 2},
      {"if(x == x, 1, 2)", 1},
      {"if(x != x, 1, if(y < 0, 5, 6))", 5},
      {"if(x > 0 and y > 0, 1, 2)", 2},
      {"if(x > 0 and y < 0, 1, 2)", 1},
      {"if(x < 0 or y < 0, 1, 2)", 1},
      {"if(x < 0 or y > 0, 1, 2)", 2},
      {"if(not x < 0, 1, 2)", 1},
      {"if(not (x > 0 and y < 0), 1, 2)", 2},
      {"if(x < 0 and y > 0 or x > 0, 1, 2)", 1},
      {"if(x > 0 or x < 0 and y > 0, 1, 2)", 1},
      {"if((x > 0 or x < 0) and y > 0, 1, 2)", 2},
      {"if((x + 1)*2 > 3, 1, 2)", 1},
      {"if(((x < y)), 1, 2)", 2},
      {"if(max(x, y) > 0 and if(x > y, 1, 0) > 0, 1, 2)", 1},
      {"  2 *\t( x+1 ) \n", 2 * (x + 1)},
  };
  for (const auto& [text, value] : rows) {
    const std::optional<double> found = evaluate(read(text), values);
    INFO(text);
    REQUIRE(found);
    CHECK(*found == Approx(value).epsilon(1e-15).margin(1e-300));
  }
  for (const LanguageFunction& function : language_functions()) {
    if (function.evaluate == nullptr) continue;
    const std::string call = std::string(function.name) + "(";
    INFO("function " << function.name << ": give it a row here, with the value that C++ gives");
    CHECK(std::any_of(std::begin(rows), std::end(rows),
                      [&](const auto& row) { return std::string(row.first).find(call) != std::string::npos; }));
  }
}

TEST_CASE("formula functions are evaluated, tables and unknown names are not", "[expressions]") {
  Function square, table;
  square.name = "square";
  square.arguments = {"u"};
  square.formula = read("u^2 + k");
  table.name = "lift";
  table.table = {{0, 0}, {1, 1}};
  const std::map<std::string, double> values = {{"k", 1}, {"u", 100}};
  CHECK(evaluate(read("square(3) + u"), values, {square, table}) == 110);
  CHECK(evaluate(read("square(square(2))"), values, {square, table}) == 26);
  CHECK_FALSE(evaluate(read("lift(0.5)"), values, {square, table}));
  CHECK_FALSE(evaluate(read("x + 1"), values));
  CHECK_FALSE(evaluate(read("der(u)"), values));
}

TEST_CASE("texts of formulas mean the same formula", "[expressions]") {
  const std::pair<const char*, const char*> rows[] = {
      {"((a+b))*c", "(a + b)*c"},
      {"a-(b-c)", "a - (b - c)"},
      {"(a-b)-c", "a - b - c"},
      {"a/(b*c)", "a/(b*c)"},
      {"a/b*c", "a/b*c"},
      {"-(a+b)", "-(a + b)"},
      {"(-a)^2", "(-a)^2"},
      {"-a^2", "-a^2"},
      {"(a^b)^c", "(a^b)^c"},
      {"a^b^c", "a^b^c"},
      {"a^-b", "a^-b"},
      {"if(a<b,c,-d)", "if(a < b, c, -d)"},
      {"der( der(x) )", "der(der(x))"},
      {"der(x,2)", "der(der(x))"},
      {"der(x, 1)", "der(x)"},
      {"if(a<b and(c<d or not e<f),1,2)", "if(a < b and (c < d or not e < f), 1, 2)"},
      {"if(not(a<b and c<d),1,2)", "if(not (a < b and c < d), 1, 2)"},
      {"2*constraint.g.multiplier", "2*constraint.g.multiplier"},
      {"0.1*max(a,b)", "0.1*max(a, b)"}};
  for (const auto& [text, wanted] : rows) {
    CHECK(to_text(read(text)) == wanted);
    CHECK(to_text(read(to_text(read(text)))) == wanted);
  }
}

TEST_CASE("names are listed once, without the language's own", "[expressions]") {
  std::vector<std::string> names;
  const Expression sum = read("b*sin(a) + f(b, time) - pi*energy.total");
  for (const Expression* name : names_used(sum)) names.push_back(name->name);
  CHECK(names == std::vector<std::string>{"b", "a", "f", "time", "energy.total"});
}

TEST_CASE("nodes know their places", "[expressions]") {
  const Expression sum = read("a + foo(b)*2");
  CHECK(sum.place.column == 3);
  CHECK(sum.arguments[1].arguments[0].place.column == 5);
  CHECK(sum.arguments[1].arguments[0].arguments[0].place.column == 9);
  CHECK(sum.arguments[1].arguments[1].place.column == 12);
}

TEST_CASE("syntax errors point at their place", "[expressions]") {
  const std::pair<const char*, int> rows[] = {
      {"", 1},
      {"a +", 4},
      {"a b", 3},
      {"2a", 2},
      {"(a", 1},
      {"a)", 2},
      {"a $ b", 3},
      {"a ** b", 3},
      {"a = b", 3},
      {"a < b", 3},
      {"if(a, b, c)", 5},
      {"if(a<b, c)", 1},
      {"sin()", 1},
      {"sin(a,b)", 1},
      {"sin + 1", 1},
      {"a, b", 2},
      {"f(a,)", 5},
      {"*a", 1},
      {"a and b", 3},
      {"not a < b", 1},
      {"if(a<b and c,1,2)", 13},
      {"if(a and b<c,1,2)", 6},
      {"if((a<b)+1>0,1,2)", 9},
      {"if(-(a<b),1,2)", 4},
      {"if(a<b && c<d,1,2)", 8},
      {"if(!(a<b),1,2)", 4},
      {"sin((a<b))", 7},
      {"if(or a<b,1,2)", 4},
      {"der(x,3)", 1},
      {"der(x,n)", 1},
      {"der(x,1,2)", 1},
      {"max(a)", 1},
      {"1e999", 1},
      {"if(a<b<c,1,2)", 7},
      {"a..b", 2}};
  for (const auto& [text, column] : rows) {
    const Diagnostic error = error_of(text);
    INFO(to_text(error));
    CHECK(error.place.column == column);
    CHECK_FALSE(error.repair.empty());
  }
}

TEST_CASE("formulas too deep or too long for the stack are refused", "[expressions]") {
  CHECK(error_of(std::string(5000, '(') + "1" + std::string(5000, ')')).problem == "the formula is nested too deeply");
  CHECK(error_of(std::string(5000, '-') + "1").problem == "the formula is nested too deeply");
  std::string sum = "1";
  while (sum.size() < 30000) sum += "+1";
  CHECK(error_of(sum).problem == "the formula is longer than 20000 characters");
#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer makes each call's place on the stack much larger.
  std::string shorter = "1";
  for (int i = 1; i < 9000; ++i) shorter += "+1";
  CHECK(evaluate(read(shorter)) == 9000);
#endif
}

TEST_CASE("the nearest name is found, and none where none is near", "[expressions]") {
  CHECK(nearest("rh", {"m", "rho", "phi"}) == "rho");
  CHECK(nearest("hpi", {"m", "rho", "phi"}) == "phi");
  CHECK(nearest("RHO", {"m", "rho"}) == "rho");
  CHECK(nearest("q", {"m", "r"}).empty());
  CHECK(nearest("stiffness", {"damping", "mass"}).empty());
  CHECK(edit_distance("dorpi5", "dopri5") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}
