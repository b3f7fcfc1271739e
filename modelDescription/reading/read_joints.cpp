// Reads the section on joints. Each type brings its keys and coordinates.
#include <algorithm>

#include "elements/joints/joint_type.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"
#include "unknown_type.hpp"

namespace mechfmu {

namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr const char* both_axes_repair =
    "write axes = [[1, 0, 0], [0, 1, 0]], for example, the first fixed in the parent, the second in the child";

const char* place_word(bool spatial) { return spatial ? "in space" : "in the plane"; }

/// Reads one joint of the section.
class JointReader {
 public:
  JointReader(const TomlNode::Entry& entry, Reading& reading)
      : entry_(entry), reading_(reading), what_("the joint " + in_quotes(entry.key)) {
    joint_.name = entry.key;
    joint_.place = entry.place;
    joint_.parent.place = joint_.child.place = entry.place;
  }

  Joint read() {
    if (entry_.value.kind != TomlNode::Kind::table) {
      const TableReader fault(entry_.value, entry_.place, what_, {}, reading_.diagnostics);
      return std::move(joint_);
    }
    form_ = find_form();
    std::vector<std::string> keys = {"type", "parent", "child", "cut", "drift_gain_1", "drift_gain_0", "description"};
    const auto allow = [&](const std::string& key) {
      if (!contains(keys, key)) keys.push_back(key);
    };
    if (form_) {
      for (const CoordinateFacts& facts : form_->coordinates) allow(facts.name);
      for (const std::string& key : form_->all_keys()) allow(key);
      if (form_->orientation) allow("orientation"), allow("angular_velocity");
      for (const std::string& key : other_form_ ? other_form_->all_keys() : std::vector<std::string>{}) allow(key);
    } else {
      for (const TomlNode::Entry& item : entry_.value.entries) allow(item.key);  // No more is known about its keys.
    }
    const TableReader table(entry_.value, entry_.place, what_, keys, reading_.diagnostics);
    table_ = &table;
    joint_.description = table.text("description");
    joint_.cut = table.boolean("cut");
    joint_.gains = read_drift_gains(table, what_, reading_);
    end("parent", joint_.parent);
    end("child", joint_.child);
    if (ends_known_ && joint_.parent.body == joint_.child.body) {
      const std::string& body = reading_.description.bodies[static_cast<std::size_t>(joint_.parent.body)].name;
      reading_.diagnostics.add(joint_.child.place,
                               what_ + " connects " +
                                   (joint_.parent.body == 0 ? "the ground" : "the body " + in_quotes(body)) +
                                   " with itself",
                               "name two different bodies as parent and child");
    }
    if (form_) of_form();
    return std::move(joint_);
  }

 private:
  /// Returns the form of the type in this dimension; null, with an error, if there is no such joint.
  const JointForm* find_form() {
    const bool spatial = reading_.description.spatial;
    const TomlNode::Entry* type = entry_.value.find("type");
    std::vector<std::string> names;
    for (const JointType& one : joint_types())
      if (spatial ? one.spatial : one.planar) names.push_back(one.name);
    if (!type) {
      // If a key is misspelt, the message about keys tells it; then this key is only missing.
      reading_.diagnostics.add(entry_.place, what_ + " has no type", "write type = \"revolute\", for example");
      return nullptr;
    }
    joint_.type = read_text(type->value, "'type' of " + what_, "put it in quotes", reading_);
    if (type->value.kind != TomlNode::Kind::text) return nullptr;
    const JointForm* form = find_joint_form(joint_.type, spatial);
    other_form_ = find_joint_form(joint_.type, !spatial);
    if (!form && other_form_)
      reading_.diagnostics.add(
          type->value.place,
          "there is no " + joint_.type + " joint " + place_word(spatial) + ", where " + what_ + " is",
          "use another type, or dimension = \"" + std::string(spatial ? "planar" : "spatial") + "\" in [mechanism]");
    else if (!form) add_unknown_type(type->value.place, what_, joint_.type, names, reading_.diagnostics);
    return form;
  }

