// Finds the consistent start, Phong 2002 (A.1–A.3) as docs/method.md states it, and the rank of the constraints there.
// It runs during initialisation only: it may allocate.
#pragma once

#include "linear/arena.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"

namespace mechfmu {

class ConsistentStart {
 public:
  ConsistentStart(Arena&, const Mechanism&);
  ~ConsistentStart();
  ConsistentStart(const ConsistentStart&) = delete;
  ConsistentStart& operator=(const ConsistentStart&) = delete;

  /// Finds the q that minimises ½ dᵀ M(q_g) d, d the difference from the guesses, subject to f_p = 0, the fixed values
  /// and the further rows of the start; then v likewise, subject to C v + c_t = 0. Mechanism::guess gives guesses and
  /// fixed values. If the mechanism starts in equilibrium, q goes on from there to a position in which forces balance,
  /// and v is zero.
  bool solve(double time, const double* parameters, const double* inputs, double* q, double* v, Message&);
  bool solve_positions(double time, const double* parameters, const double* inputs, double* q, Message&);
  bool solve_velocities(double time, const double* parameters, const double* inputs, const double* q, double* v,
                        Message&);

  /// A direction has time, parameters (calculated ones, too) and inputs.
  struct Direction {
    double time = 0;
    const double *parameters = nullptr, *inputs = nullptr;
  };
  /// `path_dependent` says that the result of solve() depends on its way and has no derivative of its own.
  enum class Derivative { found, path_dependent, none };
  /// Differentiates the q and v that solve() found along a direction: it returns moves of q, and v′. If there are none,
  /// the message says why.
  Derivative differentiate(double time, const double* parameters, const double* inputs, const double* q,
                           const double* v, const Direction&, double* moves, double* v_change, Message&);

  /// Says by how much rows that depend on others may disagree with them, relative to their sizes
  /// (Settings::closure_tolerance).
  void accept_gaps(double closure_tolerance);

  struct Ranks {
    int all = 0;       ///< rank of C
    int position = 0;  ///< rank of its position rows
  };
  /// Returns the ranks at q; it allocates nothing.
  Ranks ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// Returns the generic ranks: the largest at q and at consistent configurations near it, since q itself may be
  /// singular.
  Ranks generic_ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// Returns the ranks at q of the rows that disagree by more than rounded data do within the closure tolerance.
  Ranks strong_ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// Returns how many velocity constraints that are not linear are independent of each other and of C at q, for almost
  /// all velocities.
  int generic_nonlinear_rank(double time, const double* parameters, const double* inputs, const double* q);
  /// Is true if the last ranks() or strong_ranks() found row i dependent on the rows kept.
  bool redundant(int row) const;

  /// Finds the velocities, n flags, that the `counted` rows of C leave no motion, at q or near it: at the consistent
  /// positions where these rows are as independent as they get. `rows` gets the rows that hold them.
  void immobile(double time, const double* parameters, const double* inputs, const double* q, const bool* counted,
                bool* velocities, bool* rows);

  /// Returns how many of these velocities, from the first one on, the constraints leave independent of each other at
  /// almost all positions near q.
  int generically_independent(double time, const double* parameters, const double* inputs, const double* q,
                              const int* velocities, int count);

  /// Checks that M is positive definite on the tangent space, or everywhere if a method `needs_regular_M`; else the
  /// message names a coordinate.
  bool check_mass(double time, const double* parameters, const double* inputs, const double* q,
                  const char* needs_regular_M, Message&);

 private:
  struct Work;
  Work* work_;
};

}  // namespace mechfmu
