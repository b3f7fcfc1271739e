// Puts equations.cpp together: the symbols, constants and patterns, the functions, the Mechanism table.
#include "emit.hpp"

#include <algorithm>

#include "derivation/program/core_table.hpp"
#include "derivation/program/program.hpp"
#include "derivation/program/program_text.hpp"
#include "derivation/program/tapes.hpp"
#include "derivation/rows/changes_maker.hpp"
#include "emit_functions.hpp"
#include "share_angles.hpp"

namespace mechfmu {

namespace {

/// The stage `prepare` knows the parameters, `position` also time, q, inputs and angles, `velocity` everything (in the
/// order of Symbols::all()).
const Staging three_stages{3, {1, 1, 2, 1, 0, 2, 2, 1, 2, 2}, {1, 1, 1, 2, 2, 2}};

Staging single_stage(std::size_t outputs) {
  return {1, std::vector<int>(Symbols::count, 0), std::vector<int>(outputs, 0)};
}

/// Returns the program of a function as it is emitted, and counted.
Program program_of(const casadi::Function& function) { return with_shared_angles(Program(function)); }

using Names = std::vector<std::string>;
using Meaning = std::function<std::string(int)>;

/// Returns `constexpr type name[] = {…};`, or nothing for an empty list.
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

/// Returns elements of arrays, and single values, as initialisers.
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(unsigned char value) { return std::to_string(value); }
std::string text_of(Tape::Step value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(double value) { return number_text(value); }
std::string text_of(const char* value) { return value == nullptr ? "nullptr" : literal(value); }
std::string text_of(const std::string& value) { return literal(value); }
std::string text_of(Condition::Relation value) {
  constexpr const char* relations[] = {"at_least", "more_than", "agrees_with"};
  return std::string("Condition::") + relations[value];
}
std::string text_of(Condition::When value) {
  constexpr const char* times[] = {"before_assembly", "positioned", "assembled"};
  return std::string("Condition::") + times[value];
}
std::string text_of(contacts::Law value) {
  constexpr const char* laws[] = {"unilateral", "bilateral", "capacity"};
  return std::string("contacts::Law::") + laws[static_cast<int>(value)];
}
std::string text_of(ToldRows::Gap value) {
  constexpr const char* gaps[] = {"residual", "sine", "rod"};
  return std::string("ToldRows::Gap::") + gaps[static_cast<int>(value)];
}

std::string text_of(const ShownUnit&);  // is needed for a Condition

template <class... Members>
std::string braced(const Members&... members) {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + text_of(members)), ...);
  return "{" + text + "}";
}
std::string text_of(const contacts::Group& g) { return braced(g.law, g.tangential, g.friction, g.capacity); }
std::string text_of(const Quaternion& one) { return braced(one.position, one.velocity); }
std::string text_of(const ShownUnit& unit) { return braced(unit.symbol, unit.factor, unit.offset); }
std::string text_of(const ToldRows& rows) {
  return braced(rows.first, rows.count, rows.gap, rows.unit, rows.text, rows.first_length);
}
std::string text_of(const Condition& c) {
  return braced(c.relation, c.when, c.always, c.tolerance, c.what, c.other, c.unit, c.repair);
}

template <class Values>
Names texts(const Values& values) {
  Names result;
  for (const auto& value : values) result.push_back(text_of(value));
  return result;
}

/// These functions return the types with which arrays are declared.
const char* type_name(const int*) { return "int"; }
const char* type_name(const bool*) { return "bool"; }
const char* type_name(const double*) { return "double"; }
const char* type_name(const unsigned char*) { return "unsigned char"; }
const char* type_name(const char* const*) { return "const char*"; }
const char* type_name(const Quaternion*) { return "Quaternion"; }
const char* type_name(const ShownUnit*) { return "ShownUnit"; }
const char* type_name(const ToldRows*) { return "ToldRows"; }
const char* type_name(const Condition*) { return "Condition"; }
const char* type_name(const contacts::Group*) { return "contacts::Group"; }

/// Returns the name of a function's array, or nullptr if it has no elements.
std::string pointer(const std::string& name, bool empty) { return empty ? "nullptr" : name; }

class Emitter {
 public:
  Emitter(const Derivation& derivation, const CompiledChoice& choice, int chunk_size)
      : d_(derivation), choice_(choice), chunk_size_(chunk_size) {}