  void end(const char* key, PointReference& reference) {
    const TomlNode::Entry* found = table_->find(key);
    if (!found)
      reading_.diagnostics.add(entry_.place, what_ + " has no " + key,
                               "write " + std::string(key) + " = \"body\" or \"body.point\"" +
                                   (key == std::string("parent") ? ", or \"ground\"" : ""));
    else if (const auto point = read_point(found->value, in_quotes(key) + " of " + what_, reading_)) reference = *point;
    else ends_known_ = false;
    ends_known_ = ends_known_ && found;
  }

  void of_form() {
    const bool spatial = reading_.description.spatial;
    if (other_form_)
      for (const std::string& key : other_form_->all_keys())
        if (table_->find(key) && !form_->has(key))
          reading_.diagnostics.add(table_->find(key)->place,
                                   what_ + " has no " + in_quotes(key) + ": a " + joint_.type + " joint " +
                                       place_word(spatial) + " needs none",
                                   "remove it");
    geometry();
    own_keys();
    for (const CoordinateFacts& facts : form_->coordinates) coordinate(facts);
    if (form_->orientation) orientation();
  }

  void geometry() {
    const auto wants = [&](const char* key) { return form_->has(key) ? table_->find(key) : nullptr; };
    if (form_->has("axes") && !table_->find("axes"))
      reading_.diagnostics.add(entry_.place, what_ + " has no axes", both_axes_repair);
    // Points of an axis need their body.
    if (ends_known_) {
      const int owner = form_->axis_in_child ? joint_.child.body : joint_.parent.body;
      if (const TomlNode::Entry* axis = wants("axis"))
        joint_.axes = {read_axis(axis->value, owner, "the axis of " + what_, reading_)};
      if (const TomlNode::Entry* axes = wants("axes")) both_axes(axes->value);
      if (const TomlNode::Entry* normal = wants("normal"))
        joint_.normal = read_axis(normal->value, joint_.parent.body, "the normal of " + what_, reading_);
    }
    if (const TomlNode::Entry* rotation = wants("rotation"))
      joint_.rotation = read_rotation(rotation->value, "the rotation of " + what_, reading_);
  }

  /// The keys that only this type has.
  void own_keys() {
    std::vector<NumberKey> numbers = form_->numbers;
    if (const TomlNode::Entry* length = table_->find("length");
        length && form_->has("length") && length->value.kind == TomlNode::Kind::table) {
      length_motion(*length);
      std::erase_if(numbers, [](const NumberKey& key) { return key.name == std::string("length"); });
    }
    read_own_keys(*table_, numbers, what_, parameter_usage, nullptr, nullptr, joint_, reading_);
    for (const std::string& flag : form_->flags)
      if (table_->boolean(flag)) joint_.flags.insert(flag);
  }

  void length_motion(const TomlNode::Entry& length) {
    const TableReader table(length.value, length.place, "the length of " + what_,
                            {prescribed_motion_keys, prescribed_motion_keys + std::size(prescribed_motion_keys)},
                            reading_.diagnostics);
    joint_.length_motion = read_prescribed_motion(table, joint_.name + ".length", known_unit("m"), reading_);
    if (!joint_.length_motion && length.value.entries.empty())
      reading_.diagnostics.add(length.place, "the length of " + what_ + " has no motion",
                               "write length = { motion = \"…\" }, or a number");
  }

  void both_axes(const TomlNode& node) {
    const std::string what = "'axes' of " + what_;
    if (node.kind != TomlNode::Kind::array || node.items.size() != 2) {
      reading_.diagnostics.add(node.place, what + " is not a list of two axes", both_axes_repair);
      return;
    }
    for (const TomlNode& item : node.items)
      joint_.axes.push_back(read_axis(item, joint_.parent.body, "an axis of " + what_, reading_));
  }

