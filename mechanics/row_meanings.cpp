// Says what messages tell about a joint's equations that stay open.
#include "row_meanings.hpp"

#include <utility>

#include "elements/couplings/coupling_type.hpp"
#include "elements/quantities.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

void replace(std::string& text, const std::string& placeholder, const std::string& by) {
  for (std::size_t at; (at = text.find(placeholder)) != std::string::npos;) text.replace(at, placeholder.size(), by);
}

/// Returns a joint's point on the body.
const PointReference& end_at(const Joint& joint, int body) {
  return joint.parent.body == body ? joint.parent : joint.child;
}

}  // namespace

RowMeanings::RowMeanings(const Description& description, const Kinematics& kinematics)
    : d_(description), kinematics_(kinematics), tree_(spanning_tree(description)),
      length_(own_length_unit(description)), angle_(own_angle_unit(description)) {}

const std::string& RowMeanings::body(int index) const { return d_.bodies[static_cast<std::size_t>(index)].name; }

std::string RowMeanings::point(const PointReference& reference) const {
  const Body& of = d_.bodies[static_cast<std::size_t>(reference.body)];
  return of.name + "." + of.points[static_cast<std::size_t>(reference.point)].name;
}

/// Returns the bodies of the loop that the joint closes, each with the distance of its points there.
std::vector<std::pair<int, SX>> RowMeanings::links(const MovingJoint& joint) const {
  const auto index = static_cast<int>(&joint - kinematics_.joints.data());
  if (!tree_.is_cut(index)) return {};
  const auto branch = [&](int body) -> const Branch& { return tree_.branches[static_cast<std::size_t>(body)]; };
  // They hold the joints from each end of the cut up to the body at which the ways meet.
  std::vector<int> from_parent{index}, from_child{index};
  int a = joint.joint->parent.body, b = joint.joint->child.body;
  std::vector<int> bodies_a{a}, bodies_b{b};
  while (a != b) {
    const bool of_a = branch(a).depth >= branch(b).depth;
    int& body = of_a ? a : b;
    if (branch(body).from < 0 || branch(body).joint < 0) return {};  // No joint carries it, and it moves freely.
    (of_a ? from_parent : from_child).push_back(branch(body).joint);
    body = branch(body).from;
    (of_a ? bodies_a : bodies_b).push_back(body);
  }
  bodies_a.insert(bodies_a.end(), bodies_b.rbegin() + 1, bodies_b.rend());
  from_parent.insert(from_parent.end(), from_child.rbegin(), from_child.rend());
  std::vector<std::pair<int, SX>> result;
  for (std::size_t i = 0; i < bodies_a.size(); ++i) {
    const auto joint_at = [&](std::size_t k) -> const Joint& {
      return d_.joints[static_cast<std::size_t>(from_parent[k])];
    };
    const PointReference in = end_at(joint_at(i), bodies_a[i]), out = end_at(joint_at(i + 1), bodies_a[i]);
    const auto at = [&](const PointReference& reference) {
      return kinematics_.vector(
          d_.bodies[static_cast<std::size_t>(reference.body)].points[static_cast<std::size_t>(reference.point)].at);
    };
    const SX length = SX::norm_2(at(in) - at(out));
    if (in.point != out.point && !length.is_zero()) result.emplace_back(bodies_a[i], length);
  }
  return result;
}

bool RowMeanings::room_for(std::size_t lengths) {
  if (length_count_ + lengths > static_cast<std::size_t>(most_told_lengths)) return false;
  length_count_ += lengths;
  return true;
}

RowMeaning RowMeanings::of(const OpenRow& row, const MovingJoint& joint) {
  constexpr std::size_t most_links = 8;
  const auto is = [&](const OpenRow& other) { return std::string(row.text) == other.text; };
  RowMeaning meaning{"at the joint '" + joint.joint->name + "' " + row.text, row.gap, {}};
  replace(meaning.text, "<parent body>", body(joint.joint->parent.body));
  replace(meaning.text, "<child body>", body(joint.joint->child.body));
  replace(meaning.text, "<parent>", point(joint.joint->parent));
  replace(meaning.text, "<child>", point(joint.joint->child));
  if (row.gap == ToldRows::Gap::rod && room_for(1)) {
    meaning.lengths.push_back(joint.geometry.number("length"));
  } else if (row.gap == ToldRows::Gap::rod) {
    return {};
  }
  if (!is(pins_apart) && !is(points_apart)) return meaning;
  const std::vector<std::pair<int, SX>> between = links(joint);
  if (between.empty() || between.size() > most_links || !room_for(between.size())) return meaning;
  std::vector<std::string> names;
  for (const auto& [link, length] : between) {
    names.push_back("# (" + body(link) + ")");
    meaning.lengths.push_back(length);
  }
  meaning.text += "; the links of " + listed(names) + " lie between";
  return meaning;
}

Unit RowMeanings::unit_of(const OpenRow& row, bool rate) const {
  const Unit& unit = row.angle ? angle_ : length_;
  return rate ? per_second(unit) : unit;
}

Unit RowMeanings::unit_of(const Coupling& coupling, Level level) const {
  if (find_coupling_type(coupling.type)->holds == CouplingType::second_coordinate)
    return find_coordinate(d_, coupling.second)->unit;
  const Dimension rate = power(time_dimension(), -1);
  const Dimension dimension = energy_dimension() / coupling.multiplier_unit.dimension;
  return own_unit(d_, level == Level::velocity ? dimension * rate : dimension);
}

}  // namespace mechfmu
