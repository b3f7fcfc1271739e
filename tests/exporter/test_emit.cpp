// Tests emitted C++, which it compiles, against CasADi's evaluator; it covers every operation, constants, chunks.
#include <catch2/catch.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "derivation/program/core_table.hpp"
#include "derivation/program/program.hpp"
#include "derivation/program/program_text.hpp"
#include "derived.hpp"
#include "equations/contact_efforts.hpp"
#include "generation/emit.hpp"
#include "generation/emit_functions.hpp"

namespace mechfmu::test {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "mechfmu_emit_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Is a compiled text, with all warnings as errors.
class Compiled {
 public:
  explicit Compiled(const std::string& text) {
    std::ofstream(folder_.path() / "equations.cpp") << text;
    // Stands in for the integrators, which are not the matter here.
    fs::create_directory(folder_.path() / "stepping");
    std::ofstream(folder_.path() / "stepping/exported.hpp")
        << "#include \"linear/arena.hpp\"\n#include \"mechanism/mechanism.hpp\"\n#include \"mechanism/settings.hpp\"\n"
           "namespace mechfmu {\nclass Stepper;\n"
           "const Mechanism& exported_mechanism();\nStepper* make_stepper(Arena&, const Mechanism&, const Settings&);\n"
           "template <class Model> class AnyBasis;\nclass AnyMethod;\n"
           "template <class Model, template <class> class Basis> struct MotionWith { using Type = Basis<Model>; };\n"
           "template <class Model, class Motion, class Method>\n"
           "Stepper* make_exported_stepper(Arena&, const Mechanism&, const Settings&, int, int) {\n"
           "  static_assert(Model::generated && Model::fixed.M_nonzeros == Model::M().nonzeros &&\n"
           "                Model::fixed.C_nonzeros == Model::C().nonzeros &&\n"
           "                Model::fixed.M_rate_nonzeros == Model::M_rate().nonzeros &&\n"
           "                Model::fixed.C_rate_nonzeros == Model::C_rate().nonzeros);\n"
           "  return nullptr;\n}\nChanges* make_contact_changes(Arena&, const Mechanism&) { return nullptr; }\n"
           "Changes* make_switch_changes(Arena&, const Mechanism&) { return nullptr; }\n"
           "Changes* make_contact_and_switch_changes(Arena&, const Mechanism&) { return nullptr; }\n}\n";
    const std::string command =
        "c++ -std=c++20 -O1 -Wall -Wextra -Werror -fno-exceptions -fno-rtti -fPIC -shared -I '" +
        folder_.path().string() + "' -I '" MECHFMU_SOURCE_DIR "/fmu_src' '" +
        (folder_.path() / "equations.cpp").string() + "' -o '" + library().string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    handle_ = dlopen(library().c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle_ != nullptr);
  }
  ~Compiled() {
    if (handle_) dlclose(handle_);
  }

  template <class Function>
  Function* find(const char* name) const {
    void* symbol = dlsym(handle_, name);
    REQUIRE(symbol != nullptr);
    return reinterpret_cast<Function*>(symbol);
  }
  const Mechanism& mechanism() const { return find<const Mechanism&()>("_ZN7mechfmu18exported_mechanismEv")(); }

