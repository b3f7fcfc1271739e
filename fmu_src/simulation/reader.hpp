// Computes values of a motion at the present state, each when it is first asked for.
#pragma once

#include "constraints/agreement.hpp"
#include "constraints/nonlinear_rows.hpp"
#include "linear/pivoting.hpp"
#include "present.hpp"
#include "reactions/accelerations.hpp"

namespace mechfmu {

class Reader : public Present {
 public:
  const double* positions() const;  ///< q with whole turns
  // The functions from here on return nullptr if a value cannot be found; message() says why.
  const double* position_rates();  ///< q̇
  const double* velocity_rates();  ///< rates of v: accelerations; in model exchange with what leads back
  const double* accelerations();
  const double* loads();
  const double* multipliers();
  const double* outputs(int group);

  /// Returns start values of positions or velocities that the parameters give: held, or guesses.
  const double* position_guesses();
  const double* velocity_guesses();
  const double* position_rate_guesses();  ///< q̇ of the guesses

  double position_violation();      ///< largest |f_p|, dropped rows too
  double velocity_violation();      ///< largest |C v + c_t| and |f_v|
  double acceleration_violation();  ///< largest |C_a v̇ + γ|; NaN: singular
  double closure_gap();             ///< position_violation() relative to the sizes of rows

  /// Is true if the velocity is one of the independent ones in force. If the motion chooses none, it is false, unless
  /// all are independent.
  bool is_independent(int velocity) const;
  /// Returns the smallest pivot of C_d, of the kept rows and the dependent columns in force, or if the motion chooses
  /// none, of the best ones. It is relative to the longest row of C of the same unit, with columns in the metric: it is
  /// 0 where these rows, or these rows with these coordinates, depend on each other; 1 without constraints.
  double basis_quality();
  /// Returns u, or nullptr if the motion has none.
  const double* tangent_velocities() const { return has_tangent_velocities() ? state_.u : nullptr; }

 protected:
  Reader(Arena&, const Mechanism&);
  ~Reader() = default;
  bool find_accelerations();
  /// Gives p its v̇, λ and loads. Returns false if they cannot be found.
  bool solved(Point& p);
  double* outputs_of(int group, double* all) const;
  static int count_outputs(const Mechanism&);
  void lengthen_quaternions(double* position_rate) const;
  /// Adds to γ of rows that hold what leads them back, g̈ + 2 K ġ + K² g = 0 with a gap, else ẇ + K w = 0: K is the gain
  /// of model exchange. Gaps and speeds are those of a point, or their changes along a direction.
  void lead_rows_back(const double* gaps, const double* speeds, double* gamma) const;
  bool has_tangent_velocities() const;
  /// Is true if E* has unit vectors, those of the independent columns in the state.
  bool has_choice() const;

  Accelerations accelerations_;
  Agreement agreement_;

 private:
  void find_row_lengths();

  NonlinearRows nonlinear_;
  mutable Buffer<dynamic> positions_;
  Buffer<dynamic> guesses_, f_, velocity_rows_, outputs_, position_rates_, velocity_rates_, metric_, lengths_;
  Buffer<dynamic> gaps_, speeds_, feedback_;  ///< rows that come and go have these
  Pivoting pivoting_;
};

}  // namespace mechfmu
