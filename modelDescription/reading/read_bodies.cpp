// Reads the sections on bodies and the ground.
#include <algorithm>

#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

BodyPoint origin(const Place& place, const Reading& reading) { return {"O", place, zero_vector(place, reading), {}}; }

/// Reads [bodies.X.points]: B = [x, y], or a point with a frame, B = { at = [x, y], rotation = … }.
void read_points(const TomlNode::Entry& entry, Body& body, const std::string& what, Reading& reading) {
  const Unit metre = known_unit("m");
  for (const TomlNode::Entry& item : entry.value.entries) {
    const std::string name = "the point " + in_quotes(item.key) + " of " + what;
    if (item.key == "O") {
      reading.diagnostics.add(item.place, "'O' is always the origin of " + what, "choose another name for this point");
      continue;
    }
    check_identifier(item.key, item.place, reading.diagnostics);
    BodyPoint point{item.key, item.place, zero_vector(item.place, reading), {}};
    if (item.value.kind == TomlNode::Kind::table) {
      const TableReader table(item.value, item.place, name, {"at", "rotation"}, reading.diagnostics);
      if (const TomlNode::Entry* at = table.find("at"))
        point.at = read_vector(at->value, metre, parameter_usage(name), reading);
      if (const TomlNode::Entry* rotation = table.find("rotation"))
        point.rotation = read_rotation(rotation->value, "the rotation of " + name, reading);
    } else {
      point.at = read_vector(item.value, metre, parameter_usage(name), reading);
    }
    body.points.push_back(std::move(point));
  }
}

/// Reads line = ["O", "B", …].
Shape read_line(const TomlNode& node, const Body& body, const std::string& what, Reading& reading) {
  Shape shape;
  shape.kind = Shape::Kind::line;
  shape.place = node.place;
  const auto is_text = [](const TomlNode& item) { return item.kind == TomlNode::Kind::text; };
  if (node.kind != TomlNode::Kind::array || node.items.size() < 2 ||
      !std::all_of(node.items.begin(), node.items.end(), is_text)) {
    reading.diagnostics.add(node.place, "'line' of " + what + " is not a list of two points or more",
                            "write line = [\"O\", \"" + (body.points.size() > 1 ? body.points[1].name : "B") + "\"]");
    return shape;
  }
  for (const TomlNode& item : node.items)
    if (read_point_of(body, item.text, item.place, reading)) shape.points.push_back(item.text);
  return shape;
}

Shape read_shape(const TomlNode::Entry& entry, const std::string& what, Reading& reading) {
  struct Form {
    const char* key;
    Shape::Kind kind;
    std::size_t sizes;
    const char* example;
  };
  constexpr Form forms[] = {{"box", Shape::Kind::box, 3, "box = [x, y, z]"},
                            {"cylinder", Shape::Kind::cylinder, 2, "cylinder = [radius, length]"},
                            {"sphere", Shape::Kind::sphere, 1, "sphere = radius"},
                            {"mesh", Shape::Kind::mesh, 0, "mesh = \"x.stl\""}};
  const std::string name = "the shape of " + what;
  const TableReader table(entry.value, entry.place, name, {"box", "cylinder", "sphere", "mesh", "at", "rotation"},
                          reading.diagnostics);
  Shape shape;
  shape.place = entry.place;
  shape.at = zero_vector(entry.place, reading);
  const Unit metre = known_unit("m");
  int given = 0;
  for (const Form& form : forms) {
    const TomlNode::Entry* found = table.find(form.key);
    if (!found) continue;
    ++given;
    shape.kind = form.kind;
    const Usage usage = parameter_usage(in_quotes(form.key) + " of " + name);
    if (form.kind == Shape::Kind::mesh) shape.file = table.text("mesh");
    else if (form.kind == Shape::Kind::sphere) shape.sizes = {read_number(found->value, metre, usage, reading)};
    else shape.sizes = read_numbers(found->value, form.sizes, Measure::of(metre), usage, form.example, reading);
  }
  if (given != 1 && entry.value.kind == TomlNode::Kind::table)
    reading.diagnostics.add(entry.place, name + (given ? " is more than one" : " is none"),
                            "write one of box = [x, y, z], cylinder = [radius, length], sphere = radius and mesh = "
                            "\"x.stl\"");
  if (const TomlNode::Entry* at = table.find("at"))
    shape.at = read_vector(at->value, metre, parameter_usage("'at' of " + name), reading);
  if (const TomlNode::Entry* rotation = table.find("rotation"))
    shape.rotation = read_rotation(rotation->value, "the rotation of " + name, reading);
  return shape;
}

