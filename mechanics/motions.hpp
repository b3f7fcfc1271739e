// Holds the symbols in which a mechanism of bodies moves: its coordinates, and the virtual motions by which reactions
// are found.
//
// Every joint carries an opening: a small displacement ε of the child's point and a small rotation of the child, both
// in the parent's joint frame, which the joint really forbids. Its effort is the joint's reaction: virtual power in ε̇,
// summed over all bodies, efforts and constraints, gives the wrench. Reverse differentiation makes this the sum over
// the bodies beyond the joint. Forces and couplings read coordinates by symbols of their own, the readings, for a
// similar reason: an effort along a reading is an applied effort, no reaction. In the equations of motion openings are
// zero and readings are the coordinates.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "equations/rates.hpp"

namespace mechfmu {

/// Holds a column of symbols with its first two derivatives.
struct Moving {
  casadi::SX at, rate, acceleration;
};

/// Is a coordinate that formulas read: its name, and its places in q and v.
struct ReadCoordinate {
  std::string name;
  int position = 0, velocity = 0;
};

class Motions {
 public:
  /// `openings` is the number of all openings.
  Motions(const Symbols& symbols, casadi_int openings, const std::vector<ReadCoordinate>& readings);

  Moving openings, readings;
  /// Takes total time derivatives, also of openings and readings.
  Rates rate;

  /// Returns an expression without openings and with coordinates in place of readings, as the equations of motion
  /// contain it.
  casadi::SX real(const casadi::SX& expression) const;
  std::vector<casadi::SX> real(const std::vector<casadi::SX>& expressions) const;

 private:
  /// replace openings and readings in the equations of motion
  std::unordered_map<const casadi::SXNode*, casadi::SX> real_;
};

}  // namespace mechfmu
