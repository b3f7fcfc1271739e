// A response tells how accelerations and multipliers follow from forces, at one state. This is the contract of its
// methods:
//
//   M v̇ = h + B λ,  C_a v̇ + γ = 0               ideal constraints: B = C_aᵀ
//
// If rows depend on each other, a method keeps independent ones; λ of the dropped rows is 0.
//
// The members are these, and Accelerations takes them for these mechanisms (accelerations.cpp):
//   FreeResponse        no rows: M is factored by its nonzeros
//   SparseResponse      many rows: the two lines are solved as they stand, by sparse factors
//   SolverResponse      the user has chosen a saddle solver
//   NullSpaceResponse   all else
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"

namespace mechfmu {

class Response {
 public:
  /// These matrices are factored. They are values in the mechanism's patterns M, C_a and, unless constraints are
  /// ideal, B.
  struct Matrices {
    const double *M, *C_a, *B;
  };
  /// Keeps rows and factors. The matrices must stay where they are. Returns false if they are singular; the message
  /// says how.
  virtual bool factor(const Matrices&, double time, Message&) = 0;
  /// Returns how many rows are kept.
  int rank() const { return rank_; }
  /// Returns the row at place i: kept ones in the order of pivots, then the dropped ones.
  virtual int row(int i) const = 0;
  /// Finds v̇ and λ for the forces h; `gamma` = nullptr means 0.
  virtual void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) = 0;
  /// Finds λ of the kept rows with B λ = force, a force that they can bear.
  virtual void multipliers(const double* force, double* multipliers) = 0;
  /// Finds z with Bᵀ z = λ in the kept rows.
  virtual void preimage(const double* multipliers, double* z) = 0;

 protected:
  ~Response() = default;  // it lies in an arena
  int rank_ = 0;
};

/// Returns how many rows of C hold positions and velocities, but have no entries in C_a: other rows there keep them,
/// too.
int count_free_rows(const Mechanism&);

/// Calls act(velocity, row, entry of B) for all entries that are not zero.
template <class Act>
void for_reactions(const Mechanism& m, const double* C_a, const double* B, Act&& act) {
  const bool ideal = m.character.ideal;
  const Pattern& pattern = ideal ? m.C_a : m.B;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (ideal) act(pattern.column[e], pattern.row[e], C_a[e]);
    else act(pattern.row[e], pattern.column[e], B[e]);
  }
}

/// Says that no acceleration follows from forces in a direction that the kept rows leave free. Returns false.
bool fail_inertia(const Mechanism&, const Response&, double time, Message&);

}  // namespace mechfmu
