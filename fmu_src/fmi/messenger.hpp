// Tells the importer about an instance.
#pragma once

#include <cstdarg>

#include "allowed_calls.hpp"
#include "linear/buffer.hpp"
#include "log_category.hpp"

namespace mechfmu {

/// Messages go to the log. Errors are told whether logging is on or off (FMI 3.0.3 says so; in FMI 2 loggingOn is about
/// debug messages): an importer that did not ask for messages still learns why something failed. Warnings that a call
/// returns as its status are told, too. Other messages are for importers that asked.
struct Log {
  using Write = void (*)(const Log&, const char* instance_name, Status, const char* text);
  Write write = nullptr;             ///< translates to the importer's callback
  void (*callback)() = nullptr;      ///< the importer's, cast back by `write`
  void* environment = nullptr;       ///< handed back to the importer
  bool on[log_category_count] = {};  ///< categories that were asked for

  void turn_all(bool asked) {
    for (bool& category : on) category = asked;
  }
};

class Messenger {
 public:
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;

  /// Takes what setDebugLogging asks for: no categories are all of them.
  Status set_logging(bool on, std::size_t count, const char* const* categories);

  /// Tells the log and returns Status::error: a failing function ends with `return fail(…)`.
  [[gnu::format(gnu_printf, 2, 3)]] Status fail(const char* format, ...);
  /// Tells the log and returns Status::discard, if there are no values here but may be elsewhere.
  [[gnu::format(gnu_printf, 2, 3)]] Status refrain(const char* format, ...);
  /// Tells those who asked for warnings what is ignored, or what to know, in a call that succeeds. Its status stays OK,
  /// since some importers take a warning during set-up for a failure.
  [[gnu::format(gnu_printf, 2, 3)]] void warn(const char* format, ...);

 protected:
  /// Takes the arena over in which the instance itself lies.
  Messenger(Arena&&, const char* name, const Log&);
  ~Messenger() = default;
  void tell(Status, const char* text);
  /// Tells it whatever the importer asked for.
  void write(Status, const char* text);

  Arena memory_;
  Array<char> name_;
  Log log_;
  const char* call_ = "";  ///< the entry point being served

 private:
  Status tell(Status, const char* format, std::va_list);
};

}  // namespace mechfmu
