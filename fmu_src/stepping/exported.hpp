// A generated mechanism includes this file: it compiles the exported choice of resolution and method for the
// mechanism's sizes. Every other choice has its sizes at run time and comes from the library.
#pragma once

#include <type_traits>

#include "constraints/saddle_solvers/list.hpp"
#include "constraints/saddle_solvers/without_units.hpp"
#include "constraints/tangent_bases/list.hpp"
#include "full_motion.hpp"
#include "independent_motion.hpp"
#include "integration.hpp"
#include "integrators/list.hpp"

namespace mechfmu {

/// These two functions are defined in the generated code.
const Mechanism& exported_mechanism();
Stepper* make_stepper(Arena&, const Mechanism&, const Settings&);

/// `Type` is the motion that a member of the resolutions serves: in (q, u) with a basis, in (q, v) without one, in
/// independent coordinates and their rates with one that asks for it.
template <class Model, template <class> class Resolution, bool = std::is_base_of_v<SaddleSolver, Resolution<Model>>>
struct MotionWith {
  using Type = std::conditional_t<integrates_independent_with<Resolution<Model>>, IndependentMotion<Model, Resolution>,
                                  TangentMotion<Model, Resolution>>;
};
template <class Model, template <class> class Resolution>
struct MotionWith<Model, Resolution, true> {
  using Type = FullMotion<Model, WithoutUnits<Model, Resolution<Model>>>;
};

/// `method` and `resolution` are the indices of the compiled members in the families' lists.
template <class Model, class Motion, class Method>
Stepper* make_exported_stepper(Arena& arena, const Mechanism& mechanism, const Settings& settings, int method,
                               int resolution) {
  const auto drift = static_cast<Drift>(settings.drift_correction);
  const bool compiled = settings.method == method && settings.tangent_basis == resolution &&
                        (drift == Drift::projection || drift == Drift::none);
  if (!compiled) return make_run_time_stepper(arena, mechanism, settings);
  return arena.make<Integration<Motion, Method>>(arena, mechanism, Model{}, drift);
}

}  // namespace mechfmu
