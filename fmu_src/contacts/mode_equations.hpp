// This class solves the equations of given modes to rounding. Unknowns of a closed group are its normal force and,
// where it sticks, its tangential forces; in space, a group that slips has the angle of its direction s as an unknown,
//   x_t = −R s,   R = μ x_n or c.
// Equations are w_n = 0, w_t = 0 where a group sticks, and s' · w_t = 0 where it slips in space, with s' across s. Only
// the angles make them nonlinear. Nothing is divided by |w_t|, so that the equations are regular at the onset of slip,
// where those of Alart and Curnier (1991) are not.
#pragma once

#include "linear/columns.hpp"
#include "linear/householder.hpp"
#include "scaled.hpp"

namespace mechfmu::contacts {

class ModeEquations {
 public:
  ModeEquations(Arena&, const Sizes&, Scaled&);

  /// The two functions write the x that solves the equations of the modes, and its w, and turn directions. settle()
  /// begins anew, settle_near() at an x that solves the softened problem. Both return false if the equations contradict
  /// each other or do not converge. Signs are not looked at.
  bool settle(GroupMode* modes, double* x, double* w);
  bool settle_near(GroupMode* modes, double* x, double* w, double epsilon);

  // --- Single steps, for those who follow modes -------------------------------------------------------------------

  /// Writes J and the residuals at x and w, with `border` more rows and columns of zeros. Returns the number of
  /// unknowns.
  int assemble(const GroupMode* modes, const double* x, const double* w, int border);
  /// Makes room for equations of somebody else, all zeros.
  void clear(int size);
  double& J(int i, int j) { return J_(i, j); }
  double& residual(int i) { return residual_[i]; }
  double largest_residual() const;
  /// Solves J y = −residual. Returns false if J is singular.
  bool step();
  const double* y() const { return y_.data(); }
  /// Returns the first unknown of a member.
  int unknown(int member) const { return first_unknown_[member]; }
  /// Returns the largest turn of a direction in y.
  double turn(const GroupMode* modes, const double* y) const;
  bool turns(const GroupMode* modes) const;
  /// Moves x and the directions along h y.
  void advance(GroupMode* modes, const double* y, double h, double* x) const;
  /// Writes the rate of x along y.
  void rate(const GroupMode* modes, const double* x, const double* y, double* dx) const;
  /// Writes the friction of groups that slip.
  void let_slip(const GroupMode* modes, double* x) const;

  /// Counts factorisations since the last reset.
  int work() const { return work_; }
  void reset_work() { work_ = 0; }

 private:
  /// This is a row of equations, or an unknown, as a sum over few rows of its group.
  struct Combination {
    int member, first, count;
    double part[3];
    bool across;  ///< belongs to the angle of a direction
  };
  enum class Kept : unsigned char { all, rows_of_J, rows_of_A };

  void list(const GroupMode* modes, const double* x);
  void fill(const GroupMode* modes, const double* w, int border, bool angles_held);
  void take_residuals(const double* w);
  bool converge(GroupMode* modes, double* x, double* w, double epsilon);
  bool factor(const double* x);
  bool factor_kept(Kept kept, const double* x);
  bool keep_rows_of_A(const double* x);
  bool keep_rows_of_J(const double* x);
  bool add_condition(int row, int dependent, const double* x);
  void right_side(bool with_conditions);

  Scaled& problem_;
  int n_ = 0;         ///< number of unknowns of the modes
  int size_ = 0;      ///< number of rows of J
  int rank_ = 0;      ///< number of independent equations among those that could depend
  int products_ = 0;  ///< number of equations that are rows of the problem; the others belong to angles
  int work_ = 0;
  bool angles_held_ = false;
  Kept kept_ = Kept::all;
  RunTimeColumns J_, LU_, rows_of_;
  Householder<dynamic, dynamic> qr_;
  IndexBuffer pivot_, order_, place_, first_unknown_;
  Array<Combination> equation_, unknown_;
  Buffer<dynamic> residual_, y_, column_, null_, condition_;
};

}  // namespace mechfmu::contacts
