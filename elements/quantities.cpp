// Lists the dotted names of a description.
#include "quantities.hpp"

#include <algorithm>
#include <stdexcept>

#include "contacts/surface_shape.hpp"
#include "elements/joints/joint_type.hpp"
#include "forces/force_type.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

namespace {

using Kind = Quantity::Kind;

class List {
 public:
  explicit List(const Description& description) : description_(description) {}

  std::vector<Quantity> all() {
    for (const Joint& joint : description_.joints) add(joint);
    for (const Force& force : description_.forces) add(force);
    for (const Coupling& coupling : description_.couplings) {
      begin(coupling.name, coupling.description, coupling.place);
      add("coupling." + coupling.name + ".multiplier", "multiplier of ", coupling.multiplier_unit, Kind::result);
    }
    for (const Coordinate& coordinate : description_.coordinates) {
      begin(coordinate.name, coordinate.description, coordinate.place);
      add_limits(coordinate);
    }
    for (const Contact& contact : description_.contacts) add(contact);
    for (const Constraint& constraint : description_.constraints) {
      begin(constraint.name, constraint.description, constraint.place);
      const char* what = constraint.realised_by.empty() ? "multiplier of " : "force that realises ";
      add("constraint." + constraint.name + ".multiplier", what, constraint.multiplier_unit, Kind::result);
      for (const LocalCoordinate& local : constraint.local)
        add("constraint." + constraint.name + ".reaction." + local.name, "reaction along " + local.name + " of ",
            local.reaction_unit, Kind::result);
    }
    for (const Sensor& sensor : description_.sensors) add(sensor);
    for (std::size_t i = 1; i < description_.bodies.size(); ++i) add(description_.bodies[i]);
    energies();
    return std::move(list_);
  }

 private:
  /// Sets the owner of the variables that follow.
  void begin(const std::string& name, const std::string& description, const Place& place) {
    owner_ = name;
    text_ = description;
    place_ = place;
  }

  void add(const std::string& name, const std::string& what, const Unit& unit, Kind kind) {
    list_.push_back({name, what + owner_ + (text_.empty() ? "" : ": " + text_), unit, place_, kind});
  }

  /// Adds `front`.x, .y and in space .z.
  void add_vector(const std::string& front, const std::string& what, const Unit& unit, Kind kind) {
    for (const char* component : {"x", "y", "z"})
      if (description_.spatial || *component != 'z')
        add(front + "." + component, std::string(component) + " of the " + what, unit, kind);
  }

  /// Adds a torque or an angular velocity, which is one number in the plane.
  void add_axial(const std::string& front, const std::string& what, const Unit& unit, Kind kind) {
    if (description_.spatial) add_vector(front, what, unit, kind);
    else add(front, what, unit, kind);
  }

  void add_orientation(const std::string& front, const std::string& what) {
    for (const char* component : {"w", "x", "y", "z"})
      add(front + ".orientation." + component, std::string(component) + " of the " + what, Unit{}, Kind::coordinate);
  }

  void add(const Joint& joint) {
    const JointForm* form = find_joint_form(joint.type, description_.spatial);
    if (!form) return;
    begin(joint.name, joint.description, joint.place);
    for (const JointCoordinate& coordinate : joint.coordinates) {
      place_ = coordinate.place;
      add(coordinate.name, coordinate.name.substr(joint.name.size() + 1) + " of ", coordinate.unit, Kind::coordinate);
    }
    if (joint.orientation) {
      place_ = joint.orientation->place;
      add_orientation(joint.name, "unit quaternion of ");
      place_ = joint.orientation->rate_place;
      add_vector(joint.name + ".angular_velocity", "angular velocity, in the child's frame, of ", radians_per_second_,
                 Kind::rate);
    }
    place_ = joint.place;
    if (form->pulls) {
      add(joint.name + ".tension", "pull in ", newton_, Kind::result);
      if (joint.length_motion) {
        add(joint.name + ".length", "length of ", metre_, Kind::result);
        add(joint.name + ".length.drive", "effort that the motion takes at ", newton_, Kind::result);
      }
    } else {
      add_vector(joint.name + ".reaction.force", "reaction force on the child, in the parent's frame, of ", newton_,
                 Kind::result);
      add_axial(joint.name + ".reaction.torque", "reaction torque on the child, in the parent's frame, of ",
                newton_metre_, Kind::result);
    }
    for (const JointCoordinate& coordinate : joint.coordinates) add_limits(coordinate);
    for (const JointCoordinate& coordinate : joint.coordinates)
      if (coordinate.motion)
        add(coordinate.name + ".drive", "effort that the motion takes at ", force_unit_of(coordinate.unit),
            Kind::result);
  }

  template <class Coordinate>
  void add_limits(const Coordinate& coordinate) {
    if (!coordinate.limits) return;
    add(coordinate.name + ".limit.effort", "effort of limits at ", force_unit_of(coordinate.unit), Kind::result);
  }

