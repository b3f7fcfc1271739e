// Writes the documentation page and the listing of variables.
#include "documentation.hpp"

#include <algorithm>

#include "modelDescription/description/version.hpp"
#include "modelDescription/variables/vectors.hpp"
#include "xml.hpp"

namespace mechfmu {

namespace {

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>TITLE</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.2em 0.8em 0.2em 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td:first-child { font-family: monospace; white-space: nowrap; }
svg { max-width: 100%; height: auto; }
footer { margin-top: 2em; color: #666; }
</style>
</head>
<body>
)";

std::string counted(int count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string row(const std::vector<std::string>& cells, const char* kind = "td") {
  std::string result = "<tr>";
  for (const std::string& cell : cells) result += std::string("<") + kind + ">" + escape_xml(cell) + "</" + kind + ">";
  return result + "</tr>\n";
}

int constraints_given_at(Level level, const VariableFacts& facts) {
  return static_cast<int>(std::count_if(facts.constraints.begin(), facts.constraints.end(),
                                        [level](const auto& constraint) { return constraint.level == level; }));
}

bool has_position_constraints(const VariableFacts& facts) { return constraints_given_at(Level::position, facts) > 0; }

std::string equations(const VariableFacts& facts) {
  const auto rows = [&](Level level) { return constraints_given_at(level, facts); };
  std::string text =
      "<p>" + counted(static_cast<int>(facts.velocities.size()), "coordinate", "coordinates") + ", " +
      counted(rows(Level::position), "position constraint", "position constraints") + ", " +
      counted(rows(Level::velocity), "velocity constraint", "velocity constraints") + ", " +
      counted(rows(Level::acceleration), "acceleration constraint", "acceleration constraints") + ": " +
      facts.degrees_of_freedom_text() + ". The equations of motion are integrated in " +
      (facts.tangent_velocities > facts.degrees_of_freedom ? std::to_string(facts.tangent_velocities) : "as many") +
      " tangent velocities";
  if (has_position_constraints(facts)) text += ", with positions projected back onto the constraints";
  text += ".</p>\n";
  if (facts.constraints.empty()) return text;
  text += "<table>\n" + row({"constraint", "given at", "meaning"}, "th");
  for (const auto& [name, description, level] : facts.constraints) {
    const char* given_at = level == Level::position   ? "position level"
                           : level == Level::velocity ? "velocity level"
                                                      : "acceleration level";
    text += row({name, given_at, description});
  }
  return text + "</table>\n";
}

std::string shown_start(const ModelVariable& variable) { return variable.has_start() ? variable.start_text() : ""; }

}  // namespace

std::string write_documentation(const ModelVariables& variables, const VariableFacts& facts, bool arrays,
                                const std::string& sketch) {
  std::string page = page_head;
  page.replace(page.find("TITLE"), 5, escape_xml(variables.model));
  page += "<h1>" + escape_xml(variables.model) + "</h1>\n<p>" + escape_xml(variables.description) + "</p>\n" + sketch;
  page += "<h2>Equations</h2>\n" + equations(facts);
  if (!facts.remark.empty()) page += "<p>" + escape_xml(facts.remark) + "</p>\n";
  page += "<h2>Variables</h2>\n<table>\n" + row({"name", "unit", "causality", "variability", "start", "meaning"}, "th");
  for (const ModelVariable& v : variables.all) {
    if (arrays && v.components == 0) continue;  // is listed with the first component
    const bool array = arrays && v.components > 1;
    page += row({array ? array_name(v) + "[" + std::to_string(v.components) + "]" : v.name, v.unit.text, v.causality(),
                 v.variability(), shown_start(v), array ? array_description(v) : v.description});
  }
  page +=
      "</table>\n<h2>Use</h2>\n"
      "<p>Set starts and parameters before initialization ends. Starts that are not held exactly are guesses; the "
      "nearest consistent ones are taken, and can be read in initialization mode. The importer's step is not the "
      "integrator's: a step ends exactly where the importer wants it, with the error controlled by "
      "<code>solver.tolerance</code>. Inputs are constant during a step.</p>\n";
  page += "<p>Changing a tunable parameter while simulating keeps the velocities";
  if (has_position_constraints(facts)) page += " and moves the positions onto the changed constraints";
  page += "; kinetic energy and momentum may jump.</p>\n<footer>Made by ";
  page += name_and_version();
  page += ".</footer>\n</body>\n</html>\n";
  return page;
}

std::string listing(const ModelVariables& variables) {
  std::size_t names = 0, units = 0;
  for (const ModelVariable& v : variables.all) {
    names = std::max(names, v.name.size());
    units = std::max(units, v.unit.text.size());
  }
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text + "  ";
  };
  std::string text;
  for (const ModelVariable& v : variables.all) {
    std::string line = "  " + padded(v.name, names) + padded(v.unit.text, units) + padded(v.causality(), 19);
    line += v.has_start() ? padded("= " + v.start_text(), 0) + v.description : v.description;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace mechfmu
