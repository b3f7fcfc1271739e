// Reads numbers, vectors, rotations, axes, points and motions.
#include "read_values.hpp"

#include <algorithm>
#include <cctype>

#include "elements/quantities.hpp"
#include "modelDescription/formulas/expression.hpp"

namespace mechfmu {

namespace {

std::vector<Expression> zeros(std::size_t count, const Place& place) {
  return std::vector<Expression>(count, number_expression(0, place));
}

/// Returns the names of a body's points, for suggestions.
std::vector<std::string> names_of_points(const Body& body) {
  std::vector<std::string> names;
  for (const BodyPoint& point : body.points) names.push_back(point.name);
  return names;
}

std::vector<std::string> names_of_bodies(const Description& description) {
  std::vector<std::string> names;
  for (const Body& body : description.bodies) names.push_back(body.name);
  return names;
}

std::optional<int> find_point(const Body& body, const std::string& name) {
  for (std::size_t i = 0; i < body.points.size(); ++i)
    if (body.points[i].name == name) return static_cast<int>(i);
  return std::nullopt;
}

std::optional<int> find_body(const std::string& name, const Place& place, Reading& reading) {
  const std::vector<Body>& bodies = reading.description.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return static_cast<int>(i);
  const Name* other = reading.names.find(name);
  reading.diagnostics.add(
      place,
      other ? in_quotes(name) + " is " + kind_text(other->kind) + ", not a body" : "unknown body " + in_quotes(name),
      suggestion(name, names_of_bodies(reading.description), "declare it as [bodies." + name + "]"));
  return std::nullopt;
}

/// Two texts may be two components or two points. They are points if both are names, and one of them is a point's or
/// neither is declared.
bool names_points(const TomlNode& node, int body, Reading& reading) {
  if (node.kind != TomlNode::Kind::array || node.items.size() != 2) return false;
  bool any_point = false, any_declared = false;
  for (const TomlNode& item : node.items) {
    const auto of_name = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; };
    const std::string& text = item.text;
    if (item.kind != TomlNode::Kind::text || text.empty() || !std::all_of(text.begin(), text.end(), of_name) ||
        std::isdigit(static_cast<unsigned char>(text[0])))
      return false;
    any_point = any_point || find_point(reading.description.bodies[static_cast<std::size_t>(body)], text);
    any_declared = any_declared || reading.names.find(text);
  }
  return any_point || !any_declared || reading.description.spatial;
}

}  // namespace

Expression read_number(const TomlNode& node, const Measure& measure, const Usage& usage, Reading& reading) {
  // A bare number is in SI, as formulas are.
  Expression expression = read_value(node, Unit{}, usage.what, reading.diagnostics).expression;
  reading.wanted.push_back({{expression}, usage, measure});
  return expression;
}

Expression read_number(const TomlNode& node, const Unit& unit, const Usage& usage, Reading& reading) {
  return read_number(node, Measure::of(unit), usage, reading);
}

Value read_number_in(const TomlNode& node, const std::optional<Unit>& unit, const Usage& usage, Reading& reading) {
  Value value = read_value(node, unit, usage.what, reading.diagnostics);
  reading.wanted.push_back({{value.expression}, usage, Measure::of(unit)});
  return value;
}

std::vector<Expression> read_numbers(const TomlNode& node, std::size_t count, const Measure& measure,
                                     const Usage& usage, const std::string& example, Reading& reading) {
  if (node.kind != TomlNode::Kind::array || node.items.size() != count) {
    const std::string found =
        node.kind == TomlNode::Kind::array
            ? "has " + std::to_string(node.items.size()) + " entries, not " + std::to_string(count)
            : "must be a list of " + std::to_string(count) + " numbers, not " + node.kind_text();
    reading.diagnostics.add(node.place, usage.what + " " + found, "write " + example);
    return zeros(count, node.place);
  }
  std::vector<Expression> numbers;
  for (const TomlNode& item : node.items)
    numbers.push_back(read_value(item, Unit{}, usage.what, reading.diagnostics).expression);
  reading.wanted.push_back({numbers, usage, measure});
  return numbers;
}

