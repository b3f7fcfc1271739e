// Follows switches through a motion: numbers that decide which branches of formulas count. A step ends where one of
// them changes, so that integrators see smooth formulas only. docs/method.md, conditions in formulas.
#pragma once

#include "changes.hpp"
#include "indicators.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

class SwitchChanges final : public Changes {
 public:
  /// `contacts` follows rows that come and go, or is nullptr.
  SwitchChanges(Arena&, const Mechanism&, Changes* contacts);

  bool begin(const Point&, State&, Message&) override;
  bool decide(const Point&, State&, Message&) override;
  bool begin_step(const Point&, State&, Message&) override;
  Seen look(const Point&, const State&, double& length, Message&) override;
  /// Branches are forgotten where a communication step ends: only contacts wait.
  bool put_off(State& state) override { return contact_event_ && contacts_->put_off(state); }
  bool pass(const Point&, State&, Message&) override;
  bool settle(const Point&, State&, Message&) override;
  bool catch_up(const Point&, State&, Message&) override;
  // In motions integrated from outside the numbers themselves say which branches count. Nobody asks for indicators
  // where there are no contacts.
  void indicate(const Point& p, const State& state, const double* forces, double* indicators) override {
    contacts_->indicate(p, state, forces, indicators);
  }
  void raise_indicators(const Point& p, State& state, const double* forces) override {
    contacts_->raise_indicators(p, state, forces);
  }
  bool notice(const State& state, const double* indicators) override { return contacts_->notice(state, indicators); }
  bool pass_outside(const Point& p, State& state, Message& message) override {
    return contacts_->pass_outside(p, state, message);
  }
  bool settle_outside(const Point& p, State& state, Message& message) override {
    return contacts_->settle_outside(p, state, message);
  }
  void follow_slips(const Point& p, State& state) override { contacts_->follow_slips(p, state); }
  bool any_acts(const State& state) const override { return contacts_ != nullptr && contacts_->any_acts(state); }
  bool moved() const override { return moved_; }
  int take_evaluations() override { return contacts_ == nullptr ? 0 : contacts_->take_evaluations(); }
  void forget() override;

 private:
  template <class Act>
  bool ask_contacts(const Act& act);
  void indicate_switches(const State&);
  void turn(State&, int index) const;
  bool fail_chatter(const State&, Message&) const;

  const Mechanism& mechanism_;
  Changes* contacts_;
  Indicators indicators_;
  Buffer<dynamic> numbers_, rates_;
  Chatter chatter_;
  bool contact_event_ = false, switch_event_ = false, moved_ = false;
};

}  // namespace mechfmu
