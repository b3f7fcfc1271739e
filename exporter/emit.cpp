// Puts equations.cpp together: what the symbols are, constants and patterns, the functions, the Mechanism table.
#include "emit.hpp"

#include <algorithm>

#include "emit_functions.hpp"
#include "emit_program.hpp"
#include "emit_text.hpp"
#include "modelDescription/units.hpp"
#include "share_angles.hpp"
#include "tapes.hpp"

namespace mechfmu {

namespace {

/// prepare knows the parameters, position also time, q, inputs and angles; velocity everything (order of Symbols::all()).
const Staging three_stages{3, {1, 1, 2, 1, 0, 2, 2, 1, 2}, {1, 1, 1, 2, 2, 2}};

Staging single_stage(std::size_t outputs) {
  return {1, std::vector<int>(9, 0), std::vector<int>(outputs, 0)};
}

/// What is emitted, and counted, of a function.
Program program_of(const casadi::Function& function) { return with_shared_angles(Program(function)); }

using Names = std::vector<std::string>;
using Meaning = std::function<std::string(int)>;

std::vector<int> integers(const std::vector<casadi_int>& values) { return {values.begin(), values.end()}; }

/// `constexpr type name[] = {…};` or nothing for an empty list.
std::string array(const std::string& type, const std::string& name, const Names& values) {
  if (values.empty()) return "";
  std::string text = type + " " + name + "[] = {", line;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string next = values[i] + (i + 1 < values.size() ? ", " : "");
    if (line.size() + next.size() > 110) {
      text += "\n    " + line;
      line.clear();
    }
    line += next;
  }
  const bool short_enough = text.find('\n') == std::string::npos && text.size() + line.size() < 118;
  return text + (short_enough ? "" : "\n    ") + line + "};\n";
}

Names texts(const std::vector<int>& values) {
  Names result;
  for (const int value : values) result.push_back(std::to_string(value));
  return result;
}

Names texts(const std::vector<bool>& values) {
  Names result;
  for (const bool value : values) result.push_back(value ? "true" : "false");
  return result;
}

Names literals(const Names& values) {
  Names result;
  for (const std::string& value : values) result.push_back(literal(value));
  return result;
}

/// Names a function's array only if it has elements.
std::string pointer(const std::string& name, bool empty) { return empty ? "nullptr" : name; }

class Emitter {
 public:
  Emitter(const Derivation& derivation, const CompiledChoice& choice, int chunk_size)
      : d_(derivation), choice_(choice), chunk_size_(chunk_size) {
    for (const ConstraintEquation& row : d_.equations.constraints) constraint_names_.push_back(row.name);
    for (const StartEquation& row : d_.equations.start_positions) start_position_names_.push_back(row.name);
    for (const StartEquation& row : d_.equations.start_velocities) start_velocity_names_.push_back(row.name);
    for (const Quaternion& one : d_.equations.quaternions)
      quaternions_.push_back("{" + std::to_string(one.position) + ", " + std::to_string(one.velocity) + "}");
    for (const StartEquation& row : d_.equations.start_guesses) start_guess_names_.push_back(row.name);
    for (const BranchCondition& branch : d_.equations.branches) branch_names_.push_back(branch.name);
    for (const AngleEquation& angle : d_.equations.angles) angle_names_.push_back(angle.name);
    for (const LoadEquation& load : d_.equations.loads) load_names_.push_back(load.name);
  }

  EmittedEquations files() {
    const std::string motion = equations();
    return {motion, outputs()};
  }

 private:
  /// What functions call besides those of the library.
  static std::string helpers_of(const std::string& functions) {
    std::string helpers;
    for (const HelperFunction& helper : helper_functions())
      if (functions.find(helper.call) != std::string::npos) helpers += helper.definition;
    return helpers + (helpers.empty() ? "" : "\n");
  }

