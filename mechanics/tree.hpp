// Which joints carry the bodies from the ground outward, and which are cut.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// A body's place in the tree.
struct Branch {
  int joint = -1;         ///< that carries it; -1: none, it moves freely against the ground (or is it)
  int from = -1;          ///< the body that the joint comes from
  bool reversed = false;  ///< the body is the joint's parent: the joint is passed from child to parent
  int depth = 0;          ///< joints to the ground
};

struct Tree {
  std::vector<Branch> branches;  ///< by body
  std::vector<int> order;        ///< bodies outward, the ground first
  std::vector<bool> in_tree;     ///< by joint
  std::vector<std::string> why;  ///< by joint, for the author: why it is cut, or in the tree

  bool is_cut(int joint) const { return !in_tree[static_cast<std::size_t>(joint)]; }
};

/// The spanning tree: first the joints that the author uses (in forces, couplings, motions, fixed starts, formulas),
/// then body by body the way of least depth, so that loops are cut in the middle (Blajer, Bestle, Schiehlen 1994); of
/// equal ways the joint with the fewest coordinates, then the first of the file. Bodies to which cut joints alone lead
/// move freely, the first of them in the file, and carry others. Deterministic.
Tree spanning_tree(const Description& description);

/// The same as if the file wanted no joint cut: it leads to every body.
Tree tree_of_all_joints(const Description& description);

/// Every body as a child of the ground, every joint cut.
Tree absolute_tree(const Description& description);

/// The tree and the cuts drawn as text, with the reasons.
std::string tree_text(const Description& description, const Tree& tree);

}  // namespace mechfmu
