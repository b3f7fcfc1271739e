// Places every value in a stage and a chunk, finds the values that a later stage or chunk needs, and writes the
// statements.
#include "emit_functions.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "derivation/program/program_text.hpp"
#include "equations/equations.hpp"

namespace mechfmu {

namespace {

/// Lists the members of Point that hold the arguments, in the order of Symbols::all().
constexpr std::array<const char*, Symbols::count> arguments = {
    "time", "q", "v", "inputs", "parameters", "acceleration", "multipliers", "angles", "loads", "slide"};
constexpr int time_argument = 0;

/// Above these numbers of statements, optimising a program would take longer than the rest of an export. Functions of
/// steps are then compiled quickly (which costs nothing in such long straight lines), others without optimisation.
constexpr std::size_t long_program = 10000, long_step = 15000;

/// Counts a result twice, once as it is read and once as it is written: some passes of GCC grow with the square of
/// these.
std::size_t statements(const Program& program) { return program.values().size() + 2 * program.results().size(); }

const char* attribute(const Program& program, bool unhurried) {
  if (unhurried && statements(program) > long_program) return "[[gnu::optimize(\"O0\")]] ";
  return statements(program) > long_step ? "[[gnu::optimize(\"O1\")]] " : "";
}

std::string element(const std::string& array, int index) { return array + "[" + std::to_string(index) + "]"; }

/// Returns the name of an argument's element in a chunk: a local constant. It is read before any result is written, so
/// that the compiler sees one value (sin and cos of it then share their work).
std::string local_name(const Node& input) {
  const std::string name = arguments.at(static_cast<std::size_t>(input.argument));
  return input.argument == time_argument ? name : name + "_" + std::to_string(input.element);
}

/// Returns a function's head, broken between its parameters if it is long.
std::string wrapped(const std::string& head) {
  constexpr std::size_t line_length = 120;
  if (head.size() <= line_length) return head;
  const std::size_t at = head.rfind(", ", line_length - 1);
  return head.substr(0, at + 1) + "\n    " + head.substr(at + 2);
}

/// Is true if the text uses a name, alone or as an array, outside of comments.
bool mentions(const std::string& text, const std::string& name) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const auto is_comment = [&text](std::size_t at) {
    const std::size_t comment = text.rfind("//", at), line = text.rfind('\n', at);
    return comment != std::string::npos && (line == std::string::npos || comment > line);
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])) && !is_comment(at))
      return true;
  }
  return false;
}

}  // namespace

FunctionWriter::FunctionWriter(const Program& program, Staging staging, std::vector<ResultArray> results,
                               int chunk_size, bool unhurried)
    : program_(program), staging_(std::move(staging)), results_(std::move(results)),
      stage_(stages_of(program, staging_)), spot_(program.values().size()),
      last_chunk_(static_cast<std::size_t>(staging_.count), 0), name_(program.values().size(), 0),
      slot_(program.values().size(), -1), local_uses_(program.values().size(), 0),
      result_uses_(program.values().size(), 0), attribute_(attribute(program, unhurried)) {
  place_values(chunk_size);
  find_crossings();
}

void FunctionWriter::place_values(int chunk_size) {
  for (int stage = 0; stage < staging_.count; ++stage) {
    const int total = static_cast<int>(std::count(stage_.begin(), stage_.end(), stage));
    const int chunks = std::max(1, (total + chunk_size - 1) / chunk_size);
    last_chunk_[static_cast<std::size_t>(stage)] = chunks - 1;
    const int per_chunk = (total + chunks - 1) / chunks;
    int placed = 0;
    for (std::size_t i = 0; i < stage_.size(); ++i) {
      if (stage_[i] != stage) continue;
      spot_[i] = {stage, placed / per_chunk};
      name_[i] = ++placed;
    }
  }
}

FunctionWriter::Spot FunctionWriter::spot_of_result(const Result& result) const {
  const int stage = staging_.of_output.at(static_cast<std::size_t>(result.output));
  const Spot& spot = spot_[static_cast<std::size_t>(result.value)];
  return spot.stage == stage ? spot : Spot{stage, last_chunk_[static_cast<std::size_t>(stage)]};
}

void FunctionWriter::note_use(int value, const Spot& spot) {
  const auto i = static_cast<std::size_t>(value);
  if (spot_[i].stage < 0) return;
  if (spot_[i] == spot) ++local_uses_[i];
  else if (slot_[i] < 0) slot_[i] = work_size_++;
}

void FunctionWriter::find_crossings() {
  const std::vector<Node>& values = program_.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (spot_[i].stage >= 0)
      for (const int operand : values[i].operands)
        if (operand >= 0) note_use(operand, spot_[i]);
  for (const Result& result : program_.results()) {
    const Spot spot = spot_of_result(result);
    if (spot == spot_[static_cast<std::size_t>(result.value)]) ++result_uses_[static_cast<std::size_t>(result.value)];
    else note_use(result.value, spot);
  }
}

