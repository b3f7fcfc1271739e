// What a generated mechanism includes: the file's own choice of basis and method, compiled for its sizes. Every other
// choice is run-time-sized and comes from the library.
#pragma once

#include "families.hpp"
#include "integration.hpp"
#include "integrators/list.hpp"

namespace mechfmu {

/// Supplied by the generated code.
const Mechanism& exported_mechanism();
Stepper* make_stepper(const Mechanism&, const Settings&);

/// `method` and `basis`: the indices of the compiled members in families.hpp.
template <class Model, template <class> class Basis, class Method>
Stepper* make_exported_stepper(const Mechanism& mechanism, const Settings& settings, int method, int basis) {
  const auto drift = static_cast<Drift>(settings.drift_correction);
  const bool compiled = settings.method == method && settings.tangent_basis == basis &&
                        (drift == Drift::projection || drift == Drift::none);
  if (!compiled) return make_run_time_stepper(mechanism, settings);
  return make_integration<TangentMotion<Model, Basis>, Method>(mechanism, Model{}, drift);
}

}  // namespace mechfmu
