// Chooses which joints carry the bodies from the ground outward, and which are cut.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is a body's place in the tree.
struct Branch {
  int joint = -1;         ///< carries the body; -1 if it moves freely against the ground, or is the ground
  int from = -1;          ///< body that the joint comes from
  bool reversed = false;  ///< is true if the body is the joint's parent: the way goes from child to parent
  int depth = 0;          ///< number of joints on the way to the ground
};

struct Tree {
  std::vector<Branch> branches;  ///< one for each body
  std::vector<int> order;        ///< bodies outward, the ground first
  std::vector<bool> in_tree;     ///< one for each joint
  std::vector<std::string> why;  ///< say for each joint why it is cut, or in the tree

  bool is_cut(int joint) const { return !in_tree[static_cast<std::size_t>(joint)]; }
};

/// Returns the spanning tree. First it takes the joints that the author uses (in forces, couplings, motions, fixed
/// starts, formulas). Then it reaches body by body on the way of least depth, so that loops are cut in the middle
/// (Blajer, Bestle, Schiehlen 1994); among equal ways it takes the joint with the fewest coordinates, then the first of
/// the file. Bodies whose joints are all cut move freely, the first of them in the file, and carry others. Equal files
/// give equal trees.
Tree spanning_tree(const Description& description);

/// Returns the tree that the file would have without its keys `cut`: it leads to every body.
Tree tree_of_all_joints(const Description& description);

/// Returns a tree with every body as a child of the ground, and every joint cut.
Tree absolute_tree(const Description& description);

/// Returns the tree and the cuts drawn as text, with the reasons.
std::string tree_text(const Description& description, const Tree& tree);

}  // namespace mechfmu
