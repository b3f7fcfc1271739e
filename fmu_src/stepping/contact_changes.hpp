// Follows rows that come and go through a motion: finds when gaps close, forces let go, slips end or begin, and decides
// then by the solver of contacts (contacts/) what holds and what slides. docs/method.md, contacts in the motion.
#pragma once

#include "changes.hpp"
#include "changing_rows.hpp"
#include "contacts/accelerations.hpp"
#include "contacts/impact.hpp"
#include "indicators.hpp"
#include "linear/least_norm.hpp"

namespace mechfmu {

class ContactChanges final : public Changes {
 public:
  ContactChanges(Arena&, const Mechanism&);

  bool begin(const Point&, State&, Message&) override;
  bool decide(const Point&, State&, Message&) override;
  bool begin_step(const Point&, State&, Message&) override;
  Seen look(const Point&, const State&, double& length, Message&) override;
  bool pass(const Point&, State&, Message&) override;
  bool settle(const Point&, State&, Message&) override;
  bool catch_up(const Point&, State&, Message&) override;
  bool any_acts(const State&) const override;
  bool moved() const override { return moved_; }
  int take_evaluations() override { return rows_.take_evaluations(); }
  void forget() override;

 private:
  /// An event asks for another mode than the present one.
  enum class Wish : char { none, open, slip };

  bool closed(const State& state, int group) const { return state.held[rows_.first(group)] != 0; }
  bool slides(const State&, int group) const;
  double gap_size(const State& state, int group) const { return state.contact_sizes[rows_.first(group)]; }
  double speed_size(const State& state, int row) const { return state.contact_sizes[rows_.rows() + row]; }
  double touch(const State&, int group) const;
  double rest_speed(const State&, int row) const;
  double least_flight(const State&, int group, double fall, bool fixed_step) const;
  bool touches(const State&, int group) const;

  bool change(const Point&, State&, bool fixed_step, Message&);
  bool impact(State&, bool fixed_step, bool& happened, Message&);
  bool land(State&, bool fixed_step, bool& happened);
  bool impact_without_collision(State&, Message&);
  bool choose_modes(State&, bool& solved, Message&);
  void take_impulses(State&, const double* impulse);
  void write_modes(State&, const contacts::GroupMode* modes);
  bool fail_unsolved(const State&, const char* what, Message&) const;
  bool fail_chatter(const State&, Message&) const;

  void find_forces(const State&);
  bool indicate(const Point&, const State&, Message&);
  void indicate_open(const State&, int group, double gap, double speed);
  bool stays_quiet(const Point&, const State&);
  void stop_slips(State&);
  void end_short_slips(State&);
  void push_out(State&);
  void factor_held_rows();
  template <class Open>
  bool put_onto_held_rows(Open&& open);
  double gap_of(int row) const;
  void renew_slides(State&) const;
  void name_chosen(Message&) const;

  const Mechanism& mechanism_;
  ChangingRows rows_;
  contacts::Solver solver_;
  contacts::Impact impact_;
  contacts::Accelerations accelerations_;
  /// There are two for each group.
  Indicators indicators_;
  Array<contacts::GroupMode> present_;
  Array<Wish> wish_;
  Array<char> lands_;
  Array<bool> unsettled_, pressed_;
  Buffer<dynamic> restitution_, rest_, numbers_, directions_, forces_, force_sizes_, delta_;
  Buffer<dynamic> begin_directions_;
  LeastNorm system_;  ///< has rows that hold, which may depend on each other
  IndexBuffer held_rows_;
  int held_count_ = 0;
  Buffer<dynamic> begin_gaps_, begin_speeds_;
  bool moved_ = false, has_locks_ = false;
  bool quiet_ = false;     ///< nothing acted at the beginning of the step, and the search has not begun
  double watched_at_ = 0;  ///< gaps and speeds are those of the state at this time, which nobody has changed since
  Chatter chatter_;
};

}  // namespace mechfmu
