// The functions of FMI 3.0 that an FMU of a mechanism serves. Each is one guarded call; those of model exchange alone
// are in fmi3_exchange.cpp, those that no state allows in fmi3_refused.cpp.
#include <limits>

#include "fmi3_guard.hpp"

namespace {

using mechfmu::call;
using mechfmu::Instance;
using mechfmu::Log;
using mechfmu::Status;
using mechfmu::Wishes;
using mechfmu::fmi3::guarded;

/// # starts a variable reference in messages, ## is the character itself.
void write_log(const Log& log, const char*, Status status, const char* text) {
  char escaped[2 * sizeof(mechfmu::Message::text)];
  std::size_t used = 0;
  for (; *text != '\0' && used + 3 < sizeof escaped; ++text) {
    if (*text == '#') escaped[used++] = *text;
    escaped[used++] = *text;
  }
  escaped[used] = '\0';
  reinterpret_cast<fmi3LogMessageCallback>(
      log.callback)(log.environment, static_cast<fmi3Status>(status),
                    mechfmu::log_categories[mechfmu::category_of(status)].name, escaped);
}

/// Values belong to the end of an accepted step.
bool update(const Wishes& wishes, double time, bool inputs_wanted, bool may_return, double& end) {
  fmi3Boolean requested = fmi3False;
  reinterpret_cast<fmi3IntermediateUpdateCallback>(
      wishes.callback)(wishes.environment, time, inputs_wanted, fmi3True, fmi3True, may_return, &requested, &end);
  return requested;
}

}  // namespace

mechfmu::Log mechfmu::fmi3::log_of(fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback) {
  Log log;
  if (callback != nullptr) {
    log.write = write_log;
    log.callback = reinterpret_cast<void (*)()>(callback);
    log.environment = environment;
  }
  return log;
}

const char* fmi3GetVersion(void) { return fmi3Version; }

// Without a callback intermediate variables mean nothing. Those given may be any: fmusim registers whatever it records,
// without a look at intermediateUpdate.
fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String, fmi3Boolean, fmi3Boolean loggingOn,
    fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  Log log = mechfmu::fmi3::log_of(instanceEnvironment, logMessage);
  log.turn_all(loggingOn);
  Wishes wishes;
  wishes.event_mode = eventModeUsed;
  wishes.early_return = earlyReturnAllowed;
  if (intermediateUpdate != nullptr) {
    wishes.update = update;
    wishes.callback = reinterpret_cast<void (*)()>(intermediateUpdate);
    wishes.environment = instanceEnvironment;
    wishes.variables = requiredIntermediateVariables;
    wishes.variable_count = nRequiredIntermediateVariables;
  }
  return Instance::create(Instance::Standard::fmi3, mechfmu::exported_model(), instanceName, instantiationToken, log,
                          wishes);
}

// Freeing NULL has no effect; inside a callback an instance is still needed.
void fmi3FreeInstance(fmi3Instance instance) {
  const fmi3Status free = guarded(instance, call("fmi3FreeInstance"), [](Instance&) { return Status::ok; });
  if (free == fmi3OK) Instance::destroy(static_cast<Instance*>(instance));
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
  return guarded(instance, call("fmi3SetDebugLogging"),
                 [&](Instance& self) { return self.set_logging(loggingOn, nCategories, categories); });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  return guarded(instance, call("fmi3EnterInitializationMode"), [&](Instance& self) {
    const Status status = self.set_up(toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime);
    return status == Status::ok ? self.enter_initialization() : status;
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3ExitInitializationMode"),
                 [](Instance& self) { return self.exit_initialization(); });
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3EnterConfigurationMode"), [](Instance&) { return Status::ok; });
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3ExitConfigurationMode"), [](Instance&) { return Status::ok; });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3EnterEventMode"), [](Instance& self) { return self.enter_event_mode(); });
}

