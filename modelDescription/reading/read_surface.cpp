// Reads a surface by the keys of its shape.
#include "read_surface.hpp"

#include <algorithm>

#include "elements/contacts/surface_shape.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

std::vector<std::string> shape_names(bool spatial) {
  std::vector<std::string> names;
  for (const SurfaceShape& shape : surface_shapes())
    if (shape.is_in(spatial)) names.push_back(shape.name);
  return names;
}

std::vector<std::string> keys_of_surfaces() {
  std::vector<std::string> keys = {"body", "at", "axis"};
  for (const SurfaceShape& shape : surface_shapes()) keys.push_back(shape.name);
  return keys;
}

class SurfaceReader {
 public:
  SurfaceReader(const TomlNode::Entry& entry, const std::string& what, Reading& reading)
      : entry_(entry), what_(what), reading_(reading), spatial_(reading.description.spatial),
        table_(entry.value, entry.place, what, keys_of_surfaces(), reading.diagnostics) {}

  std::optional<Surface> read() {
    if (entry_.value.kind != TomlNode::Kind::table) return std::nullopt;
    const std::size_t errors = reading_.diagnostics.size();
    const SurfaceShape* shape = read_shape();
    surface_.place = entry_.place;
    surface_.at.place = entry_.place;
    if (const TomlNode::Entry* body = table_.find("body"))
      body_ = read_body(body->value, "'body' of " + what_, reading_);
    else error(entry_.place, " has no body", "write body = the name of one, or \"ground\"");
    surface_.at.body = body_.value_or(0);
    if (!shape) return std::nullopt;
    surface_.shape = shape->name;
    read_place(*shape);
    read_value_of(*shape, table_.find(shape->name)->value);
    read_axis_of(*shape);
    if (reading_.diagnostics.size() > errors) return std::nullopt;
    return surface_;
  }

 private:
  void error(const Place& place, const std::string& problem, const std::string& repair) {
    reading_.diagnostics.add(place, what_ + problem, repair);
  }

  /// Returns the one shape that the table names, or null with an error.
  const SurfaceShape* read_shape() {
    std::vector<const SurfaceShape*> given;
    for (const SurfaceShape& shape : surface_shapes())
      if (table_.find(shape.name)) given.push_back(&shape);
    const std::string names = listed(shape_names(spatial_));
    if (given.empty()) {
      error(entry_.place, " has no shape",
            "its key is one of " + names + ", such as " + (spatial_ ? "sphere = 0.1" : "circle = 0.1"));
      return nullptr;
    }
    if (given.size() > 1) {
      error(table_.find(given[1]->name)->place,
            " is both a " + std::string(given[0]->name) + " and a " + given[1]->name, "keep one of them");
      return nullptr;
    }
    if (!given[0]->is_in(spatial_)) {
      const std::string where = spatial_ ? "in space" : "in the plane";
      error(table_.find(given[0]->name)->place, " is a " + std::string(given[0]->name) + ", which is no shape " + where,
            "shapes " + where + " are " + names);
      return nullptr;
    }
    return given[0];
  }

  const Body& body() const { return reading_.description.bodies[static_cast<std::size_t>(*body_)]; }

  void read_place(const SurfaceShape& shape) {
    const TomlNode::Entry* at = table_.find("at");
    if (at && shape.placed_by_points())
      error(at->place, " has both at and " + std::string(shape.name) + ", whose points say where it is", "remove at");
    else if (at) read_point_name(at->value, "'at' of " + what_, surface_.at);
  }

  void read_value_of(const SurfaceShape& shape, const TomlNode& node) {
    surface_.value_place = node.place;
    const std::string what = in_quotes(shape.name) + " of " + what_;
    const Usage usage = parameter_usage(what);
    const Measure length = Measure::quantity(known_unit("m").dimension);
    const std::size_t space = spatial_ ? 3 : 2;
    const std::string components = spatial_ ? "[x, y, z]" : "[x, y]";
    switch (shape.value) {
      case SurfaceValue::point: read_point_name(node, what, surface_.at); break;
      case SurfaceValue::length: surface_.sizes = {read_number(node, length, usage, reading_)}; break;
      case SurfaceValue::lengths:
        surface_.sizes = read_numbers(node, space, length, usage, shape.name + (" = " + components), reading_);
        break;
      case SurfaceValue::radius_and_length:
        surface_.sizes = read_numbers(node, 2, length, usage, shape.example, reading_);
        break;
      case SurfaceValue::direction:
        surface_.direction = {read_numbers(node, space, Measure{}, usage, shape.name + (" = " + components), reading_),
                              node.place};
        break;
      case SurfaceValue::radius_and_points:
        if (!is_list(node, 3, 3, shape, what)) break;
        surface_.sizes = {read_number(node.items[0], length, usage, reading_)};
        read_points(node, 1, what);
        break;
      case SurfaceValue::points:
        if (is_list(node, 3, node.items.size(), shape, what)) read_points(node, 0, what);
        break;
      case SurfaceValue::function:
        surface_.function = read_text(node, what, "write the name of a function, in quotes", reading_);
        break;
    }
  }

