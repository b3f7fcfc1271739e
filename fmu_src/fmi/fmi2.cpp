// Defines all functions of FMI 2.0. Each is one guarded call.
#include "exported_model.hpp"

#include <fmi2Functions.h>

namespace {

using mechfmu::call;
using mechfmu::Instance;
using mechfmu::Log;
using mechfmu::Status;

fmi2Status to_fmi2(Status status) { return static_cast<fmi2Status>(status); }

/// Runs `work` on the instance if the function is allowed now.
template <class Work>
fmi2Status guarded(fmi2Component component, const mechfmu::AllowedCall& row, Work&& work) {
  Instance* instance = static_cast<Instance*>(component);
  if (instance == nullptr) return fmi2Error;
  return to_fmi2(instance->guarded(row, [&] { return work(*instance); }));
}

/// For functions that no state allows.
fmi2Status refused(fmi2Component component, const mechfmu::AllowedCall& row) {
  return guarded(component, row, [](Instance&) { return Status::error; });
}

/// The message is a printf format for some importers, and in all of them # starts a variable reference.
void write_log(const Log& log, const char* instance_name, Status status, const char* text) {
  char escaped[2 * sizeof(mechfmu::Message::text)];
  std::size_t used = 0;
  for (; *text != '\0' && used + 3 < sizeof escaped; ++text) {
    if (*text == '%' || *text == '#') escaped[used++] = *text;
    escaped[used++] = *text;
  }
  escaped[used] = '\0';
  reinterpret_cast<fmi2CallbackLogger>(
      log.callback)(log.environment, instance_name, to_fmi2(status),
                    mechfmu::log_categories[mechfmu::category_of(status)].name, escaped);
}

/// Statuses that nobody can ask for when steps are synchronous.
fmi2Status no_status(fmi2Component component, const mechfmu::AllowedCall& row) {
  return guarded(component, row, [](Instance&) { return Status::discard; });
}

}  // namespace

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean loggingOn) {
  Log log;
  if (functions != nullptr && functions->logger != nullptr) {
    log.write = write_log;
    log.callback = reinterpret_cast<void (*)()>(functions->logger);
    log.environment = functions->componentEnvironment;
    log.turn_all(loggingOn != fmi2False);
  }
  mechfmu::Wishes wishes;
  wishes.model_exchange = wishes.event_mode = fmuType == fmi2ModelExchange;
  return Instance::create(Instance::Standard::fmi2, mechfmu::exported_model(), instanceName, fmuGUID, log, wishes);
}

