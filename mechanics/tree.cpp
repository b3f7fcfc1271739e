// Builds the spanning tree of a mechanism.
#include "tree.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "elements/joints/joint_type.hpp"
#include "modelDescription/formulas/expression.hpp"

namespace mechfmu {

namespace {

/// Holds names with a dot that formulas of the file use: "A.angle".
class UsedNames {
 public:
  explicit UsedNames(const Description& d) {
    for (const Force& force : d.forces) {
      names_.insert(force.coordinate);
      for (const Expression& value : force.value) add(value);
      for (const auto& [key, value] : force.numbers) add(value);
    }
    for (const Coupling& coupling : d.couplings) {
      names_.insert({coupling.first, coupling.second});
      for (const auto& [coordinate, factor] : coupling.terms) names_.insert(coordinate);
    }
    for (const Contact& contact : d.contacts) {
      add(contact.gap);
      for (const Expression& slip : contact.slips) add(slip);
    }
    for (const Joint& joint : d.joints)
      for (const JointCoordinate& coordinate : joint.coordinates)
        if (coordinate.limits) names_.insert(coordinate.name);
    for (const Definition& definition : d.definitions) add(definition.value);
    for (const Constraint& constraint : d.constraints) add(constraint.residual);
    for (const Output& output : d.outputs) add(output.value);
    for (const NamedPlace& chosen : d.solver.independent) names_.insert(chosen.name.substr(0, chosen.name.find('.')));
  }

  /// Is true if the file uses the joint or one of its coordinates. Its reactions and tension alone do not count.
  bool use(const Joint& joint) const {
    if (names_.count(joint.name)) return true;
    return std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                       [&](const JointCoordinate& coordinate) { return names_.count(coordinate.name) > 0; });
  }

 private:
  void add(const Expression& expression) {
    for (const Expression* name : names_used(expression)) names_.insert(name->name);
  }
  std::set<std::string> names_;
};

bool has_fixed_start(const Joint& joint) {
  return (joint.orientation && (joint.orientation->fixed || joint.orientation->rate_fixed)) ||
         std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                     [](const JointCoordinate& each) { return each.start.fixed || each.rate_start.fixed; });
}

bool is_driven(const Joint& joint) {
  return std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                     [](const JointCoordinate& each) { return each.motion.has_value(); });
}

/// Is the branch of a body that no joint carries.
constexpr Branch free_branch{-1, 0, false, 1};

class Growing {
 public:
  Growing(const Description& description, bool heed_cuts)
      : d_(description), heed_cuts_(heed_cuts), parent_(description.bodies.size()) {
    tree_.branches.resize(d_.bodies.size());
    tree_.in_tree.assign(d_.joints.size(), false);
    tree_.why.resize(d_.joints.size());
    reached_.assign(d_.bodies.size(), false);
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  Tree grow() {
    prefer();
    for (std::size_t body = 0; body < reached_.size(); ++body) {
      if (reached_[body]) continue;
      reach(static_cast<int>(body), body == 0 ? Branch{} : free_branch);
      while (const auto edge = next()) pass(*edge);
    }
    explain();
    return std::move(tree_);
  }

 private:
  struct Edge {
    int joint;
    bool reversed;
  };

  void pass(const Edge& edge) {
    const auto& [joint, reversed] = edge;
    const Joint& j = d_.joints[static_cast<std::size_t>(joint)];
    const int from = reversed ? j.child.body : j.parent.body, to = reversed ? j.parent.body : j.child.body;
    tree_.in_tree[static_cast<std::size_t>(joint)] = true;
    reach(to, {joint, from, reversed, tree_.branches[static_cast<std::size_t>(from)].depth + 1});
  }

  const JointForm& form(const Joint& joint) const { return *find_joint_form(joint.type, d_.spatial); }
  bool may_carry(const Joint& joint) const { return !(joint.cut && heed_cuts_) && form(joint).move; }

  /// Puts the preferred joints into the tree, as far as they close no loop among themselves.
  void prefer() {
    const UsedNames used(d_);
    preferred_.assign(d_.joints.size(), false);
    for (std::size_t i = 0; i < d_.joints.size(); ++i) {
      const Joint& joint = d_.joints[i];
      if (!may_carry(joint)) continue;
      const char* reason =
          is_driven(joint)         ? "its motion is prescribed"
          : has_fixed_start(joint) ? "a start value of it is fixed"
          : used.use(joint)        ? "the file uses its coordinates"
                                   : nullptr;
      if (reason == nullptr) continue;
      const int a = root(joint.parent.body), b = root(joint.child.body);
      tree_.why[i] = reason;
      if (a == b) continue;
      parent_[static_cast<std::size_t>(a)] = b;
      preferred_[i] = true;
    }
  }

  int root(int body) {
    while (parent_[static_cast<std::size_t>(body)] != body) body = parent_[static_cast<std::size_t>(body)];
    return body;
  }

  void reach(int body, const Branch& branch) {
    reached_[static_cast<std::size_t>(body)] = true;
    tree_.branches[static_cast<std::size_t>(body)] = branch;
    tree_.order.push_back(body);
  }

  /// Returns the best joint from a body in the tree to one that is not.
  std::optional<Edge> next() const {
    using Key = std::tuple<bool, int, std::size_t, std::size_t>;
    std::optional<Edge> best;
    Key best_key;
    for (std::size_t i = 0; i < d_.joints.size(); ++i) {
      const Joint& joint = d_.joints[i];
      const bool parent = reached_[static_cast<std::size_t>(joint.parent.body)];
      const bool child = reached_[static_cast<std::size_t>(joint.child.body)];
      if (parent == child || !may_carry(joint)) continue;
      const int from = parent ? joint.parent.body : joint.child.body;
      const std::size_t freedoms = form(joint).coordinates.size() + (form(joint).orientation ? 3 : 0);
      const Key key{!preferred_[i], tree_.branches[static_cast<std::size_t>(from)].depth, freedoms, i};
      if (best && !(key < best_key)) continue;
      best = Edge{static_cast<int>(i), !parent};
      best_key = key;
    }
    return best;
  }

  void explain() {
    for (std::size_t i = 0; i < d_.joints.size(); ++i) {
      const Joint& joint = d_.joints[i];
      std::string& why = tree_.why[i];
      if (tree_.in_tree[i]) continue;  // It is reached on the shortest way, or for the reason that prefer() gave.
      if (joint.cut) {
        why = "the file says cut = true";
      } else if (!form(joint).move) {
        why = "a " + joint.type + " joint carries no body";
      } else if (!why.empty()) {
        why = "closes a loop of joints that all should be in the tree (" + why + ")";
      } else {
        why = "closes a loop farthest from the ground";
      }
    }
  }

  const Description& d_;
  const bool heed_cuts_;
  Tree tree_;
  std::vector<int> parent_;
  std::vector<bool> preferred_, reached_;
};

}  // namespace

