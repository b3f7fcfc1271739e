// Model exchange: time and continuous states, which are coordinates and rates, come from the importer, which integrates
// them. And event mode, which co-simulation has too.
#pragma once

#include "derivatives.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

class ModelExchange : public Derivatives {
 public:
  Status enter_event_mode();
  // States are coordinates, then rates, each in the order of the variables.
  Status set_time(double time);
  Status set_states(const double* states, std::size_t count);
  Status get_states(double* states, std::size_t count);
  /// Discard: they do not exist there, as the log says; the importer may try elsewhere.
  Status get_state_derivatives(double* derivatives, std::size_t count);
  Status get_nominals(double* nominals, std::size_t count);
  /// They are positive while no contact changes. Discard: as above.
  Status get_event_indicators(double* indicators, std::size_t count);
  int state_count() const { return state_count_; }
  int indicator_count() const { return indicator_count_; }
  /// Tells whether a contact changes here.
  Status complete_integrator_step(bool& event);
  /// The values set in event mode hold from here on, and contacts change; tells whether continuous states jumped. (In
  /// co-simulation there are none, and values wait for the mode's end unless a contact waits to change.)
  Status update_discrete_states(bool& states_changed);
  Status enter_continuous_time();

 protected:
  ModelExchange(Arena&&, Standard, const InstanceModel&, const char* name, const Log&, const Wishes&);
  ~ModelExchange() = default;
  void forget_times() { earliest_time_ = completed_time_ = 0; }

  /// Returns how far an importer's clock may differ from ours.
  static double clock_tolerance(double time, double step_size) {
    return clock_rounding * std::fabs(time) + clock_part_of_step * step_size;
  }

  double earliest_time_ = 0;   ///< an importer does not go back before this time
  double completed_time_ = 0;  ///< time of the last completed step, or of an event since

 private:
  void list_states();
  Status check_states(const void* values, std::size_t count);

  IndexBuffer states_;      ///< rows of the continuous states, in model exchange
  IndexBuffer indicators_;  ///< rows of the event indicators
  int state_count_ = 0, indicator_count_ = 0;
};

}  // namespace mechfmu