// One call passes an event whole, and a mechanism foresees none; continuous states jump when contacts change, or when
// what was set moves constraints.
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation, fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged, fmi3Boolean* nextEventTimeDefined,
                                    fmi3Float64* nextEventTime) {
  return guarded(instance, call("fmi3UpdateDiscreteStates"), [&](Instance& self) {
    bool jumped = false;
    const Status status = self.update_discrete_states(jumped);
    for (fmi3Boolean* flag : {discreteStatesNeedUpdate, terminateSimulation, nominalsOfContinuousStatesChanged,
                              valuesOfContinuousStatesChanged, nextEventTimeDefined}) {
      if (flag != nullptr) *flag = fmi3False;
    }
    if (valuesOfContinuousStatesChanged != nullptr) *valuesOfContinuousStatesChanged = jumped;
    if (nextEventTime != nullptr) *nextEventTime = std::numeric_limits<double>::infinity();
    return status;
  });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return guarded(instance, call("fmi3EnterStepMode"), [](Instance& self) { return self.enter_step_mode(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return guarded(instance, call("fmi3Terminate"), [](Instance& self) { return self.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return guarded(instance, call("fmi3Reset"), [](Instance& self) { return self.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                          fmi3Float64 values[], size_t nValues) {
  return guarded(instance, call("fmi3GetFloat64"), [&](Instance& self) {
    const Status status = self.check_count(valueReferences, nValueReferences, nValues);
    return status == Status::ok ? self.get_numbers(valueReferences, nValueReferences, values) : status;
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                          const fmi3Float64 values[], size_t nValues) {
  return guarded(instance, call("fmi3SetFloat64"), [&](Instance& self) {
    const Status status = self.check_count(valueReferences, nValueReferences, nValues);
    return status == Status::ok ? self.set_numbers(valueReferences, nValueReferences, values) : status;
  });
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t nValues) {
  return guarded(instance, call("fmi3GetOutputDerivatives"), [&](Instance& self) {
    const Status status = self.check_count(valueReferences, nValueReferences, nValues);
    return status == Status::ok ? self.get_derivatives(valueReferences, nValueReferences, orders, values) : status;
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                        size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity) {
  return guarded(instance, call("fmi3GetDirectionalDerivative"), [&](Instance& self) {
    Status status = self.check_count(unknowns, nUnknowns, nSensitivity);
    if (status == Status::ok) status = self.check_count(knowns, nKnowns, nSeed);
    if (status != Status::ok) return status;
    return self.directional_derivative({unknowns, nUnknowns, nullptr}, {knowns, nKnowns, seed}, sensitivity);
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                    size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity) {
  return guarded(instance, call("fmi3GetAdjointDerivative"), [&](Instance& self) {
    Status status = self.check_count(unknowns, nUnknowns, nSeed);
    if (status == Status::ok) status = self.check_count(knowns, nKnowns, nSensitivity);
    if (status != Status::ok) return status;
    return self.adjoint_derivative({unknowns, nUnknowns, seed}, {knowns, nKnowns, nullptr}, sensitivity);
  });
}

// Enumerations are Int64.
fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                        fmi3Int64 values[], size_t nValues) {
  return guarded(instance, call("fmi3GetInt64"), [&](Instance& self) {
    const Status status = self.check_count(valueReferences, nValueReferences, nValues);
    return status == Status::ok ? self.get_items(valueReferences, nValueReferences, values) : status;
  });
}

fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                        const fmi3Int64 values[], size_t nValues) {
  return guarded(instance, call("fmi3SetInt64"), [&](Instance& self) {
    const Status status = self.check_count(valueReferences, nValueReferences, nValues);
    return status == Status::ok ? self.set_items(valueReferences, nValueReferences, values) : status;
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return guarded(instance, call("fmi3GetFMUState"), [&](Instance& self) { return self.save(FMUState); });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
  return guarded(instance, call("fmi3SetFMUState"), [&](Instance& self) { return self.restore(FMUState); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  return guarded(instance, call("fmi3FreeFMUState"), [&](Instance& self) { return self.discard(FMUState); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
  return guarded(instance, call("fmi3SerializedFMUStateSize"),
                 [&](Instance& self) { return self.serialized_size(FMUState, size); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[],
                                 size_t size) {
  return guarded(instance, call("fmi3SerializeFMUState"),
                 [&](Instance& self) { return self.serialize(FMUState, serializedState, size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[], size_t size,
                                   fmi3FMUState* FMUState) {
  return guarded(instance, call("fmi3DeserializeFMUState"),
                 [&](Instance& self) { return self.deserialize(serializedState, size, FMUState); });
}

// The four answers are written whatever happens: some importers take lastSuccessfulTime as their clock.
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                      fmi3Boolean, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  Instance::Ending ending;
  const fmi3Status status = guarded(instance, call("fmi3DoStep"), [&](Instance& self) {
    return self.do_step(currentCommunicationPoint, communicationStepSize, &ending);
  });
  if (eventHandlingNeeded != nullptr) *eventHandlingNeeded = ending.event;
  if (terminateSimulation != nullptr) *terminateSimulation = fmi3False;
  if (earlyReturn != nullptr) *earlyReturn = ending.early;
  if (lastSuccessfulTime != nullptr && instance != nullptr) {
    *lastSuccessfulTime = static_cast<Instance*>(instance)->last_time();
  }
  return status;
}