std::string FunctionWriter::operand(int value, const Spot& spot) const {
  const auto i = static_cast<std::size_t>(value);
  const Node& what = program_.values()[i];
  if (what.operation == casadi::OP_CONST) return number_text(what.number);
  if (what.operation == casadi::OP_INPUT) {
    return local_name(what);
  }
  return spot_[i] == spot ? "a" + std::to_string(name_[i]) : element("work", slot_[i]);
}

std::string FunctionWriter::expression(int value, const Spot& spot) const {
  std::vector<std::string> operands;
  const Node& what = program_.values()[static_cast<std::size_t>(value)];
  for (const int index : what.operands)
    if (index >= 0) operands.push_back(operand(index, spot));
  return operation_text(what, operands);
}

std::set<int> FunctionWriter::inputs_of(const Spot& spot) const {
  std::set<int> inputs;
  const auto note = [&](int value) {
    if (value >= 0 && program_.values()[static_cast<std::size_t>(value)].operation == casadi::OP_INPUT)
      inputs.insert(value);
  };
  for (std::size_t i = 0; i < spot_.size(); ++i)
    if (spot_[i] == spot)
      for (const int operand : program_.values()[i].operands) note(operand);
  for (const Result& result : program_.results())
    if (spot_of_result(result) == spot) note(result.value);
  return inputs;
}

std::string FunctionWriter::chunk_text(const Spot& spot) const {
  std::string body;
  std::vector<bool> within_result(spot_.size(), false);
  for (std::size_t i = 0; i < spot_.size(); ++i) {
    if (!(spot_[i] == spot)) continue;
    const int value = static_cast<int>(i);
    if (local_uses_[i] == 0 && result_uses_[i] == 1 && slot_[i] < 0) {
      within_result[i] = true;
    } else if (local_uses_[i] + result_uses_[i] == 0) {
      body += "  " + element("work", slot_[i]) + " = " + expression(value, spot) + ";\n";
    } else {
      const std::string name = operand(value, spot);
      body += "  const double " + name + " = " + expression(value, spot) + ";\n";
      if (slot_[i] >= 0) body += "  " + element("work", slot_[i]) + " = " + name + ";\n";
    }
  }
  for (const Result& result : program_.results()) {
    if (!(spot_of_result(result) == spot)) continue;
    const ResultArray& array = results_[static_cast<std::size_t>(result.output)];
    const bool inside = within_result[static_cast<std::size_t>(result.value)];
    body += "  " + element(array.name, result.element) + " = " +
            (inside ? expression(result.value, spot) : operand(result.value, spot)) + ";";
    if (array.meaning)
      if (const std::string meaning = array.meaning(result.element); !meaning.empty()) body += "  // " + meaning;
    body += "\n";
  }
  std::string head;
  for (const int value : inputs_of(spot)) {
    const Node& what = program_.values()[static_cast<std::size_t>(value)];
    const std::string array = arguments.at(static_cast<std::size_t>(what.argument));
    head += "  const double " + local_name(what) + " = point." +
            (what.argument == time_argument ? array : element(array, what.element)) + ";\n";
  }
  return head + body;
}

std::string FunctionWriter::parameters(int stage, const std::string& body, bool with_types) const {
  std::string text = with_types ? "const Point&" : "point";
  if (with_types && mentions(body, "point")) text += " point";
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (staging_.of_output[i] != stage) continue;
    text += with_types ? ", double* __restrict" : ", ";
    const std::string& name = results_[i].name;
    if (!with_types) text += name;
    else if (mentions(body, name)) text += " " + name;
  }
  return text;
}

std::string FunctionWriter::function(int stage, const std::string& name) const {
  const int chunks = last_chunk_[static_cast<std::size_t>(stage)] + 1;
  const bool shared_work = staging_.count > 1;
  const std::string work = shared_work ? "  double* const __restrict work = point.work;\n"
                                       : "  double work[" + std::to_string(work_size_) + "];\n";
  std::string text, body;
  if (chunks == 1) {
    body = chunk_text({stage, 0});
    if (mentions(body, "work")) body = work + body;
  } else {
    std::string plain = name.substr(name.rfind(':') + 1);
    if (work_size_ > 0) body = work;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const std::string chunk_body = chunk_text({stage, chunk});
      const std::string chunk_name = plain + "_" + std::to_string(chunk + 1);
      text += wrapped(std::string(attribute_) + "[[gnu::noinline]] void " + chunk_name + "(double* __restrict" +
                      (mentions(chunk_body, "work") ? " work, " : ", ") + parameters(stage, chunk_body, true) + ") {") +
              "\n" + chunk_body + "}\n\n";
      body += "  " + chunk_name + "(" + (work_size_ > 0 ? "work" : "nullptr") + ", " + parameters(stage, "", false) +
              ");\n";
    }
  }
  const std::string head = wrapped(attribute_ + ("void " + name) + "(" + parameters(stage, body, true) + ") {");
  return text + (body.empty() ? head + "}\n\n" : head + "\n" + body + "}\n\n");
}

}  // namespace mechfmu