  bool is_list(const TomlNode& node, std::size_t least, std::size_t most, const SurfaceShape& shape,
               const std::string& what) {
    const bool list = node.kind == TomlNode::Kind::array;
    if (list && node.items.size() >= least && node.items.size() <= most) return true;
    const std::string found =
        list ? " has " + std::to_string(node.items.size()) + " entries" : " is " + std::string(node.kind_text());
    reading_.diagnostics.add(node.place, what + found, std::string("write ") + shape.example);
    return false;
  }

  /// Reads the names of different points of the body.
  void read_points(const TomlNode& list, std::size_t first, const std::string& what) {
    for (std::size_t i = first; i < list.items.size(); ++i) {
      PointReference point{body_.value_or(0), 0, list.items[i].place};
      read_point_name(list.items[i], "a point of " + what, point);
      const auto same = [&](const PointReference& other) { return other.point == point.point; };
      if (body_ && std::any_of(surface_.points.begin(), surface_.points.end(), same))
        reading_.diagnostics.add(list.items[i].place,
                                 what + " has the point " + in_quotes(list.items[i].text) + " twice",
                                 "name different points");
      surface_.points.push_back(point);
    }
  }

  void read_point_name(const TomlNode& node, const std::string& what, PointReference& point) {
    const std::string name = read_text(node, what, "write the name of a point of the body, in quotes", reading_);
    if (node.kind != TomlNode::Kind::text || !body_) return;
    point.place = node.place;
    point.point = read_point_of(body(), name, node.place, reading_).value_or(0);
  }

  void read_axis_of(const SurfaceShape& shape) {
    const TomlNode::Entry* axis = table_.find("axis");
    if (axis && !shape.has_axis)
      error(axis->place, " has an axis, but a " + std::string(shape.name) + " has none", "remove it");
    if (!shape.has_axis) return;
    const Place& place = axis ? axis->value.place : entry_.place;
    surface_.direction = {{number_expression(0, place), number_expression(0, place), number_expression(1, place)},
                          place};
    if (axis)
      surface_.direction.components =
          read_numbers(axis->value, 3, Measure{}, parameter_usage("'axis' of " + what_), "axis = [x, y, z]", reading_);
  }

  const TomlNode::Entry& entry_;
  const std::string what_;
  Reading& reading_;
  const bool spatial_;
  const TableReader table_;
  std::optional<int> body_;
  Surface surface_;
};

}  // namespace

std::optional<Surface> read_surface(const TomlNode::Entry& entry, const std::string& what, Reading& reading) {
  return SurfaceReader(entry, what, reading).read();
}

void check_surfaces(const Surface& first, const Surface& second, const std::string& contact, Reading& reading) {
  const SurfaceShape &a = *find_surface_shape(first.shape), &b = *find_surface_shape(second.shape);
  if (first.at.body == second.at.body) {
    const std::string& body = reading.description.bodies[static_cast<std::size_t>(first.at.body)].name;
    reading.diagnostics.add(second.place,
                            contact + (first.at.body == 0 ? " is between two surfaces of the ground"
                                                          : " is between two surfaces of the body " + in_quotes(body)),
                            "name surfaces of two bodies");
  }
  if (pairing_of(a, b)) return;
  const std::vector<std::string> possible = shapes_touching(a, reading.description.spatial);
  reading.diagnostics.add(second.place,
                          contact + " is between a " + a.name + " and a " + b.name + ", for which there is no pair",
                          "a " + std::string(a.name) + " touches " +
                              (possible.empty() ? std::string("nothing") : "one of " + listed(possible)) +
                              "; let points or round shapes stand for one of them");
}

}  // namespace mechfmu