// Freeing NULL has no effect.
void fmi2FreeInstance(fmi2Component c) { Instance::destroy(static_cast<Instance*>(c)); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
  return guarded(c, call("fmi2SetDebugLogging"), [&](Instance& instance) {
    return instance.set_logging(loggingOn != fmi2False, nCategories, categories);
  });
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
                               fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return guarded(c, call("fmi2SetupExperiment"), [&](Instance& instance) {
    return instance.set_up(toleranceDefined != fmi2False, tolerance, startTime, stopTimeDefined != fmi2False, stopTime);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return guarded(c, call("fmi2EnterInitializationMode"),
                 [](Instance& instance) { return instance.enter_initialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return guarded(c, call("fmi2ExitInitializationMode"),
                 [](Instance& instance) { return instance.exit_initialization(); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return guarded(c, call("fmi2Terminate"), [](Instance& instance) { return instance.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return guarded(c, call("fmi2Reset"), [](Instance& instance) { return instance.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[]) {
  return guarded(c, call("fmi2GetReal"), [&](Instance& instance) { return instance.get_numbers(vr, nvr, value); });
}

// Integers are enumerations here.
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Integer value[]) {
  return guarded(c, call("fmi2GetInteger"), [&](Instance& instance) { return instance.get_items(vr, nvr, value); });
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t nvr, fmi2Boolean[]) {
  return guarded(c, call("fmi2GetBoolean"), [&](Instance& instance) { return instance.no_variables(nvr, "Boolean"); });
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t nvr, fmi2String[]) {
  return guarded(c, call("fmi2GetString"), [&](Instance& instance) { return instance.no_variables(nvr, "String"); });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Real value[]) {
  return guarded(c, call("fmi2SetReal"), [&](Instance& instance) { return instance.set_numbers(vr, nvr, value); });
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer value[]) {
  return guarded(c, call("fmi2SetInteger"), [&](Instance& instance) { return instance.set_items(vr, nvr, value); });
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t nvr, const fmi2Boolean[]) {
  return guarded(c, call("fmi2SetBoolean"), [&](Instance& instance) { return instance.no_variables(nvr, "Boolean"); });
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t nvr, const fmi2String[]) {
  return guarded(c, call("fmi2SetString"), [&](Instance& instance) { return instance.no_variables(nvr, "String"); });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  return guarded(c, call("fmi2GetFMUstate"), [&](Instance& instance) { return instance.save(FMUstate); });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
  return guarded(c, call("fmi2SetFMUstate"), [&](Instance& instance) { return instance.restore(FMUstate); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  return guarded(c, call("fmi2FreeFMUstate"), [&](Instance& instance) { return instance.discard(FMUstate); });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
  return guarded(c, call("fmi2SerializedFMUstateSize"),
                 [&](Instance& instance) { return instance.serialized_size(FMUstate, size); });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size) {
  return guarded(c, call("fmi2SerializeFMUstate"),
                 [&](Instance& instance) { return instance.serialize(FMUstate, serializedState, size); });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate* FMUstate) {
  return guarded(c, call("fmi2DeSerializeFMUstate"),
                 [&](Instance& instance) { return instance.deserialize(serializedState, size, FMUstate); });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean) {
  return guarded(c, call("fmi2DoStep"), [&](Instance& instance) {
    return instance.do_step(currentCommunicationPoint, communicationStepSize);
  });
}

fmi2Status fmi2CancelStep(fmi2Component c) { return refused(c, call("fmi2CancelStep")); }

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
  return guarded(c, call("fmi2GetRealStatus"), [&](Instance& instance) {
    if (value == nullptr) return instance.fail("the pointer is NULL");
    if (s != fmi2LastSuccessfulTime) return Status::discard;
    *value = instance.last_time();
    return Status::ok;
  });
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
  return guarded(c, call("fmi2GetBooleanStatus"), [&](Instance& instance) {
    if (value == nullptr) return instance.fail("the pointer is NULL");
    if (s != fmi2Terminated) return Status::discard;
    *value = fmi2False;  // a mechanism never asks for the end
    return Status::ok;
  });
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind, fmi2Status*) {
  return no_status(c, call("fmi2GetStatus"));
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
  return no_status(c, call("fmi2GetIntegerStatus"));
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String*) {
  return no_status(c, call("fmi2GetStringStatus"));
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  return guarded(c, call("fmi2SetRealInputDerivatives"),
                 [&](Instance& instance) { return instance.set_input_derivatives(vr, nvr, order, value); });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
  return guarded(c, call("fmi2GetRealOutputDerivatives"),
                 [&](Instance& instance) { return instance.get_derivatives(vr, nvr, order, value); });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t unknown_count,
                                        const fmi2ValueReference knowns[], size_t known_count, const fmi2Real changes[],
                                        fmi2Real derivatives[]) {
  return guarded(c, call("fmi2GetDirectionalDerivative"), [&](Instance& instance) {
    return instance.directional_derivative({unknowns, unknown_count, nullptr}, {knowns, known_count, changes},
                                           derivatives);
  });
}

// The functions from here on belong to model exchange.

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return guarded(c, call("fmi2EnterEventMode"), [](Instance& instance) { return instance.enter_event_mode(); });
}

// One call passes an event whole, and a mechanism foresees none; states jump when contacts change, or when what was
// set moves constraints.
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo) {
  return guarded(c, call("fmi2NewDiscreteStates"), [&](Instance& instance) {
    if (eventInfo == nullptr) return instance.fail("the pointer is NULL");
    bool jumped = false;
    const Status status = instance.update_discrete_states(jumped);
    *eventInfo = fmi2EventInfo{};
    eventInfo->valuesOfContinuousStatesChanged = jumped;
    return status;
  });
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return guarded(c, call("fmi2EnterContinuousTimeMode"),
                 [](Instance& instance) { return instance.enter_continuous_time(); });
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* enterEventMode,
                                       fmi2Boolean* terminateSimulation) {
  bool event = false;
  const fmi2Status status = guarded(c, call("fmi2CompletedIntegratorStep"), [&](Instance& instance) {
    return instance.complete_integrator_step(event);
  });
  if (enterEventMode != nullptr) *enterEventMode = event;
  if (terminateSimulation != nullptr) *terminateSimulation = fmi2False;
  return status;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return guarded(c, call("fmi2SetTime"), [&](Instance& instance) { return instance.set_time(time); });
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx) {
  return guarded(c, call("fmi2SetContinuousStates"), [&](Instance& instance) { return instance.set_states(x, nx); });
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx) {
  return guarded(c, call("fmi2GetDerivatives"),
                 [&](Instance& instance) { return instance.get_state_derivatives(derivatives, nx); });
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni) {
  return guarded(c, call("fmi2GetEventIndicators"),
                 [&](Instance& instance) { return instance.get_event_indicators(eventIndicators, ni); });
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx) {
  return guarded(c, call("fmi2GetContinuousStates"), [&](Instance& instance) { return instance.get_states(x, nx); });
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx) {
  return guarded(c, call("fmi2GetNominalsOfContinuousStates"),
                 [&](Instance& instance) { return instance.get_nominals(x_nominal, nx); });
}
