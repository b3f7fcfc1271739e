// The floating-point unit belongs to the host, which may have set another rounding, traps, or small numbers flushed to
// zero. While one of these lives, arithmetic is the standard's (to nearest, no traps, gradual underflow), so that
// results do not depend on the host; afterwards the host finds all as it was, the flags of past exceptions too.
#pragma once

#if defined(__SSE2__)

#include <xmmintrin.h>

namespace mechfmu {

class DefaultArithmetic {
 public:
  DefaultArithmetic() { _mm_setcsr(0x1f80); }
  ~DefaultArithmetic() { _mm_setcsr(host_); }
  /// Runs what the host does meanwhile, in its own arithmetic.
  template <class Call>
  auto suspended(Call&& call) const {
    _mm_setcsr(host_);
    const auto result = call();
    _mm_setcsr(0x1f80);
    return result;
  }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  const unsigned host_ = _mm_getcsr();
};

}  // namespace mechfmu

#else

#include <cfenv>

namespace mechfmu {

class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    std::fegetenv(&host_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&host_); }
  template <class Call>
  auto suspended(Call&& call) const {
    std::fesetenv(&host_);
    const auto result = call();
    std::fesetenv(FE_DFL_ENV);
    return result;
  }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  std::fenv_t host_;
};

}  // namespace mechfmu

#endif
