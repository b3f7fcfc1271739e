// Tests that the floating-point unit belongs to the host: the host finds its rounding, traps and small numbers
// unchanged after every call, and results have equal bits.
#include <catch2/catch.hpp>

#include <fenv.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "session.hpp"

using namespace mechfmu::importer;

namespace {

/// Is a setting of the host, which is undone at the end.
class HostSetting {
 public:
  explicit HostSetting(int kind) {
    fegetenv(&before_);
    switch (kind) {
      case 1: fesetround(FE_UPWARD); break;
      case 2: fesetround(FE_DOWNWARD); break;
      case 3: fesetround(FE_TOWARDZERO); break;
      case 4: feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW); break;  // and a signal would end the program
#ifdef __SSE2__
      case 5: _mm_setcsr(_mm_getcsr() | 0x8040); break;  // flush to zero, denormals are zeros
#endif
      default: break;
    }
    feclearexcept(FE_ALL_EXCEPT);
    now_ = here();
  }
  ~HostSetting() { fesetenv(&before_); }

  bool kept() const { return here() == now_; }

 private:
  struct Observed {
    int rounding, traps, flags;
    unsigned control;
    bool operator==(const Observed&) const = default;
  };
  /// All but the flag of inexact results, since the session adds up times itself.
  static Observed here() {
#ifdef __SSE2__
    const unsigned control = _mm_getcsr() & ~0x20u;
#else
    const unsigned control = 0;
#endif
    return {fegetround(), fegetexcept(), fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT), control};
  }
  fenv_t before_;
  Observed now_;
};

/// Numbers and statuses of a run, with an error in the end.
std::vector<double> run(const Subject& subject, int setting) {
  const Fmu& fmu = subject.fmu;
  std::vector<unsigned> references;
  for (const Variable& variable : fmu.description.variables) {
    if (!variable.is_choice()) references.push_back(variable.reference);
  }
  std::vector<double> values(references.size()), statuses;
  std::vector<double> x(fmu.description.states.size()), rates(x.size());
  const double h = fmu.description.stop_time / (subject.exchange() ? 1e4 : 100);
  bool kept = true;
  {
    const auto session = make_session(subject);
    void* state = nullptr;
    const auto call = [&](auto work) {
      const HostSetting host(setting);
      statuses.push_back(work());
      kept = kept && host.kept();
    };
    // In model exchange the importer's sums are its own.
    const auto integrate = [&](double time) {
      call([&] { return session->get_states(x.data(), x.size()); });
      call([&] { return session->get_state_derivatives(rates.data(), x.size()); });
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * rates[i];
      const double end = time + h;
      call([&] { return session->set_time(end); });
      call([&] { return session->set_states(x.data(), x.size()); });
      call([&] { return session->complete_step(); });
    };
    call([&] { return session->enter(1e-7, 0, 1e3); });
    call([&] { return session->begin(); });
    for (int i = 0; i < 20; ++i) {
      if (i == 10) call([&] { return session->save(&state); });
      if (i == 12) call([&] { return session->restore(state); });
      const double time = (i < 12 ? i : i - 2) * h;
      if (subject.exchange()) integrate(time);
      else call([&] { return session->step(time, h); });
      call([&] { return session->get(references.data(), references.size(), values.data(), values.size()); });
    }
    call([&] { return session->free_state(&state); });
    call([&] { return session->set(references[0], 1); });
    call([&] { return session->reset(); });
  }
  CHECK(kept);
  statuses.insert(statuses.end(), values.begin(), values.end());
  return statuses;
}

}  // namespace

TEST_CASE("the host's floating-point settings stay and do not matter") {
  for (const Subject& subject : subjects()) {
    const std::vector<double> expected = run(subject, 0);
    for (int setting = 1; setting <= 5; ++setting) {
      INFO(subject.name() << ", setting " << setting);
      CHECK((run(subject, setting) == expected));
    }
  }
}
