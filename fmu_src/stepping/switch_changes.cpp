// Finds when the branches of formulas change, and changes them.
#include "switch_changes.hpp"

#include <cmath>

#include "linear/tolerances.hpp"

namespace mechfmu {

SwitchChanges::SwitchChanges(Arena& arena, const Mechanism& m, Changes* contacts)
    : mechanism_(m), contacts_(contacts), indicators_(arena, m.sizes.switches), numbers_(arena, m.sizes.switches),
      rates_(arena, m.sizes.switches) {}

/// Lets contacts do what `act` says, if there are some.
template <class Act>
bool SwitchChanges::ask_contacts(const Act& act) {
  moved_ = false;
  if (contacts_ == nullptr) return true;
  if (!act(*contacts_)) return false;
  moved_ = contacts_->moved();
  return true;
}

bool SwitchChanges::begin(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.begin(p, state, message); });
}

bool SwitchChanges::decide(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.decide(p, state, message); });
}

bool SwitchChanges::settle(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.settle(p, state, message); });
}

/// Steps of fixed length do not end at switches: their numbers decide in every evaluation.
bool SwitchChanges::catch_up(const Point& p, State& state, Message& message) {
  return ask_contacts([&](Changes& contacts) { return contacts.catch_up(p, state, message); });
}

void SwitchChanges::forget() {
  chatter_.forget();
  if (contacts_ != nullptr) contacts_->forget();
}

/// Sets the indicators from numbers and rates: how far each number is from where its branch changes.
void SwitchChanges::indicate_switches(const State& state) {
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    const double side = state.sides[i], number = numbers_[i],
                 rate = mechanism_.switch_has_rate[i] ? rates_[i] : std::nan(""),
                 size = rounding_of_conditions * std::fabs(number);
    if (side == 0) {
      indicators_.set(i, 1, std::nan(""), 0);
    } else if (mechanism_.switch_counts[i]) {
      const double least = (side - 1) / 2, above = number - least, below = least + 1 - number;
      if (above < below) indicators_.set(i, above, rate, size);
      else indicators_.set(i, below, -rate, size);
    } else {
      indicators_.set(i, side > 0 ? number : -number, side > 0 ? rate : -rate, size);
    }
  }
}

bool SwitchChanges::begin_step(const Point& p, State& state, Message& message) {
  if (contacts_ != nullptr && !contacts_->begin_step(p, state, message)) return false;
  // Numbers do not change with sides: both branches are the same where a number has not vanished.
  mechanism_.switches(p, numbers_.data(), rates_.data());
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (state.sides[i] != 0) continue;
    // A number that is zero goes on deciding by itself.
    const double number = numbers_[i];
    state.set_side(i, mechanism_.switch_counts[i] ? 2 * std::floor(number) + 1 : number > 0 ? 1 : number < 0 ? -1 : 0);
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
  moved_ = false;
  if (*state.put_off != 0) contact_event_ = true, switch_event_ = false;
  for (int i = 0; switch_event_ && i < mechanism_.sizes.switches; ++i)
    if (state.sides[i] != 0 && indicators_.reached(i)) turn(state, i);
  if (switch_event_ && chatter_.count(*state.time, mechanism_.duration)) return fail_chatter(state, message);
  const double events = *state.events;
  // Forces may have jumped: contacts that hold are asked again.
  const bool passed = ask_contacts([&](Changes& contacts) {
    return contact_event_ ? contacts.pass(p, state, message)
                          : !contacts.any_acts(state) || contacts.decide(p, state, message);
  });
  if (switch_event_) *state.events = events + 1;  // Contacts belong to the same event.
  return passed;
}

bool SwitchChanges::fail_chatter(const State& state, Message& message) const {
  message.fail("Near t = %.9g s conditions in formulas change more than %d times while hardly any time passes: ",
               *state.time, Chatter::most);
  const char* between = "";
  for (int i = 0; i < mechanism_.sizes.switches; ++i) {
    if (!indicators_.reached(i)) continue;
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
