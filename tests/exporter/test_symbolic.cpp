// Tests formulas that --explain --symbolic prints: a small reader in this file reads them back, and evaluates them.
#include <catch2/catch.hpp>

#include <Eigen/Core>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "derived.hpp"
#include "explanation/explain.hpp"
#include "explanation/explain_symbolic.hpp"
#include "readable/readable.hpp"

namespace mechfmu::test {
namespace {

using casadi::SX;
using Values = std::map<std::string, double>;

/// Sums, products, powers, sines and cosines of names and numbers. NaN for what it does not know.
class Reader {
 public:
  Reader(const std::string& text, const Values& values) : text_(text), values_(values) {}
  double value() {
    const double result = sum();
    return at_ == text_.size() ? result : std::nan("");
  }

 private:
  bool take(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double sum() {
    double result = take('-') ? -product() : product();
    while (true) {
      if (take('+')) result += product();
      else if (take('-')) result -= product();
      else return result;
    }
  }
  double product() {
    double result = power();
    while (true) {
      if (take('*')) result *= power();
      else if (take('/')) result /= power();
      else return result;
    }
  }
  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, atom()) : base;
  }
  double atom() {
    if (take('(')) {
      const double result = sum();
      return take(')') ? result : std::nan("");
    }
    std::size_t end = at_;
    const auto of_name = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
    while (end < text_.size() && of_name(static_cast<unsigned char>(text_[end]))) ++end;
    std::string word = text_.substr(at_, end - at_);
    at_ = end;
    if (word.empty()) return std::nan("");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return std::stod(word);
    if (word == "der") {  // This is a rate's name.
      const std::size_t close = text_.find(')', at_);
      word += text_.substr(at_, close + 1 - at_);
      at_ = close + 1;
    } else if (take('(')) {
      const double argument = sum();
      if (!take(')')) return std::nan("");
      return word == "sin"    ? std::sin(argument)
             : word == "cos"  ? std::cos(argument)
             : word == "sqrt" ? std::sqrt(argument)
                              : std::nan("");
    }
    const auto known = values_.find(word);
    return known == values_.end() ? std::nan("") : known->second;
  }
  const std::string text_;
  const Values& values_;
  std::size_t at_ = 0;
};

Prepared prepared(const std::string& model) {
  return prepare(std::string(MECHFMU_SOURCE_DIR) + "/models/" + model + "/mechanism.toml", [](const char*) {});
}

Values values_of(const Equations& equations, const State& s) {
  Values values = {{"time", s.time}};
  const auto enter = [&](const SX& symbols, const Numbers& numbers) {
    for (casadi_int i = 0; i < symbols.numel(); ++i)
      values[symbols(i).scalar().name()] = numbers[static_cast<std::size_t>(i)];
  };
  enter(equations.symbols.q, s.q);
  enter(equations.symbols.v, s.v);
  enter(equations.symbols.inputs, s.inputs);
  enter(equations.symbols.parameters, s.parameters);
  enter(equations.symbols.acceleration, s.acceleration);
  return values;
}

/// Is a line "M(row, column) = formula".
struct Entry {
  std::string matrix, row, column, formula;
};

std::vector<Entry> entries_of(const std::string& text) {
  std::vector<Entry> entries;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find('('), comma = line.find(", "), equals = line.find("  = ");
    if (equals == std::string::npos || open != 5) continue;
    const std::size_t close = line.find_last_of(')', equals);
    entries.push_back({line.substr(4, 1), line.substr(6, comma - 6), line.substr(comma + 2, close - comma - 2),
                       line.substr(equals + 4)});
  }
  return entries;
}

std::string formula(const std::string& text, const char* matrix, const char* row, const char* column) {
  for (const Entry& entry : entries_of(text))
    if (entry.matrix == matrix && entry.row == row && entry.column == column) return entry.formula;
  return "";
}

/// A formula of a, b, c as it is printed.
std::string printed(const std::function<SX(const SX&, const SX&, const SX&)>& formula) {
  Symbols symbols;
  symbols.time = SX::sym("time");
  symbols.v = symbols.inputs = symbols.acceleration = symbols.multipliers = SX(0, 1);
  symbols.parameters = SX::vertcat({SX::sym("p"), SX::sym("r")});
  const SX a = SX::sym("a"), b = SX::sym("b"), c = SX::sym("c");
  symbols.q = SX::vertcat({a, b, c});
  Readable readable(symbols);
  const auto value = readable.quotients(formula(a, b, c)).front();
  return value ? readable.text(*value) : "too large";
}

