// Which function may be called in which state of an instance for model exchange, and where it leads: the tables of FMI
// 2.0.5 (model exchange, figure 6 and the table below it) and of FMI 3.0.2 (state machine for model exchange) as data.
// The letters of states are those of allowed_calls.hpp.
#pragma once

#include <cstdlib>

#include "allowed_calls.hpp"

namespace mechfmu {

inline constexpr const char* no_co_simulation =
    "belongs to co-simulation, but this instance is one for model exchange";

inline constexpr AllowedCall fmi2_exchange_calls[] = {
    {"fmi2SetDebugLogging", "INVMTE"},
    {"fmi2FreeInstance", "INVMTE"},
    {"fmi2Reset", "INVMTE", Mode::instantiated},
    {"fmi2SetupExperiment", "I"},
    {"fmi2EnterInitializationMode", "I", Mode::initialization},
    {"fmi2ExitInitializationMode", "N", Mode::event},
    {"fmi2GetReal", "NVMTE"},
    {"fmi2GetInteger", "NVMTE"},
    {"fmi2GetBoolean", "NVMTE"},
    {"fmi2GetString", "NVMTE"},
    {"fmi2SetReal", "INVM"},
    {"fmi2SetInteger", "INV"},
    {"fmi2SetBoolean", "INV"},
    {"fmi2SetString", "INV"},
    {"fmi2SetRealInputDerivatives", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetRealOutputDerivatives", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetDirectionalDerivative", "NVMTE"},
    {"fmi2DoStep", "", Mode::unchanged, no_co_simulation},
    {"fmi2CancelStep", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetStatus", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetRealStatus", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetIntegerStatus", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetBooleanStatus", "", Mode::unchanged, no_co_simulation},
    {"fmi2GetStringStatus", "", Mode::unchanged, no_co_simulation},
    {"fmi2Terminate", "VM", Mode::terminated},
    {"fmi2GetFMUstate", "INVMTE"},
    {"fmi2SetFMUstate", "INVMTE"},
    {"fmi2FreeFMUstate", "INVMTE"},
    {"fmi2SerializedFMUstateSize", "INVMTE"},
    {"fmi2SerializeFMUstate", "INVMTE"},
    {"fmi2DeSerializeFMUstate", "INVMTE"},
    {"fmi2EnterEventMode", "VM", Mode::event},
    {"fmi2NewDiscreteStates", "V"},
    {"fmi2EnterContinuousTimeMode", "V", Mode::continuous},
    {"fmi2CompletedIntegratorStep", "M"},
    {"fmi2SetTime", "VM"},
    {"fmi2SetContinuousStates", "M"},
    {"fmi2GetDerivatives", "VMTE"},
    {"fmi2GetEventIndicators", "NVMTE"},
    {"fmi2GetContinuousStates", "NVMTE"},
    {"fmi2GetNominalsOfContinuousStates", "IVMTE"},
};

inline constexpr AllowedCall fmi3_exchange_calls[] = {
    {"fmi3SetDebugLogging", "INVMT"},
    {"fmi3FreeInstance", "INVMT"},
    {"fmi3Reset", "INVMT", Mode::instantiated},
    {"fmi3EnterInitializationMode", "I", Mode::initialization},
    {"fmi3ExitInitializationMode", "N", Mode::event},
    {"fmi3EnterConfigurationMode", "IV"},
    {"fmi3ExitConfigurationMode", "IV"},
    {"fmi3GetFloat32", "INVMT"},
    {"fmi3GetFloat64", "INVMT"},
    {"fmi3GetInt8", "INVMT"},
    {"fmi3GetUInt8", "INVMT"},
    {"fmi3GetInt16", "INVMT"},
    {"fmi3GetUInt16", "INVMT"},
    {"fmi3GetInt32", "INVMT"},
    {"fmi3GetUInt32", "INVMT"},
    {"fmi3GetInt64", "INVMT"},
    {"fmi3GetUInt64", "INVMT"},
    {"fmi3GetBoolean", "INVMT"},
    {"fmi3GetString", "INVMT"},
    {"fmi3GetBinary", "INVMT"},
    {"fmi3SetFloat32", "INVM"},
    {"fmi3SetFloat64", "INVM"},
    {"fmi3SetInt8", "INV"},
    {"fmi3SetUInt8", "INV"},
    {"fmi3SetInt16", "INV"},
    {"fmi3SetUInt16", "INV"},
    {"fmi3SetInt32", "INV"},
    {"fmi3SetUInt32", "INV"},
    {"fmi3SetInt64", "INV"},
    {"fmi3SetUInt64", "INV"},
    {"fmi3SetBoolean", "INV"},
    {"fmi3SetString", "INV"},
    {"fmi3SetBinary", "INV"},
    {"fmi3GetClock", "", Mode::unchanged, no_clocks},
    {"fmi3SetClock", "", Mode::unchanged, no_clocks},
    {"fmi3GetIntervalDecimal", "", Mode::unchanged, no_clocks},
    {"fmi3GetIntervalFraction", "", Mode::unchanged, no_clocks},
    {"fmi3GetShiftDecimal", "", Mode::unchanged, no_clocks},
    {"fmi3GetShiftFraction", "", Mode::unchanged, no_clocks},
    {"fmi3SetIntervalDecimal", "", Mode::unchanged, no_clocks},
    {"fmi3SetIntervalFraction", "", Mode::unchanged, no_clocks},
    {"fmi3SetShiftDecimal", "", Mode::unchanged, no_clocks},
    {"fmi3SetShiftFraction", "", Mode::unchanged, no_clocks},
    {"fmi3GetNumberOfVariableDependencies", "", Mode::unchanged,
     "is not provided (providesPerElementDependencies is false)"},
    {"fmi3GetVariableDependencies", "", Mode::unchanged, "is not provided (providesPerElementDependencies is false)"},
    {"fmi3GetDirectionalDerivative", "NVMT"},
    {"fmi3GetAdjointDerivative", "NVMT"},
    {"fmi3GetOutputDerivatives", "", Mode::unchanged, no_co_simulation},
    {"fmi3DoStep", "", Mode::unchanged, no_co_simulation},
    {"fmi3EnterEventMode", "M", Mode::event},
    {"fmi3UpdateDiscreteStates", "V"},
    {"fmi3EvaluateDiscreteStates", "", Mode::unchanged, "is not provided (providesEvaluateDiscreteStates is false)"},
    {"fmi3EnterStepMode", "", Mode::unchanged, no_co_simulation},
    {"fmi3Terminate", "VM", Mode::terminated},
    {"fmi3GetFMUState", "INVMT"},
    {"fmi3SetFMUState", "INVMT"},
    {"fmi3FreeFMUState", "INVMT"},
    {"fmi3SerializedFMUStateSize", "INVMT"},
    {"fmi3SerializeFMUState", "INVMT"},
    {"fmi3DeserializeFMUState", "INVMT"},
    {"fmi3EnterContinuousTimeMode", "V", Mode::continuous},
    {"fmi3CompletedIntegratorStep", "M"},
    {"fmi3SetTime", "VM"},
    {"fmi3SetContinuousStates", "M"},
    {"fmi3GetContinuousStateDerivatives", "NVMT"},
    {"fmi3GetEventIndicators", "NVMT"},
    {"fmi3GetContinuousStates", "NVMT"},
    {"fmi3GetNominalsOfContinuousStates", "NVMT"},
    {"fmi3GetNumberOfEventIndicators", "INVMT"},
    {"fmi3GetNumberOfContinuousStates", "INVMT"},
    {"fmi3ActivateModelPartition", "", Mode::unchanged, no_scheduled_execution},
};

/// A function's rows in the two tables of its standard.
struct Call {
  const AllowedCall* co_simulation;
  const AllowedCall* model_exchange;
};

/// Found when the entry point is compiled: an unknown name does not compile. (Whoever compiles an FMU's sources may
/// have C++17, which lacks the word for that.)
#ifdef __cpp_consteval
consteval
#else
constexpr
#endif
Call call(std::string_view name) {
  const int two = row_of(fmi2_calls, name), three = row_of(fmi3_calls, name);
  if (two >= 0) return {&fmi2_calls[two], &fmi2_exchange_calls[row_of(fmi2_exchange_calls, name)]};
  if (three >= 0) return {&fmi3_calls[three], &fmi3_exchange_calls[row_of(fmi3_exchange_calls, name)]};
  std::abort();  // reached at compile time only, where it is an error
}

}  // namespace mechfmu
