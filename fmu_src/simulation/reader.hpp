// Values of a motion where it is, each computed when it is first asked for.
#pragma once

#include "constraints/agreement.hpp"
#include "present.hpp"
#include "reactions/accelerations.hpp"

namespace mechfmu {

class Reader : public Present {
 public:
  const double* positions() const;  ///< q with whole turns
  // From here on nullptr means that the value cannot be found; message() says why.
  const double* position_rates();  ///< q̇
  const double* velocity_rates();  ///< of v: accelerations, but from outside
  const double* accelerations();
  const double* loads();
  const double* multipliers();
  const double* outputs(int group);

  /// What the parameters say of positions or velocities at the start: held, or guesses.
  const double* position_guesses();
  const double* velocity_guesses();
  const double* position_rate_guesses();  ///< q̇ of the guesses

  double position_violation();      ///< largest |f_p|, dropped rows too
  double velocity_violation();      ///< largest |C v + c_t|
  double acceleration_violation();  ///< largest |C_a v̇ + γ|; NaN: singular
  double closure_gap();             ///< position_violation against the sizes of rows

 protected:
  Reader(Arena&, const Mechanism&);
  ~Reader() = default;
  bool find_accelerations();
  /// Gives p its v̇, λ and loads; false: they cannot be found.
  bool solved(Point& p);
  double* outputs_of(int group, double* all) const;
  static int count_outputs(const Mechanism&);
  void lengthen_quaternions(double* position_rate) const;

  Accelerations accelerations_;
  Agreement agreement_;

 private:
  mutable Buffer<dynamic> positions_;
  Buffer<dynamic> guesses_, f_, velocity_rows_, outputs_, position_rates_, velocity_rates_;
};

}  // namespace mechfmu
