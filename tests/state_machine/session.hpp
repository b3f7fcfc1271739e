// Drives an instance as an importer does, through one interface for FMI 2 and FMI 3. Every call goes through to the
// library, with pointers and counts as they are; statuses come back as numbers, which are equal in both standards.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmu.hpp"

namespace mechfmu::importer {

/// Is true in programs with sanitizers, in which a call takes about ten times as long.
#ifdef MECHFMU_LIBRARIES
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

enum : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4, no_such_call = -1 };

struct Message {
  int status;
  std::string category, text;
};

/// Holds what an instance is asked to be when it is made.
struct Options {
  Kind kind = Kind::co_simulation;
  bool logging = true;
  bool event_mode = false;  ///< co-simulation of FMI 3: eventModeUsed
  bool early_return = false;
  /// FMI 3: called in intermediate update mode; registers every variable that allows it.
  std::function<void(bool set_requested, bool get_allowed)> intermediate = nullptr;
};

class Session {
 public:
  Session(const Fmu& fmu_, Options options_) : fmu(fmu_), options(std::move(options_)) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // NAN for stop means that there is none, 0 for tolerance too.
  virtual int enter(double tolerance, double start, double stop) = 0;
  int enter();
  virtual int exit() = 0;
  virtual int step(double time, double h) = 0;
  /// One communication step from where the instance is.
  int step();
  virtual int terminate() = 0;
  virtual int reset() = 0;
  virtual int get(const unsigned* references, std::size_t count, double* values, std::size_t value_count) = 0;
  virtual int set(const unsigned* references, std::size_t count, const double* values, std::size_t value_count) = 0;
  /// Gets items of enumerations.
  virtual int get_items(const unsigned* references, std::size_t count, int* values) = 0;
  virtual int set_items(const unsigned* references, std::size_t count, const int* values) = 0;
  virtual int save(void** state) = 0;
  virtual int restore(void* state) = 0;
  virtual int free_state(void** state) = 0;
  virtual int serialized_size(void* state, std::size_t* size) = 0;
  virtual int serialize(void* state, char* bytes, std::size_t size) = 0;
  virtual int deserialize(const char* bytes, std::size_t size, void** state) = 0;
  virtual int set_logging(bool on, std::size_t count, const char* const* categories) = 0;
  // Gets derivatives: of unknowns along knowns, of a sum of unknowns by knowns, of outputs by time; sets those of
  // inputs by time.
  virtual int directional(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns,
                          const std::vector<double>& seed, std::vector<double>& sensitivity) = 0;
  virtual int adjoint(const std::vector<unsigned>&, const std::vector<unsigned>&, const std::vector<double>&,
                      std::vector<double>&) {
    return no_such_call;
  }
  virtual int get_output_derivatives(const std::vector<unsigned>& references, const std::vector<int>& orders,
                                     std::vector<double>& values) = 0;
  virtual int set_input_derivatives(const std::vector<unsigned>&, const std::vector<int>&, const std::vector<double>&) {
    return no_such_call;
  }
  // These functions belong to event mode: model exchange, and co-simulation of FMI 3.
  virtual int enter_event_mode() = 0;
  /// no_such_call: the answer announces what a mechanism never does.
  virtual int update_discrete_states(bool* states_changed = nullptr) = 0;
  virtual int enter_step_mode() { return no_such_call; }
  // These functions belong to model exchange.
  virtual int enter_continuous_time_mode() = 0;
  virtual int set_time(double time) = 0;
  virtual int set_states(const double* values, std::size_t count) = 0;
  virtual int get_states(double* values, std::size_t count) = 0;
  virtual int get_state_derivatives(double* values, std::size_t count) = 0;
  virtual int get_nominals(double* values, std::size_t count) = 0;
  virtual int get_event_indicators(double* values, std::size_t count) = 0;
  /// Returns no_such_call as above, and where event mode is asked for but `event` is nullptr.
  virtual int complete_step(bool* event = nullptr) = 0;

  // The functions below do what both kinds can do, in their own ways; they return the first status that is not OK, and
  // stop there. This one ends initialization and goes to step mode or continuous-time mode.
  int begin();
  /// Makes one communication step, or one of the classical Runge-Kutta method.
  int advance(double h);
  int advance();

  int get(unsigned reference, double& value) { return get(&reference, 1, &value, 1); }
  int set(unsigned reference, double value) { return set(&reference, 1, &value, 1); }
  /// Returns the log, for messages of tests.
  std::string log() const;

  const Fmu& fmu;
  const Options options;
  void* instance = nullptr;
  std::vector<Message> messages;
  bool asks_for_event = false;  ///< the last step of model exchange asks for event mode
  double time = 0;              ///< end of the last step that succeeded; after restoring a state the caller sets it

 private:
  int integrate(double h);
};

std::unique_ptr<Session> make_session2(const Fmu&, Options);
std::unique_ptr<Session> make_session3(const Fmu&, Options);

/// Returns an instance of the FMU's own version.
std::unique_ptr<Session> make_session(const Fmu&, Options = {});
std::unique_ptr<Session> make_session(const Subject&, Options = {});

}  // namespace mechfmu::importer