 private:
  fs::path library() const { return folder_.path() / "equations.so"; }
  TemporaryFolder folder_;
  void* handle_ = nullptr;
};

bool same(const char* one, const char* other) {
  return (one == nullptr) == (other == nullptr) && (one == nullptr || std::strcmp(one, other) == 0);
}
bool same(const Quaternion& one, const Quaternion& other) {
  return one.position == other.position && one.velocity == other.velocity;
}
bool same(const ShownUnit& one, const ShownUnit& other) {
  return same(one.symbol, other.symbol) && one.factor == other.factor && one.offset == other.offset;
}
bool same(const ToldRows& one, const ToldRows& other) {
  return one.first == other.first && one.count == other.count && one.gap == other.gap && one.unit == other.unit &&
         same(one.text, other.text) && one.first_length == other.first_length;
}
bool same(const Condition& one, const Condition& other) {
  return one.relation == other.relation && one.when == other.when && one.always == other.always &&
         one.tolerance == other.tolerance && same(one.what, other.what) && same(one.other, other.other) &&
         same(one.unit, other.unit) && same(one.repair, other.repair);
}
bool same(const contacts::Group& one, const contacts::Group& other) {
  return one.law == other.law && one.tangential == other.tangential && one.friction == other.friction &&
         one.capacity == other.capacity;
}
template <class Number>
bool same(const Number& one, const Number& other) {
  return one == other;
}

/// Compares the two tables; returns the names of what was there to compare.
std::set<std::string> compare(const Derivation& derivation, int chunk_size) {
  std::set<std::string> seen;
  const EmittedEquations emitted = emit_equations(derivation, {"AnyBasis", "AnyMethod", 0, 0}, chunk_size);
  const Compiled compiled(emitted.outputs + emitted.motion);  // An FMU's sources are one file, too.
  const Mechanism& generated = compiled.mechanism();
  const InterpretedMechanism interpreted(derivation);
  const Mechanism& expected = interpreted.table();
  for (const CoreTrait& trait : core_traits) {
    INFO(trait.name);
    CHECK(generated.character.*trait.member == expected.character.*trait.member);
  }
  for (const CoreSize& size : core_sizes) {
    INFO(size.name);
    if (size.member != &Sizes::work) CHECK(generated.sizes.*size.member == expected.sizes.*size.member);
  }
  for_each_entry(core_values, [&](const auto& value, auto) {
    INFO(value.name);
    CHECK(same(generated.*value.member, expected.*value.member));
  });
  for_each_entry(core_arrays, [&](const auto& array, auto) {
    INFO(array.name);
    const auto* one = generated.*array.member;
    const auto* other = expected.*array.member;
    const std::size_t count = array.derived(derivation).size();
    REQUIRE((one == nullptr) == (count == 0));
    REQUIRE((other == nullptr) == (count == 0));
    for (std::size_t i = 0; i < count; ++i) CHECK(same(one[i], other[i]));
    if (count > 0) seen.insert(array.name);
  });
  for_each_entry(core_functions, [&](const auto& function, auto) {
    INFO(function.name);
    CHECK((generated.*function.member == nullptr) == (expected.*function.member == nullptr));
    if (function.exists(derivation)) seen.insert(function.name);
  });

  for (unsigned seed = 1; seed <= 5; ++seed) {
    const State state = random_state(derivation.equations, seed);
    const auto of_generated = evaluate(derivation, generated, nullptr, state);
    const auto of_casadi = evaluate(derivation, expected, interpreted.context(), state);
    CHECK(of_generated.size() == of_casadi.size());
    for (const auto& [name, values] : of_casadi) {
      const Numbers& others = of_generated.at(name);
      REQUIRE(others.size() == values.size());
      double size = 1;
      for (const double value : values) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < values.size(); ++i) {
        INFO(name << "[" << i << "] at point " << seed);
        CHECK(std::abs(others[i] - values[i]) <= 1e-13 * size);
      }
      if (!values.empty()) seen.insert(name);
    }
  }
  return seen;
}

const std::string one_degree = mechanism_with(R"toml([dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(z)^2/2"
potential_energy = "m*g*y"
[dynamics.forces]
x = "push"
[constraints.rod_x]
position = "x - l*sin(z)"
[constraints.rod_y]
position = "y + l*cos(z)"
)toml");

/// Returns equations with what only bodies and joints add: turns, loads, motions by inputs.
Equations with_turns_loads_and_input_time() {
  using casadi::SX;
  Equations e = equations_of(everything);
  Symbols& s = e.symbols;
  s.turns = SX::sym("turns", 2);
  e.angles = {{"C.angle", SX::atan2(s.q(0), s.q(1)), s.parameters(0)},
              {"D.angle", SX::atan2(SX::sin(s.q(2)), 0.3 - s.q(0)), SX(1)}};
  s.loads = SX::sym("loads", 2);
  const SX effort = SX::norm_2(s.multipliers(casadi::Slice(0, 2)));
  e.loads = {{"slide", {}, effort + SX::abs(s.acceleration(1)) * s.loads(1)},
             {"pin", {}, SX::sqrt(1 + SX::sq(s.multipliers(2)))}};
  const SX angle = e.angles[0].raw + 2 * casadi::pi * s.turns(0);
  e.forces(0) -= s.loads(0) * SX::tanh(s.v(0)) + 0.1 * angle;
  e.forces(2) += s.loads(1) * s.v(2) - s.loads(0) * SX::cos(s.q(2));
  e.input_time = static_cast<int>(e.input_names.size());
  e.input_names.push_back("input time");
  e.input_values.push_back(0);
  const SX since = SX::sym("input time");
  s.inputs = SX::vertcat({s.inputs, since});
  e.constraints[0].residual -= s.inputs(0) + s.inputs(1) * (s.time - since);
  e.outputs.push_back(
      {Shown{"angle", "", Unit{}, Place{}}, e.angles[1].raw + 2 * casadi::pi * s.turns(1), motion_outputs,
       static_cast<int>(std::count_if(e.outputs.begin(), e.outputs.end(), [](const OutputEquation& o) {
         return o.group == motion_outputs;
       }))});
  return e;
}