  void coordinate(const CoordinateFacts& facts) {
    JointCoordinate result;
    result.name = joint_.name + "." + facts.name;
    result.place = entry_.place;
    std::optional<Unit> unit = known_unit(facts.angle ? "rad" : "m");
    const TomlNode::Entry* entry = table_->table(facts.name);
    if (entry) {
      result.place = entry->place;
      std::vector<std::string> keys = {"start",   "fixed",        "rate_start", "rate_fixed", "unit",
                                       "nominal", "rate_nominal", "limits",     "restitution"};
      keys.insert(keys.end(), prescribed_motion_keys, prescribed_motion_keys + std::size(prescribed_motion_keys));
      const TableReader table(entry->value, entry->place, "the coordinate " + in_quotes(result.name), keys,
                              reading_.diagnostics);
      if (const TomlNode::Entry* declared = table.find("unit")) {
        const Dimension wanted = unit->dimension;
        unit = table.unit();
        if (unit && (unit->dimension != wanted || unit->offset != 0)) {
          reading_.diagnostics.add(declared->value.place,
                                   "the coordinate " + in_quotes(result.name) + " is " +
                                       (facts.angle ? "an angle" : "a length") + " and cannot be in " +
                                       readable(unit->dimension),
                                   std::string("write a unit such as ") + (facts.angle ? "\"deg\"" : "\"mm\""));
          unit.reset();
        }
      }
      set_units(result, unit.value_or(known_unit(facts.angle ? "rad" : "m")));
      const std::optional<Unit> rate = unit ? std::optional(result.rate_unit) : std::nullopt;
      result.start = read_start(table, "start", "fixed", unit);
      result.rate_start = read_start(table, "rate_start", "rate_fixed", rate);
      result.nominal = read_nominal(table, result.name, unit, rate, reading_);
      result.given = table.find("start") != nullptr;
      result.motion = read_prescribed_motion(table, result.name, unit, reading_);
      result.limits = read_limits(table, result.name, unit, reading_);
      if (result.motion && result.limits)
        reading_.diagnostics.add(result.limits->place,
                                 in_quotes(result.name) + " is driven by its motion, and has limits, too",
                                 "remove one of them: the motion says where the coordinate is");
    } else {
      set_units(result, *unit);
      for (Start* start : {&result.start, &result.rate_start})
        *start = {{number_expression(0, entry_.place), 0}, false, false, entry_.place};
    }
    joint_.coordinates.push_back(std::move(result));
  }

  static void set_units(JointCoordinate& coordinate, const Unit& unit) {
    coordinate.unit = unit;
    coordinate.rate_unit = per_second(unit);
    coordinate.acceleration_unit = per_second(coordinate.rate_unit);
  }

  void orientation() {
    OrientationStart result;
    result.place = result.rate_place = entry_.place;
    result.rate = zero_vector(entry_.place, reading_);
    if (const TomlNode::Entry* entry = table_->table("orientation")) {
      const std::string what = "the orientation of " + what_;
      const TableReader table(entry->value, entry->place, what, {"start", "fixed"}, reading_.diagnostics);
      result.place = entry->place;
      result.fixed = table.boolean("fixed");
      if (const TomlNode::Entry* start = table.find("start")) {
        result.start = read_rotation(start->value, "the start of " + what, reading_);
        result.given = true;
      }
    }
    if (const TomlNode::Entry* entry = table_->table("angular_velocity")) {
      const std::string what = "the angular velocity of " + what_;
      const TableReader table(entry->value, entry->place, what, {"start", "fixed", "frame"}, reading_.diagnostics);
      result.rate_place = entry->place;
      result.rate_fixed = table.boolean("fixed");
      result.rate_in_parent = table.choice("frame", {"child", "parent"}, "child") == "parent";
      if (const TomlNode::Entry* start = table.find("start"))
        result.rate = read_vector(start->value, known_unit("rad/s"), parameter_usage("the start of " + what), reading_);
    }
    joint_.orientation = std::move(result);
  }

  const TomlNode::Entry& entry_;
  Reading& reading_;
  const std::string what_;
  const TableReader* table_ = nullptr;
  /// They are the forms of the type in this dimension, and in the other one.
  const JointForm *form_ = nullptr, *other_form_ = nullptr;
  bool ends_known_ = true;
  Joint joint_;
};

}  // namespace

void read_joints(const TomlNode::Entry& section, Reading& reading) {
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::size_t errors = reading.diagnostics.size();
    reading.description.joints.push_back(JointReader(entry, reading).read());
    Name name{NameKind::joint, reading.description.joints.size() - 1, entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
  }
}

}  // namespace mechfmu