  EmittedEquations files() {
    const std::string motion = equations();
    return {motion, outputs()};
  }

 private:
  /// Returns the helpers that functions call besides those of the library.
  static std::string helpers_of(const std::string& functions) {
    std::string helpers;
    for (const HelperFunction& helper : helper_functions())
      if (functions.find(helper.call) != std::string::npos) helpers += helper.definition;
    return helpers + (helpers.empty() ? "" : "\n");
  }

  std::string equations() {
    const std::string functions = all_functions();
    return legend() +
           "#include \"stepping/exported.hpp\"\n\n#include <math.h>\n\nnamespace mechfmu {\nnamespace {\n\n" +
           arrays() + "\n" + model() + "\n" + helpers_of(functions) + functions +
           "}  // namespace\n\nnamespace shown {\nextern const OutputGroup groups[];\n" +
           (steps_accelerate() ? "" : "void acceleration(const Point&, double*, double*, double*, double*);\n") +
           "}  // namespace shown\n\nnamespace {\n\n" + table() +
           "}  // namespace\n\nconst Mechanism& exported_mechanism() { return mechanism_table; }\n\n" +
           "using ExportedMotion = MotionWith<Model, " + choice_.resolution_class + ">::Type;\n\n" +
           "Stepper* make_stepper(Arena& arena, const Mechanism& mechanism, const Settings& settings) {\n  return " +
           stepper() + ";\n}\n\n}  // namespace mechfmu\n";
  }

  /// Returns the values that are shown, and accelerations that nothing else needs. They are a file of their own, so
  /// that both files are compiled at the same time.
  std::string outputs() const {
    std::string functions;
    Names groups;
    for (int group = 0; group < output_group_count; ++group) {
      Names names;
      for (const OutputEquation& output : d_.equations.outputs)
        if (output.group == group) names.push_back(output.shown.name);
      const casadi::Function& function = d_.outputs[static_cast<std::size_t>(group)];
      const ResultArray values{"values", [names](int i) { return names[static_cast<std::size_t>(i)]; }};
      functions += function_text(function, function.name(), {values}, group != state_rate_outputs);
      const std::string tape = define_tape(function.name(), function, functions);
      groups.push_back("{" + std::to_string(d_.output_counts[static_cast<std::size_t>(group)]) + ", " +
                       (d_.equations.is_late(group) ? "true" : "false") + ", " + function.name() + ", " + tape + "}");
    }
    const std::string late = late_functions();
    return "// Values that " + d_.equations.name + " shows, generated.\n#include \"mechanism/mechanism.hpp\"\n\n" +
           "#include <math.h>\n\nnamespace mechfmu::shown {\nnamespace {\n\n" + helpers_of(functions + late) +
           functions + "}  // namespace\n\n" + late + "extern const OutputGroup groups[];\n" +
           array("const OutputGroup", "groups", groups) + "\n}  // namespace mechfmu::shown\n";
  }

  std::string function_text(const casadi::Function& function, const std::string& called,
                            const std::vector<ResultArray>& results, bool unhurried) const {
    const Program program = program_of(function);
    return FunctionWriter(program, single_stage(results.size()), results, chunk_size_, unhurried).function(0, called);
  }

  std::string stepper() const {
    return "make_exported_stepper<Model, ExportedMotion, " + choice_.method_class + ">(arena, mechanism, settings, " +
           std::to_string(choice_.method_index) + ", " + std::to_string(choice_.resolution_index) + ")";
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
    add("multipliers", names_of(equations.constraints));
    add("angles", names_of(equations.angles));
    add("loads", names_of(equations.loads));
    return text;
  }

