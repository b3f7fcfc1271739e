// Emitted C++, compiled here, against CasADi's evaluator; every operation, constants, chunks.
#include <catch2/catch.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "derived.hpp"
#include "exporter/emit.hpp"
#include "exporter/emit_functions.hpp"
#include "exporter/emit_program.hpp"
#include "exporter/emit_text.hpp"

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

/// A compiled text, with all warnings as errors.
class Compiled {
 public:
  explicit Compiled(const std::string& text) {
    std::ofstream(folder_.path() / "equations.cpp") << text;
    // Stands in for the integrators, which are not the matter here.
    fs::create_directory(folder_.path() / "core");
    std::ofstream(folder_.path() / "core/exported.hpp")
        << "#include \"core/mechanism.hpp\"\n#include \"core/settings.hpp\"\nnamespace mechfmu {\nclass Stepper;\n"
           "const Mechanism& exported_mechanism();\nStepper* make_stepper(const Mechanism&, const Settings&);\n"
           "template <class Model> class AnyBasis;\nclass AnyMethod;\n"
           "template <class Model, template <class> class Basis> struct MotionWith { using Type = Basis<Model>; };\n"
           "template <class Model, class Motion, class Method>\n"
           "Stepper* make_exported_stepper(const Mechanism&, const Settings&, int, int) {\n"
           "  static_assert(Model::generated && Model::fixed.M_nonzeros == Model::M().nonzeros &&\n"
           "                Model::fixed.C_nonzeros == Model::C().nonzeros &&\n"
           "                Model::fixed.M_rate_nonzeros == Model::M_rate().nonzeros &&\n"
           "                Model::fixed.C_rate_nonzeros == Model::C_rate().nonzeros);\n"
           "  return nullptr;\n}\n}\n";
    const std::string command = "c++ -std=c++20 -O1 -Wall -Wextra -Werror -fno-exceptions -fno-rtti -fPIC -shared -I '" +
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

void compare(const Derivation& derivation, int chunk_size) {
  const EmittedEquations emitted = emit_equations(derivation, {"AnyBasis", "AnyMethod", 0, 0}, chunk_size);
  const Compiled compiled(emitted.outputs + emitted.motion);  // as in an FMU's sources, one file
  const Mechanism& generated = compiled.mechanism();
  const InterpretedMechanism interpreted(derivation);
  const Mechanism& expected = interpreted.table();
  CHECK(generated.name == std::string(expected.name));
  CHECK(generated.character.ideal == expected.character.ideal);
  CHECK(generated.character.rheonomic == expected.character.rheonomic);
  CHECK(generated.character.short_form == expected.character.short_form);
  CHECK(generated.equilibrium == expected.equilibrium);
  CHECK(generated.character.reads_angles == expected.character.reads_angles);
  CHECK(generated.input_time == expected.input_time);
  CHECK(generated.input_driven() == expected.input_driven());
  CHECK(generated.sizes.rank == expected.sizes.rank);
  CHECK(generated.sizes.angles == expected.sizes.angles);
  REQUIRE(generated.sizes.loads == expected.sizes.loads);
  for (int i = 0; i < expected.sizes.loads; ++i) CHECK(generated.load_names[i] == std::string(expected.load_names[i]));
  for (int i = 0; i < expected.sizes.positions; ++i)
    CHECK(generated.position_names[i] == std::string(expected.position_names[i]));
  for (int i = 0; i < expected.sizes.velocities; ++i) {
    CHECK(generated.position_fixed[i] == expected.position_fixed[i]);
    CHECK(generated.velocity_fixed[i] == expected.velocity_fixed[i]);
    CHECK(generated.velocity_names[i] == std::string(expected.velocity_names[i]));
  }
  REQUIRE(generated.sizes.quaternions == expected.sizes.quaternions);
  for (int i = 0; i < expected.sizes.quaternions; ++i) {
    CHECK(generated.quaternions[i].position == expected.quaternions[i].position);
    CHECK(generated.quaternions[i].velocity == expected.quaternions[i].velocity);
  }
  for (int i = 0; i < expected.sizes.start_position_rows; ++i)
    CHECK(generated.start_position_names[i] == std::string(expected.start_position_names[i]));
  for (int i = 0; i < expected.sizes.start_velocity_rows; ++i)
    CHECK(generated.start_velocity_names[i] == std::string(expected.start_velocity_names[i]));
  for (int i = 0; i < expected.sizes.all_rows(); ++i) {
    CHECK(generated.realised[i] == expected.realised[i]);
    CHECK(generated.constraint_names[i] == std::string(expected.constraint_names[i]));
    CHECK(generated.driven[i] == std::string(expected.driven[i]));
    CHECK(generated.same_unit[i] == expected.same_unit[i]);
    CHECK(generated.bare[i] == expected.bare[i]);
  }
  for (int i = 0; i < expected.calculated_count; ++i) CHECK(generated.calculated[i] == expected.calculated[i]);
  const int united = static_cast<int>(derivation.told.units_of.size());
  for (int i = 0; i < united; ++i) {
    const ShownUnit &one = generated.units[generated.units_of[i]], &other = expected.units[expected.units_of[i]];
    CHECK(one.symbol == std::string(other.symbol));
    CHECK((one.factor == other.factor && one.offset == other.offset));
  }
  REQUIRE(generated.told_count == expected.told_count);
  for (int i = 0; i < expected.told_count; ++i) {
    const ToldRows &one = generated.told[i], &other = expected.told[i];
    CHECK((one.first == other.first && one.count == other.count && one.gap == other.gap && one.unit == other.unit &&
           one.first_length == other.first_length));
    CHECK(one.text == std::string(other.text));
  }

  for (unsigned seed = 1; seed <= 5; ++seed) {
    const State state = random_state(derivation.equations, seed);
    const auto of_generated = evaluate(generated, nullptr, state);
    const auto of_casadi = evaluate(expected, interpreted.context(), state);
    for (const auto& [name, values] : of_casadi) {
      const Numbers& others = of_generated.at(name);
      REQUIRE(others.size() == values.size());
      double size = 1;
      for (const double value : values) size = std::max(size, std::abs(value));
      for (std::size_t i = 0; i < values.size(); ++i) {
        INFO(name << "[" << i << "] at point " << seed);
        CHECK(std::abs(others[i] - values[i]) <= 1e-13 * size);
      }
    }
  }
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

/// What bodies and joints add to equations: turns, loads, motions by inputs.
Equations with_turns_loads_and_input_time() {
  using casadi::SX;
  Equations e = equations_of(everything);
  Symbols& s = e.symbols;
  s.turns = SX::sym("turns", 2);
  e.angles = {{"C.angle", SX::atan2(s.q(0), s.q(1)), s.parameters(0)}, {"D.angle", SX::atan2(SX::sin(s.q(2)), 0.3 - s.q(0)), SX(1)}};
  s.loads = SX::sym("loads", 2);
  const SX effort = SX::norm_2(s.multipliers(casadi::Slice(0, 2)));
  e.loads = {{"slide", {}, effort + SX::abs(s.acceleration(1)) * s.loads(1)}, {"pin", {}, SX::sqrt(1 + SX::sq(s.multipliers(2)))}};
  const SX angle = e.angles[0].raw + 2 * casadi::pi * s.turns(0);
  e.forces(0) -= s.loads(0) * SX::tanh(s.v(0)) + 0.1 * angle;
  e.forces(2) += s.loads(1) * s.v(2) - s.loads(0) * SX::cos(s.q(2));
  e.input_time = static_cast<int>(e.input_names.size());
  e.input_names.push_back("input time");
  e.input_values.push_back(0);
  const SX since = SX::sym("input time");
  s.inputs = SX::vertcat({s.inputs, since});
  e.constraints[0].residual -= s.inputs(0) + s.inputs(1) * (s.time - since);
  e.outputs.push_back({Shown{"angle", "", Unit{}, Place{}}, e.angles[1].raw + 2 * casadi::pi * s.turns(1), motion_outputs,
                       static_cast<int>(std::count_if(e.outputs.begin(), e.outputs.end(), [](const OutputEquation& o) {
                         return o.group == motion_outputs;
                       }))});
  return e;
}

TEST_CASE("turns, loads and motions by inputs in generated code") {
  const Derivation derivation = derivation_of(with_turns_loads_and_input_time());
  CHECK(derivation.character.reads_angles);
  CHECK(std::count(derivation.drives.begin(), derivation.drives.end(), true) > 0);
  CHECK(derivation.sizes.inputs == 3 + derivation.sizes.turning);
  compare(derivation, 1000);
  compare(derivation, 17);
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
  std::string text = "#include <math.h>\n#include \"core/mechanism.hpp\"\nnamespace mechfmu {\n";
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
  CHECK(counts.position == 3);      // cos x3, rho cos x3, its negative
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
    if (operation == casadi::OP_EXP) CHECK(stages[i] == 0);  // of parameters alone
    if (operation == casadi::OP_SIN) CHECK(stages[i] == 1);
    if (operation == casadi::OP_COS) CHECK(stages[i] == 2);  // known earlier, needed later
  }
}

}  // namespace
}  // namespace mechfmu::test