Vector read_vector(const TomlNode& node, const Unit& unit, const Usage& usage, Reading& reading) {
  return read_vector(node, Measure::of(unit), usage, reading);
}

Vector read_vector(const TomlNode& node, const Measure& measure, const Usage& usage, Reading& reading) {
  const bool spatial = reading.description.spatial;
  const std::string example = spatial ? "[x, y, z] for a mechanism in space" : "[x, y] for a planar mechanism";
  return {read_numbers(node, spatial ? 3 : 2, measure, usage, example, reading), node.place};
}

Measure measure_of(Measures number, const JointCoordinate* first, const JointCoordinate* second) {
  const Dimension length = known_unit("m").dimension, force = known_unit("N").dimension, time = time_dimension();
  const auto of = [](const Dimension& dimension) { return Measure::quantity(dimension); };
  switch (number) {
    case Measures::plain: return of({});
    case Measures::length: return of(length);
    case Measures::stiffness: return of(force / length);
    case Measures::damping: return of(force / length * time);
    default: break;
  }
  if (!first) return {};
  const Dimension coordinate = first->unit.dimension, effort = energy_dimension() / coordinate;
  switch (number) {
    case Measures::coordinate: return of(coordinate);
    case Measures::coordinate_rate: return of(coordinate / time);
    case Measures::effort: return of(effort);
    case Measures::effort_stiffness: return of(effort / coordinate);
    case Measures::effort_damping: return of(effort / coordinate * time);
    default: break;
  }
  if (!second) return {};
  if (number == Measures::ratio) return of(second->unit.dimension / coordinate);
  return number == Measures::second ? of(second->unit.dimension) : Measure{};
}

Vector zero_vector(const Place& place, const Reading& reading) {
  return {zeros(reading.description.spatial ? 3 : 2, place), place};
}

Rotation read_rotation(const TomlNode& node, const std::string& what, Reading& reading) {
  const Usage usage = parameter_usage(what);
  const Unit radian = known_unit("rad");
  if (!reading.description.spatial) {
    if (node.kind == TomlNode::Kind::table || node.kind == TomlNode::Kind::array) {
      reading.diagnostics.add(node.place, what + " must be an angle in the plane, not " + node.kind_text(),
                              "write a number in rad, or a formula in quotes");
      return {};
    }
    return {Rotation::Kind::angle, {read_number(node, radian, usage, reading)}, node.place};
  }
  const std::string repair =
      "write { axis = [x, y, z], angle = … }, { rpy = [roll, pitch, yaw] } or { quaternion = [w, x, y, z] }";
  if (node.kind != TomlNode::Kind::table) {
    reading.diagnostics.add(node.place, what + " must be a rotation in space, not " + node.kind_text(), repair);
    return {};
  }
  const TableReader table(node, node.place, what, {"axis", "angle", "rpy", "quaternion"}, reading.diagnostics);
  const TomlNode::Entry *axis = table.find("axis"), *angle = table.find("angle"), *rpy = table.find("rpy"),
                        *quaternion = table.find("quaternion");
  if ((axis != nullptr) != (angle != nullptr) || !axis + !rpy + !quaternion != 2) {
    // has only unknown keys, which are reported already
    if (!node.entries.empty() && !axis && !angle && !rpy && !quaternion) return {};
    reading.diagnostics.add(node.place, what + " is not one rotation", repair);
    return {};
  }
  if (axis) {
    std::vector<Expression> numbers =
        read_numbers(axis->value, 3, Measure{}, parameter_usage("the axis of " + what), "axis = [x, y, z]", reading);
    numbers.push_back(read_number(angle->value, radian, parameter_usage("the angle of " + what), reading));
    return {Rotation::Kind::axis_angle, std::move(numbers), node.place};
  }
  if (rpy)
    return {Rotation::Kind::roll_pitch_yaw,
            read_numbers(rpy->value, 3, Measure::of(radian), usage, "rpy = [roll, pitch, yaw]", reading), node.place};
  return {Rotation::Kind::quaternion,
          read_numbers(quaternion->value, 4, Measure::quantity({}), usage, "quaternion = [w, x, y, z]", reading),
          node.place};
}