TEST_CASE("turns, loads and motions by inputs in generated code") {
  const Derivation derivation = derivation_of(with_turns_loads_and_input_time());
  CHECK(derivation.character.reads_angles);
  CHECK(std::count(derivation.drives.begin(), derivation.drives.end(), true) > 0);
  CHECK(derivation.sizes.inputs == 3 + derivation.sizes.switches + derivation.sizes.turning);
  compare(derivation, 1000);
  compare(derivation, 17);
}

/// Adds the kinds of rows that only bodies and joints have.
Equations with_every_kind_of_row() {
  using casadi::SX;
  Equations e = with_turns_loads_and_input_time();
  const Symbols& s = e.symbols;
  e.remark = "a remark";
  e.branches = {{"C", {}, SX::sin(s.q(0)) + s.parameters(1)}};
  e.start_positions = {{"height", {}, s.q(0) * s.q(1) - 0.1}};
  e.start_velocities = {{"der(height)", {}, s.q(0) * s.v(1) + s.v(0) * s.q(1) - 0.2}};
  e.start_guesses = {{"D.angle", {}, s.q(2) - s.parameters(0)}};
  ConditionEquation positive;
  positive.what = "the mass of 'a'";
  positive.repair = "Give it one.";
  positive.number = s.parameters(0);
  positive.bound = s.q(1);
  e.conditions = {positive};
  e.constraints[0].local = {{Shown{"reaction of x", "", Unit{}, Place{}}, "x", s.q(0) * SX::sin(s.q(1)), s.q(2)},
                            {Shown{"reaction of y", "", Unit{}, Place{}}, "y", s.q(2), s.time * s.q(0)}};
  e.constraints[0].gains = {3, {}};
  e.preferred.assign(e.velocities.size(), false);
  e.preferred.back() = true;
  e.constraints[0].meaning = {"the pins stay # apart; the link is # long", ToldRows::Gap::residual, {s.parameters(2)}};
  return e;
}

const std::string unknown_in_mass = mechanism_with(R"toml(
[parameters.twice]
value = "2*m"
unit = "kg"
[unknowns]
p = { unit = "kg", equation = "p - m*(1 + sin(z)) - 0.1*p*tanh(der(der(x))*m/push)" }
[dynamics]
mass_matrix = [["m + p", 0, 0], [0, "twice", 0], [0, 0, "J"]]
[constraints.curved]
velocity = "der(x)^2 + der(y)^2*(1 + sin(z)) - (l/s)^2"
)toml");

const std::string with_states = mechanism_with(R"toml(
[states]
p = { start = "steady", rate = "(sin(z) - p^2)/s + q*der(x)/l", reset = { when = "p > 2*z", value = "q + sin(z)" } }
q = { rate = "p/(s + time) - q*max(z, p)/s" }
[dynamics]
kinetic_energy = "(m + m*q^2)*(der(x)^2 + der(y)^2)/2 + J*der(z)^2/2"
[dynamics.forces]
x = "p*push"
y = "push*der(q)*s"
[constraints.rod]
position = "x - l*sin(z)"
)toml");

/// Adds groups of each law: a contact with friction in space, a lock, a friction of given capacity, a one-way coupling.
Equations with_contacts() {
  using casadi::SX;
  Equations e = equations_of(one_degree);
  const Symbols& s = e.symbols;
  ContactEquation contact;
  contact.name = contact.what = "heel";
  contact.gap = s.q(0) + SX::sin(s.q(1)) * s.time;
  contact.slips = {s.v(0) * s.q(1), s.v(1) - s.v(2)};
  contact.friction = SX::sq(s.parameters(0));
  contact.rest = 2;
  contact.restitution = s.parameters(1);
  ContactEquation lock;
  lock.name = lock.what = "lock";
  lock.law = contacts::Law::bilateral;
  lock.speed = s.v(0) - s.v(1) * s.q(2);
  lock.when = s.inputs(0) - s.q(1);
  ContactEquation brake;
  brake.name = brake.what = "brake";
  brake.law = contacts::Law::capacity;
  brake.slips = {s.v(2) * s.q(0)};
  brake.capacity = SX::sq(s.inputs(0));
  ContactEquation one_way = contact;
  one_way.name = one_way.what = "one_way";
  one_way.gap = SX();
  one_way.slips.clear();
  one_way.speed = s.v(1);
  e.contacts = {contact, lock, brake, one_way};
  for (ContactEquation& group : e.contacts) make_contact_symbols(group);
  return e;
}

