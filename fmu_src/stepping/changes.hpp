// The contract of what changes at instants while a motion is integrated: rows that come and go (contact_changes.hpp),
// which are contacts, limits, locks and frictions that stick; and branches of formulas (switch_changes.hpp). An FMU has
// an implementation only if its mechanism has such things.
#pragma once

#include "linear/arena.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/message.hpp"
#include "mechanism/state.hpp"

namespace mechfmu {

class Changes {
 public:
  /// A look at the end of a step has seen one of these.
  enum class Seen {
    nothing,  ///< the motion goes on
    earlier,  ///< something changes before: the step has to be made again, to an earlier end
    event,    ///< something changes here
    trouble,  ///< the message says which
  };

  // The functions take the state as a point of evaluation. If they return false, the message says why.

  /// Begins a motion at its start: no contact may penetrate. Then it decides.
  virtual bool begin(const Point&, State&, Message&) = 0;
  /// Decides at this state which rows hold and which contacts slide, and gives the impulses that this takes. Rows that
  /// slide as they should go on.
  virtual bool decide(const Point&, State&, Message&) = 0;
  /// Notes what is watched at the beginning of a step of controlled length.
  virtual bool begin_step(const Point&, State&, Message&) = 0;
  /// Begins to see the forces of rows that hold at the stages of a step. Their errors do not shorten steps, since what
  /// rests does not feel them.
  virtual void begin_stages() = 0;
  virtual void see_stage(double time, const double* forces) = 0;
  /// Looks at the step's end, `length` behind its beginning. If it has seen something earlier, `length` says where to
  /// look next.
  virtual Seen look(const Point&, const State&, double& length, Message&) = 0;
  /// Leaves the event that look() has seen to a later pass(), also in another instance with this state, if contacts
  /// change there. Returns false if none do.
  virtual bool put_off(State&) = 0;
  /// Changes rows where look() has seen an event.
  virtual bool pass(const Point&, State&, Message&) = 0;
  /// Puts positions and velocities onto the rows that hold.
  virtual bool settle(const Point&, State&, Message&) = 0;
  /// Decides at the end of a step of fixed length what has changed within it.
  virtual bool catch_up(const Point&, State&, Message&) = 0;

  // An integrator outside looks for events itself.
  /// Gives each switch the side of its number, unless the number lies at zero: branches of formulas then stay until an
  /// event changes them.
  virtual void choose_branches(const Point&, State&) = 0;
  /// Writes the indicators at this point, two for each group, which are about 1 in size, then one for each switch: they
  /// are positive while nothing changes. `forces` are those of the rows.
  virtual void indicate(const Point&, const State&, const double* forces, double* indicators) = 0;
  /// Raises indicators that are not positive here by as little as makes them so.
  virtual void raise_indicators(const Point&, State&, const double* forces) = 0;
  /// Notes what indicators ask for that are not positive. Returns false if there are none.
  virtual bool notice(const State&, const double* indicators) = 0;
  /// Changes rows there, and puts positions and velocities onto rows and out of gaps that were passed.
  virtual bool pass_outside(const Point&, State&, Message&) = 0;
  /// Puts them there without any change of rows.
  virtual bool settle_outside(const Point&, State&, Message&) = 0;
  /// Lets the directions of slips in space follow the slips.
  virtual void follow_slips(const Point&, State&) = 0;

  /// Is true if a row holds or a contact slides in this state.
  virtual bool any_acts(const State&) const = 0;
  /// Is true if the last call has moved q or v.
  virtual bool moved() const = 0;
  /// Returns how often accelerations were evaluated since it was asked last.
  virtual int take_evaluations() = 0;
  /// Forgets what is remembered of parameters and inputs.
  virtual void forget() = 0;

 protected:
  ~Changes() = default;  // it lies in an arena
};

/// Make an implementation: these are ChangesFactories.
Changes* make_contact_changes(Arena&, const Mechanism&);
Changes* make_switch_changes(Arena&, const Mechanism&);
Changes* make_contact_and_switch_changes(Arena&, const Mechanism&);

}  // namespace mechfmu