Axis read_axis(const TomlNode& node, int body, const std::string& what, Reading& reading) {
  Axis axis;
  axis.place = node.place;
  if (names_points(node, body, reading)) {
    const Body& owner = reading.description.bodies[static_cast<std::size_t>(body)];
    const auto from = read_point_of(owner, node.items[0].text, node.items[0].place, reading);
    const auto to = read_point_of(owner, node.items[1].text, node.items[1].place, reading);
    if (from && to && *from == *to)
      reading.diagnostics.add(node.place, what + " goes from a point to the same point", "name two points");
    axis.points = {from.value_or(0), to.value_or(0)};
    return axis;
  }
  const std::string example =
      std::string(reading.description.spatial ? "[x, y, z]" : "[x, y]") + ", or [\"P\", \"Q\"] from a point to another";
  axis.components = {read_numbers(node, reading.description.spatial ? 3 : 2, Measure{}, parameter_usage(what), example,
                                  reading),
                     node.place};
  return axis;
}

std::optional<int> read_point_of(const Body& owner, const std::string& name, const Place& place, Reading& reading) {
  if (const std::optional<int> point = find_point(owner, name)) return point;
  const bool ground = owner.name == "ground";
  const std::string near = nearest(name, names_of_points(owner));
  std::string elsewhere;
  for (const Body& other : reading.description.bodies)
    if (elsewhere.empty() && other.name != owner.name && find_point(other, name)) elsewhere = other.name + "." + name;
  reading.diagnostics.add(
      place, (ground ? "the ground" : "the body " + in_quotes(owner.name)) + " has no point " + in_quotes(name),
      near.empty() && !elsewhere.empty()
          ? "did you mean " + in_quotes(elsewhere) + "?"
          : suggestion(name, names_of_points(owner),
                       "declare it below [" + std::string(ground ? "" : "bodies.") + owner.name + ".points]"));
  return std::nullopt;
}

std::string read_text(const TomlNode& node, const std::string& what, const std::string& repair, Reading& reading) {
  if (node.kind == TomlNode::Kind::text) return node.text;
  reading.diagnostics.add(node.place, what + " must be a text, not " + node.kind_text(), repair);
  return "";
}

std::optional<PointReference> read_point(const TomlNode& node, const std::string& what, Reading& reading) {
  const std::string text = read_text(node, what, "write \"body\" or \"body.point\"", reading);
  if (node.kind != TomlNode::Kind::text) return std::nullopt;
  const std::size_t dot = text.find('.');
  const std::optional<int> body = find_body(text.substr(0, dot), node.place, reading);
  if (!body) return std::nullopt;
  if (dot == std::string::npos) return PointReference{*body, 0, node.place};
  const Body& owner = reading.description.bodies[static_cast<std::size_t>(*body)];
  const auto point = read_point_of(owner, text.substr(dot + 1), node.characters[dot + 1], reading);
  if (!point) return std::nullopt;
  return PointReference{*body, *point, node.place};
}

std::optional<int> read_body(const TomlNode& node, const std::string& what, Reading& reading) {
  const std::string text = read_text(node, what, "write the name of a body, or \"ground\"", reading);
  if (node.kind != TomlNode::Kind::text) return std::nullopt;
  const std::size_t dot = text.find('.');
  const std::optional<int> body = find_body(text.substr(0, dot), node.place, reading);
  if (body && dot != std::string::npos) {
    reading.diagnostics.add(node.place, what + " must be a body, but " + in_quotes(text) + " is a point",
                            "write " + in_quotes(text.substr(0, dot)));
    return std::nullopt;
  }
  return body;
}

