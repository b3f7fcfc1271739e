// These tables say which function may be called in which state, and which state follows. They hold the tables of FMI
// 2.0.5 (figure 11 for co-simulation, figure 6 for model exchange, and the tables below them) and of FMI 3.0.2 (state
// machines of both) as data. Every entry point asks here.
//
// States of FMI 2: I instantiated, N initialization mode, C step complete, P step in progress, F step failed, X step
// canceled, T terminated, E error. States of FMI 3: I instantiated, K configuration mode, N initialization mode, S step
// mode, V event mode, R reconfiguration mode, U intermediate update mode, T terminated (also after an error). Model
// exchange has, in both: V event mode, M continuous-time mode, besides I, N, T and E. An instance never enters P, F, X
// (its steps are synchronous and complete or fail), nor K, R.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace mechfmu {

enum class Mode : unsigned char {
  instantiated,
  configuration,
  initialization,
  step,  ///< C of FMI 2, S of FMI 3
  in_progress,
  failed,
  canceled,
  event,
  reconfiguration,
  intermediate,
  terminated,
  error,
  continuous,
  unchanged,  ///< as a call's next state: it leaves the state as it is
};

/// Returns the state that a letter above stands for.
constexpr Mode mode_of(char letter) {
  switch (letter) {
    case 'I': return Mode::instantiated;
    case 'K': return Mode::configuration;
    case 'N': return Mode::initialization;
    case 'C':
    case 'S': return Mode::step;
    case 'P': return Mode::in_progress;
    case 'F': return Mode::failed;
    case 'X': return Mode::canceled;
    case 'V': return Mode::event;
    case 'R': return Mode::reconfiguration;
    case 'U': return Mode::intermediate;
    case 'T': return Mode::terminated;
    case 'E': return Mode::error;
    case 'M': return Mode::continuous;
    default: return Mode::unchanged;
  }
}

/// Returns a state's name for messages.
constexpr const char* readable(Mode mode) {
  switch (mode) {
    case Mode::instantiated: return "instantiated";
    case Mode::configuration: return "in configuration mode";
    case Mode::initialization: return "in initialization mode";
    case Mode::step: return "in step mode";
    case Mode::in_progress: return "inside a step";
    case Mode::failed: return "after a failed step";
    case Mode::canceled: return "after a canceled step";
    case Mode::event: return "in event mode";
    case Mode::reconfiguration: return "in reconfiguration mode";
    case Mode::intermediate: return "in intermediate update mode";
    case Mode::terminated: return "terminated";
    case Mode::error: return "after an error";
    case Mode::continuous: return "in continuous-time mode";
    case Mode::unchanged: break;
  }
  return "";
}

struct AllowedCall {
  const char* name;
  // Letters of the states in which it is allowed, by kind of instance. Empty: it belongs to the other kind.
  const char* co_simulation;
  const char* model_exchange;
  Mode next = Mode::unchanged;  ///< the state it leads to when it succeeds
  const char* never = nullptr;  ///< why neither kind allows it
  bool of_event_mode = false;   ///< only in instances that use event mode

  constexpr const char* modes(bool exchange) const { return exchange ? model_exchange : co_simulation; }
  constexpr bool allowed_in(Mode mode, bool exchange) const {
    for (const char* letter = modes(exchange); *letter != '\0'; ++letter) {
      if (mode_of(*letter) == mode) return true;
    }
    return false;
  }
};

constexpr AllowedCall refused(const char* name, const char* why) { return {name, "", "", Mode::unchanged, why}; }

inline constexpr const char* no_scheduled_execution = "belongs to scheduled execution, but this FMU has none";
inline constexpr const char* no_clocks = "is for clocks, of which this FMU has none";
inline constexpr const char* no_dependencies = "is not provided (providesPerElementDependencies is false)";

