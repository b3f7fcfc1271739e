// Which function may be called in which state, and where it leads: the tables of FMI 2.0.5 (co-simulation, figure 11
// and the table below it) and of FMI 3.0.2 (state machine for co-simulation) as data; those for model exchange are in
// exchange_calls.hpp. Every entry point asks here.
//
// States of FMI 2: I instantiated, N initialization mode, C step complete, P step in progress, F step failed,
// X step canceled, T terminated, E error. Of FMI 3: I instantiated, K configuration mode, N initialization mode,
// S step mode, V event mode, R reconfiguration mode, U intermediate update mode, T terminated (also after an error).
// In model exchange, both: V event mode, M continuous-time mode, besides I, N, T and E. never enters P, F, X
// (its steps are synchronous and complete or fail), nor K, R.
#pragma once

#include <cstddef>
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

/// The state of a letter above.
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

/// A state's name for messages.
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
  const char* modes;                  ///< letters of the states in which it is allowed
  Mode next = Mode::unchanged;        ///< the state it leads to when it succeeds
  const char* never = nullptr;        ///< why no state allows it
  bool of_event_mode = false;         ///< only in instances that use event mode

  constexpr bool allowed_in(Mode mode) const {
    for (const char* letter = modes; *letter != '\0'; ++letter) {
      if (mode_of(*letter) == mode) return true;
    }
    return false;
  }
};

inline constexpr const char* no_model_exchange =
    "belongs to model exchange, but this instance is one for co-simulation";
inline constexpr const char* no_scheduled_execution =
    "belongs to scheduled execution, but this is an FMU for co-simulation";
inline constexpr const char* no_clocks = "is for clocks, of which this FMU has none";

inline constexpr AllowedCall fmi2_calls[] = {
    {"fmi2SetDebugLogging", "INCPFXTE"},
    {"fmi2FreeInstance", "INCFXTE"},
    {"fmi2Reset", "INCFXTE", Mode::instantiated},
    {"fmi2SetupExperiment", "I"},
    {"fmi2EnterInitializationMode", "I", Mode::initialization},
    {"fmi2ExitInitializationMode", "N", Mode::step},
    // In N the text allows outputs and variables of InitialUnknowns only; importers read the others too.
    {"fmi2GetReal", "NCFXTE"},
    {"fmi2GetInteger", "NCFXTE"},
    {"fmi2GetBoolean", "NCFXTE"},
    {"fmi2GetString", "NCFXTE"},
    // Which variables: Instance::may_set.
    {"fmi2SetReal", "INC"},
    {"fmi2SetInteger", "INC"},
    {"fmi2SetBoolean", "INC"},
    {"fmi2SetString", "INC"},
    {"fmi2SetRealInputDerivatives", "INC"},
    {"fmi2GetRealOutputDerivatives", "CFXTE"},
    {"fmi2GetDirectionalDerivative", "NCFXTE"},
    {"fmi2DoStep", "C"},
    {"fmi2CancelStep", "P"},
    {"fmi2GetStatus", "CPFT"},
    {"fmi2GetRealStatus", "CPFT"},
    {"fmi2GetIntegerStatus", "CPFT"},
    {"fmi2GetBooleanStatus", "CPFT"},
    {"fmi2GetStringStatus", "CPFT"},
    {"fmi2Terminate", "CF", Mode::terminated},
    {"fmi2GetFMUstate", "INCFXTE"},
    {"fmi2SetFMUstate", "INCFXTE"},
    {"fmi2FreeFMUstate", "INCFXTE"},
    {"fmi2SerializedFMUstateSize", "INCFXTE"},
    {"fmi2SerializeFMUstate", "INCFXTE"},
    {"fmi2DeSerializeFMUstate", "INCFXTE"},
    {"fmi2EnterEventMode", "", Mode::unchanged, no_model_exchange},
    {"fmi2NewDiscreteStates", "", Mode::unchanged, no_model_exchange},
    {"fmi2EnterContinuousTimeMode", "", Mode::unchanged, no_model_exchange},
    {"fmi2CompletedIntegratorStep", "", Mode::unchanged, no_model_exchange},
    {"fmi2SetTime", "", Mode::unchanged, no_model_exchange},
    {"fmi2SetContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi2GetDerivatives", "", Mode::unchanged, no_model_exchange},
    {"fmi2GetEventIndicators", "", Mode::unchanged, no_model_exchange},
    {"fmi2GetContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi2GetNominalsOfContinuousStates", "", Mode::unchanged, no_model_exchange},
};

