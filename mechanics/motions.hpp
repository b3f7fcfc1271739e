// The symbols that a mechanism of bodies moves in: its coordinates, and the virtual motions by which reactions are
// found.
//
// Every joint carries an opening: a small displacement ε of the child's point and a small rotation of the child, both
// in the parent's joint frame, which the joint really forbids. Its effort is the joint's reaction: virtual power in ε̇,
// summed over all bodies, efforts and constraints, gives the wrench; by reverse differentiation that is the outward sum
// over the bodies beyond the joint. Coordinates as forces and couplings read them are symbols of their own for the same
// reason: what acts along them is an applied effort, no reaction. In the equations of motion openings are zero and
// readings are the coordinates.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "equations/rates.hpp"

namespace mechfmu {

/// A column of symbols with its first two derivatives.
struct Moving {
  casadi::SX at, rate, acceleration;
};

/// A coordinate that formulas read: its name, and its places in q and v.
struct ReadCoordinate {
  std::string name;
  int position = 0, velocity = 0;
};

class Motions {
 public:
  /// `openings`: how many, in all.
  Motions(const Symbols& symbols, casadi_int openings, const std::vector<ReadCoordinate>& readings);

  Moving openings, readings;
  /// Total time derivative, openings and readings included.
  Rates rate;

  /// Without openings and with readings as coordinates: what the equations of motion contain.
  casadi::SX real(const casadi::SX& expression) const;
  std::vector<casadi::SX> real(const std::vector<casadi::SX>& expressions) const;

 private:
  std::unordered_map<const casadi::SXNode*, casadi::SX> real_;  ///< what openings and readings are in the equations
};

}  // namespace mechfmu
