// The functions of FMI 3.0 that belong to model exchange alone. Each is one guarded call.
#include "fmi3_guard.hpp"

namespace {

using mechfmu::call;
using mechfmu::Instance;
using mechfmu::Status;
using mechfmu::fmi3::guarded;

/// A count that the importer asks for.
fmi3Status tell_count(fmi3Instance instance, const mechfmu::AllowedCall& row, size_t* count, bool of_states) {
  return guarded(instance, row, [&](Instance& self) {
    if (count == nullptr) return self.fail("the pointer is NULL");
    *count = static_cast<size_t>(of_states ? self.state_count() : self.indicator_count());
    return Status::ok;
  });
}

}  // namespace

fmi3Instance fmi3InstantiateModelExchange(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage) {
  mechfmu::Log log = mechfmu::fmi3::log_of(instanceEnvironment, logMessage);
  log.turn_all(loggingOn);
  mechfmu::Wishes wishes;
  wishes.model_exchange = wishes.event_mode = true;
  return Instance::create(Instance::Standard::fmi3, mechfmu::exported_model(), instanceName, instantiationToken, log,
                          wishes);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3EnterContinuousTimeMode"),
                 [](Instance& self) { return self.enter_continuous_time(); });
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean, fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminateSimulation) {
  bool event = false;
  const fmi3Status status = guarded(instance, call("fmi3CompletedIntegratorStep"), [&](Instance& self) {
    return self.complete_integrator_step(event);
  });
  if (enterEventMode != nullptr) *enterEventMode = event;
  if (terminateSimulation != nullptr) *terminateSimulation = fmi3False;
  return status;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  return guarded(instance, call("fmi3SetTime"), [&](Instance& self) { return self.set_time(time); });
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
  return guarded(instance, call("fmi3SetContinuousStates"),
                 [&](Instance& self) { return self.set_states(continuousStates, nContinuousStates); });
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             size_t nContinuousStates) {
  return guarded(instance, call("fmi3GetContinuousStateDerivatives"),
                 [&](Instance& self) { return self.get_state_derivatives(derivatives, nContinuousStates); });
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators) {
  return guarded(instance, call("fmi3GetEventIndicators"),
                 [&](Instance& self) { return self.get_event_indicators(eventIndicators, nEventIndicators); });
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates) {
  return guarded(instance, call("fmi3GetContinuousStates"),
                 [&](Instance& self) { return self.get_states(continuousStates, nContinuousStates); });
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates) {
  return guarded(instance, call("fmi3GetNominalsOfContinuousStates"),
                 [&](Instance& self) { return self.get_nominals(nominals, nContinuousStates); });
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* nEventIndicators) {
  return tell_count(instance, call("fmi3GetNumberOfEventIndicators"), nEventIndicators, false);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* nContinuousStates) {
  return tell_count(instance, call("fmi3GetNumberOfContinuousStates"), nContinuousStates, true);
}