  std::string equations() {
    const std::string functions = all_functions();
    return legend() + "#include \"core/exported.hpp\"\n\n#include <math.h>\n\nnamespace mechfmu {\nnamespace {\n\n" +
           pattern_arrays() + "\n" + model() + "\n" + helpers_of(functions) + functions +
           "}  // namespace\n\nnamespace shown {\nextern const OutputGroup groups[];\n" +
           (steps_accelerate() ? "" : "void acceleration(const Point&, double*, double*, double*, double*);\n") +
           "}  // namespace shown\n\nnamespace {\n\n" + table() + "}  // namespace\n\nconst Mechanism& exported_mechanism() { return mechanism_table; }\n\n" +
           "using ExportedMotion = MotionWith<Model, " + choice_.resolution_class + ">::Type;\n\n" +
           "Stepper* make_stepper(const Mechanism& mechanism, const Settings& settings) {\n  return " + stepper() +
           ";\n}\n\n}  // namespace mechfmu\n";
  }

  /// Values that are shown, and accelerations that nothing else needs: a file of its own, so that both are compiled at
  /// the same time.
  std::string outputs() const {
    std::string functions;
    Names groups;
    for (int group = 0; group < output_group_count; ++group) {
      Names names;
      for (const OutputEquation& output : d_.equations.outputs)
        if (output.group == group) names.push_back(output.shown.name);
      const casadi::Function& function = d_.outputs[static_cast<std::size_t>(group)];
      const ResultArray values{"values", [names](int i) { return names[static_cast<std::size_t>(i)]; }};
      functions += function_text(function, function.name(), {values}, true);
      const std::string tape = define_tape(function.name(), function, functions);
      groups.push_back("{" + std::to_string(d_.output_counts[static_cast<std::size_t>(group)]) + ", " +
                       (group == reaction_outputs ? "true" : "false") + ", " + function.name() + ", " + tape + "}");
    }
    const std::string late = steps_accelerate() ? "" : acceleration_text();
    return "// Values that " + d_.equations.name + " shows, generated.\n#include \"core/mechanism.hpp\"\n\n" +
           "#include <math.h>\n\nnamespace mechfmu::shown {\nnamespace {\n\n" + helpers_of(functions + late) + functions +
           "}  // namespace\n\n" + late + "extern const OutputGroup groups[];\n" + array("const OutputGroup", "groups", groups) +
           "\n}  // namespace mechfmu::shown\n";
  }

  std::string function_text(const casadi::Function& function, const std::string& called,
                            const std::vector<ResultArray>& results, bool unhurried) const {
    const Program program = program_of(function);
    return FunctionWriter(program, single_stage(results.size()), results, chunk_size_, unhurried).function(0, called);
  }

  std::string stepper() const {
    return "make_exported_stepper<Model, ExportedMotion, " + choice_.method_class +
           ">(mechanism, settings, " + std::to_string(choice_.method_index) + ", " +
           std::to_string(choice_.resolution_index) + ")";
  }

  std::string legend() const {
    const Equations& equations = d_.equations;
    std::string text = "// Equations of motion of " + equations.name + ", generated.\n//\n";
    const auto add = [&text](const std::string& array, const Names& names) {
      for (std::size_t i = 0; i < names.size(); ++i)
        text += "//   " + array + "[" + std::to_string(i) + "]  " + names[i] + "\n";
    };
    add("q", names_of(equations.positions));
    add("v", names_of(equations.velocities));
    add("inputs", equations.input_names);
    add("parameters", names_of(equations.parameters));
    add("multipliers", constraint_names_);
    add("angles", angle_names_);
    add("loads", load_names_);
    return text;
  }