std::string read_coordinate_name(const std::string& name, const Place& place, Reading& reading) {
  if (find_coordinate(reading.description, name)) return name;
  const Name* owner = reading.names.find(name.substr(0, name.find('.')));
  if (owner && owner->broken) return "";
  std::vector<std::string> all, own;
  for (const Joint& joint : reading.description.joints)
    for (const JointCoordinate& coordinate : joint.coordinates) {
      all.push_back(coordinate.name);
      if (name.starts_with(joint.name + ".") || name == joint.name) own.push_back(coordinate.name);
    }
  reading.diagnostics.add(place, in_quotes(name) + " is not a coordinate of a joint",
                          suggestion(name, own.empty() ? all : own, "write \"joint.coordinate\", such as \"A.angle\""));
  return "";
}

Start read_start(const TableReader& table, const std::string& key, const std::string& fixed_key,
                 const std::optional<Unit>& unit) {
  const TomlNode::Entry* entry = table.find(key);
  Start start;
  start.value = table.value(key, unit);
  if (!entry) start.value.written = 0;
  start.fixed = !fixed_key.empty() && table.boolean(fixed_key);
  start.place = entry ? entry->place : table.place();
  return start;
}

std::optional<double> read_size(const TableReader& table, const std::string& key, const std::string& name,
                                const std::optional<Unit>& unit, Reading& reading) {
  const std::optional<double> written = table.constant(key, unit);
  if (!written || !unit) return std::nullopt;
  if (*written > 0) return *written * unit->factor;
  reading.diagnostics.add(table.find(key)->place, "the " + key + " of " + in_quotes(name) + " is not positive",
                          "write about how large it becomes");
  return std::nullopt;
}

Nominal read_nominal(const TableReader& table, const std::string& name, const std::optional<Unit>& unit,
                     const std::optional<Unit>& rate_unit, Reading& reading) {
  return {read_size(table, "nominal", name, unit, reading), read_size(table, "rate_nominal", name, rate_unit, reading)};
}

std::optional<CoordinateLimits> read_limits(const TableReader& table, const std::string& name,
                                            const std::optional<Unit>& unit, Reading& reading) {
  const TomlNode::Entry *entry = table.find("limits"), *restitution = table.find("restitution");
  if (!entry) {
    if (restitution)
      reading.diagnostics.add(restitution->place, "'restitution' of " + in_quotes(name) + " has no limits to belong to",
                              "write limits = [lower, upper], or remove it");
    return std::nullopt;
  }
  CoordinateLimits limits;
  limits.place = entry->place;
  limits.restitution = number_expression(0, entry->place);
  if (restitution)
    limits.restitution = read_number(restitution->value, Measure::quantity({}),
                                     contact_force_usage("'restitution' of the limits of " + in_quotes(name)), reading);
  const std::vector<TomlNode>& ends = entry->value.items;
  const auto is_none = [](const TomlNode& end) { return end.kind == TomlNode::Kind::text && end.text == "none"; };
  if (entry->value.kind != TomlNode::Kind::array || ends.size() != 2) {
    reading.diagnostics.add(entry->value.place, "the limits of " + in_quotes(name) + " are not a list of two",
                            "write limits = [lower, upper], with \"none\" for one that is not there");
    return std::nullopt;
  }
  if (is_none(ends[0]) && is_none(ends[1]))
    reading.diagnostics.add(entry->value.place, "the limits of " + in_quotes(name) + " limit nothing",
                            "write a number for one of them, or remove limits");
  const auto end = [&](const TomlNode& node, const char* which) -> std::optional<Value> {
    if (is_none(node)) return std::nullopt;
    return read_number_in(node, unit, parameter_usage(which + (" limit of " + in_quotes(name))), reading);
  };
  limits.lower = end(ends[0], "the lower");
  limits.upper = end(ends[1], "the upper");
  return limits;
}