inline constexpr AllowedCall fmi3_calls[] = {
    {"fmi3SetDebugLogging", "INSVT"},
    {"fmi3FreeInstance", "INSVT"},
    {"fmi3Reset", "INSVT", Mode::instantiated},
    {"fmi3EnterInitializationMode", "I", Mode::initialization},
    {"fmi3ExitInitializationMode", "N", Mode::step},  // V where event mode is used: Instance::next
    // There are no structural parameters, so the text forbids these two; FMI Kit for Simulink calls them all the same
    // and runs when the answer is OK. The mode itself is not entered.
    {"fmi3EnterConfigurationMode", "IS"},
    {"fmi3ExitConfigurationMode", "IS"},
    {"fmi3GetFloat32", "INSVUT"},
    {"fmi3GetFloat64", "INSVUT"},
    {"fmi3GetInt8", "INSVUT"},
    {"fmi3GetUInt8", "INSVUT"},
    {"fmi3GetInt16", "INSVUT"},
    {"fmi3GetUInt16", "INSVUT"},
    {"fmi3GetInt32", "INSVUT"},
    {"fmi3GetUInt32", "INSVUT"},
    {"fmi3GetInt64", "INSVUT"},
    {"fmi3GetUInt64", "INSVUT"},
    {"fmi3GetBoolean", "INSVUT"},
    {"fmi3GetString", "INSVUT"},
    {"fmi3GetBinary", "INSVUT"},
    {"fmi3SetFloat32", "INSVU"},
    {"fmi3SetFloat64", "INSVU"},
    {"fmi3SetInt8", "INSVU"},
    {"fmi3SetUInt8", "INSVU"},
    {"fmi3SetInt16", "INSVU"},
    {"fmi3SetUInt16", "INSVU"},
    {"fmi3SetInt32", "INSVU"},
    {"fmi3SetUInt32", "INSVU"},
    {"fmi3SetInt64", "INSVU"},
    {"fmi3SetUInt64", "INSVU"},
    {"fmi3SetBoolean", "INSVU"},
    {"fmi3SetString", "INSVU"},
    {"fmi3SetBinary", "INSVU"},
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
    {"fmi3GetDirectionalDerivative", "NSVT"},
    {"fmi3GetAdjointDerivative", "NSVT"},
    {"fmi3GetOutputDerivatives", "SUT"},
    {"fmi3DoStep", "S"},
    {"fmi3EnterEventMode", "S", Mode::event, nullptr, true},
    {"fmi3UpdateDiscreteStates", "V", Mode::unchanged, nullptr, true},
    {"fmi3EvaluateDiscreteStates", "", Mode::unchanged,
     "is not provided (providesEvaluateDiscreteStates is false)"},
    {"fmi3EnterStepMode", "V", Mode::step, nullptr, true},
    {"fmi3Terminate", "SV", Mode::terminated},
    {"fmi3GetFMUState", "INSVT"},
    {"fmi3SetFMUState", "INSVT"},
    {"fmi3FreeFMUState", "INSVT"},
    {"fmi3SerializedFMUStateSize", "INSVT"},
    {"fmi3SerializeFMUState", "INSVT"},
    {"fmi3DeserializeFMUState", "INSVT"},
    {"fmi3EnterContinuousTimeMode", "", Mode::unchanged, no_model_exchange},
    {"fmi3CompletedIntegratorStep", "", Mode::unchanged, no_model_exchange},
    {"fmi3SetTime", "", Mode::unchanged, no_model_exchange},
    {"fmi3SetContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetContinuousStateDerivatives", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetEventIndicators", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetNominalsOfContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetNumberOfEventIndicators", "", Mode::unchanged, no_model_exchange},
    {"fmi3GetNumberOfContinuousStates", "", Mode::unchanged, no_model_exchange},
    {"fmi3ActivateModelPartition", "", Mode::unchanged, no_scheduled_execution},
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

}  // namespace mechfmu