  void add(const Contact& contact) {
    begin(contact.name, contact.description, contact.place);
    const Unit gap = si_unit_of(contact.dimension), rate = si_unit_of(contact.dimension / time_dimension()),
               force = si_unit_of(energy_dimension() / contact.dimension);
    const bool rubs = contact.surfaces.empty() ? !contact.slips.empty() : contact.has_friction;
    std::vector<std::string> axes;
    if (rubs) axes = {""};
    if (rubs && (contact.surfaces.empty() ? contact.slips.size() > 1 : description_.spatial)) axes = {".x", ".y"};
    // Forces of several places are added; a gap and a slip belong to one of them.
    const bool one_place = contact.surfaces.empty() || !touches_in_pieces(contact);
    if (one_place) add(contact.name + ".gap", "gap of ", gap, Kind::result);
    add(contact.name + ".normal.force", "force that opens the gap of ", force, Kind::result);
    for (const std::string& axis : axes) {
      if (one_place) add(contact.name + ".slip" + axis, "slip of ", rate, Kind::result);
      add(contact.name + ".friction.force" + axis, "friction of ", force, Kind::result);
    }
  }

  static bool touches_in_pieces(const Contact& contact) {
    const SurfaceShape *first = find_surface_shape(contact.surfaces[0].shape),
                       *second = find_surface_shape(contact.surfaces[1].shape);
    const std::optional<Pairing> pairing = first && second ? pairing_of(*first, *second) : std::nullopt;
    return pairing && pairing->in_pieces;
  }

  void add(const Force& force) {
    const ForceType* type = find_force_type(force.type);
    if (!type) return;
    begin(force.name, force.description, force.place);
    switch (type->acts) {
      case Acts::at_point:
        add_vector(force.name + ".force", "force, in the frame of its value, of ", newton_, Kind::force);
        break;
      case Acts::on_body:
        add_axial(force.name + ".torque", "torque, in the frame of its value, of ", newton_metre_, Kind::force);
        break;
      case Acts::along_line:
        add(force.name + ".length", "distance between the two points of ", metre_, Kind::coordinate);
        add(force.name + ".force", "pull of ", newton_, Kind::force);
        break;
      case Acts::on_coordinate: {
        const JointCoordinate* coordinate = find_coordinate(description_, force.coordinate);
        if (!coordinate) break;
        const Unit unit = force_unit_of(coordinate->unit);
        const bool torque = coordinate->unit.dimension == Dimension{};
        add(force.name + (torque ? ".torque" : ".force"), "effort on the coordinate of ", unit, Kind::force);
        break;
      }
    }
    if (type->normal_force) add(force.name + ".normal_force", "normal force of ", newton_, Kind::force);
    add(force.name + ".power", "power of ", known_unit("W"), Kind::force);
  }

  void add(const Sensor& sensor) {
    begin(sensor.name, sensor.description, sensor.place);
    add_vector(sensor.name, "position measured by ", metre_, Kind::coordinate);
    add(sensor.name + ".distance", "distance measured by ", metre_, Kind::coordinate);
    if (!description_.spatial) {
      add(sensor.name + ".angle", "angle measured by ", radian_, Kind::coordinate);
      return;
    }
    for (const char* angle : {"roll", "pitch", "yaw"})
      add(sensor.name + "." + angle, std::string(angle) + " measured by ", radian_, Kind::coordinate);
    add_orientation(sensor.name, "unit quaternion measured by ");
  }

  void add(const Body& body) {
    begin(body.name, body.description, body.place);
    add_vector(body.name + ".position", "position of the origin of ", metre_, Kind::coordinate);
    add_vector(body.name + ".velocity", "velocity of the origin of ", known_unit("m/s"), Kind::rate);
    if (description_.spatial) add_orientation(body.name, "unit quaternion of ");
    else add(body.name + ".angle", "angle of ", radian_, Kind::coordinate);
    add_axial(body.name + ".angular_velocity", "angular velocity of ", radians_per_second_, Kind::rate);
  }

  void energies() {
    begin("energy", "", description_.place);
    add("energy.kinetic", "kinetic ", known_unit("J"), Kind::result);
    if (description_.bodies.empty() && !description_.dynamics.potential_energy) return;
    add("energy.potential", "potential ", known_unit("J"), Kind::result);
    add("energy.total", "kinetic and potential ", known_unit("J"), Kind::result);
  }

  const Description& description_;
  const Unit metre_ = known_unit("m"), radian_ = known_unit("rad"), radians_per_second_ = known_unit("rad/s"),
             newton_ = known_unit("N"), newton_metre_ = known_unit("N.m");
  std::string owner_, text_;
  Place place_;
  std::vector<Quantity> list_;
};

}  // namespace

const JointCoordinate* find_coordinate(const Description& description, const std::string& name) {
  for (const Joint& joint : description.joints)
    for (const JointCoordinate& coordinate : joint.coordinates)
      if (coordinate.name == name) return &coordinate;
  return nullptr;
}

std::vector<Quantity> quantities(const Description& description) { return List(description).all(); }

Shown shown(const Quantity& quantity) { return {quantity.name, quantity.description, quantity.unit, quantity.place}; }

Shown shown(const std::vector<Quantity>& quantities, const std::string& name) {
  const auto found =
      std::find_if(quantities.begin(), quantities.end(), [&](const auto& each) { return each.name == name; });
  if (found == quantities.end()) throw std::logic_error("no quantity " + name);
  return shown(*found);
}

}  // namespace mechfmu
