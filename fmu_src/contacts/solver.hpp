// Solves a problem of rows that come and go (problem.hpp). Nothing leaves it that does not keep all laws to
// law_tolerance, relative to the largest force or speed in units in which the rows' mobilities are 1. Memory is taken
// once, work is bounded, and the same problem gives the same bits. docs/method.md says what it cannot do.
#pragma once

#include "problem.hpp"
#include "search.hpp"
#include "tiers/list.hpp"

namespace mechfmu::contacts {

class Solver {
 public:
  Solver(Arena&, const Sizes&);

  /// How much a caller asks for.
  enum class Effort : unsigned char {
    all,       ///< everything is tried
    no_paths,  ///< the dearest tier is left out: somebody has another problem if this one has no solution
  };
  /// Solves the problem. `present` are the groups' modes so far, or nullptr: where the same modes are a solution, it is
  /// that one, so that a motion goes on as it is, and the search begins there.
  Outcome solve(const Problem&, const GroupMode* present, Effort effort = Effort::all);

  /// The three return the solution after `solved`, in the units of the problem; else where the search ended.
  const double* x() const { return x_.data(); }
  const double* w() const { return w_.data(); }
  const GroupMode* modes() const { return modes_.data(); }

  /// Is true for a unilateral group that is open, has no force, and stays closed to rounding nevertheless: its w_n = 0.
  /// Its rows depend on others, or are touched without being pressed. Who watches its gap would meet rounding.
  bool idle(int group) const { return idle_[group] != 0; }
  /// Is true for a group whose law could not be kept, after a failure. At least one is.
  bool unsettled(int group) const { return unsettled_[group] != 0; }
  /// Is true after no_solution if all modes were tried, or a row that no force moves is broken.
  bool proved() const { return proved_; }

  /// The two functions tell which tier found the solution, and how many matrices were factored.
  Tier tier() const { return tier_; }
  int factorisations() const { return search_.equations.work(); }

 private:
  Outcome search_for_solution(const GroupMode* present, Effort);
  void tell_unsettled(const Problem&);

  Search search_;
  Smoothed smoothed_;
  Path path_;
  Buffer<dynamic> x_, w_;
  Array<GroupMode> modes_;
  Array<char> idle_, unsettled_;
  bool proved_ = false;
  Tier tier_ = Tier::none;
};

}  // namespace mechfmu::contacts