  /// Returns the arrays that the table points to.
  std::string arrays() const {
    std::string text;
    for (const CorePattern& pattern : core_patterns) {
      const casadi::Sparsity sparsity = pattern.derived(d_);
      const std::vector<casadi_int> rows = sparsity.get_row(), columns = sparsity.get_col();
      text += array("constexpr int", std::string(pattern.name) + "_row",
                    texts(std::vector<int>(rows.begin(), rows.end()))) +
              array("constexpr int", std::string(pattern.name) + "_column",
                    texts(std::vector<int>(columns.begin(), columns.end())));
    }
    for_each_entry(core_arrays, [&](const auto& one, auto) {
      text += array(std::string("constexpr ") + type_name(Mechanism().*one.member), list_name(one.name),
                    texts(one.derived(d_)));
    });
    return text;
  }

  static std::string list_name(const char* array) { return array + std::string("_list"); }

  template <class Array>
  std::string list_of(const Array& one) const {
    return pointer(list_name(one.name), one.derived(d_).empty());
  }

  std::string pattern_text(const CorePattern& pattern) const {
    const casadi::Sparsity sparsity = pattern.derived(d_);
    const std::string name = pattern.name;
    return "{" + std::to_string(sparsity.size1()) + ", " + std::to_string(sparsity.size2()) + ", " +
           std::to_string(sparsity.nnz()) + ", " + pointer(name + "_row", sparsity.nnz() == 0) + ", " +
           pointer(name + "_column", sparsity.nnz() == 0) + "}";
  }

  /// Returns the model as compiled steps see it.
  std::string model() const {
    std::string text = "struct Model {\n  static constexpr bool generated = true;\n  static constexpr Sizes fixed{\n";
    for (const CoreSize& size : core_sizes)
      text += std::string("      .") + size.name + " = " +
              std::to_string(size.member == &Sizes::work ? work_size_ : d_.sizes.*size.member) + ",\n";
    text +=
        "  };\n  static constexpr const Sizes& sizes() { return fixed; }\n  static constexpr Character character{\n";
    for (const CoreTrait& trait : core_traits)
      text += std::string("      .") + trait.name + " = " + text_of(d_.character.*trait.member) + ",\n";
    text += "  };\n";
    for (const CorePattern& pattern : core_patterns)
      if (pattern.in_steps)
        text += std::string("  static constexpr Pattern ") + pattern.name + "() { return " + pattern_text(pattern) +
                "; }\n";
    for_each_entry(core_arrays, [&](const auto& one, auto) {
      if (one.in_steps)
        text += std::string("  static constexpr const ") + type_name(Mechanism().*one.member) + "* " + one.name +
                "() { return " + list_of(one) + "; }\n";
    });
    text += "  static void prepare(const Point& point);\n";
    for_each_entry(core_functions, [&](const auto& function, auto) {
      if (!in_model(function) || !function.exists(d_)) return;
      text += std::string("  static void ") + function.name + "(const Point& point";
      for (std::size_t i = 0; i < function.result_count(); ++i)
        text += std::string(", double* ") + function.results[i].name;
      text += ");\n";
    });
    return text + "};\n";
  }

  /// Is true if compiled steps call the function.
  template <class Function>
  static bool in_model(const Function& function) {
    return function.wanted == Wanted::staged || function.wanted == Wanted::compiled;
  }

  /// Says what an element of a result belongs to, for a comment: "row by column".
  Meaning meaning(const CoreResult& result) const {
    const Names rows = names_along(result.rows, d_);
    if (result.shape == CoreResult::column) return [rows](int i) { return rows[static_cast<std::size_t>(i)]; };
    const Names columns = names_along(result.columns, d_);
    if (result.shape == CoreResult::dense)
      return [=](int i) {
        const auto index = static_cast<std::size_t>(i);
        return rows[index % rows.size()] + " by " + columns[index / rows.size()];
      };
    const CorePattern& pattern = core_patterns[result.pattern];
    const casadi::Sparsity sparsity = pattern.derived(d_);
    return [=, row = sparsity.get_row(), column = sparsity.get_col(),
            between = pattern.symmetric ? ", " : " by "](int i) {
      const auto index = static_cast<std::size_t>(i);
      return rows[static_cast<std::size_t>(row[index])] + between + columns[static_cast<std::size_t>(column[index])];
    };
  }

  template <class Function>
  std::vector<ResultArray> results_of(const Function& function) const {
    std::vector<ResultArray> results;
    for (std::size_t i = 0; i < function.result_count(); ++i)
      results.push_back({function.results[i].name, meaning(function.results[i])});
    return results;
  }

