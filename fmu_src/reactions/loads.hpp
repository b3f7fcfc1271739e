// Loads are unknowns L beside the accelerations and reactions, each with an equation of its own. They are normal forces
// of friction, and unknowns without inertia that the author gives an equation for (the p of Phong 2002,
// (2.46)–(2.47)). Newton's method finds them together with v̇ and λ, which follow from them (docs/method.md).
//
//   F(v̇, λ, L) = 0          friction: F = L − φ(v̇, λ, L); an unknown: the author's residual
//   J = F_L + F_v̇ A + F_λ Λ          A = ∂v̇/∂L, Λ = ∂λ/∂L
//
// The normal force of a friction may grow with the friction itself. With J = 1 − G, there may be no solution or more
// than one if the spectral radius of |G| reaches one. Then the mechanism jams, and that is an error. An unknown takes
// the solution that Newton's method comes to.
#pragma once

#include "linear/columns.hpp"
#include "linear/newton.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"

namespace mechfmu {

/// A load response tells how v̇ and λ follow from the loads.
class LoadResponse {
 public:
  /// Finds v̇ and λ with these loads. Returns false if they do not follow from the loads; the message says why.
  virtual bool follow(const double* loads, double* acceleration, double* multipliers, Message&) = 0;
  /// Finds v̇ without the rows that are not linear in accelerations. Returns false if it does not follow.
  virtual bool follow_without_sought(const double* loads, double* acceleration, double* multipliers, Message&) = 0;
  /// Finds A and Λ, columns of n and of all_rows() numbers, at the v̇ and λ of the last follow().
  virtual void slopes(const double* loads, const double* acceleration, const double* multipliers) = 0;
  virtual ColumnsView<> A() const = 0;
  virtual ColumnsView<> Lambda() const = 0;

 protected:
  ~LoadResponse() = default;
};

class Loads {
 public:
  Loads(Arena&, const Mechanism&);

  /// Finds the loads at p, and v̇ and λ, too. The search begins with p.loads. Returns false if the mechanism jams or the
  /// loads are not found; the message says which.
  bool solve(const Point& p, LoadResponse&, double* acceleration, double* multipliers, Message&);
  /// Finds, after solve(), how the loads change. Their residuals change by `by_formulas` at fixed v̇, λ and L; v̇ and λ
  /// change at fixed L by what `acceleration` and `multipliers` hold. On return these two hold the changes of v̇ and λ.
  void respond_to(const double* by_formulas, const LoadResponse&, double* acceleration, double* multipliers,
                  double* change);
  const double* values() const { return loads_.data(); }

 private:
  enum class Ending { converged, open, undetermined, impossible };
  struct Found {
    Ending ending;
    int worst;        ///< the load that is farthest from its value
    double residual;  ///< size of its equation's residual
  };
  bool is_unknown(int i) const { return i >= frictions_; }
  Found newton(const Point& p, LoadResponse&, double* loads);
  bool residual(const Point& p, LoadResponse&, const double* loads);
  void slopes(const Point& p, LoadResponse&, const double* loads);
  void join_slopes(const LoadResponse&);
  void measure(const double* loads, double by_inertia);
  double factor();
  double factor_judged(int size);
  void correction(double* step);
  double largest(const double* step) const;
  NewtonStep judged(const double* distance) const;
  bool shorten_step(const Point& p, LoadResponse&, const double* loads);
  bool take_whole_step(const Point& p, LoadResponse&, const double* loads);
  Found open(const double* step, Ending) const;
  void leave_undetermined(double* loads) const;
  bool is_sought(int i) const { return mechanism_.load_rows != nullptr && mechanism_.load_rows[i] >= 0; }
  void begin_sought(const Point& p, LoadResponse&);
  void begin_again(const Point& p, LoadResponse&);
  bool find_gains();
  bool may_jam();
  bool another_solution(const Point& p, LoadResponse&);
  bool fail(double time, const Found&, Message&) const;
  bool fail_jammed(double time, Message&) const;

  const Mechanism& mechanism_;
  int count_, frictions_, n_, rows_;
  double scale_ = 0;                                    ///< size of the frictions' loads and of what they are made of
  bool regular_ = false;                                ///< J is regular
  Message trouble_;                                     ///< says why v̇ and λ do not follow
  Buffer<dynamic> loads_, trial_, other_, starts_, F_;  ///< one number for each load; F_ is that of the last residual()
  RunTimeColumns J_, G_, matrix_;                       ///< matrix_ has the factors of the last matrix that was solved
  Buffer<dynamic> row_scale_, column_scale_, sizes_, step_, next_;
  RunTimeColumns derivatives_;  ///< derivatives of F by v̇, λ and L, in n + all_rows() + loads columns
  Buffer<dynamic> weights_;     ///< sizes of the loads
  Buffer<dynamic> acceleration_, multipliers_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
