// Holds the present of a motion: parameters and inputs in force, the state, and the point at which equations are
// evaluated there.
#pragma once

#include "constraints/fitting.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/settings.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

class Present {
 public:
  Present(const Present&) = delete;
  Present& operator=(const Present&) = delete;

  const Mechanism& mechanism() const { return mechanism_; }
  /// Says why the last call that returned false or nullptr failed.
  const Message& message() const { return message_; }
  /// Clears the warnings of assemble() and advance() when the caller has told them. Warnings of a call that fails are
  /// void.
  void clear_warnings() { message_.clear_warnings(); }
  Settings settings() const { return state_.get_settings(); }

  /// Returns the parameters in force, in SI; calculated ones are up to date.
  const double* parameters();
  /// Returns the author's inputs, and the time of inputs if the mechanism has it (callers do not set it).
  const double* inputs() const { return state_.inputs; }
  void set_input(int index, double value);
  /// Says how an input goes on from its value in the coming advance(), and in that alone: orders 1 to
  /// most_input_derivatives. Inputs of prescribed motions take none: their rates are inputs of their own. When the
  /// advance has ended, the inputs in force are those of its end.
  void set_input_derivative(int index, int order, double value);
  bool inputs_vary() const { return *state_.input_order > 0; }

  bool assembled() const { return *state_.assembled != 0; }
  double time() const { return *state_.time; }
  const double* velocities() const { return state_.v; }  ///< v
  double steps() const { return *state_.steps; }
  double rejected_steps() const { return *state_.rejected_steps; }
  double evaluations() const { return *state_.evaluations; }
  double basis_switches() const { return *state_.basis_switches; }
  double events() const { return mechanism_.sizes.contacts + mechanism_.sizes.switches > 0 ? *state_.events : 0; }
  /// Writes the gaps of contacts, and the speeds of their rows.
  void find_gaps(double* gaps, double* speeds);
  /// Returns how often contacts have changed.
  double contact_changes() const { return mechanism_.sizes.contacts > 0 ? *state_.contact_changes : 0; }
  /// Returns the sum of impulses in one row that comes and goes less that in another one; -1: there is no such row.
  double impulse(int plus, int minus = -1) const {
    return (plus < 0 ? 0 : state_.impulses[plus]) - (minus < 0 ? 0 : state_.impulses[minus]);
  }
  /// Returns 0 if the contact is open, 1 if it slides, 2 if it holds.
  int contact_state(int group);
  /// Returns the same if `lower` is no_side. Else the contacts are two sides: it returns 1 if the upper one holds, -1
  /// if the lower one does.
  int contact_state(int upper, int lower);

  /// Returns the whole state as numbers. Nothing else is state.
  int state_size() const { return state_.size(); }
  const double* state() const { return state_.data(); }

 protected:
  Present(Arena&, const Mechanism&);
  ~Present() = default;

  /// Forgets all that was computed, since parameters, inputs or the state are new.
  void stale() { known_ = Known{}; }
  /// Forgets all that was computed, except of parameters alone.
  void moved() {
    const Known parameters{known_.calculated, known_.prepared};
    known_ = parameters;
  }
  /// Returns the present state as a point of evaluation, with velocities that fit.
  Point here();
  /// Returns this point with the velocities that the state has.
  Point at_state();

  /// Makes fitting_. Returns false if there is no memory.
  bool make_fitting();
  /// Is true if some velocities near those of an outside integrator fit; they are found once.
  bool fits();

  const Mechanism& mechanism_;
  Arena& memory_;
  State state_;
  Message message_;
  Buffer<dynamic> work_, calculated_;
  Array<ContactLaw> laws_;
  Buffer<dynamic> M_, C_, c_t_;       ///< results of the position stage at the state
  Fitting* fitting_ = nullptr;        ///< for motions that are integrated from outside, or prescribed by inputs
  const Fitting* outside_ = nullptr;  ///< fitting_ if the motion is integrated from outside, else nullptr

  /// Says which values have been computed for the present state.
  struct Known {
    bool calculated = false, prepared = false;
    mutable bool positions = false;
    bool fitted = false, fits = true, accelerations = false, spread = false, slopes_by_time = false, indicators = false;
    unsigned groups = 0, group_slopes = 0;
  } known_;
};

}  // namespace mechfmu