  std::string pattern_arrays() const {
    std::string text;
    for (const auto& [name, pattern] : patterns())
      text += array("constexpr int", name + "_row", texts(integers(pattern.get_row()))) +
              array("constexpr int", name + "_column", texts(integers(pattern.get_col())));
    Names nominal, rate_nominal;
    for (const double size : d_.equations.nominal) nominal.push_back(number_text(size));
    for (const double size : d_.equations.rate_nominal) rate_nominal.push_back(number_text(size));
    return text + array("constexpr Quaternion", "quaternion_list", quaternions_) +
           array("constexpr double", "nominal_list", nominal) + array("constexpr double", "rate_nominal_list", rate_nominal);
  }

  std::vector<std::pair<std::string, casadi::Sparsity>> patterns() const {
    return {{"M", d_.M},
            {"C", d_.C},
            {"M_rate", d_.stage_M_rate()},
            {"C_rate", d_.stage_C_rate()},
            {"C_a", d_.C_a},
            {"B", d_.B}};
  }

  static std::string pattern_text(const std::string& name, const casadi::Sparsity& pattern) {
    return "{" + std::to_string(pattern.size1()) + ", " + std::to_string(pattern.size2()) + ", " +
           std::to_string(pattern.nnz()) + ", " + pointer(name + "_row", pattern.nnz() == 0) + ", " +
           pointer(name + "_column", pattern.nnz() == 0) + "}";
  }

  std::string model() const {
    const Sizes& s = d_.sizes;
    const Character& c = d_.character;
    std::string text = "struct Model {\n  static constexpr bool generated = true;\n  static constexpr Sizes fixed{\n";
    const auto size = [&text](const char* name, int value) {
      text += std::string("      .") + name + " = " + std::to_string(value) + ",\n";
    };
    size("positions", s.positions);
    size("velocities", s.velocities);
    size("position_rows", s.position_rows);
    size("velocity_rows", s.velocity_rows);
    size("acceleration_rows", s.acceleration_rows);
    size("rank", s.rank);
    size("position_rank", s.position_rank);
    size("inputs", s.inputs);
    size("parameters", s.parameters);
    size("work", work_size_);
    size("M_nonzeros", s.M_nonzeros);
    size("C_nonzeros", s.C_nonzeros);
    size("M_rate_nonzeros", s.M_rate_nonzeros);
    size("C_rate_nonzeros", s.C_rate_nonzeros);
    size("quaternions", s.quaternions);
    size("start_position_rows", s.start_position_rows);
    size("start_velocity_rows", s.start_velocity_rows);
    size("start_guess_rows", s.start_guess_rows);
    size("branches", s.branches);
    size("angles", s.angles);
    size("loads", s.loads);
    size("unknowns", s.unknowns);
    size("turning", s.turning);
    const auto flag = [](bool value) { return value ? std::string("true") : std::string("false"); };
    text += "  };\n  static constexpr const Sizes& sizes() { return fixed; }\n"
            "  static constexpr Character character{.ideal = " +
            flag(c.ideal) + ", .rheonomic = " + flag(c.rheonomic) + ", .short_form = " + flag(c.short_form) +
            ", .reads_angles = " + flag(c.reads_angles) + ", .affine_loads = " + flag(c.affine_loads) + ", .loads_in_matrices = " +
            flag(c.loads_in_matrices) + ", .loads_in_mass = " + flag(c.loads_in_mass) + "};\n";
    for (const auto& [name, pattern] : patterns())
      if (name != "C_a" && name != "B")
        text += "  static constexpr Pattern " + name + "() { return " + pattern_text(name, pattern) + "; }\n";
    return text + "  static constexpr const Quaternion* quaternions() { return " +
           pointer("quaternion_list", quaternions_.empty()) +
           "; }\n  static constexpr const double* nominal() { return " +
           pointer("nominal_list", d_.equations.nominal.empty()) +
           "; }\n  static constexpr const double* rate_nominal() { return " +
           pointer("rate_nominal_list", d_.equations.nominal.empty()) +
           "; }\n"
           "  static void prepare(const Point& point);\n"
           "  static void position(const Point& point, double* M, double* C, double* c_t);\n"
           "  static void velocity(const Point& point, double* g, double* C_rate, double* M_rate);\n"
           "  static void violation(const Point& point, double* f);\n};\n";
  }

