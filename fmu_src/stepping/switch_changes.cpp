// Finds when the branches of formulas change, and changes them.
#include "switch_changes.hpp"

#include <cmath>

#include "linear/tolerances.hpp"

namespace mechfmu {

SwitchChanges::SwitchChanges(Arena& arena, const Mechanism& m, Changes* contacts)
    : mechanism_(m), contacts_(contacts), indicators_(arena, m.sizes.switches), numbers_(arena, m.sizes.switches),
      rates_(arena, m.sizes.switches), numbers_before_(arena, m.sizes.switches), conditions_(arena, m.sizes.resets),
      values_(arena, m.sizes.resets), inputs_(arena, m.sizes.inputs), reached_(arena, m.sizes.switches) {}

/// Lets contacts do what `act` says, if there are some.
template <class Act>
bool SwitchChanges::ask_contacts(const Act& act) {
  moved_ = false;
  if (contacts_ == nullptr) return true;
  if (!act(*contacts_)) return false;
  moved_ = contacts_->moved();
  return true;
}

/// Resets states, which is an event if it happens, before contacts do what `act` says.
template <class Act>
bool SwitchChanges::reset_and_ask(const Point& p, State& state, const Act& act) {
  const bool jumped = reset(p, state);
  if (jumped) *state.events += 1;
  const bool done = ask_contacts(act);
  moved_ = moved_ || jumped;
  return done;
}

bool SwitchChanges::begin(const Point& p, State& state, Message& message) {
  note_conditions(p, state);
  return ask_contacts([&](Changes& contacts) { return contacts.begin(p, state, message); });
}

bool SwitchChanges::decide(const Point& p, State& state, Message& message) {
  return reset_and_ask(p, state, [&](Changes& contacts) { return contacts.decide(p, state, message); });
}

bool SwitchChanges::settle(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.settle(p, state, message); });
}

/// Steps of fixed length do not end at switches: their numbers decide in every evaluation.
bool SwitchChanges::catch_up(const Point& p, State& state, Message& message) {
  return reset_and_ask(p, state, [&](Changes& contacts) { return contacts.catch_up(p, state, message); });
}

/// Returns a point with the sides that the state has now, also where inputs follow a course.
Point SwitchChanges::with_sides(const Point& given, const State& state) {
  Point p = given;
  dense::copy(mechanism_.sizes.inputs, given.inputs, inputs_.data());
  dense::copy(mechanism_.sizes.switches, state.sides, inputs_.data() + (state.sides - state.inputs));
  p.inputs = inputs_.data();
  p.q = state.q;
  p.v = state.v;
  return p;
}

/// Notes which conditions of resets hold, without any reset.
void SwitchChanges::note_conditions(const Point& p, State& state) {
  if (mechanism_.sizes.resets == 0) return;
  mechanism_.resets(with_sides(p, state), conditions_.data(), values_.data());
  dense::copy(mechanism_.sizes.resets, conditions_.data(), state.triggered);
}

/// Resets states whose conditions have become true. Returns true if there are some.
bool SwitchChanges::reset(const Point& p, State& state) {
  if (mechanism_.sizes.resets == 0) return false;
  mechanism_.resets(with_sides(p, state), conditions_.data(), values_.data());
  bool jumped = false;
  for (int i = 0; i < mechanism_.sizes.resets; ++i) {
    if (conditions_[i] != 0 && state.triggered[i] == 0) {
      state.q[mechanism_.reset_states[i]] = values_[i];
      jumped = true;
    }
    state.triggered[i] = conditions_[i];
  }
  return jumped;
}

void SwitchChanges::forget() {
  chatter_.forget();
  if (contacts_ != nullptr) contacts_->forget();
}

/// Returns the side of a number: its sign, or an odd number between twice its whole part and twice the next one.
double SwitchChanges::side_of(int index) const {
  const double number = numbers_[index];
  if (mechanism_.switch_counts[index]) return 2 * std::floor(number) + 1;
  return number > 0 ? 1 : number < 0 ? -1 : 0;
}

/// Returns how far a number is from where its branch changes. It is negative on the wrong side.
double SwitchChanges::distance(const State& state, int index) const {
  const double side = state.sides[index], number = numbers_[index];
  if (!mechanism_.switch_counts[index]) return side > 0 ? number : -number;
  const double least = (side - 1) / 2;
  return std::fmin(number - least, least + 1 - number);
}

