// A message has a fixed length: errors are return values here, and their text needs no allocation. Beside the reason of
// a failure, a message has warnings about the results of calls that did not fail.
#pragma once

#include <cstdarg>
#include <cstdio>

namespace mechfmu {

struct Message {
  char text[1536] = "";
  char warnings[768] = "";  ///< sentences; no failure makes them invalid, and no failure clears them

  bool empty() const { return text[0] == '\0'; }
  void clear() { text[0] = '\0'; }
  bool warns() const { return warnings[0] != '\0'; }
  void clear_warnings() { warnings[0] = '\0'; }

  /// Replaces the text; returns false, so that a failing function can end with `return message.fail(…)`.
  [[gnu::format(gnu_printf, 2, 3)]] bool fail(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return false;
  }

  /// Adds to the text.
  [[gnu::format(gnu_printf, 2, 3)]] void add(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    append(text, format, arguments);
    va_end(arguments);
  }

  /// Adds a sentence to the warnings.
  [[gnu::format(gnu_printf, 2, 3)]] void warn(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    append(warnings, format, arguments, warns() ? " " : "");
    va_end(arguments);
  }

 private:
  template <unsigned size>
  static void append(char (&to)[size], const char* format, std::va_list arguments, const char* before = "") {
    unsigned used = 0;
    while (to[used] != '\0') ++used;
    for (; *before != '\0' && used + 1 < size; ++before) to[used++] = *before;
    std::vsnprintf(to + used, size - used, format, arguments);
  }
};

}  // namespace mechfmu