  /// What an entry of a matrix belongs to: "row by column".
  static Meaning entry(const casadi::Sparsity& pattern, const Names& rows, const char* between, const Names& columns) {
    return [=, row = pattern.get_row(), column = pattern.get_col()](int i) {
      const auto index = static_cast<std::size_t>(i);
      return rows[static_cast<std::size_t>(row[index])] + between + columns[static_cast<std::size_t>(column[index])];
    };
  }

  /// Accelerations are asked for by steps where there is no basis or reactions enter the motion, else when somebody
  /// reads them.
  bool steps_accelerate() const {
    return !choice_.with_basis || !d_.character.ideal || d_.sizes.acceleration_rows > 0 || d_.sizes.loads > 0;
  }

  std::string acceleration_text() const {
    const Names v = names_of(d_.equations.velocities);
    const auto name = [](const Names& names) -> Meaning {
      return [names](int i) { return names[static_cast<std::size_t>(i)]; };
    };
    return function_text(d_.acceleration, "acceleration",
                         {{"h", name(v)},
                          {"gamma", name(constraint_names_)},
                          {"C_a", entry(d_.C_a, constraint_names_, " by ", v)},
                          {"B", entry(d_.B, v, " by ", constraint_names_)}},
                         !steps_accelerate());
  }

  std::string all_functions() {
    const Names v = names_of(d_.equations.velocities);
    const Names q = names_of(d_.equations.positions);
    const auto name = [](Names names) -> Meaning {
      return [names](int i) { return names[static_cast<std::size_t>(i)]; };
    };
    const Names& moves = quaternions_.empty() ? q : v;
    const auto dense = [](Names rows, Names columns) -> Meaning {
      return [=](int i) {
        const auto index = static_cast<std::size_t>(i);
        return rows[index % rows.size()] + " by " + columns[index / rows.size()];
      };
    };
    const Meaning M_meaning = entry(d_.M, moves, ", ", moves), C_meaning = entry(d_.C, constraint_names_, " by ", v),
                  on_velocity = name(v), on_constraint = name(constraint_names_);

    const Program staged = program_of(d_.staged);
    const FunctionWriter stages(staged, three_stages,
                                {{"M", M_meaning},
                                 {"C", C_meaning},
                                 {"c_t", on_constraint},
                                 {"g", on_velocity},
                                 {"C_rate", entry(d_.C_rate, constraint_names_, " by ", v)},
                                 {"M_rate", entry(d_.M_rate, moves, ", ", moves)}},
                                chunk_size_);
    work_size_ = stages.work_size();
    std::string text = stages.function(0, "Model::prepare") + stages.function(1, "Model::position") +
                       stages.function(2, "Model::velocity");
    const auto single = [&](const casadi::Function& function, const std::string& called,
                            const std::vector<ResultArray>& results, bool unhurried = true) {
      text += function_text(function, called, results, unhurried);
    };
    single(d_.violation, "Model::violation", {{"f", on_constraint}}, false);
    if (steps_accelerate()) text += acceleration_text();
    Names calculated;
    for (const Calculation& calculation : d_.equations.calculations)
      calculated.push_back(d_.equations.parameters[static_cast<std::size_t>(calculation.parameter)].name);
    single(d_.calculate, "calculate", {{"values", name(calculated)}});
    single(d_.guess, "guess", {{"q", name(q)}, {"v", on_velocity}});
    if (!start_position_names_.empty())
      single(d_.start_positions, "start_positions",
             {{"f", name(start_position_names_)}, {"F", dense(start_position_names_, v)}});
    if (!start_velocity_names_.empty())
      single(d_.start_velocities, "start_velocities",
             {{"r", name(start_velocity_names_)}, {"R", dense(start_velocity_names_, v)}});
    if (!start_guess_names_.empty())
      single(d_.start_guesses, "start_guesses",
             {{"g", name(start_guess_names_)}, {"G", dense(start_guess_names_, v)}});
    if (!branch_names_.empty()) single(d_.branches, "branches", {{"values", name(branch_names_)}});
    if (has_told_lengths()) single(d_.told_lengths, "told_lengths", {{"lengths", [](int) { return ""; }}});
    if (!d_.equations.conditions.empty())
      single(d_.condition_values, "condition_values", {{"values", [this](int i) {
                const ConditionEquation& condition = d_.equations.conditions[static_cast<std::size_t>(i / 2)];
                return i % 2 == 0 ? condition.what : condition.other;
              }}});
    if (!angle_names_.empty())
      single(d_.angles, "angles",
             {{"raw", name(angle_names_)}, {"rates", name(angle_names_)}, {"guesses", name(angle_names_)}}, false);
    if (!load_names_.empty()) {
      Names known = v;
      known.insert(known.end(), constraint_names_.begin(), constraint_names_.end());
      known.insert(known.end(), load_names_.begin(), load_names_.end());
      single(d_.loads, "loads", {{"residuals", name(load_names_)}}, false);
      single(d_.load_slopes, "load_slopes", {{"slopes", dense(load_names_, known)}}, false);
      Names balanced = v;
      balanced.insert(balanced.end(), constraint_names_.begin(), constraint_names_.end());
      single(d_.load_actions, "load_actions", {{"actions", dense(balanced, load_names_)}}, false);
      single(d_.load_starts, "load_starts", {{"starts", name(load_names_)}});
      if (d_.character.loads_in_mass) single(d_.mass_with_loads, "mass", {{"M", M_meaning}}, false);
    }
    for (const auto& [name, function] : {std::pair{"balance", &d_.balance}, {"start", &d_.start}})
      table_tapes_ += std::string("    .") + name + " = " + define_tape(name, *function, text) + ",\n";
    return text;
  }