/// Sets the indicators from numbers and rates.
void SwitchChanges::indicate_switches(const State& state) {
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    const double side = state.sides[i], middle = mechanism_.switch_counts[i] ? side / 2 : 0,
                 rate = mechanism_.switch_has_rate[i] ? rates_[i] : std::nan("");
    const bool rises = mechanism_.switch_counts[i] ? numbers_[i] < middle : side > 0;
    if (side == 0) indicators_.set(i, 1, std::nan(""), 0);
    else indicators_.set(i, distance(state, i), rises ? rate : -rate, rounding_of_conditions * std::fabs(numbers_[i]));
  }
}

bool SwitchChanges::begin_step(const Point& p, State& state, Message& message) {
  if (contacts_ != nullptr && !contacts_->begin_step(p, state, message)) return false;
  // Numbers do not change with sides: both branches are the same where a number has not vanished.
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (state.sides[i] == 0) state.set_side(i, side_of(i));  // A number that is zero goes on deciding by itself.
  }
  indicate_switches(state);
  indicators_.begin();
  return true;
}

Changes::Seen SwitchChanges::look(const Point& p, const State& state, double& length, Message& message) {
  double there = length, here = length;
  const Seen contact = contacts_ == nullptr ? Seen::nothing : contacts_->look(p, state, there, message);
  if (contact == Seen::trouble) return contact;
  mechanism_.switches(p, numbers_.data(), rates_.data());
  indicate_switches(state);
  const Seen own = indicators_.look(*state.time, here);
  const double next =
      std::fmin(contact == Seen::earlier ? there : beyond_all, own == Seen::earlier ? here : beyond_all);
  contact_event_ = contact == Seen::event;
  switch_event_ = own == Seen::event;
  // A search may go on behind this end, where it saw something before; what happens here comes first.
  if (next >= length && (contact_event_ || switch_event_)) return Seen::event;
  if (next == beyond_all) return Seen::nothing;
  length = next;
  return Seen::earlier;
}

/// Brings a switch to its other side.
void SwitchChanges::turn(State& state, int index) const {
  const double side = state.sides[index];
  if (!mechanism_.switch_counts[index]) return state.set_side(index, -side);
  const double least = (side - 1) / 2;
  state.set_side(index, numbers_[index] - least < 0.5 ? side - 2 : side + 2);
}

bool SwitchChanges::pass(const Point& p, State& state, Message& message) {
  if (*state.put_off != 0) contact_event_ = true, switch_event_ = false;
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    reached_[i] = switch_event_ && state.sides[i] != 0 && indicators_.reached(i);
    if (reached_[i]) turn(state, i);
  }
  return pass_both(p, state, message, [&](Changes& contacts) {
    return contact_event_ ? contacts.pass(p, state, message)
                          : !contacts.any_acts(state) || contacts.decide(p, state, message);
  });
}

/// Lets contacts change as `act` says after switches have: forces may have jumped. Velocities may jump then, and rates
/// of states have jumped with switches. With them numbers of other switches jump: contacts are asked again for the
/// branches that count behind such a jump. States are reset then; conditions of their jumps may follow.
template <class Act>
bool SwitchChanges::pass_both(const Point& p, State& state, Message& message, const Act& act) {
  const double events = *state.events;
  if (switch_event_ && chatter_.count(*state.time, mechanism_.duration)) return fail_chatter(state, message);
  bool passed = ask_contacts(act), moved = moved_;
  for (int round = 0; passed; ++round) {
    const bool seen = (moved_ || switch_event_) && see_jumps(p, state), jumped = reset(p, state);
    moved = moved || jumped;
    if (!seen && !(jumped && (see_jumps(p, state) || mechanism_.sizes.resets > 1))) break;
    if (round > mechanism_.sizes.switches + mechanism_.sizes.resets) return fail_chatter(state, message);
    passed = ask_contacts([&](Changes& contacts) {
      return !contacts.any_acts(state) || contacts.decide(p, state, message);
    });
    moved = moved || moved_;
  }
  moved_ = moved;
  if (switch_event_ || *state.events > events) *state.events = events + 1;  // All of this is one event.
  return passed;
}

