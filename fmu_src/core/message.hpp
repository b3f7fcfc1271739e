// A message of fixed length: errors are return values here, and their text needs no allocation.
#pragma once

#include <cstdarg>
#include <cstdio>

namespace mechfmu {

struct Message {
  char text[1536] = "";

  bool empty() const { return text[0] == '\0'; }
  void clear() { text[0] = '\0'; }

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
    int used = 0;
    while (text[used] != '\0') ++used;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text + used, sizeof text - static_cast<unsigned>(used), format, arguments);
    va_end(arguments);
  }
};

}  // namespace mechfmu
