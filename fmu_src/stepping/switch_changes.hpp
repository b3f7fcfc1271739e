// Follows switches through a motion: numbers that decide which branches of formulas count. A step ends where one of
// them changes, so that integrators see smooth formulas only. docs/method.md, conditions in formulas. States are reset
// where their conditions become true.
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
  void choose_branches(const Point&, State&) override;
  void indicate(const Point&, const State&, const double* forces, double* indicators) override;
  void raise_indicators(const Point&, State&, const double* forces) override;
  bool notice(const State&, const double* indicators) override;
  bool pass_outside(const Point&, State&, Message&) override;
  bool settle_outside(const Point&, State&, Message&) override;
  void begin_stages() override {
    if (contacts_ != nullptr) contacts_->begin_stages();
  }
  void see_stage(double time, const double* forces) override {
    if (contacts_ != nullptr) contacts_->see_stage(time, forces);
  }
  void follow_slips(const Point& p, State& state) override {
    if (contacts_ != nullptr) contacts_->follow_slips(p, state);
  }
  bool any_acts(const State& state) const override { return contacts_ != nullptr && contacts_->any_acts(state); }
  bool moved() const override { return moved_; }
  int take_evaluations() override { return contacts_ == nullptr ? 0 : contacts_->take_evaluations(); }
  void forget() override;

 private:
  template <class Act>
  bool ask_contacts(const Act& act);
  template <class Act>
  bool reset_and_ask(const Point&, State&, const Act& act);
  double side_of(int index) const;
  double distance(const State&, int index) const;
  void indicate_switches(const State&);
  void turn(State&, int index) const;
  double margin(const State&, int index) const;
  template <class Act>
  bool pass_both(const Point&, State&, Message&, const Act& act);
  bool see_jumps(const Point&, State&);
  Point with_sides(const Point&, const State&);
  void note_conditions(const Point&, State&);
  bool reset(const Point&, State&);
  bool fail_chatter(const State&, Message&) const;

  const Mechanism& mechanism_;
  Changes* contacts_;
  Indicators indicators_;
  Buffer<dynamic> numbers_, rates_, numbers_before_;
  Buffer<dynamic> conditions_, values_;  ///< those of resets
  Buffer<dynamic> inputs_;               ///< inputs with the sides that the state has now
  Array<bool> reached_;                  ///< these switches change at this event
  Chatter chatter_;
  bool contact_event_ = false, switch_event_ = false, moved_ = false;
};

}  // namespace mechfmu