/// Gives switches whose numbers have jumped the sides that they have now. Returns true if one has changed.
bool SwitchChanges::see_jumps(const Point& given, State& state) {
  const int count = mechanism_.sizes.switches;
  const Point p = with_sides(given, state);
  for (int i = 0; i < count; ++i) numbers_before_[i] = numbers_[i];
  mechanism_.switches(p, numbers_.data(), rates_.data());
  bool changed = false;
  for (int i = 0; i < count; ++i) {
    const double jump = std::fabs(numbers_[i] - numbers_before_[i]),
                 size = std::fabs(numbers_[i]) + std::fabs(numbers_before_[i]), side = side_of(i);
    if (state.sides[i] == 0 || side == 0 || side == state.sides[i] || !(jump > rounding_of_conditions * size)) continue;
    state.set_side(i, side);
    reached_[i] = changed = true;
  }
  return changed;
}

// --- For an integrator outside --------------------------------------------------------------------------------------

void SwitchChanges::choose_branches(const Point& p, State& state) {
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (state.sides[i] == 0 ? std::fabs(numbers_[i]) > least_indicator : distance(state, i) < -least_indicator)
      state.set_side(i, side_of(i));
  }
}

void SwitchChanges::indicate(const Point& p, const State& state, const double* forces, double* indicators) {
  if (contacts_ != nullptr) contacts_->indicate(p, state, forces, indicators);
  const int first = 2 * mechanism_.sizes.contacts;
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i)
    indicators[first + i] = margin(state, i) + state.shifts[first + i];
}

/// Returns an indicator without its shift. A number that decides by itself, since it is zero, may not leave zero.
double SwitchChanges::margin(const State& state, int index) const {
  return state.sides[index] == 0 ? 2 * least_indicator - std::fabs(numbers_[index]) : distance(state, index);
}

void SwitchChanges::raise_indicators(const Point& p, State& state, const double* forces) {
  if (contacts_ != nullptr) contacts_->raise_indicators(p, state, forces);
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    const double least =
        std::fmax(least_indicator, begin_of_indicators * rounding_of_conditions * std::fabs(numbers_[i]));
    state.shifts[2 * mechanism_.sizes.contacts + i] = std::fmax(least - margin(state, i), 0);
  }
}

bool SwitchChanges::notice(const State& state, const double* indicators) {
  contact_event_ = contacts_ != nullptr && contacts_->notice(state, indicators);
  switch_event_ = false;
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    reached_[i] = !(indicators[2 * mechanism_.sizes.contacts + i] > 0);
    switch_event_ = switch_event_ || reached_[i];
  }
  return contact_event_ || switch_event_;
}

bool SwitchChanges::pass_outside(const Point& p, State& state, Message& message) {
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (!reached_[i]) continue;
    if (distance(state, i) < 0 || state.sides[i] == 0) state.set_side(i, side_of(i));
    else turn(state, i);
  }
  return pass_both(p, state, message, [&](Changes& contacts) {
    return contact_event_ || contacts.any_acts(state) ? contacts.pass_outside(p, state, message) : true;
  });
}

bool SwitchChanges::settle_outside(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.settle_outside(p, state, message); });
}

bool SwitchChanges::fail_chatter(const State& state, Message& message) const {
  message.fail("Near t = %.9g s conditions in formulas change more than %d times while hardly any time passes: ",
               *state.time, Chatter::most);
  const char* between = "";
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (!reached_[i]) continue;
    message.add("%s%s", between, mechanism_.switch_names[i]);
    between = ", ";
  }
  message.add(
      ". Each branch leads back to the other one. Friction that sticks can be given as such; other formulas "
      "need a smooth passage from one branch to the other.");
  return false;
}

Changes* make_switch_changes(Arena& arena, const Mechanism& mechanism) {
  return arena.make<SwitchChanges>(arena, mechanism, nullptr);
}

Changes* make_contact_and_switch_changes(Arena& arena, const Mechanism& mechanism) {
  return arena.make<SwitchChanges>(arena, mechanism, make_contact_changes(arena, mechanism));
}

}  // namespace mechfmu
