// The consistent start, Phong 2002 (A.1–A.3) as docs/method.md states it, and the rank of the constraints there.
// Runs during initialisation only: it may allocate.
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

  /// q minimises ½ dᵀ M(q_g) d, d the difference from the guesses, subject to f_p = 0, the fixed values and the further
  /// rows of the start; then v likewise subject to C v + c_t = 0. Guesses and fixed values: Mechanism::guess. Where the
  /// mechanism starts in equilibrium, q goes on from there to where forces balance, and v is rest.
  bool solve(double time, const double* parameters, const double* inputs, double* q, double* v, Message&);
  bool solve_positions(double time, const double* parameters, const double* inputs, double* q, Message&);
  bool solve_velocities(double time, const double* parameters, const double* inputs, const double* q, double* v,
                        Message&);

  /// A direction of time, parameters (calculated ones, too) and inputs.
  struct Direction {
    double time = 0;
    const double *parameters = nullptr, *inputs = nullptr;
  };
  /// `path_dependent`: what solve() finds depends on the way that it goes, and has no derivative of its own.
  enum class Derivative { found, path_dependent, none };
  /// What the q and v that solve() found change by along a direction: moves of q, and v′. None: the message says why.
  Derivative differentiate(double time, const double* parameters, const double* inputs, const double* q,
                           const double* v, const Direction&, double* moves, double* v_change, Message&);

  /// By how much rows that depend on others may disagree with them, of their sizes (Settings::closure_tolerance).
  void accept_gaps(double closure_tolerance);

  struct Ranks {
    int all = 0;       ///< of C
    int position = 0;  ///< of its position rows
  };
  /// Ranks at q. Allocates nothing.
  Ranks ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// The generic ranks: the largest at q and at consistent configurations near it, since q itself may be singular.
  Ranks generic_ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// At q, of rows that disagree by more than rounded data do within the closure tolerance.
  Ranks strong_ranks(double time, const double* parameters, const double* inputs, const double* q);
  /// After ranks() or strong_ranks(): row i was found dependent on the rows kept.
  bool redundant(int row) const;

  /// The velocities, n flags, that the rows of C which are `counted` leave no motion, at q or near it: at the
  /// consistent positions where these rows are as independent as they get. `rows`: those that hold them.
  void immobile(double time, const double* parameters, const double* inputs, const double* q, const bool* counted,
                bool* velocities, bool* rows);

  /// M must be positive definite on the tangent space; else the message names a coordinate. Everywhere, if a method
  /// `needs_regular_M`.
  bool check_mass(double time, const double* parameters, const double* inputs, const double* q,
                  const char* needs_regular_M, Message&);

  struct Work;  ///< start_work.hpp

 private:
  Work* work_;
};

}  // namespace mechfmu