  /// Adds the arrays of a tape; returns the tape itself.
  static std::string define_tape(const std::string& name, const casadi::Function& function, std::string& text) {
    const TapeStorage storage = tape_of(function);
    Names steps, numbers;
    for (const Tape::Step step : storage.steps) steps.push_back(std::to_string(step));
    for (const double number : storage.numbers) numbers.push_back(number_text(number));
    text += array("constexpr Tape::Step", name + "_steps", steps) + array("constexpr double", name + "_numbers", numbers) +
            array("constexpr int", name + "_results", texts(storage.results)) + "\n";
    return "{" + std::to_string(steps.size()) + ", " + pointer(name + "_steps", steps.empty()) + ", " +
           pointer(name + "_numbers", numbers.empty()) + ", " + std::to_string(storage.results.size()) + ", " +
           pointer(name + "_results", storage.results.empty()) + "}";
  }

  bool has_told_lengths() const { return d_.told_lengths.nnz_out() > 0; }

  /// What messages know.
  std::string told() const {
    Names units, rows;
    for (const Unit& unit : d_.told.units) units.push_back(shown_unit(unit));
    constexpr const char* gaps[] = {"residual", "sine", "rod"};
    for (const ToldTables::Rows& row : d_.told.rows)
      rows.push_back("{" + std::to_string(row.first) + ", " + std::to_string(row.count) + ", ToldRows::Gap::" +
                     gaps[static_cast<int>(row.gap)] + ", " + std::to_string(row.unit) + ", " + literal(row.text) + ", " +
                     std::to_string(row.first_length) + "}");
    return array("constexpr ShownUnit", "units", units) +
           array("constexpr unsigned char", "units_of", texts(d_.told.units_of)) +
           array("constexpr ToldRows", "told_rows", rows);
  }

