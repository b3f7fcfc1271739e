// Writes the text of a random mechanism.
#include <algorithm>
#include <numeric>

#include "elements/contacts/surface_shape.hpp"
#include "elements/forces/force_type.hpp"
#include "modelDescription/reading/asked_outputs.hpp"
#include "random.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

std::string number(double value) { return written(value); }

class Writing {
 public:
  Writing(const RandomMechanism& mechanism, const Form& form) : m_(mechanism), form_(form) {}

  std::string write() {
    line("[mechanism]");
    line("name = \"Random\"");
    line(std::string("dimension = \"") + (m_.spatial ? "spatial" : "planar") + "\"");
    line("gravity = " + vector(form_.turn * m_.gravity));
    if (form_.absolute) line("coordinates = \"absolute\"");
    line("[parameters]");
    line("metre = { value = 1, unit = \"m\" }");
    line("second = { value = 1, unit = \"s\" }");
    line("newton = { value = 1, unit = \"N\" }");
    line("omega = { value = 3, unit = \"rad/s\" }");
    line("bump = { value = " + number(-0.15) + ", unit = \"1/m\" }");
    line("[inputs]");
    line("push = { unit = \"N\", start = 0.7 }");
    gather_points();
    Chance order(form_.shuffled);
    const auto each = [&](const auto& items, std::size_t first, const auto& write) {
      std::vector<std::size_t> indices(items.size() - first);
      std::iota(indices.begin(), indices.end(), first);
      if (form_.shuffled) order.shuffle(indices);
      for (const std::size_t i : indices) write(items[i], static_cast<int>(i));
    };
    if (!points_[0].empty()) {
      line("[ground.points]");
      text_ += points_[0];
    }
    each(m_.bodies, 1, [&](const RandomBody& body, int i) { write_body(body, i); });
    each(m_.joints, 0, [&](const RandomJoint& joint, int) { write_joint(joint); });
    each(m_.forces, 0, [&](const RandomForce& force, int) { write_force(force); });
    each(m_.couplings, 0, [&](const RandomCoupling& coupling, int) { write_coupling(coupling); });
    each(m_.sensors, 0, [&](const RandomSensor& sensor, int) {
      line("[sensors." + sensor.name + "]");
      line("from = " + reference(sensor.from, sensor.name + "_from"));
      line("to = " + reference(sensor.to, sensor.name + "_to"));
      line("axes = \"" + m_.bodies[static_cast<std::size_t>(sensor.to.body)].name + "\"");
    });
    for (const RandomConstraint& constraint : m_.constraints) write_constraint(constraint);
    for (const RandomQuantity& quantity : m_.quantities) {
      line("[" + quantity.section + "." + quantity.name + "]");
      text_ += quantity.text;
    }
    each(m_.contacts, 0, [&](const RandomContact& contact, int) { write_contact(contact); });
    for (const FormulaContact& contact : m_.formula_contacts) {
      line("[contacts." + contact.name + "]");
      line("gap = \"" + contact.text + "\"");
      line("restitution = " + number(contact.open.restitution));
    }
    line("[functions]");
    line("hill = { of = [\"x\"], value = \"bump*x^2\" }");
    line("[outputs]");
    for (std::size_t i = 1; i < m_.bodies.size(); ++i) {
      const std::string& body = m_.bodies[i].name;
      for (const AskedOutput& asked : asked_outputs()) {
        if ((m_.spatial ? asked.spatial : asked.planar).empty()) continue;
        line(body + "_" + asked.key + " = { " + asked.key + " = \"" + body + (asked.of_point ? ".C" : "") + "\" }");
      }
    }
    return text_;
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  std::string vector(const Vector3d& v) const {
    return "[" + number(v.x()) + ", " + number(v.y()) + (m_.spatial ? ", " + number(v.z()) : "") + "]";
  }

  std::string rotation(const Matrix3d& R) const {
    if (!m_.spatial) return number(std::atan2(R(1, 0), R(0, 0)));
    const Eigen::Quaterniond q(R);
    return "{ quaternion = [" + number(q.w()) + ", " + number(q.x()) + ", " + number(q.y()) + ", " + number(q.z()) +
           "] }";
  }

  /// The ground's sites are turned and shifted with the world.
  Site placed(Site site) const {
    if (site.body > 0) return site;
    site.at = form_.turn * site.at + form_.shift;
    site.frame = form_.turn * site.frame;
    return site;
  }

  std::string reference(const Site& site, const std::string& point) const {
    return "\"" + m_.bodies[static_cast<std::size_t>(site.body)].name + "." + point + "\"";
  }

  void add_point(const Site& site, const std::string& name, bool framed) {
    const Site at = placed(site);
    points_[static_cast<std::size_t>(site.body)] +=
        name + " = " +
        (framed ? "{ at = " + vector(at.at) + ", rotation = " + rotation(at.frame) + " }" : vector(at.at)) + "\n";
  }

  void add_surface(const RandomSurface& surface, const std::string& name) {
    add_point(surface.at, name, true);
    for (std::size_t i = 0; i < surface.points.size(); ++i)
      add_point(surface.points[i], name + "_" + std::to_string(i), false);
  }

  void gather_points() {
    points_.assign(m_.bodies.size(), "");
    for (std::size_t i = 1; i < m_.bodies.size(); ++i) points_[i] = "C = " + vector(m_.bodies[i].center) + "\n";
    for (const RandomJoint& joint : m_.joints) {
      const bool of_ground = joint.parent.body == 0 || joint.child.body == 0;
      const bool framed = joint.framed || (of_ground && !form_.turn.isIdentity(0));
      add_point(joint.parent, joint.name + "_parent", framed);
      add_point(joint.child, joint.name + "_child", framed);
    }
    for (const RandomForce& force : m_.forces) {
      const Acts acts = find_force_type(force.type)->acts;
      if (acts == Acts::on_coordinate || acts == Acts::on_body) continue;
      add_point(force.from, force.name + "_from", false);
      if (acts == Acts::along_line) add_point(force.to, force.name + "_to", false);
    }
    for (const RandomContact& contact : m_.contacts) {
      add_surface(contact.first, contact.name + "_first");
      add_surface(contact.second, contact.name + "_second");
    }
    for (const RandomSensor& sensor : m_.sensors) {
      add_point(sensor.from, sensor.name + "_from", false);
      add_point(sensor.to, sensor.name + "_to", false);
    }
  }

  void write_body(const RandomBody& body, int index) {
    line("[bodies." + body.name + "]");
    if (body.mass > 0) {
      const Matrix3d& I = body.inertia;
      line("mass = " + number(body.mass));
      line("center_of_mass = " + vector(body.center));
      line("inertia = " + (m_.spatial ? "[" + number(I(0, 0)) + ", " + number(I(1, 1)) + ", " + number(I(2, 2)) + ", " +
                                            number(I(0, 1)) + ", " + number(I(0, 2)) + ", " + number(I(1, 2)) + "]"
                                      : number(I(2, 2))));
    }
    if (!body.R.isIdentity(0)) line("rotation = " + rotation(body.R));
    line("[bodies." + body.name + ".points]");
    text_ += points_[static_cast<std::size_t>(index)];
  }

  void write_joint(const RandomJoint& joint) {
    line("[joints." + joint.name + "]");
    line("type = \"" + joint.type + "\"");
    line("parent = " + reference(joint.parent, joint.name + "_parent"));
    line("child = " + reference(joint.child, joint.name + "_child"));
    if (joint.cut) line("cut = true");
    if (joint.type == "universal") line("axes = [" + vector(joint.axes[0]) + ", " + vector(joint.axes[1]) + "]");
    else if (!joint.axes.empty()) line("axis = " + vector(joint.axes[0]));
    if (joint.type == "rolling" && m_.spatial) {
      line("normal = " + vector(joint.normal));
      if (joint.side_slip) line("side_slip = true");
    }
    for (const auto& [key, value] : joint.numbers)
      line(key + " = " +
           (!joint.length_driven ? number(value)
                                 : "{ motion = \"metre*(" + number(value) + " + 0.02*sin(omega*time))\" }"));
    if (!joint.rotation.isIdentity(0)) line("rotation = " + rotation(joint.rotation));
    for (const RandomCoordinate& c : joint.coordinates) {
      const std::string key = c.name.substr(c.name.find('.') + 1);
      std::vector<std::string> keys;
      if (!c.motion.empty()) keys.push_back("motion = \"" + c.motion + "\"");
      else if (!joint.closes)
        keys.push_back("start = " + number(c.start) + ", rate_start = " + number(c.rate) +
                       (c.fixed ? ", fixed = true, rate_fixed = true" : ""));
      if (c.lower || c.upper) {
        const auto end = [](const std::optional<double>& limit) { return limit ? number(*limit) : "\"none\""; };
        keys.push_back(
            "limits = [" + end(c.lower) + ", " + end(c.upper) + "], restitution = " + number(c.limit.restitution));
      }
      std::string all;
      for (const std::string& one : keys) all += (all.empty() ? "" : ", ") + one;
      if (!all.empty()) line(key + " = { " + all + " }");
    }
    if (!joint.orientation || joint.closes) return;
    line("orientation = { start = " + rotation(rotated_by(joint.turn)) + " }");
    line("angular_velocity = { start = " + vector(joint.turn_rate) + " }");
  }

  void write_force(const RandomForce& force) {
    line("[forces." + force.name + "]");
    line("type = \"" + force.type + "\"");
    const auto part = [&](double factor) { return "\"" + number(factor) + "*" + force.value + "\""; };
    const Vector3d direction = force.frame == 0 ? Vector3d(form_.turn * force.direction) : force.direction;
    const std::string components =
        "[" + part(direction.x()) + ", " + part(direction.y()) + (m_.spatial ? ", " + part(direction.z()) : "") + "]";
    const std::string frame = "frame = \"" + m_.bodies[static_cast<std::size_t>(force.frame)].name + "\"";
    const Acts acts = find_force_type(force.type)->acts;
    switch (acts) {
      case Acts::at_point: line("at = " + reference(force.from, force.name + "_from")); break;
      case Acts::on_body: line("on = \"" + m_.bodies[static_cast<std::size_t>(force.from.body)].name + "\""); break;
      case Acts::along_line:
        line("from = " + reference(force.from, force.name + "_from"));
        line("to = " + reference(force.to, force.name + "_to"));
        break;
      case Acts::on_coordinate: line("coordinate = \"" + force.coordinate + "\""); break;
    }
    const bool vector = acts == Acts::at_point || (acts == Acts::on_body && m_.spatial);
    if (!force.value.empty())
      line("value = " + (vector                  ? components
                         : acts == Acts::on_body ? part(force.direction.z())
                                                 : "\"" + force.value + "\""));
    if (vector) line(frame);
    for (const auto& [key, value] : force.numbers) line(key + " = " + number(value));
    for (const auto& [key, value] : force.vectors)
      line(key + " = " + this->vector(force.frame == 0 ? Vector3d(form_.turn * value) : value));
  }

  void write_coupling(const RandomCoupling& coupling) {
    line("[couplings." + coupling.name + "]");
    line("type = \"" + coupling.type + "\"");
    if (coupling.type == "linear") {
      line("sum = { " + coupling.first + " = 1, " + coupling.second + " = " + number(coupling.numbers.at("factor")) +
           " }");
      return;
    }
    line("first = \"" + coupling.first + "\"");
    line("second = \"" + coupling.second + "\"");
    for (const auto& [key, value] : coupling.numbers) line(key + " = " + number(value));
    for (const auto& [key, value] : coupling.formulas) line(key + " = \"" + value + "\"");
  }

  void write_constraint(const RandomConstraint& constraint) {
    line("[constraints." + constraint.name + "]");
    line(constraint.level + " = \"" + constraint.formula + "\"");
    if (constraint.ideal) return;
    std::string controls;
    for (const auto& [coordinate, part] : constraint.acts)
      controls += (controls.empty() ? "" : ", ") + coordinate + " = " + number(part);
    line("realised_by = { " + controls + " }");
  }

  void write_contact(const RandomContact& contact) {
    line("[contacts." + contact.name + "]");
    line("first = " + surface(contact.first, contact.name + "_first"));
    line("second = " + surface(contact.second, contact.name + "_second"));
    for (const auto& [key, value] : contact.numbers) line(key + " = " + number(value));
  }

  std::string surface(const RandomSurface& s, const std::string& name) const {
    std::string points, shape;
    for (std::size_t i = 0; i < s.points.size(); ++i)
      points += (i > 0 ? ", \"" : "\"") + name + "_" + std::to_string(i) + "\"";
    const auto sizes = [&] {
      std::string list;
      for (const double size : s.sizes) list += (list.empty() ? "" : ", ") + number(size);
      return list;
    };
    switch (find_surface_shape(s.shape)->value) {
      case SurfaceValue::point: shape = points; break;
      case SurfaceValue::length: shape = sizes(); break;
      case SurfaceValue::lengths:
      case SurfaceValue::radius_and_length: shape = "[" + sizes() + "]"; break;
      case SurfaceValue::radius_and_points: shape = "[" + sizes() + ", " + points + "]"; break;
      case SurfaceValue::points: shape = "[" + points + "]"; break;
      case SurfaceValue::direction: shape = vector(s.direction); break;
      case SurfaceValue::function: shape = "\"hill\""; break;
    }
    const SurfaceShape& kind = *find_surface_shape(s.shape);
    return "{ body = \"" + m_.bodies[static_cast<std::size_t>(s.at.body)].name + "\", " + s.shape + " = " + shape +
           (kind.placed_by_points() ? "" : ", at = \"" + name + "\"") +
           (kind.has_axis ? ", axis = " + vector(s.direction) : "") + " }";
  }

  const RandomMechanism& m_;
  const Form& form_;
  std::string text_;
  std::vector<std::string> points_;  ///< has the points of each body
};

}  // namespace

std::string text_of(const RandomMechanism& mechanism, const Form& form) { return Writing(mechanism, form).write(); }

}  // namespace mechfmu::testing
