// Closes the velocity constraints that are not linear in the velocities, f_v(t, q, v) = 0 with F = ∂f_v/∂v. They have
// no row of C: the motion keeps their rates (rows of C_a), and this class takes back what steps leave open,
//
//   v ← v + X α,   f_v(v + X α) = 0          M X − Cᵀ μ = Fᵀ,  C X = 0
//
// X has the directions along which each row changes most, in the metric of M, of all that C allows. So to first order
// the change of v is the smallest one, −M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ f_v with all rows in C, as (4.5a) of Blajer 1993 for
// positions, and C v + c_t stays as it is. Newton's method finds α, while X stays as it was at the first v.
#pragma once

#include "linear/columns.hpp"
#include "linear/pivoting.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"

namespace mechfmu {

class NonlinearRows {
 public:
  NonlinearRows(Arena&, const Mechanism&);

  /// Moves v onto the rows at p.time and p.q. respond(force, x) finds the x along which a force moves what C leaves
  /// free: M x − Cᵀ μ = force, C x = 0. If it returns false, the message says which row stays open.
  template <class Respond>
  bool close(Point p, double* v, Message& message, Respond&& respond) {
    if (count_ == 0) return true;
    p.v = v;
    find_directions(p, respond);
    return close_along(p, v, message);
  }

  /// Finds f_v and F at p.
  void evaluate(const Point& p) { mechanism_.nonlinear(p, f_.data(), F_.data()); }
  const double* residuals() const { return f_.data(); }
  const double* row(int i) const { return F_.column(i); }  ///< row of F
  /// Finds f_v and F at p, and X there.
  template <class Respond>
  void find_directions(const Point& p, Respond&& respond) {
    evaluate(p);
    for (int i = 0; i < count_; ++i) respond(row(i), X_.column(i));
  }
  const double* direction(int i) const { return X_.column(i); }  ///< column of X
  /// Finds α with this X, and adds X α to v.
  bool close_along(Point p, double* v, Message&);
  const double* parts() const { return alpha_.data(); }  ///< α
  /// Solves F X x = −open, with the F that was evaluated last and the rows that are independent. Returns false if these
  /// rows are singular.
  bool solve(const double* open, double* x);

 private:
  bool fail(const Point& p, Message&) const;

  const Mechanism& mechanism_;
  int count_, n_;
  Buffer<dynamic> f_, alpha_, step_, change_, sizes_;
  RunTimeColumns F_, X_, G_;  ///< Fᵀ, X, and G = F X or its factors
  Pivoting pivoting_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