std::optional<PrescribedMotion> read_prescribed_motion(const TableReader& table, const std::string& name,
                                                       const std::optional<Unit>& unit, Reading& reading) {
  const TomlNode::Entry *motion = table.find("motion"), *rate = table.find("rate"),
                        *acceleration = table.find("acceleration"), *filter = table.find("filter");
  if (!motion) {
    for (const char* key : {"rate", "acceleration", "filter"})
      if (const TomlNode::Entry* entry = table.find(key))
        reading.diagnostics.add(entry->place, in_quotes(key) + " of " + in_quotes(name) + " has no motion to belong to",
                                "write motion = \"…\", or remove it");
    return std::nullopt;
  }
  PrescribedMotion result;
  result.place = motion->place;
  result.value =
      read_number_in(motion->value, unit, prescribed_motion_usage("the motion of " + in_quotes(name)), reading)
          .expression;
  if (filter)
    result.filter = read_number(filter->value, known_unit("s"),
                                parameter_usage("the filter of the motion of " + in_quotes(name)), reading);
  std::optional<Unit> unit_so_far = unit;
  const auto read_derivative = [&](const TomlNode::Entry* entry, const char* what, std::optional<Expression>& target) {
    if (unit_so_far) unit_so_far = per_second(*unit_so_far);
    const Usage usage = prescribed_motion_usage(std::string(what) + " of " + in_quotes(name));
    if (entry) target = read_number_in(entry->value, unit_so_far, usage, reading).expression;
  };
  read_derivative(rate, "the rate", result.rate);
  read_derivative(acceleration, "the acceleration", result.acceleration);
  if (filter && (rate || acceleration))
    reading.diagnostics.add(filter->place, "the motion of " + in_quotes(name) + " has both a filter and derivatives",
                            "keep one of them: a filter makes the derivatives itself");
  else if ((rate != nullptr) != (acceleration != nullptr))
    reading.diagnostics.add((rate ? rate : acceleration)->place,
                            "the motion of " + in_quotes(name) + " has " + (rate ? "a rate" : "an acceleration") +
                                " but no " + (rate ? "acceleration" : "rate"),
                            "give both, or use a filter");
  return result;
}

std::vector<TomlNode::Entry> dotted_entries(const TomlNode& table) {
  std::vector<TomlNode::Entry> result;
  for (const TomlNode::Entry& entry : table.entries) {
    if (entry.value.kind != TomlNode::Kind::table || entry.value.entries.empty()) {
      result.push_back(entry);
      continue;
    }
    for (TomlNode::Entry& inner : dotted_entries(entry.value)) {
      inner.key = entry.key + "." + inner.key;
      result.push_back({inner.key, entry.place, std::move(inner.value)});
    }
  }
  return result;
}

std::optional<double> read_positive(const TableReader& table, const std::string& key, const std::string& what,
                                    bool zero_allowed, Reading& reading) {
  const std::optional<double> found = table.constant(key);
  if (!found || *found > 0 || (zero_allowed && *found == 0)) return found;
  reading.diagnostics.add(table.find(key)->value.place,
                          in_quotes(key) + " of " + what + " is not " +
                              (zero_allowed ? "zero or positive" : "positive"),
                          "write a positive number");
  return std::nullopt;
}

DriftGains read_drift_gains(const TableReader& table, const std::string& what, Reading& reading) {
  const auto place = [&](const char* key) {
    const TomlNode::Entry* found = table.find(key);
    return found ? found->place : Place{};
  };
  return {.first = read_positive(table, "drift_gain_1", what, true, reading),
          .second = read_positive(table, "drift_gain_0", what, true, reading),
          .first_place = place("drift_gain_1"),
          .second_place = place("drift_gain_0")};
}

Expression read_condition(const TomlNode& node, const std::string& what, const std::string& repair, Reading& reading) {
  const Expression never = number_expression(0, node.place);
  const std::string text = read_text(node, what, repair, reading);
  if (node.kind != TomlNode::Kind::text) return never;
  const std::string front = "if(", back = ", 1, 0)";
  std::vector<Place> places(front.size(), node.characters.front());
  places.insert(places.end(), node.characters.begin(), node.characters.end());
  places.insert(places.end(), back.size(), node.characters.back());
  const std::optional<Expression> choice = parse_expression(front + text + back, places, reading.diagnostics);
  if (!choice) return never;
  reading.wanted.push_back({{choice->arguments[0]}, contact_force_usage(what), Measure{}});
  return choice->arguments[0];
}

}  // namespace mechfmu