/// Reads one number in the plane; in space it reads three on the diagonal, or six, xx, yy, zz, xy, xz, yz.
void read_inertia(const TomlNode::Entry* entry, Body& body, const std::string& what, Reading& reading) {
  const bool spatial = reading.description.spatial;
  body.inertia_place = entry ? entry->value.place : body.place;
  body.inertia.assign(spatial ? 6 : 1, number_expression(0, body.inertia_place));
  if (!entry) return;
  const TomlNode& node = entry->value;
  const Usage usage = parameter_usage("the inertia of " + what);
  const Unit unit = known_unit("kg.m2");
  if (!spatial) {
    if (node.kind == TomlNode::Kind::array)
      reading.diagnostics.add(node.place, usage.what + " must be one number in the plane, not a list",
                              "write the moment of inertia about the mass centre");
    else body.inertia = {read_number(node, unit, usage, reading)};
    return;
  }
  const std::size_t count = node.kind == TomlNode::Kind::array && node.items.size() == 6 ? 6 : 3;
  std::vector<Expression> numbers =
      read_numbers(node, count, Measure::of(unit), usage, "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]", reading);
  std::move(numbers.begin(), numbers.end(), body.inertia.begin());
}

Body read_body(const TomlNode::Entry& entry, Reading& reading) {
  const std::string what = "the body " + in_quotes(entry.key);
  const TableReader table(entry.value, entry.place, what,
                          {"mass", "center_of_mass", "inertia", "allow_negative", "rotor", "rotation", "points", "line",
                           "shape", "description"},
                          reading.diagnostics);
  Body body;
  body.name = entry.key;
  body.place = entry.place;
  body.description = table.text("description");
  body.mass = number_expression(0, entry.place);
  if (const TomlNode::Entry* mass = table.find("mass"))
    body.mass = read_number(mass->value, known_unit("kg"), parameter_usage("the mass of " + what), reading);
  body.center_of_mass = zero_vector(entry.place, reading);
  if (const TomlNode::Entry* center = table.find("center_of_mass"))
    body.center_of_mass =
        read_vector(center->value, known_unit("m"), parameter_usage("center_of_mass of " + what), reading);
  read_inertia(table.find("inertia"), body, what, reading);
  body.allow_negative = table.boolean("allow_negative");
  body.rotor = table.boolean("rotor");
  if (const TomlNode::Entry* rotation = table.find("rotation"))
    body.rotation = read_rotation(rotation->value, "the rotation of " + what, reading);
  body.points.push_back(origin(entry.place, reading));
  if (const TomlNode::Entry* points = table.table("points")) read_points(*points, body, what, reading);
  if (const TomlNode::Entry* shape = table.table("shape")) body.shape = read_shape(*shape, what, reading);
  if (const TomlNode::Entry* line = table.find("line")) {
    if (table.find("shape"))
      reading.diagnostics.add(line->place, what + " has both a line and a shape", "keep one of them");
    body.shape = read_line(line->value, body, what, reading);
  }
  return body;
}

}  // namespace

void read_bodies(const TomlNode::Entry& section, Reading& reading) {
  std::vector<Body>& bodies = reading.description.bodies;
  for (const TomlNode::Entry& entry : section.value.entries) {
    const std::size_t errors = reading.diagnostics.size(), index = bodies.size();
    if (entry.key == bodies.front().name) {
      const Body meant = read_body(entry, reading);  // Its points are known, so that their uses are not errors as well.
      bodies.front().points.insert(bodies.front().points.end(), meant.points.begin() + 1, meant.points.end());
      reading.diagnostics.add(entry.place, "'ground' is there without being declared: the body that does not move",
                              "write its points below [ground.points]");
      continue;
    }
    bodies.push_back(read_body(entry, reading));
    Name name{NameKind::body, index, entry.place, Measure{}};
    name.broken = reading.diagnostics.size() > errors;
    reading.names.declare(entry.key, name);
  }
  if (section.value.entries.empty())
    reading.diagnostics.add(section.place, "a mechanism needs a body",
                            "write for example [bodies.crank] and below it mass = 1");
}

void add_ground(const Place& place, Reading& reading) {
  Body ground;
  ground.name = "ground";
  ground.place = ground.inertia_place = place;
  ground.mass = number_expression(0, place);
  ground.center_of_mass = zero_vector(place, reading);
  ground.inertia.assign(reading.description.spatial ? 6 : 1, number_expression(0, place));
  ground.points.push_back(origin(place, reading));
  reading.description.bodies.push_back(std::move(ground));
}

void read_ground(const TomlNode::Entry& section, Reading& reading) {
  const TableReader table(section.value, section.place, "[ground]", {"points"}, reading.diagnostics);
  if (const TomlNode::Entry* points = table.table("points"))
    read_points(*points, reading.description.bodies.front(), "the ground", reading);
}

}  // namespace mechfmu
