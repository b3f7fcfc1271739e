// Finds what fits the constraints next to given q and v, and what it changes by. Sizes are known at run time.
//
// A motion that somebody else integrates, as in model exchange, fulfils no constraint exactly. Only the part of v that
// fits is used, Blajer 1993, (4.2) and (4.7):
//
//   v_c = W_d u + ξ,  u = W_dᵀ M v:     v_c = v + Δ,   Δ = −M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ (C v + c_t)
//
// The rates of both lead back. q̇ follows from (4.6a) with G₁ = K and without its integral:
//
//   q̇ = A (v_c + δ),    δ = −K M⁻¹C_pᵀ (C_p M⁻¹ C_pᵀ)⁻¹ f_p          so ḟ_p = −K f_p
//   d/dt v = v̇(q, v_c) − M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ K (C v + c_t)            so C v + c_t decays likewise
//
// K is diagonal; with one gain for all rows the last term is K Δ.
//
// If there are velocity constraints that are not linear, the nearest v that fulfils the others goes on to theirs, v_c =
// v + Δ + X α (nonlinear_rows.hpp).
//
// Quaternions return to length one at the same rate. An input of a prescribed motion that jumps moves q and v by the
// smallest changes in M, in the same way.
#pragma once

#include "mechanism/message.hpp"
#include "mechanism/start_tape.hpp"
#include "nonlinear_rows.hpp"
#include "projection.hpp"

namespace mechfmu {

class Fitting {
 public:
  Fitting(Arena&, const Mechanism&);

  /// Sets whether dropped rows take part (shared_rows.hpp).
  void share_rows(bool share) {
    velocities_.share_rows(share);
    positions_.share_rows(share);
  }
  /// Finds what fits at p.q and the integrator's p.v. `gain` is K. Returns false if the constraints are singular.
  bool fit(const Point& p, double gain, Message&);
  const double* velocity() const { return v_.data(); }         ///< v_c
  const double* decay() const { return decay_.data(); }        ///< K Δ
  const double* led_back() const { return led_back_.data(); }  ///< v_c + δ

  /// Finds, after fit() at p, what these change by along a direction of (q, v), time, inputs and parameters.
  void differentiate(const Point& p, const Point& direction);
  const double* velocity_slopes() const { return v_slopes_.data(); }
  const double* decay_slopes() const { return decay_slopes_.data(); }
  const double* led_back_slopes() const { return led_back_slopes_.data(); }

  /// Finds what consistent q and v at p change by when inputs or parameters jump: moves of q, and the slopes of
  /// velocity(). Returns false if the constraints are singular.
  bool jump(const Point& p, const double* inputs, const double* parameters, Message&);
  const double* moves() const { return moves_.data(); }
  const double* position_slopes() const { return q_slopes_.data(); }  ///< q′ = A moves

 private:
  /// Multiplies what rows are open by with their gains.
  void weigh(int rows, const double* open, double* weighted) const {
    for (int i = 0; i < rows; ++i) weighted[i] = mechanism_.gain_1(i, gain_) * open[i];
  }
  /// Returns the gain of a row that is not linear. Rows that depend on each other share one: which of them close what
  /// is open may change.
  double nonlinear_gain(int row) const {
    const Sizes& s = mechanism_.sizes;
    return s.nonlinear_rank < s.nonlinear_rows ? gain_ : mechanism_.gain_1(s.rows() + row, gain_);
  }
  StartTape slopes_along(const Point& p, const Point& direction);
  void add_opening(const Point& p, const StartTape& slopes);
  /// A force that pulls, and its change.
  struct Pull {
    const double *force, *change;
  };
  void respond(Projection&, int rows, const double* move, const StartTape& change, double* open_slopes, double* slopes,
               const Pull* = nullptr);
  bool fit_nonlinear(const Point& p, Message&);
  void add_nonlinear_decay(double multiple, double* decay) const;
  void differentiate_nonlinear(const Point& p, const Point& direction);
  void follow_nonlinear(const double* open_slopes);

  const Mechanism& mechanism_;
  double gain_ = 0;
  Projection velocities_, positions_;
  NonlinearRows nonlinear_;
  Buffer<dynamic> M_, C_, c_t_, open_, v_, correction_, decay_, feedback_, led_back_;
  Buffer<dynamic> tape_values_, tape_slopes_, start_slopes_, v_slopes_, correction_slopes_, decay_slopes_,
      led_back_slopes_;
  Buffer<dynamic> force_, multipliers_, product_, change_, moves_, q_slopes_;
  Buffer<dynamic> linear_v_, parts_;  ///< v + Δ; α, or its change
  RunTimeColumns direction_slopes_;   ///< X′
};

}  // namespace mechfmu
