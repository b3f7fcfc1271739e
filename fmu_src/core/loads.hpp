// Reaction-dependent loads, such as the normal forces of friction: L = φ(v̇, λ, L), where v̇ and λ follow from the forces,
// which are linear in L. A few unknowns beside the equations of motion, solved by Newton's method (docs/method.md).
//
//   v̇ = v̇₀ + A L,  λ = λ₀ + Λ L          L − φ(v̇, λ, L) = 0,  Jacobian 1 − G,  G = φ_v̇ A + φ_λ Λ + φ_L
//
// A friction whose normal force grows with the friction itself: if the spectral radius of |G| reaches one, there may be
// no solution or more than one. Then the mechanism jams, and that is an error.
#pragma once

#include "buffer.hpp"
#include "mechanism.hpp"
#include "message.hpp"

namespace mechfmu {

class Loads {
 public:
  explicit Loads(const Mechanism&);
  bool ok() const;

  /// At p with p.loads to begin with. On return `acceleration` and `multipliers`, which held v̇₀ and λ₀, hold v̇ and λ.
  /// `A`, `Lambda`: columns of n and of all_rows() numbers. False: jammed or not found, the message says which.
  bool solve(const Point& p, double* acceleration, double* multipliers, const double* A, const double* Lambda,
             Message&);
  /// After solve(): what the loads change by when their formulas change by `by_formulas`, and v̇₀ and λ₀ by what
  /// `acceleration` and `multipliers` hold; on return these hold the changes of v̇ and λ.
  void respond_to(const double* by_formulas, double* acceleration, double* multipliers, const double* A,
                  const double* Lambda, double* change);
  const double* values() const { return loads_.data(); }

 private:
  struct Found {
    bool converged;
    double residual;  ///< largest
    int worst;        ///< load with the largest residual
  };
  Found newton(const Point& p, double* loads);
  double residual(const Point& p, const double* loads);
  void slopes(const Point& p, const double* loads);
  double factor_slopes();
  bool may_jam();
  bool another_solution(const Point& p);
  bool fail_jammed(double time, Message&) const;

  const Mechanism& mechanism_;
  int count_, n_, rows_;
  const double *v_dot_0_ = nullptr, *lambda_0_ = nullptr, *A_ = nullptr, *Lambda_ = nullptr;
  double scale_ = 0;  ///< size of the loads and of what they are made of
  double inertia_scale_ = 0;  ///< of what accelerations add to the loads
  Buffer<dynamic> loads_, trial_, other_, F_, G_, matrix_, step_, derivatives_, acceleration_, multipliers_;
  IndexBuffer pivot_;
};

}  // namespace mechfmu
