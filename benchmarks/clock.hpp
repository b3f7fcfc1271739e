// Has what all benchmarks share: the clock, and an end with a message.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace mechfmu {

/// Returns processor time, to which other programs do not count.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

}  // namespace mechfmu