TEST_CASE("sums of products of sines and cosines are printed by the angles' sums and differences") {
  using casadi::SX;
  CHECK(printed([](const SX& a, const SX&, const SX&) { return sin(a) * sin(a) + cos(a) * cos(a); }) == "1");
  CHECK(printed([](const SX& a, const SX& b, const SX&) { return sin(b) * cos(a) - cos(b) * sin(a); }) == "sin(b - a)");
  CHECK(printed([](const SX& a, const SX& b, const SX&) { return cos(a) * cos(b) - sin(a) * sin(b); }) == "cos(b + a)");
  CHECK(printed([](const SX& a, const SX& b, const SX&) { return 3 * cos(a) * sin(b); }) == "3*cos(a)*sin(b)");
  CHECK(printed([](const SX& a, const SX&, const SX&) { return 1 - cos(a) * cos(a); }) == "sin(a)^2");
  CHECK(printed([](const SX& a, const SX&, const SX&) { return sin(2 * a) / cos(a); }) == "2*sin(a)");
  CHECK(printed([](const SX& a, const SX& b, const SX&) { return (tan(a) - tan(b)) * cos(b); }) ==
        "-sin(b - a)/cos(a)");
  CHECK(printed([](const SX& a, const SX&, const SX&) { return sin(a + casadi::pi / 2) / 3; }) == "cos(a)/3");
  CHECK(printed([](const SX& a, const SX& b, const SX& c) { return (a * a - b * b) * c / (a + b); }) == "c*(a - b)");
  CHECK(printed([](const SX& a, const SX& b, const SX&) { return sqrt(a * a + b * b) * a; }) == "a*sqrt(a^2 + b^2)");
  CHECK(printed([](const SX& a, const SX& b, const SX& c) { return 1 / (a * b - a * c); }) == "1/(a*(b - c))");
  CHECK(printed([](const SX& a, const SX&, const SX&) { return a - a; }) == "0");
}

TEST_CASE("too many terms are not printed") {
  CHECK(printed([](const SX& a, const SX& b, const SX& c) {
          SX product = 1;
          for (int i = 1; i < 8; ++i) product = product * (a + i * sin(b) + cos(i * c));
          return product;
        }) == "too large");
}

TEST_CASE("(25a) of Blajer, Bestle, Schiehlen 1994, and its other two choices, as printed") {
  const std::string text = explain_symbolic(prepared("four_bar_equations"));
  INFO(text);
  CHECK(formula(text, "D", "theta2", "theta1") == "-l2*sin(theta3 - theta2)/(l1*sin(theta3 - theta1))");
  CHECK(formula(text, "D", "theta2", "theta2") == "1");
  CHECK(formula(text, "D", "theta2", "theta3") == "-l2*sin(theta2 - theta1)/(l3*sin(theta3 - theta1))");
  CHECK(text.find("unit columns at theta2; singular where sin(theta3 - theta1) = 0\n") != std::string::npos);
  CHECK(formula(text, "D", "theta1", "theta3") == "l1*sin(theta2 - theta1)/(l3*sin(theta3 - theta2))");
  CHECK(formula(text, "D", "theta3", "theta2") == "-l3*sin(theta3 - theta1)/(l2*sin(theta2 - theta1))");
  CHECK(formula(text, "C", "closure_x", "theta1") == "-l1*sin(theta1)");  // (23a)
  CHECK(formula(text, "M", "theta2", "theta1") == "l1*l2*(m2/2 + m3)*cos(theta2 - theta1)");
  CHECK(text.find("0 = l1*cos(theta1) + l2*cos(theta2) + l3*cos(theta3) - a\n") != std::string::npos);  // (22a)
}

TEST_CASE(
    "the option explain tells hidden constraints: of a crane, that the rope points along what the payload needs") {
  // The page of the model has (z_d" + g) sin theta + x_d" cos theta = 0; the derivatives of the path are parts of their
  // own.
  const std::string text = explain(prepared("crane_on_path"));
  INFO(text);
  CHECK(text.find("  hidden behind path_x and path_z  0 = -8*m_t*(part_1*cos(theta) - (g + part_2)*sin(theta))/(") !=
        std::string::npos);
  CHECK(text.find("part_1                         depends on time only: ") != std::string::npos);
}

TEST_CASE("what comes and goes is told with what acts at the start, and why", "[explain]") {
  const auto has = [](const std::string& model, std::initializer_list<const char*> lines) {
    const std::string text = explain(prepared(model));
    INFO(text);
    for (const char* line : lines) CHECK(text.find(line) != std::string::npos);
  };
  has("door", {"\n  hinge.angle.limit.lower  open          its gap is 5 deg\n",
               "\n  hinge.angle.limit.upper  open          its gap is 90 deg\n"});
  has("stick_slip_belt", {"\n  belt  sticks        it is pressed by 9.81 N\n"});
  has("freewheel", {"\n  coupling.freewheel  holds         it is pressed by 19.4737 N.m\n"});
  has("brake", {"\n  coupling.pads  slides        its slip is 8 rad/s\n",
                "\n  solver.condition[1]  a condition of time and pressure\n"});
  CHECK(explain(prepared("four_bar")).find("comes and goes") == std::string::npos);
}