TEST_CASE("every member of the table is compared with CasADi's") {
  std::set<std::string> seen = compare(derivation_of(with_every_kind_of_row()), 1000);
  seen.merge(compare(body_in_space(), 1000));
  seen.merge(compare(derivation_of(unknown_in_mass), 1000));
  seen.merge(compare(derivation_of(with_contacts()), 1000));
  seen.merge(compare(derivation_of(with_states), 1000));
  const auto was_seen = [&](const std::string& name) {
    INFO(name);
    CHECK(seen.count(name) == 1);
  };
  for_each_entry(core_arrays, [&](const auto& array, auto) { was_seen(array.name); });
  for_each_entry(core_functions, [&](const auto& function, auto) {
    was_seen(function.name);
    for (std::size_t i = 0; i < function.result_count(); ++i)
      was_seen(std::string(function.name) + "." + function.results[i].name);
  });
  for (const CoreTape& tape : core_tapes) was_seen(std::string("slopes of ") + tape.name);
  for (int group = 0; group < output_group_count; ++group) was_seen("slopes of outputs_" + std::to_string(group));
}

TEST_CASE("generated code equals CasADi's evaluation") {
  SECTION("guided pendulum") { compare(derivation_of(guided_pendulum), 1000); }
  SECTION("one degree of freedom") { compare(derivation_of(one_degree), 1000); }
  SECTION("everything the language has") { compare(derivation_of(everything), 1000); }
  SECTION("in small chunks") { compare(derivation_of(everything), 17); }
}

TEST_CASE("generated code equals CasADi's evaluation where coordinates are rotations") {
  SECTION("whole") { compare(body_in_space(), 1000); }
  SECTION("in small chunks") { compare(body_in_space(), 23); }
}

TEST_CASE("the same mechanism gives the same text") {
  const auto text = [] {
    const EmittedEquations emitted = emit_equations(derivation_of(everything), {"AnyBasis", "AnyMethod", 0, 0});
    return emitted.motion + emitted.outputs;
  };
  CHECK(text() == text());
}

TEST_CASE("every scalar operation of CasADi has its C++") {
  using casadi::SX;
  const SX q = SX::sym("q", 4);
  const std::vector<SX> results = all_operations(q);
  const casadi::Function function("f", {SX::sym("t"), q}, {SX::vertcat(results)});
  const Program program(function);
  const Staging staging{1, {0, 0}, {0}};
  std::string text = "#include <math.h>\n#include \"mechanism/mechanism.hpp\"\nnamespace mechfmu {\n";
  for (const HelperFunction& helper : helper_functions()) text += helper.definition;
  text += "extern \"C\" " + FunctionWriter(program, staging, {{"values", {}}}, 1000).function(0, "f") + "}\n";
  const Compiled compiled(text);
  const Numbers at = {0.31, 0.62, 1.7, -2.6};
  Numbers values(results.size());
  Point point;
  point.q = at.data();
  compiled.find<void(const Point&, double*)>("f")(point, values.data());
  const std::vector<double> expected = function(std::vector<casadi::DM>{0.0, at}).at(0).nonzeros();
  for (std::size_t i = 0; i < values.size(); ++i) {
    INFO(results[i]);
    CHECK(values[i] == Approx(expected[i]).epsilon(1e-15));
  }
}

TEST_CASE("numbers are written so that they are read back exactly") {
  for (const double number : {0.1, 1.0 / 3, 2.0, 1e22, 1e-320, 123456789.123456789, 6.02214076e23}) {
    INFO(number_text(number));
    CHECK(std::strtod(number_text(number).c_str(), nullptr) == number);
    CHECK(number_text(number).find_first_of(".e") != std::string::npos);
  }
  CHECK(number_text(-2) == "(-2.0)");
  CHECK(literal("a\"b\\c") == "\"a\\\"b\\\\c\"");
}

TEST_CASE("nothing is computed before it is needed, nothing twice, nothing in vain") {
  const Derivation derivation = derivation_of(guided_pendulum);
  const OperationCounts counts = count_operations(derivation);
  CHECK(counts.position == 3);  // These are cos x3, rho cos x3 and its negative.
  CHECK(counts.velocity <= 5);
  CHECK(counts.violation == 3);
  using casadi::SX;
  const SX q = SX::sym("q", 2), p = SX::sym("p");
  const SX shared = SX::sin(q(0)) * p, late = SX::cos(q(0));
  const casadi::Function function("f", {p, q, SX::sym("v")}, {shared + q(1), shared * late, SX::exp(p)});
  const Program program(function);
  const std::vector<int> stages = stages_of(program, {3, {0, 1, 2}, {1, 2, 2}});
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const casadi_int operation = program.values()[i].operation;
    if (operation == casadi::OP_EXP) CHECK(stages[i] == 0);  // depends on parameters alone
    if (operation == casadi::OP_SIN) CHECK(stages[i] == 1);
    if (operation == casadi::OP_COS) CHECK(stages[i] == 2);  // It is known earlier than it is needed.
  }
}

}  // namespace
}  // namespace mechfmu::test
