// Adds rows of contacts that hold to the response of the rows that last. Each of them has a response to a force of one,
// and their forces follow from the mobilities among them:
//
//   M R_j = b_j + B Λ_j,  C_a R_j = 0          P R x = −(γ + P v̇),   v̇ ← v̇ + R x,   λ ← λ + Λ x
//
// with the rows P, and b_j = p_j, or what friction makes of it where the contact slides. Rows may depend on each other,
// as corners of a box do: the forces of least norm are taken, so that the motion does not jump between shares. So any
// method serves for the rows that last, also one that needs ideal constraints.
#pragma once

#include "linear/least_norm.hpp"
#include "response.hpp"

namespace mechfmu {

class HeldRows {
 public:
  HeldRows(Arena&, const Mechanism&);

  /// Takes rows that come and go out of these values, and keeps those that hold; only these keep their γ there. `held`
  /// may be nullptr.
  void take_out(const double* held, double* C_a, double* B, double* gamma);
  /// Returns how many rows hold.
  int count() const { return count_; }
  /// Finds their responses with these factors; M is the mass matrix.
  void factor(Response& lasting, const double* M);
  /// Adds what the rows do to a response of those that last. `gamma` has the numbers of all rows, or is nullptr: 0.
  void add(const double* gamma, double* acceleration, double* multipliers);
  /// Returns in how many ways the rows can share forces, since they depend on each other.
  int ways() const { return count_ == 0 ? 0 : mobilities_.null_count(); }
  /// Finds v̇ and λ of forces that change along way j, and move no row.
  void follow_way(int j, double* acceleration, double* multipliers) const;
  /// Adds forces along the ways, with these products of each way and the forces, which it overwrites.
  void add_ways(double* products, double* acceleration, double* multipliers) const;
  /// Adds the forces of the rows at these multipliers.
  void add_forces(const double* multipliers, double* force) const;
  /// Adds what accelerations make of the rows to γ, which `open` has.
  void add_open(const double* acceleration, double* open) const;

 private:
  void add_responses(double factor, const double* x, double* acceleration, double* multipliers) const;

  const Mechanism& mechanism_;
  int n_, rows_, lasting_, count_ = 0;
  IndexBuffer row_;                    ///< rows that hold
  IndexBuffer place_;                  ///< row that comes and goes → its place among them, or −1
  RunTimeColumns P_, b_, R_, Lambda_;  ///< columns for each of them
  Buffer<dynamic> x_, metric_, free_mobilities_;
  LeastNorm mobilities_;
};

}  // namespace mechfmu
