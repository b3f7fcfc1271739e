// Numbers of the rows that come and go, at one state: gaps, speeds, laws, and how accelerations respond to forces in
// these rows while all lasting constraints hold.
//
//   w = P v + p_t     speeds          ẇ = P v̇ + γ     accelerations          H = P R,  R_j: v̇ by a force of one in row
//   j
//
// Loads (reactions/loads.hpp) are those of the rows that hold and slide at present: responses are those at fixed loads.
//
// A problem of contacts (contacts/problem.hpp) has the rows of some groups, which are listed before.
#pragma once

#include "contacts/problem.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "reactions/accelerations.hpp"

namespace mechfmu {

class ChangingRows {
 public:
  ChangingRows(Arena&, const Mechanism&);

  int groups() const { return mechanism_.sizes.contacts; }
  int rows() const { return mechanism_.sizes.changing_rows; }
  const contacts::Group& kind(int group) const { return mechanism_.contacts[group]; }
  bool has_gap(int group) const { return mechanism_.has_gap[group]; }
  /// Returns the place of a group's first row, and of its first tangential row.
  int first(int group) const { return first_[group]; }
  int tangent(int group) const { return first_[group] + (kind(group).has_normal() ? 1 : 0); }

  /// Finds gaps and speeds at this point.
  void watch(const Point&);
  /// Finds the laws' numbers. They may depend on loads, which the point has then.
  void judge(const Point&);
  /// Finds all but responses. Returns false if accelerations cannot be found.
  bool evaluate(const Point&, Message&);
  /// Finds accelerations and laws anew at other velocities, or for other rows that hold and slide.
  bool accelerate(const Point&, Message&);
  /// Is true if frictions have normal forces that are found with the reactions. (Unknowns follow by themselves.)
  bool depend_on_loads() const { return mechanism_.sizes.loads > mechanism_.sizes.unknowns; }
  /// Returns the forces of the rows that hold; only mechanisms with loads have them here.
  const double* forces() const { return forces_.data(); }
  /// Finds R of this row once after evaluate().
  const double* response(int row);
  /// Returns how the acceleration of one row responds to a force in another one.
  double mobility(int row, int by);
  /// Returns how a row would respond to its own force if nothing else held, and each velocity had its own inertia.
  double free_mobility(int row) const { return free_mobility_[row]; }

  /// Adds the impulses that these impulses, one for each row, make in reactions.
  void add_reaction_impulses(const double* impulses, double* sums);

  double gap(int group) const { return gaps_[group]; }
  double speed(int row) const { return speeds_[row]; }
  double acceleration(int row) const { return accelerations_of_rows_[row]; }
  /// Returns v̇ without forces of rows that come and go.
  const double* free_acceleration() const { return lasting_accelerations_.acceleration(); }
  /// Is true if no force in this row accelerates it, nor does anything else.
  bool stands(int row);
  const ContactLaw& law(int group) const { return laws_.data()[group]; }
  /// Writes what nominal changes of coordinates make of gaps, those of rates of speeds, and the forces that make such
  /// speeds in the duration of the file's experiment.
  void find_sizes(double* gap_sizes, double* speed_sizes, double* force_sizes) const;

  /// Writes the unit vectors in which groups slide at this state, one number for each row.
  void find_directions(const double* slide, double* directions) const;

  // The problem of these groups, whose rows are in their order. Arrays stay here.
  void clear_problem() { chosen_ = chosen_rows_ = 0; }
  void choose(int group, const contacts::Group& law);
  int chosen() const { return chosen_; }
  int chosen_group(int i) const { return chosen_group_[i]; }
  int chosen_rows() const { return chosen_rows_; }
  int chosen_row(int i) const { return chosen_row_[i]; }
  const contacts::Group& chosen_law(int i) const { return chosen_law_.data()[i]; }
  /// Returns the problem with these numbers for q, one for each row that comes and goes.
  contacts::Problem problem(const double* q);

  void forget() { prepared_ = false; }
  int take_evaluations() {
    const int count = evaluations_;
    evaluations_ = 0;
    return count;
  }

 private:
  bool find_loads(const Point&, Message&);

  const Mechanism& mechanism_;
  int n_, lasting_;
  bool prepared_ = false;
  int evaluations_ = 0;
  Accelerations lasting_accelerations_;
  Point point_;
  IndexBuffer first_;
  Buffer<dynamic> work_, M_, C_, c_t_, h_, gamma_, C_a_, B_, none_, metric_;
  Buffer<dynamic> gaps_, speeds_, accelerations_of_rows_, free_mobility_;
  Buffer<dynamic> acceleration_sizes_;  ///< are those of the sums that make accelerations of rows
  Buffer<dynamic> loads_, forces_;
  Buffer<dynamic> impulse_force_, velocity_change_, impulses_, reaction_impulses_;
  Array<ContactLaw> laws_;
  RunTimeColumns P_, R_;
  Array<char> responded_;
  int chosen_ = 0, chosen_rows_ = 0;
  IndexBuffer chosen_group_, chosen_row_;
  Array<contacts::Group> chosen_law_;
  Buffer<dynamic> q_, chosen_mobility_;
  RunTimeColumns H_, A_, response_;
};

}  // namespace mechfmu