Tree spanning_tree(const Description& description) { return Growing(description, true).grow(); }

Tree tree_of_all_joints(const Description& description) { return Growing(description, false).grow(); }

Tree absolute_tree(const Description& description) {
  Tree tree;
  tree.branches.resize(description.bodies.size());
  for (std::size_t body = 0; body < description.bodies.size(); ++body) {
    tree.order.push_back(static_cast<int>(body));
    if (body > 0) tree.branches[body] = free_branch;
  }
  tree.in_tree.assign(description.joints.size(), false);
  tree.why.assign(description.joints.size(), "coordinates = \"absolute\": every joint is a constraint");
  return tree;
}

std::string tree_text(const Description& d, const Tree& tree) {
  std::string text;
  const std::function<void(int, const std::string&)> draw = [&](int body, const std::string& margin) {
    std::vector<int> beyond;
    for (const int other : tree.order) {
      const Branch& branch = tree.branches[static_cast<std::size_t>(other)];
      if (other != body && branch.from == body) beyond.push_back(other);
    }
    for (std::size_t i = 0; i < beyond.size(); ++i) {
      const bool last = i + 1 == beyond.size();
      const Branch& branch = tree.branches[static_cast<std::size_t>(beyond[i])];
      text += margin + (last ? "└─ " : "├─ ");
      if (branch.joint >= 0) {
        const Joint& joint = d.joints[static_cast<std::size_t>(branch.joint)];
        text += joint.name + " (" + joint.type + (branch.reversed ? ", from child to parent" : "") + ") ── ";
      }
      text += d.bodies[static_cast<std::size_t>(beyond[i])].name;
      if (branch.joint >= 0 && !tree.why[static_cast<std::size_t>(branch.joint)].empty())
        text += "   in the tree: " + tree.why[static_cast<std::size_t>(branch.joint)];
      if (branch.joint < 0 && !d.absolute) text += "   moves freely: all joints that lead to it are cut";
      text += "\n";
      draw(beyond[i], margin + (last ? "   " : "│  "));
    }
  };
  text += d.bodies.front().name + "\n";
  draw(0, "");
  for (std::size_t i = 0; i < d.joints.size(); ++i) {
    if (tree.in_tree[i]) continue;
    const Joint& joint = d.joints[i];
    text += "cut: " + joint.name + " (" + joint.type + ") between " +
            d.bodies[static_cast<std::size_t>(joint.parent.body)].name + " and " +
            d.bodies[static_cast<std::size_t>(joint.child.body)].name + ": " + tree.why[i] + "\n";
  }
  return text;
}

}  // namespace mechfmu