inline constexpr AllowedCall fmi2_calls[] = {
    {"fmi2SetDebugLogging", "INCPFXTE", "INVMTE"},
    {"fmi2FreeInstance", "INCFXTE", "INVMTE"},
    {"fmi2Reset", "INCFXTE", "INVMTE", Mode::instantiated},
    {"fmi2SetupExperiment", "I", "I"},
    {"fmi2EnterInitializationMode", "I", "I", Mode::initialization},
    {"fmi2ExitInitializationMode", "N", "N", Mode::step},  // model exchange goes to V: Instance::next
    // In N the text allows outputs and variables of InitialUnknowns only; importers read the others too.
    {"fmi2GetReal", "NCFXTE", "NVMTE"},
    {"fmi2GetInteger", "NCFXTE", "NVMTE"},
    {"fmi2GetBoolean", "NCFXTE", "NVMTE"},
    {"fmi2GetString", "NCFXTE", "NVMTE"},
    // Instance::may_set says which variables may be set.
    {"fmi2SetReal", "INC", "INVM"},
    {"fmi2SetInteger", "INC", "INV"},
    {"fmi2SetBoolean", "INC", "INV"},
    {"fmi2SetString", "INC", "INV"},
    {"fmi2SetRealInputDerivatives", "INC", ""},
    {"fmi2GetRealOutputDerivatives", "CFXTE", ""},
    {"fmi2GetDirectionalDerivative", "NCFXTE", "NVMTE"},
    {"fmi2DoStep", "C", ""},
    {"fmi2CancelStep", "P", ""},
    {"fmi2GetStatus", "CPFT", ""},
    {"fmi2GetRealStatus", "CPFT", ""},
    {"fmi2GetIntegerStatus", "CPFT", ""},
    {"fmi2GetBooleanStatus", "CPFT", ""},
    {"fmi2GetStringStatus", "CPFT", ""},
    {"fmi2Terminate", "CF", "VM", Mode::terminated},
    {"fmi2GetFMUstate", "INCFXTE", "INVMTE"},
    {"fmi2SetFMUstate", "INCFXTE", "INVMTE"},
    {"fmi2FreeFMUstate", "INCFXTE", "INVMTE"},
    {"fmi2SerializedFMUstateSize", "INCFXTE", "INVMTE"},
    {"fmi2SerializeFMUstate", "INCFXTE", "INVMTE"},
    {"fmi2DeSerializeFMUstate", "INCFXTE", "INVMTE"},
    {"fmi2EnterEventMode", "", "VM", Mode::event},
    {"fmi2NewDiscreteStates", "", "V"},
    {"fmi2EnterContinuousTimeMode", "", "V", Mode::continuous},
    {"fmi2CompletedIntegratorStep", "", "M"},
    {"fmi2SetTime", "", "M"},
    {"fmi2SetContinuousStates", "", "M"},
    {"fmi2GetDerivatives", "", "NVMTE"},
    {"fmi2GetEventIndicators", "", "NVMTE"},
    {"fmi2GetContinuousStates", "", "NVMTE"},
    {"fmi2GetNominalsOfContinuousStates", "", "INVMTE"},
};

