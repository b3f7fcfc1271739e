// The functions of FMI 3.0 that belong to what this FMU does not have: variables of other types, clocks,
// scheduled execution. Importers look all of them up; allowed_calls.hpp says why each is
// refused.
#include "fmi3_guard.hpp"

namespace {

using mechfmu::call;
using mechfmu::Instance;
using mechfmu::Status;
using mechfmu::fmi3::guarded;
using mechfmu::fmi3::refuse_instance;

/// For functions that no state allows.
fmi3Status refused(fmi3Instance instance, const mechfmu::AllowedCall& row) {
  return guarded(instance, row, [](Instance&) { return Status::error; });
}

/// For types of which there are no variables: nothing can be asked for but nothing.
fmi3Status no_variables(fmi3Instance instance, const mechfmu::AllowedCall& row, size_t count, const char* type) {
  return guarded(instance, row, [&](Instance& self) { return self.no_variables(count, type); });
}

}  // namespace

// These functions are for other kinds of instances.

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
    fmi3UnlockPreemptionCallback) {
  return refuse_instance(mechfmu::fmi3::log_of(instanceEnvironment, logMessage),
                         "no instance: this is an FMU for co-simulation, not for scheduled execution");
}

// These functions are for variables of other types.

fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3Float32[],
                          size_t) {
  return no_variables(instance, call("fmi3GetFloat32"), nValueReferences, "Float32");
}

fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3Int8[], size_t) {
  return no_variables(instance, call("fmi3GetInt8"), nValueReferences, "Int8");
}

fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3UInt8[],
                        size_t) {
  return no_variables(instance, call("fmi3GetUInt8"), nValueReferences, "UInt8");
}

fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3Int16[],
                        size_t) {
  return no_variables(instance, call("fmi3GetInt16"), nValueReferences, "Int16");
}

fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3UInt16[],
                         size_t) {
  return no_variables(instance, call("fmi3GetUInt16"), nValueReferences, "UInt16");
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3Int32[],
                        size_t) {
  return no_variables(instance, call("fmi3GetInt32"), nValueReferences, "Int32");
}

fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3UInt32[],
                         size_t) {
  return no_variables(instance, call("fmi3GetUInt32"), nValueReferences, "UInt32");
}

fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3UInt64[],
                         size_t) {
  return no_variables(instance, call("fmi3GetUInt64"), nValueReferences, "UInt64");
}

fmi3Status fmi3GetBoolean(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3Boolean[],
                          size_t) {
  return no_variables(instance, call("fmi3GetBoolean"), nValueReferences, "Boolean");
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, fmi3String[],
                         size_t) {
  return no_variables(instance, call("fmi3GetString"), nValueReferences, "String");
}

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, size_t[],
                         fmi3Binary[], size_t) {
  return no_variables(instance, call("fmi3GetBinary"), nValueReferences, "Binary");
}

fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences,
                          const fmi3Float32[], size_t) {
  return no_variables(instance, call("fmi3SetFloat32"), nValueReferences, "Float32");
}

fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3Int8[],
                       size_t) {
  return no_variables(instance, call("fmi3SetInt8"), nValueReferences, "Int8");
}

fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3UInt8[],
                        size_t) {
  return no_variables(instance, call("fmi3SetUInt8"), nValueReferences, "UInt8");
}

fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3Int16[],
                        size_t) {
  return no_variables(instance, call("fmi3SetInt16"), nValueReferences, "Int16");
}

fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3UInt16[],
                         size_t) {
  return no_variables(instance, call("fmi3SetUInt16"), nValueReferences, "UInt16");
}

fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3Int32[],
                        size_t) {
  return no_variables(instance, call("fmi3SetInt32"), nValueReferences, "Int32");
}

fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3UInt32[],
                         size_t) {
  return no_variables(instance, call("fmi3SetUInt32"), nValueReferences, "UInt32");
}

fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3UInt64[],
                         size_t) {
  return no_variables(instance, call("fmi3SetUInt64"), nValueReferences, "UInt64");
}

fmi3Status fmi3SetBoolean(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences,
                          const fmi3Boolean[], size_t) {
  return no_variables(instance, call("fmi3SetBoolean"), nValueReferences, "Boolean");
}

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const fmi3String[],
                         size_t) {
  return no_variables(instance, call("fmi3SetString"), nValueReferences, "String");
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t nValueReferences, const size_t[],
                         const fmi3Binary[], size_t) {
  return no_variables(instance, call("fmi3SetBinary"), nValueReferences, "Binary");
}

// These functions need other capabilities.

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Clock[]) {
  return refused(instance, call("fmi3GetClock"));
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Clock[]) {
  return refused(instance, call("fmi3SetClock"));
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t*) {
  return refused(instance, call("fmi3GetNumberOfVariableDependencies"));
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference, size_t[], fmi3ValueReference[],
                                       size_t[], fmi3DependencyKind[], size_t) {
  return refused(instance, call("fmi3GetVariableDependencies"));
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return refused(instance, call("fmi3GetIntervalDecimal"));
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return refused(instance, call("fmi3GetIntervalFraction"));
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return refused(instance, call("fmi3GetShiftDecimal"));
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return refused(instance, call("fmi3GetShiftFraction"));
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refused(instance, call("fmi3SetIntervalDecimal"));
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return refused(instance, call("fmi3SetIntervalFraction"));
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refused(instance, call("fmi3SetShiftDecimal"));
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return refused(instance, call("fmi3SetShiftFraction"));
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  return refused(instance, call("fmi3EvaluateDiscreteStates"));
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference, fmi3Float64) {
  return refused(instance, call("fmi3ActivateModelPartition"));
}
