// Random sequences of legal calls on two instances of an FMU, beside a simple model of what an FMU is: a state of the
// state machine, a time, and the values that were set. Whatever the model foretells must come true.
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
  /// The same seed makes the same calls.
  LegalRun(const Fmu&, unsigned seed);
  ~LegalRun();

  /// Makes this many calls; throws with the last calls and the log when something is not as foretold.
  void make(int calls);
  /// Of all values read and all statuses, bit by bit.
  std::uint64_t digest() const { return digest_; }

 private:
  /// What an instance should be like.
  struct Model {
    char state = 'I';
    double time = 0;
    std::map<unsigned, double> numbers;     ///< what can be set, as it was set last
    std::map<unsigned, std::string> texts;
    bool tolerance_set = false;             ///< else solver.tolerance shows what set-up said
    /// All numbers as they were read last, while nothing has happened that computed values may depend on.
    std::vector<double> computed;
  };
  struct Saved {
    void* handle;
    Model model;
  };

  // One call, or a few that belong together, on the chosen instance.
  void set_something();
  void set_text();
  void read_something();
  void read_everything();
  void step();
  void save();
  void restore();
  void free_saved();
  void serialize();
  void change_mode();
  void reset();
  void change_logging();
  /// In intermediate update mode: reads, then sets inputs.
  void update(int instance, bool set_requested, bool get_allowed);

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
  bool stepping() const { return model_->state == step_state_; }

  const Fmu& fmu_;
  const char step_state_;
  const bool event_mode_;
  std::mt19937_64 random_;
  std::vector<Variable> settable_, settable_while_stepping_, choices_;
  std::vector<unsigned> all_numbers_, in_updates_;
  std::vector<Variable> inputs_in_updates_;
  std::unique_ptr<Session> sessions_[2];
  Model models_[2];
  Session* session_ = nullptr;  ///< the chosen instance and its model
  Model* model_ = nullptr;
  std::vector<Saved> saved_;
  std::string last_calls_;
  int worst_in_updates_ = 0;  ///< status; what fails in the library's own call cannot be thrown through it
  long calls_ = 0;
  std::uint64_t digest_ = 14695981039346656037u;
};

}  // namespace mechfmu::importer