inline constexpr AllowedCall fmi3_calls[] = {
    {"fmi3SetDebugLogging", "INSVT", "INVMT"},
    {"fmi3FreeInstance", "INSVT", "INVMT"},
    {"fmi3Reset", "INSVT", "INVMT", Mode::instantiated},
    {"fmi3EnterInitializationMode", "I", "I", Mode::initialization},
    {"fmi3ExitInitializationMode", "N", "N", Mode::step},  // V where event mode is used: Instance::next
    // There are no structural parameters, so the text forbids these two; FMI Kit for Simulink calls them all the same
    // and runs when the answer is OK. The mode itself is not entered.
    {"fmi3EnterConfigurationMode", "IS", "IV"},
    {"fmi3ExitConfigurationMode", "IS", "IV"},
    {"fmi3GetFloat32", "INSVUT", "INVMT"},
    {"fmi3GetFloat64", "INSVUT", "INVMT"},
    {"fmi3GetInt8", "INSVUT", "INVMT"},
    {"fmi3GetUInt8", "INSVUT", "INVMT"},
    {"fmi3GetInt16", "INSVUT", "INVMT"},
    {"fmi3GetUInt16", "INSVUT", "INVMT"},
    {"fmi3GetInt32", "INSVUT", "INVMT"},
    {"fmi3GetUInt32", "INSVUT", "INVMT"},
    {"fmi3GetInt64", "INSVUT", "INVMT"},
    {"fmi3GetUInt64", "INSVUT", "INVMT"},
    {"fmi3GetBoolean", "INSVUT", "INVMT"},
    {"fmi3GetString", "INSVUT", "INVMT"},
    {"fmi3GetBinary", "INSVUT", "INVMT"},
    {"fmi3SetFloat32", "INSVU", "INVM"},
    {"fmi3SetFloat64", "INSVU", "INVM"},
    {"fmi3SetInt8", "INSVU", "INV"},
    {"fmi3SetUInt8", "INSVU", "INV"},
    {"fmi3SetInt16", "INSVU", "INV"},
    {"fmi3SetUInt16", "INSVU", "INV"},
    {"fmi3SetInt32", "INSVU", "INV"},
    {"fmi3SetUInt32", "INSVU", "INV"},
    {"fmi3SetInt64", "INSVU", "INV"},
    {"fmi3SetUInt64", "INSVU", "INV"},
    {"fmi3SetBoolean", "INSVU", "INV"},
    {"fmi3SetString", "INSVU", "INV"},
    {"fmi3SetBinary", "INSVU", "INV"},
    refused("fmi3GetClock", no_clocks),
    refused("fmi3SetClock", no_clocks),
    refused("fmi3GetIntervalDecimal", no_clocks),
    refused("fmi3GetIntervalFraction", no_clocks),
    refused("fmi3GetShiftDecimal", no_clocks),
    refused("fmi3GetShiftFraction", no_clocks),
    refused("fmi3SetIntervalDecimal", no_clocks),
    refused("fmi3SetIntervalFraction", no_clocks),
    refused("fmi3SetShiftDecimal", no_clocks),
    refused("fmi3SetShiftFraction", no_clocks),
    refused("fmi3GetNumberOfVariableDependencies", no_dependencies),
    refused("fmi3GetVariableDependencies", no_dependencies),
    {"fmi3GetDirectionalDerivative", "NSVT", "NVMT"},
    {"fmi3GetAdjointDerivative", "NSVT", "NVMT"},
    {"fmi3GetOutputDerivatives", "SUT", ""},
    {"fmi3DoStep", "S", ""},
    {"fmi3EnterEventMode", "S", "M", Mode::event, nullptr, true},
    {"fmi3UpdateDiscreteStates", "V", "V", Mode::unchanged, nullptr, true},
    refused("fmi3EvaluateDiscreteStates", "is not provided (providesEvaluateDiscreteStates is false)"),
    {"fmi3EnterStepMode", "V", "", Mode::step, nullptr, true},
    {"fmi3Terminate", "SV", "VM", Mode::terminated},
    {"fmi3GetFMUState", "INSVT", "INVMT"},
    {"fmi3SetFMUState", "INSVT", "INVMT"},
    {"fmi3FreeFMUState", "INSVT", "INVMT"},
    {"fmi3SerializedFMUStateSize", "INSVT", "INVMT"},
    {"fmi3SerializeFMUState", "INSVT", "INVMT"},
    {"fmi3DeserializeFMUState", "INSVT", "INVMT"},
    {"fmi3EnterContinuousTimeMode", "", "V", Mode::continuous},
    {"fmi3CompletedIntegratorStep", "", "M"},
    {"fmi3SetTime", "", "M"},
    {"fmi3SetContinuousStates", "", "M"},
    {"fmi3GetContinuousStateDerivatives", "", "NVMT"},
    {"fmi3GetEventIndicators", "", "NVMT"},
    {"fmi3GetContinuousStates", "", "NVMT"},
    {"fmi3GetNominalsOfContinuousStates", "", "NVMT"},
    // The text has these two in I and V; fmusim asks in M.
    {"fmi3GetNumberOfEventIndicators", "", "IVM"},
    {"fmi3GetNumberOfContinuousStates", "", "IVM"},
    refused("fmi3ActivateModelPartition", no_scheduled_execution),
};

/// Index of a function's row; -1: this standard's table has none. (No pointer: with a sanitizer GCC does not take the
/// comparison of an address with nullptr for constant.)
template <std::size_t count>
constexpr int row_of(const AllowedCall (&table)[count], std::string_view name) {
  for (std::size_t i = 0; i < count; ++i) {
    if (table[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

/// A function's row, found when the entry point is compiled: an unknown name does not compile. (Whoever compiles an
/// FMU's sources may have C++17, which lacks the word for that.)
#ifdef __cpp_consteval
consteval
#else
constexpr
#endif
    const AllowedCall&
    call(std::string_view name) {
  const int two = row_of(fmi2_calls, name), three = row_of(fmi3_calls, name);
  if (two >= 0) return fmi2_calls[two];
  if (three >= 0) return fmi3_calls[three];
  std::abort();  // reached at compile time only, where it is an error
}

}  // namespace mechfmu