  /// ShownUnit as an initialiser.
  static std::string shown_unit(const Unit& unit) {
    return "{" + literal(unit.text) + ", " + number_text(unit.factor) + ", " + number_text(unit.offset) + "}";
  }

  /// Condition as an initialiser.
  Names condition_list() const {
    constexpr const char* relations[] = {"Condition::at_least", "Condition::more_than", "Condition::agrees_with"};
    constexpr const char* times[] = {"Condition::before_assembly, ", "Condition::positioned, ", "Condition::assembled, "};
    Names list;
    for (const ConditionEquation& one : d_.equations.conditions)
      list.push_back(std::string("{") + relations[one.relation] + ", " +
                     times[one.when] +
                     (one.always ? "true, " : "false, ") + number_text(one.tolerance) + ", " + literal(one.what) +
                     ", " + literal(one.other) + ", " + shown_unit(one.unit) + ", " + literal(one.repair) + "}");
    return list;
  }

  std::string table() const {
    const Equations& e = d_.equations;
    std::vector<int> calculated;
    for (const Calculation& calculation : e.calculations) calculated.push_back(calculation.parameter);
    std::string text = array("constexpr int", "calculated", texts(calculated)) +
                       array("constexpr bool", "position_fixed", texts(e.position_fixed)) +
                       array("constexpr bool", "velocity_fixed", texts(e.velocity_fixed)) +
                       array("constexpr bool", "realised", texts(d_.realised)) +
                       array("constexpr bool", "drives", texts(d_.drives)) +
                       array("constexpr int", "turning", texts(e.turning)) +
                       array("constexpr const char*", "position_names", literals(names_of(e.positions))) +
                       array("constexpr const char*", "velocity_names", literals(names_of(e.velocities))) +
                       array("constexpr const char*", "constraint_names", literals(constraint_names_)) +
                       array("constexpr const char*", "driven", literals(d_.told.driven)) +
                       array("constexpr int", "same_unit", texts(d_.same_unit)) +
                       array("constexpr bool", "bare", texts(d_.bare)) +
                       array("constexpr const char*", "start_position_names", literals(start_position_names_)) +
                       array("constexpr const char*", "start_velocity_names", literals(start_velocity_names_)) +
                       array("constexpr const char*", "load_names", literals(load_names_)) +
                       array("constexpr const char*", "branch_names", literals(branch_names_)) + told() +
                       array("const Condition", "conditions", condition_list());
    text += "\nconst Mechanism mechanism_table = {\n    .name = " + literal(e.name) + ",\n    .remark = " +
            (e.remark.empty() ? "nullptr" : literal(e.remark)) +
            ",\n    .sizes = Model::fixed,\n    .character = Model::character,\n";
    for (const auto& [name, pattern] : patterns())
      text += "    ." + name + " = " + pattern_text(name, pattern) + ",\n";
    for (const char* name : {"prepare", "position", "velocity", "violation"})
      text += std::string("    .") + name + " = Model::" + name + ",\n";
    text += std::string("    .acceleration = ") + (steps_accelerate() ? "" : "shown::") + "acceleration,\n    .calculate = calculate,\n    .calculated_count = " +
            std::to_string(calculated.size()) + ",\n    .calculated = " + pointer("calculated", calculated.empty()) +
            ",\n    .group_count = " + std::to_string(output_group_count) + ",\n    .groups = shown::groups,\n";
    text += "    .quaternions = Model::quaternions(),\n    .guess = guess,\n    .start_positions = " +
            pointer("start_positions", start_position_names_.empty()) + ",\n    .start_velocities = " +
            pointer("start_velocities", start_velocity_names_.empty()) + ",\n    .start_guesses = " +
            pointer("start_guesses", start_guess_names_.empty()) + ",\n    .branches = " +
            pointer("branches", branch_names_.empty()) + ",\n    .equilibrium = " +
            (e.equilibrium ? "true" : "false") + ",\n";
    if (!angle_names_.empty()) text += "    .angles = angles,\n";
    if (d_.character.loads_in_mass) text += "    .mass = mass,\n";
    if (!load_names_.empty())
      for (const char* name : {"loads", "load_slopes", "load_actions", "load_starts"})
        text += std::string("    .") + name + " = " + name + ",\n";
    text += table_tapes_;
    if (!d_.equations.conditions.empty())
      text += "    .condition_count = " + std::to_string(d_.equations.conditions.size()) +
              ",\n    .conditions = conditions,\n    .condition_values = condition_values,\n";
    text += "    .input_time = " + std::to_string(e.input_time) + ",\n    .turning = " +
            pointer("turning", e.turning.empty()) + ",\n    .drives = " + pointer("drives", d_.drives.empty()) +
            ",\n    .nominal = Model::nominal(),\n    .rate_nominal = Model::rate_nominal(),\n    .duration = " +
            number_text(e.duration) + ",\n    .nominal_force = " + number_text(e.nominal_force) + ",\n";
    for (const char* name : {"position_fixed", "velocity_fixed"})
      text += std::string("    .") + name + " = " + pointer(name, e.position_fixed.empty()) + ",\n";
    text += "    .realised = " + pointer("realised", d_.realised.empty()) + ",\n";
    for (const char* name : {"position_names", "velocity_names"})
      text += std::string("    .") + name + " = " + pointer(name, e.positions.empty()) + ",\n";
    text += "    .constraint_names = " + pointer("constraint_names", constraint_names_.empty()) + ",\n    .driven = " +
            pointer("driven", constraint_names_.empty()) + ",\n    .same_unit = " +
            pointer("same_unit", d_.same_unit.empty()) + ",\n    .bare = " + pointer("bare", d_.bare.empty()) + ",\n";
    for (const auto& [name, names] : {std::pair{"start_position_names", &start_position_names_},
                                      {"start_velocity_names", &start_velocity_names_},
                                      {"load_names", &load_names_},
                                      {"branch_names", &branch_names_}})
      text += std::string("    .") + name + " = " + pointer(name, names->empty()) + ",\n";
    text += "    .units = " + pointer("units", d_.told.units.empty()) + ",\n    .units_of = " +
            pointer("units_of", d_.told.units_of.empty()) + ",\n    .told_count = " + std::to_string(d_.told.rows.size()) +
            ",\n    .told = " + pointer("told_rows", d_.told.rows.empty()) + ",\n    .told_lengths = " +
            pointer("told_lengths", !has_told_lengths()) + ",\n";
    return text + "};\n\n";
  }