  /// Is true if steps need accelerations: without a basis, or if reactions enter the motion. Otherwise only readers
  /// need them.
  bool steps_accelerate() const {
    return !choice_.with_basis || !d_.character.ideal || d_.sizes.has_further_rows() || d_.sizes.loads > 0;
  }

  /// Is true if the function is in this file, false if it is with the values that are shown.
  template <class Function>
  bool with_outputs(const Function& function) const {
    return function.wanted == Wanted::in_steps_or_shown && !steps_accelerate();
  }

  template <class Function>
  std::string single(const Function& function) const {
    const bool unhurried = function.wanted == Wanted::seldom || with_outputs(function);
    return function_text(d_.*function.derived,
                         in_model(function) ? std::string("Model::") + function.name : function.name,
                         results_of(function), unhurried);
  }

  /// Returns the functions that only readers of outputs need.
  std::string late_functions() const {
    std::string text;
    for_each_entry(core_functions, [&](const auto& function, auto) {
      if (with_outputs(function)) text += single(function);
    });
    return text;
  }

  std::string all_functions() {
    std::vector<ResultArray> staged_results;
    for_each_entry(core_functions, [&](const auto& function, auto) {
      if (function.wanted != Wanted::staged) return;
      for (ResultArray& result : results_of(function)) staged_results.push_back(std::move(result));
    });
    const Program staged = program_of(d_.staged);
    const FunctionWriter stages(staged, three_stages, staged_results, chunk_size_);
    work_size_ = stages.work_size();
    std::string text = stages.function(0, "Model::prepare") + stages.function(1, "Model::position") +
                       stages.function(2, "Model::velocity");
    for_each_entry(core_functions, [&](const auto& function, auto) {
      if (function.wanted != Wanted::staged && function.exists(d_) && !with_outputs(function)) text += single(function);
    });
    for (const CoreTape& tape : core_tapes)
      table_tapes_ += member(tape.name, define_tape(tape.name, d_.*tape.derived, text));
    return text;
  }

  /// Adds the arrays of a tape; returns the tape itself.
  static std::string define_tape(const std::string& name, const casadi::Function& function, std::string& text) {
    const TapeStorage storage = tape_of(function);
    text += array("constexpr Tape::Step", name + "_steps", texts(storage.steps)) +
            array("constexpr double", name + "_numbers", texts(storage.numbers)) +
            array("constexpr int", name + "_results", texts(storage.results)) + "\n";
    return "{" + std::to_string(storage.steps.size()) + ", " + pointer(name + "_steps", storage.steps.empty()) + ", " +
           pointer(name + "_numbers", storage.numbers.empty()) + ", " + std::to_string(storage.results.size()) + ", " +
           pointer(name + "_results", storage.results.empty()) + "}";
  }

  static std::string member(const std::string& name, const std::string& value) {
    return "  table." + name + " = " + value + ";\n";
  }

  std::string table() const {
    std::string text = member("sizes", "Model::fixed") + member("character", "Model::character") +
                       member("prepare", "Model::prepare") + member("groups", "shown::groups");
    if (const char* changes = maker_of_changes(d_.sizes).name) text += member("make_changes", changes);
    for_each_entry(core_values, [&](const auto& one, auto) { text += member(one.name, text_of(one.derived(d_))); });
    for (const CorePattern& pattern : core_patterns) text += member(pattern.name, pattern_text(pattern));
    for_each_entry(core_arrays, [&](const auto& one, auto) { text += member(one.name, list_of(one)); });
    for_each_entry(core_functions, [&](const auto& function, auto) {
      if (!function.exists(d_)) return;
      text += member(function.name, std::string(in_model(function)       ? "Model::"
                                                : with_outputs(function) ? "shown::"
                                                                         : "") +
                                        function.name);
    });
    return "constexpr Mechanism filled_table() {\n  Mechanism table;\n" + text + table_tapes_ +
           "  return table;\n}\nconstexpr Mechanism mechanism_table = filled_table();\n\n";
  }

  const Derivation& d_;
  const CompiledChoice& choice_;
  const int chunk_size_;
  int work_size_ = 0;
  std::string table_tapes_;  ///< are members of the table
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