TEST_CASE("the option explain tells hidden constraints: the formula of a flexible joint is that of the row") {
  const Prepared of = prepared("flexible_joint");
  const Equations& equations = of.derivation.equations;
  const std::string text = explain(of), mark = "\n  hidden behind path  0 = ";
  const std::size_t begin = text.find(mark);
  REQUIRE(begin != std::string::npos);
  const std::string printed =
      text.substr(begin + mark.size(), text.find('\n', begin + mark.size()) - begin - mark.size());
  const State state = random_state(equations, 5);
  const ConstraintEquation& row = equations.constraints.back();
  REQUIRE(row.name == "hidden behind path");
  CHECK(Reader(printed, values_of(equations, state)).value() ==
        Approx(value_of(row.residual, equations, state)).epsilon(1e-8));
}

TEST_CASE(
    "the option explain tells local coordinates, with reactions r^ = C^' lambda, (37) of Blajer, Bestle, Schiehlen 1994") {
  // The slope's equation is y_A - (x_A - c/sin alpha) tan alpha, of which C^ = (-tan alpha, 1).
  const Prepared of = prepared("four_bar_on_slope");
  const std::string text = explain(of);
  INFO(text);
  const auto reaction_along = [&](const std::string& local, const std::string& formula) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string constraint, name, equals, written;
      double reaction = 0;
      if (words >> constraint >> name >> equals >> written >> reaction && name == local) {
        CHECK(constraint + equals + written == "slope=" + formula);
        return reaction;
      }
    }
    return std::nan("");
  };
  const double lambda = of.start.multipliers[0];
  CHECK(reaction_along("xA", "x_A") == Approx(-std::tan(casadi::pi / 6) * lambda).epsilon(1e-8));
  CHECK(reaction_along("yA", "y_A") == Approx(lambda).epsilon(1e-8));
}

TEST_CASE("(33b) of Blajer, Bestle, Schiehlen 1994 as printed, with the minus that the paper lacks") {
  for (const char* model : {"four_bar_on_slope", "four_bar_on_slope_minimal"}) {
    const std::string text = explain_symbolic(prepared(model));
    INFO(text);
    CHECK(formula(text, "D", "theta2", "theta1") == "-l2*cos(theta2 - alpha)/(l1*cos(theta1 - alpha))");
    CHECK(formula(text, "D", "theta2", "theta2") == "1");
    CHECK(formula(text, "D", "theta3", "theta1") == "-l3*cos(theta3 - alpha)/(l1*cos(theta1 - alpha))");
    CHECK(formula(text, "D", "theta3", "theta3") == "1");
    CHECK(text.find("at theta2 and theta3; singular where cos(theta1 - alpha) = 0\n") != std::string::npos);
  }
}

TEST_CASE("(33a) of Blajer, Bestle, Schiehlen 1994: D' = J'^-1 D^' in symbols, with two local coordinates") {
  const Prepared of = prepared("four_bar_on_slope");
  const Equations& equations = of.derivation.equations;
  const auto symbol = [&](const std::string& name) {
    for (const SX& column : {equations.symbols.q, equations.symbols.parameters})
      for (casadi_int i = 0; i < column.numel(); ++i)
        if (column(i).scalar().name() == name) return SX(column(i));
    FAIL(name);
    return SX();
  };
  const SX theta = equations.symbols.q, alpha = symbol("alpha");
  SX J = SX::zeros(3, 3), D_hat = SX::zeros(3, 2);  // (32a), (31a)
  for (casadi_int i = 0; i < 3; ++i) {
    const SX length = symbol("l" + std::to_string(i + 1));
    J(0, i) = -length * sin(theta(i));
    J(1, i) = length * cos(theta(i));
  }
  J(2, 1) = 1;
  D_hat(0, 0) = 1;
  D_hat(1, 0) = tan(alpha);
  D_hat(2, 1) = 1;
  Readable readable(equations.symbols);
  const auto D = readable.quotients(SX::vec(SX::mtimes(SX::inv(J), D_hat)));
  const char* const printed[] = {
      "cos(theta3 - alpha)/(l1*sin(theta3 - theta1)*cos(alpha))",  // = (cos θ3 + sin θ3 tan α)/(l1 sin(θ3 - θ1))
      "0",
      "-cos(theta1 - alpha)/(l3*sin(theta3 - theta1)*cos(alpha))",
      "-l2*sin(theta3 - theta2)/(l1*sin(theta3 - theta1))",
      "1",
      "-l2*sin(theta2 - theta1)/(l3*sin(theta3 - theta1))",
  };
  for (std::size_t i = 0; i < 6; ++i) {
    REQUIRE(D[i].has_value());
    CHECK(readable.text(*D[i]) == printed[i]);
  }
}