  const Derivation& d_;
  const CompiledChoice& choice_;
  const int chunk_size_;
  Names constraint_names_, start_position_names_, start_velocity_names_, start_guess_names_, quaternions_;
  Names angle_names_, load_names_, branch_names_;
  int work_size_ = 0;
  std::string table_tapes_;  ///< members of the table
};

}  // namespace

OperationCounts count_operations(const Derivation& derivation) {
  OperationCounts counts;
  const std::vector<int> stages = stages_of(program_of(derivation.staged), three_stages);
  const auto in_stage = [&stages](int stage) {
    return static_cast<int>(std::count(stages.begin(), stages.end(), stage));
  };
  counts.prepare = in_stage(0);
  counts.position = in_stage(1);
  counts.velocity = in_stage(2);
  counts.violation = program_of(derivation.violation).operation_count();
  counts.acceleration = program_of(derivation.acceleration).operation_count();
  counts.calculate = program_of(derivation.calculate).operation_count();
  for (std::size_t i = 0; i < counts.outputs.size(); ++i)
    counts.outputs[i] = program_of(derivation.outputs[i]).operation_count();
  return counts;
}

EmittedEquations emit_equations(const Derivation& derivation, const CompiledChoice& choice, int chunk_size) {
  return Emitter(derivation, choice, chunk_size).files();
}

}  // namespace mechfmu
