// Reads the section on outputs: formulas, and motions of points and bodies.
#include <algorithm>

#include "asked_outputs.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"

namespace mechfmu {

const std::vector<AskedOutput>& asked_outputs() {
  static const std::vector<std::string> number = {""}, two = {"x", "y"}, three = {"x", "y", "z"},
                                        four = {"w", "x", "y", "z"};
  static const std::vector<AskedOutput> list = {
      {"position", Output::Kind::position, "m", true, true, two, three},
      {"velocity", Output::Kind::velocity, "m/s", true, true, two, three},
      {"acceleration", Output::Kind::acceleration, "m/s2", true, true, two, three},
      {"angle", Output::Kind::angle, "rad", false, false, number, {}},
      {"orientation", Output::Kind::orientation, "1", false, false, {}, four},
      {"angular_velocity", Output::Kind::angular_velocity, "rad/s", false, true, number, three},
      {"angular_acceleration", Output::Kind::angular_acceleration, "rad/s2", false, true, number, three},
  };
  return list;
}

namespace {

/// Reads one entry of the section, which may become an output for each component.
class OutputReader {
 public:
  OutputReader(const TomlNode::Entry& entry, Reading& reading)
      : entry_(entry), reading_(reading), what_("the output " + in_quotes(entry.key)) {}

  void read() {
    Output output;
    output.name = entry_.key;
    output.place = output.point.place = entry_.place;
    output.value = number_expression(0, entry_.place);
    std::vector<std::string> components = {""};
    std::optional<Measure> measure;  // Without a unit it follows from the formula.
    if (entry_.value.kind != TomlNode::Kind::table) {
      output.value = read_value(entry_.value, Unit{}, what_, reading_.diagnostics).expression;
    } else {
      std::vector<std::string> keys = {"value", "unit", "description"};
      const bool bodies = !reading_.description.bodies.empty();
      if (bodies) {
        keys.insert(keys.end(), {"component", "frame"});
        for (const AskedOutput& asked : asked_outputs()) keys.push_back(asked.key);
      }
      const TableReader table(entry_.value, entry_.place, what_, keys, reading_.diagnostics);
      table_ = &table;
      const std::optional<Unit> unit = table.unit();
      output.unit = unit.value_or(Unit{});
      output.description = table.text("description");
      const AskedOutput* asked = bodies ? find_asked() : nullptr;
      if (asked) {
        components = read_asked(*asked, unit, output);
        measure = Measure::of(output.unit);
      } else {
        if (table.find("unit")) measure = Measure::of(unit);
        output.value = table.value("value", unit).expression;
        for (const char* key : {"component", "frame"})
          if (const TomlNode::Entry* extra = table.find(key))
            reading_.diagnostics.add(extra->place, in_quotes(key) + " of " + what_ + " belongs to a point or a body",
                                     "remove it");
        if (!table.find("value"))
          reading_.diagnostics.add(entry_.place, what_ + " has no value",
                                   std::string("write value = \"formula\"") +
                                       (bodies ? ", or for example position = \"body.point\"" : ""));
      }
    }
    declare(output, components, measure);
  }

 private:
  const AskedOutput* find_asked() {
    const AskedOutput* result = nullptr;
    std::string first = table_->find("value") ? "value" : "";
    for (const AskedOutput& asked : asked_outputs()) {
      const TomlNode::Entry* found = table_->find(asked.key);
      if (!found) continue;
      if (!first.empty())
        reading_.diagnostics.add(found->place, what_ + " has both " + first + " and " + asked.key, "write two outputs");
      if (!result) result = &asked;
      first = asked.key;
    }
    return result;
  }

  /// Returns the names of the components wanted, for example "x"; one empty name if there is only one number.
  std::vector<std::string> read_asked(const AskedOutput& asked, const std::optional<Unit>& unit, Output& output) {
    const bool spatial = reading_.description.spatial;
    const std::vector<std::string>& all = spatial ? asked.spatial : asked.planar;
    const TomlNode::Entry& key = *table_->find(asked.key);
    const std::string what = in_quotes(asked.key) + " of " + what_;
    output.kind = asked.kind;
    if (asked.of_point) output.point = read_point(key.value, what, reading_).value_or(output.point);
    else output.point.body = read_body(key.value, what, reading_).value_or(0);
    const Unit natural = known_unit(asked.unit);
    if (!table_->find("unit") || !unit) {
      output.unit = natural;
    } else if (unit->dimension != natural.dimension) {
      reading_.diagnostics.add(table_->find("unit")->value.place,
                               what + " is in " + readable(natural.dimension) + ", not in " + readable(unit->dimension),
                               "write a unit such as \"" + natural.text + "\", or leave it out");
      output.unit = natural;
    }
    const TomlNode::Entry *component = table_->find("component"), *frame = table_->find("frame");
    if (all.empty()) {
      reading_.diagnostics.add(key.place,
                               what + (spatial ? " is for planar mechanisms" : " is for mechanisms in space"),
                               spatial ? "use orientation, or a sensor's roll, pitch and yaw" : "use angle");
      return {""};
    }
    if (frame && (!asked.has_frame || all.size() == 1))
      reading_.diagnostics.add(frame->place, what + " has no components in a frame", "remove frame");
    else if (frame) output.frame = read_body(frame->value, "'frame' of " + what_, reading_).value_or(0);
    if (!component) return all;
    if (all.size() == 1) {
      reading_.diagnostics.add(component->place, what + " is one number", "remove component");
      return all;
    }
    const std::string word = table_->choice("component", all, all.front());
    const auto found = std::find(all.begin(), all.end(), word);
    output.component = found == all.end() ? 0 : static_cast<int>(found - all.begin());
    return {""};
  }

  void declare(Output output, const std::vector<std::string>& components, const std::optional<Measure>& measure) {
    std::vector<Output>& outputs = reading_.description.outputs;
    reading_.names.declare(entry_.key, {NameKind::output, outputs.size(), entry_.place, measure});
    for (const std::string& component : components) {
      outputs.push_back(output);
      if (component.empty()) continue;
      outputs.back().name += "." + component;
      outputs.back().component = static_cast<int>(&component - components.data());
    }
  }

  const TomlNode::Entry& entry_;
  Reading& reading_;
  const std::string what_;
  const TableReader* table_ = nullptr;
};

}  // namespace

void read_outputs(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) OutputReader(entry, reading).read();
}

}  // namespace mechfmu
