// Computes values of a motion at the present state, each when it is first asked for.
#pragma once

#include "constraints/agreement.hpp"
#include "constraints/nonlinear_rows.hpp"
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

 protected:
  Reader(Arena&, const Mechanism&);
  ~Reader() = default;
  bool find_accelerations();
  /// Gives p its v̇, λ and loads. Returns false if they cannot be found.
  bool solved(Point& p);
  double* outputs_of(int group, double* all) const;
  static int count_outputs(const Mechanism&);
  void lengthen_quaternions(double* position_rate) const;

  Accelerations accelerations_;
  Agreement agreement_;

 private:
  NonlinearRows nonlinear_;
  mutable Buffer<dynamic> positions_;
  Buffer<dynamic> guesses_, f_, velocity_rows_, outputs_, position_rates_, velocity_rates_;
};

}  // namespace mechfmu
