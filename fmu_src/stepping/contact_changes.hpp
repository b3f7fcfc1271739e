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
  void begin_stages() override;
  void see_stage(double time, const double* forces) override;
  bool put_off(State&) override;
  bool pass(const Point&, State&, Message&) override;
  bool settle(const Point&, State&, Message&) override;
  bool catch_up(const Point&, State&, Message&) override;
  void choose_branches(const Point&, State&) override {}
  void indicate(const Point&, const State&, const double* forces, double* indicators) override;
  void raise_indicators(const Point&, State&, const double* forces) override;
  bool notice(const State&, const double* indicators) override;
  bool pass_outside(const Point&, State&, Message&) override;
  bool settle_outside(const Point&, State&, Message&) override;
  void follow_slips(const Point&, State&) override;
  bool any_acts(const State&) const override;
  bool moved() const override { return moved_; }
  int take_evaluations() override { return rows_.take_evaluations(); }
  void forget() override;

 private:
  /// An event asks for another mode than the present one. A row that has closed says so if somebody else found out.
  enum class Wish : char { none, open, slip, close };
  /// Rows change at an event that was located, at the end of a step of fixed length, or where an integrator outside
  /// came to.
  enum class Where { event, end_of_step, outside };

  /// Returns the place of a group's indicators: 0 for what opens or closes it, 1 for its friction.
  static constexpr int indicator(int group, int which) { return 2 * group + which; }
  bool closed(const State& state, int group) const { return state.held[rows_.first(group)] != 0; }
  bool slides(const State&, int group) const;
  double gap_size(const State& state, int group) const { return state.contact_sizes[rows_.first(group)]; }
  double speed_size(const State& state, int row) const { return state.contact_sizes[rows_.rows() + row]; }
  double force_size(const State& state, int row) const { return state.contact_sizes[2 * rows_.rows() + row]; }
  double touch(const State&, int group) const;
  double rest_speed(const State&, int row) const;
  double least_flight(const State&, int group, double fall, bool fixed_step) const;
  bool touches(const State&, int group) const;

  bool change(const Point&, State&, Where, Message&);
  bool change_late(const Point&, State&, Where, Message&);
  bool count_event(State&, Message&);
  bool modes_differ(const State&) const;
  double fall(const State&, int group);
  bool impact(State&, bool fixed_step, bool& happened, Message&);
  bool land(State&, bool fixed_step, bool& happened);
  bool impact_without_collision(State&, Message&);
  bool choose_modes(const Point&, State&, bool& solved, Message&);
  bool choose_modes_at_loads(State&, bool again, bool& solved, Message&);
  void keep_modes(const State&);
  bool keeps_modes(const State&) const;
  contacts::Problem problem_of_speeds();
  void take_impulses(State&, const double* impulse);
  void sum_impulses(State&);
  void write_modes(State&, const contacts::GroupMode* modes);
  bool fail_unsolved(const State&, const char* what, Message&) const;
  bool fail_chatter(const State&, Message&) const;

  void find_forces(const State&);
  /// Returns the bound of a group's friction while it slides, if its rows have these forces.
  double bound_of_friction(int group, const double* forces) const {
    const ContactLaw& law = rows_.law(group);
    return rows_.kind(group).has_normal() ? law.friction * forces[rows_.first(group)] : law.capacity;
  }
  /// Calls act(row, force) for the rows that act, after find_forces(): they hold, or rub along what slides.
  template <class Act>
  void for_acting_rows(const State& state, Act&& act) {
    for (int g = 0; g < rows_.groups(); ++g) {
      const contacts::Group& kind = rows_.kind(g);
      const int first = rows_.first(g), tangent = rows_.tangent(g);
      const double friction = bound_of_friction(g, forces_.data());
      for (int i = first; i < first + kind.rows(); ++i) {
        const double force = slides(state, g) && i >= tangent ? -friction * directions_[i] : forces_[i];
        if (force != 0) act(i, force);
      }
    }
  }
  bool indicate(const Point&, const State&, Message&);
  bool gaps_have_values(double time, Message&) const;
  void indicate_outside(const Point&, const State&, const double* forces);
  void indicate_groups(const State&);
  void indicate_open(const State&, int group, double gap, double speed);
  void set_indicator(int place, double value, double slope, double size, double scale);
  bool rests_open(const State&, int group) const;
  /// Is q, v with their rates, and the inputs, at an end of a step.
  struct StepEnd {
    StepEnd(Arena&, const Sizes&);
    double time = 0;
    Buffer<dynamic> q, v, q_rate, v_rate, inputs;
  };
  void note_end(const Point&, const State&, StepEnd&);
  bool stages_differ() const;
  bool look_within(const Point&, const State&, double& where, Message&);
  bool look_at_dips(const Point&, const State&, int begin, bool& dips, double& place, Message&);
  bool indicate_within(const Point&, const State&, double part, Message&);
  bool stays_quiet(const Point&, const State&);
  void stop_slips(State&);
  void end_short_slips(State&);
  void end_slips_of_landed(State&);
  template <class Stay, class Slide>
  void end_short_slips(State&, const Stay&, const Slide&);
  /// Is true if a group's gap opens.
  bool leaves(const State& state, int group) const {
    const int row = rows_.first(group);
    return rows_.kind(group).has_normal() && rows_.speed(row) > rest_speed(state, row);
  }
  void push_out(State&);
  void hold_rows(State&);
  void list_held_rows(const State&);
  WritableColumns<> held_mobilities();
  void factor_held_rows();
  void empty_held_gaps(State&);
  void stop_held_rows(State&);
  template <class Open>
  bool put_onto_held_rows(Open&& open);
  double gap_of(const State&, int row) const;
  void renew_slides(State&) const;
  void name_chosen(Message&) const;

  const Mechanism& mechanism_;
  ChangingRows rows_;
  contacts::Solver solver_;
  contacts::Impact impact_;
  contacts::Accelerations accelerations_;
  /// There are two for each group.
  Indicators indicators_;
  Array<contacts::GroupMode> present_, likely_;  ///< are those of the chosen groups
  Array<contacts::GroupMode> last_modes_;        ///< were chosen last, for each group
  Array<Wish> wish_;
  Array<char> lands_;
  Array<bool> unsettled_, pressed_;
  Array<char> modes_;                           ///< modes of rows before they change: 0 open, 1 held, 2 sliding
  Buffer<dynamic> held_before_, slide_before_;  ///< tell what held and slid before, while loads and modes are found
  Buffer<dynamic> restitution_, rest_, numbers_, directions_, forces_, force_sizes_, delta_;
  Buffer<dynamic> impulses_;  ///< has one for each row
  Buffer<dynamic> begin_directions_;
  Buffer<dynamic> scales_;  ///< sizes of indicators, for an integrator outside
  Buffer<dynamic> sizes_;
  LeastNorm system_;       ///< has rows that hold, which may depend on each other
  IndexBuffer held_rows_;  ///< lists rows that hold, or that have to
  int held_count_ = 0;
  Buffer<dynamic> begin_gaps_, begin_speeds_;
  bool moved_ = false, has_locks_ = false;
  bool begins_ = false;  ///< a motion has begun, and no step yet
  StepEnd begin_, end_, within_;
  static constexpr int most_stages = 16;
  static constexpr int finest_look = 32;  ///< as many parts of a step are looked at, at most
  RunTimeColumns seen_;                   ///< indicators at the ends of these parts, in columns
  Array<char> doubtful_, watched_;        ///< parts that may hide something; indicators without slopes
  int looks_within_ = 0;                  ///< how often this step may still be looked at within
  RunTimeColumns stages_;                 ///< indicators of forces at the stages of a step, in columns
  Buffer<dynamic> stage_times_, held_at_begin_;
  int stage_count_ = 0;
  bool begin_acts_ = false;  ///< something acted at the beginning of the step
  bool quiet_ = false;       ///< nothing acted at the beginning of the step, and the search has not begun
  double watched_at_ = 0;    ///< gaps and speeds are those of the state at this time, which nobody has changed since
  Chatter chatter_;
};

}  // namespace mechfmu
