// The families' lists: every basis under every method, with sizes at run time.
#include "families.hpp"
#include "integration.hpp"
#include "integrators/list.hpp"
#include "stabilised_motion.hpp"
#include "tangent_bases/gram_schmidt.hpp"
#include "tangent_bases/partitioned.hpp"
#include "tangent_bases/qr.hpp"

namespace mechfmu {

namespace {

/// The i-th method under this motion.
template <class Motion, class First, class... Others>
Stepper* with_method(int i, List<First, Others...>, const Mechanism& mechanism, Drift drift) {
  if (i == 0) return make_integration<Motion, First>(mechanism, RunTimeModel(mechanism), drift);
  if constexpr (sizeof...(Others) > 0) return with_method<Motion>(i - 1, List<Others...>{}, mechanism, drift);
  else return nullptr;
}

template <template <class> class Basis>
Stepper* with_basis(const Mechanism& mechanism, const Settings& settings) {
  const auto drift = static_cast<Drift>(settings.drift_correction);
  if (drift == Drift::baumgarte) {
    return with_method<StabilisedMotion<Basis>>(settings.method, Methods{}, mechanism, drift);
  }
  return with_method<TangentMotion<RunTimeModel, Basis>>(settings.method, Methods{}, mechanism, drift);
}

/// Bases in the order of families.hpp.
constexpr Stepper* (*bases[])(const Mechanism&, const Settings&) = {
    with_basis<PartitionedBasis>,
    with_basis<GramSchmidtBasis>,
    with_basis<QrBasis>,
};

constexpr bool same(const char* a, const char* b) { return *a == *b && (*a == '\0' || same(a + 1, b + 1)); }

template <class... Members>
constexpr bool names_agree(List<Members...>) {
  int i = 0;
  return sizeof...(Members) == sizeof integration_methods / sizeof *integration_methods &&
         (same(Members::name, integration_methods[i++]) && ...);
}
static_assert(names_agree(Methods{}), "the methods' list is that of families.hpp");
static_assert(same(PartitionedBasis<RunTimeModel>::name, tangent_bases[0]) &&
              same(GramSchmidtBasis<RunTimeModel>::name, tangent_bases[1]) &&
              same(QrBasis<RunTimeModel>::name, tangent_bases[2]) && sizeof bases / sizeof *bases == 3);

}  // namespace

Stepper* make_run_time_stepper(const Mechanism& mechanism, const Settings& settings) {
  return bases[settings.tangent_basis](mechanism, settings);
}

}  // namespace mechfmu
