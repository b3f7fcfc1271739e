// Says why a start cannot be found: which rows stay open, by how much, and which values are to blame.
#pragma once

#include "start/rows/rounded_loops.hpp"

namespace mechfmu {

class StartMessages {
 public:
  explicit StartMessages(RoundedLoops& rows) : w_(rows) {}

  /// Says of rows of positions why they stay open. q is where close() and close_from_nearby() found the rows least
  /// open, or where they are least open with nothing fixed, if even that is open. Returns false.
  bool fail_assembly(const VectorXd& guess, VectorXd& q, Message&);
  /// Says of rows of velocities why they stay open. J holds the mechanism's rows, then those of the start; `worst` is
  /// one of them. Returns false.
  bool fail_velocities(const Entries& J, const VectorXd& open, int worst, const VectorXd& guess,
                       const VectorXd& reached, Message&) const;
  /// Says that a row of velocities is open by this.
  void tell_open_rate(int row, double open, Message&) const;
  /// Adds "'x' (start 1 m, reached 2 m)" for the coordinate of velocity j.
  void tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached, Message&) const;
  void tell_fixed(bool of_velocities, const VectorXd& guess, const VectorXd& reached, const double* f, Message&) const;

 private:
  /// Is true if fixed values ask for more than the mechanism's rows, the first of J, leave free.
  bool over_determined(const Entries& J, int own_rows, const bool* fixed) const;
  bool over_determined_near(const Entries& metric, const VectorXd& assembled);

  RoundedLoops& w_;  ///< has the rows and the ways onto them
};

}  // namespace mechfmu
