// Makes random sequences of legal calls on two instances of an FMU, beside a simple model of what an FMU is: a state of
// the state machine, a time, and the values that were set. All that the model foretells must come true.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "session.hpp"

namespace mechfmu::importer {

class LegalRun {
 public:
  /// Equal seeds make equal calls, with or without questions for derivatives between them; a run without them reads a
  /// value instead.
  LegalRun(const Subject&, unsigned seed, bool asks_for_derivatives = true);
  ~LegalRun();

  /// Makes this many calls; throws with the last calls and the log when something is not as foretold.
  void make(int calls);
  /// Returns a digest of all values read and all statuses, bit by bit. Derivatives are left out, since they must leave
  /// no trace.
  std::uint64_t digest() const { return digest_; }
  /// Counts how often each item of the solver's choices began a motion, by the choice's name and the item's number.
  /// Items that the mechanism does not allow are not there.
  const std::map<std::string, std::map<int, int>>& begun() const { return begun_; }
  /// Returns the largest number of events, of contacts and conditions, that a motion has shown.
  double events() const { return events_; }

 private:
  /// Says how an instance should behave.
  struct Model {
    char state = 'I';
    double time = 0;
    std::map<unsigned, double> numbers;  ///< last values of the variables that can be set
    std::map<unsigned, int> items;
    bool tolerance_set = false;  ///< else solver.tolerance shows what set-up said
    /// All numbers as they were read last, while nothing has happened that computed values may depend on.
    std::vector<double> computed;
    // Model exchange: how far back time may be set; and where the states were when event mode was entered, or when the
    // importer was last told whether they jumped.
    double earliest = 0, completed = 0;
    std::vector<double> states;
    bool set_in_event = false;  ///< something was set since then
  };
  struct Saved {
    void* handle;
    Model model;
  };

  // One call, or a few that belong together, on the chosen instance.
  void set_something();
  void set_item();
  void read_something();
  void read_everything();
  void step();
  void set_input_derivatives();
  void save();
  void restore();
  void free_saved();
  void serialize();
  void change_mode();
  void reset();
  void change_logging();
  /// In intermediate update mode: reads, then sets inputs.
  void update(int instance, bool set_requested, bool get_allowed);

  // The file legal_exchange.cpp has these functions.
  void integrate();
  void look_elsewhere();
  void enter_event_mode();
  void update_discrete_states();
  std::vector<double> states();
  std::vector<double> state_derivatives();
  void set_states(const std::vector<double>& values);
  void set_time(double time);

  // The file legal_derivatives.cpp has questions that change nothing; random numbers of their own choose them.
  void ask_for_derivatives();
  void ask_for_directions(bool adjoint);
  void ask_for_output_derivatives();
  std::vector<unsigned> unknowns() const;
  std::vector<unsigned> knowns() const;
  double derivative_error() const;

  void expect(int status, const char* what);
  void check(bool right, const char* what);
  bool chance(double probability) { return std::uniform_real_distribution<>()(random_) < probability; }
  double number(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  template <class Item>
  const Item& any(const std::vector<Item>& items) {
    return items[std::uniform_int_distribution<std::size_t>(0, items.size() - 1)(random_)];
  }
  void digest(const void* bytes, std::size_t size);
  Model fresh() const;
  /// The items of a choice that the mechanism allows. Throws where a refusal does not say what to choose.
  std::vector<int> allowed_items(const Variable& choice) const;
  /// Is true if a set waits for the next step.
  bool stepping() const { return model_->state == step_state_; }
  bool before() const { return model_->state == 'I' || model_->state == 'N'; }
  double input_near(const Variable& input);

  const Subject subject_;
  const Fmu& fmu_ = subject_.fmu;
  const char step_state_;
  const bool event_mode_, asks_, has_impacts_;
  std::mt19937_64 random_, moments_, questions_;
  std::vector<Variable> settable_, settable_while_stepping_, inputs_, choices_;
  std::vector<Variable> settable_while_instantiated_, guessed_;
  std::vector<unsigned> all_numbers_, in_updates_, knowns_;
  std::vector<Variable> inputs_in_updates_;
  std::map<unsigned, std::vector<int>> items_;  ///< items of the choices that the mechanism allows
  std::map<std::string, std::map<int, int>> begun_;
  std::unique_ptr<Session> sessions_[2];
  Model models_[2];
  Session* session_ = nullptr;  ///< the chosen instance and its model
  Model* model_ = nullptr;
  std::vector<Saved> saved_;
  std::string last_calls_;
  int worst_in_updates_ = 0;  ///< status; what fails in the library's own call cannot be thrown through it
  double events_ = 0;
  long calls_ = 0;
  bool asking_ = false;  ///< calls are questions for derivatives
  std::uint64_t digest_ = 14695981039346656037u;
};

}  // namespace mechfmu::importer
