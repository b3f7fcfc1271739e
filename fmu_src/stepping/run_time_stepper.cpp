// This file makes a stepper of any members of the families, with sizes at run time.
#include "constraints/saddle_solvers/any_solver.hpp"
#include "constraints/saddle_solvers/without_units.hpp"
#include "constraints/tangent_bases/any_basis.hpp"
#include "full_motion.hpp"
#include "independent_motion.hpp"
#include "integration.hpp"
#include "integrators/list.hpp"
#include "member_facts.hpp"

namespace mechfmu {

namespace {

/// Makes a stepper that moves this motion by the i-th method.
template <class Motion, class First, class... Others, class... Arguments>
Stepper* with_method(Arena& arena, int i, List<First, Others...>, const Mechanism& mechanism,
                     const Arguments&... arguments) {
  if (i == 0) return arena.make<Integration<Motion, First>>(arena, mechanism, RunTimeModel(mechanism), arguments...);
  if constexpr (sizeof...(Others) > 0)
    return with_method<Motion>(arena, i - 1, List<Others...>{}, mechanism, arguments...);
  else return nullptr;
}

}  // namespace

Stepper* make_run_time_stepper(Arena& arena, const Mechanism& mechanism, const Settings& settings) {
  const auto drift = static_cast<Drift>(settings.drift_correction);
  const int solver = settings.tangent_basis - Members<TangentBases<RunTimeModel>>::count;
  if (solver >= 0 || drift == Drift::baumgarte) {
    return with_method<FullMotion<RunTimeModel, WithoutUnits<RunTimeModel, AnySolver>>>(
        arena, settings.method, Methods{}, mechanism, drift, solver < 0 ? -1 : solver);
  }
  if (integrates_independent(settings.tangent_basis)) {
    return with_method<IndependentMotion<RunTimeModel, CoordinatePartitioningBasis>>(arena, settings.method, Methods{},
                                                                                     mechanism, drift);
  }
  return with_method<TangentMotion<RunTimeModel, AnyBasis>>(arena, settings.method, Methods{}, mechanism, drift,
                                                            settings.tangent_basis);
}

}  // namespace mechfmu