TEST_CASE("(3.1), (3.3) of Phong 2002 as printed") {
  const std::string text = explain_symbolic(prepared("spatial_four_bar"));
  INFO(text);
  CHECK(formula(text, "C", "rod", "q2") == "-2*l2*h*cos(q1)*cos(q2)");
  CHECK(formula(text, "M", "q1", "q1") == "l2^2*m2*sin(q2)^2/3 + l1^2*m1/3 + p^2*m2");
}

TEST_CASE("three loops are solved one after the other") {
  const std::string text = explain_symbolic(prepared("andrews_equations"));
  INFO(text);
  CHECK(text.find("at beta; singular where cos(gamma - Theta - beta) = 0 or cos(Phi) = 0 or cos(Omega) = 0\n") !=
        std::string::npos);
  CHECK(formula(text, "D", "beta", "gamma") == "rr*sin(Theta)/(ss*cos(gamma - Theta - beta))");
  CHECK(formula(text, "D", "beta", "delta") ==
        "-rr*sin(Theta)*sin(delta + Phi - gamma)/(zt*cos(gamma - Theta - beta)*cos(Phi))");
}

TEST_CASE("every printed entry has the value of its expression, and D C' = 0") {
  int read = 0, complements = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(MECHFMU_SOURCE_DIR) + "/models")) {
    const std::string model = folder.path().filename().string();
    if (!std::filesystem::exists(folder.path() / "mechanism.toml") || model == "stewart_platform") continue;
    INFO(model);
    const Prepared of = prepared(model);
    const Derivation& derivation = of.derivation;
    const Equations& equations = derivation.equations;
    std::vector<std::string> coordinates, rows;
    for (const Shown& v : equations.velocities)
      coordinates.push_back(v.derivative_of.empty() ? v.name : v.derivative_of);
    for (const ConstraintEquation& row : equations.constraints) rows.push_back(row.name);
    const auto index = [](const std::vector<std::string>& names, const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      REQUIRE(found != names.end());
      return static_cast<casadi_int>(found - names.begin());
    };
    const State state = random_state(equations, 7);
    const Values values = values_of(equations, state);
    const SX M(derivation.M, derivation.stages.M), C(derivation.C, derivation.stages.C);
    Eigen::MatrixXd C_values(C.size1(), C.size2());
    for (casadi_int i = 0; i < C.size1(); ++i)
      for (casadi_int j = 0; j < C.size2(); ++j) C_values(i, j) = value_of(SX::densify(C(i, j)), equations, state);

    Eigen::VectorXd D = Eigen::VectorXd::Zero(C.size2());
    std::string row_of_D;
    bool whole = true;
    const auto judge = [&] {  // a row of D that is complete
      if (row_of_D.empty() || !whole) return;
      INFO("D, " << row_of_D);
      const double size = (1 + C_values.cwiseAbs().maxCoeff()) * (1 + D.cwiseAbs().maxCoeff());
      CHECK((C_values * D).cwiseAbs().maxCoeff() < 1e-9 * size);
      ++complements;
    };
    for (const Entry& entry : entries_of(explain_symbolic(of))) {
      INFO(entry.matrix << '(' << entry.row << ", " << entry.column << ") = " << entry.formula);
      const double printed = Reader(entry.formula, values).value();
      const bool formula = std::isfinite(printed);
      const casadi_int j = index(coordinates, entry.column);
      if (entry.matrix == "D") {
        if (D.size() > 0 && (entry.row != row_of_D || j == 0)) {
          judge();
          D.setZero();
          whole = true;
        }
        row_of_D = entry.row;
        whole = whole && formula;
        D[j] = printed;
      } else if (formula) {
        const double wanted = entry.matrix == "M" ? value_of(M(index(coordinates, entry.row), j), equations, state)
                                                  : C_values(index(rows, entry.row), j);
        CHECK(printed == Approx(wanted).epsilon(1e-8).margin(1e-11));
        ++read;
      } else {
        CHECK(entry.formula.find('(') != std::string::npos);  // operations counted, or a function not read here
      }
    }
    judge();
  }
  CHECK(read > 300);
  CHECK(complements > 50);
}

}  // namespace
}  // namespace mechfmu::test
