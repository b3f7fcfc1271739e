// Has the tables of FMI 3.0.2: section 2.3 for what kinds have in common, 3.2 for model exchange, 4.2 for
// co-simulation, and the figures of the two state machines.
#include "expectations.hpp"

namespace mechfmu::importer {
namespace {

std::vector<Expectation> joined(std::vector<Expectation> rows, const std::vector<Expectation>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

/// Lists what no instance of a mechanism allows: clocks, structural parameters, scheduled execution.
const std::vector<Expectation> without = {
    {"fmi3EnterConfigurationMode", ""},
    {"fmi3ExitConfigurationMode", ""},
    {"fmi3GetClock", ""},
    {"fmi3SetClock", ""},
    {"fmi3GetIntervalDecimal", ""},
    {"fmi3GetIntervalFraction", ""},
    {"fmi3GetShiftDecimal", ""},
    {"fmi3GetShiftFraction", ""},
    {"fmi3SetIntervalDecimal", ""},
    {"fmi3SetIntervalFraction", ""},
    {"fmi3SetShiftDecimal", ""},
    {"fmi3SetShiftFraction", ""},
    {"fmi3ActivateModelPartition", ""},
};

/// Returns one row for each type: those that can be continuous, and the others.
std::vector<Expectation> getters(const char* cells) {
  return {{"fmi3GetFloat64", cells}, {"fmi3GetFloat32", cells}, {"fmi3GetInt8", cells},    {"fmi3GetUInt8", cells},
          {"fmi3GetInt16", cells},   {"fmi3GetUInt16", cells},  {"fmi3GetInt32", cells},   {"fmi3GetUInt32", cells},
          {"fmi3GetInt64", cells},   {"fmi3GetUInt64", cells},  {"fmi3GetBoolean", cells}, {"fmi3GetString", cells},
          {"fmi3GetBinary", cells}};
}

std::vector<Expectation> setters(const char* continuous, const char* others) {
  return {{"fmi3SetFloat64", continuous}, {"fmi3SetFloat32", continuous}, {"fmi3SetInt8", others},
          {"fmi3SetUInt8", others},       {"fmi3SetInt16", others},       {"fmi3SetUInt16", others},
          {"fmi3SetInt32", others},       {"fmi3SetUInt32", others},      {"fmi3SetInt64", others},
          {"fmi3SetUInt64", others},      {"fmi3SetBoolean", others},     {"fmi3SetString", others},
          {"fmi3SetBinary", others}};
}

const std::vector<Expectation> co_simulation_rows = {
    //                                 IKNSVRUT
    {"fmi3GetVersion", "xxxxxxxx"},
    {"fmi3SetDebugLogging", "x.xxx..x"},
    {"fmi3FreeInstance", "x.xxx..x", gone},
    {"fmi3Reset", "x.xxx..x", 'I'},
    {"fmi3EnterInitializationMode", "x.......", 'N'},
    {"fmi3ExitInitializationMode", "..x.....", 'S'},
    {"fmi3EnterEventMode", "...e....", 'V', "hasEventMode"},
    {"fmi3UpdateDiscreteStates", "....x...", same, "hasEventMode"},
    {"fmi3EvaluateDiscreteStates", "....x...", same, "providesEvaluateDiscreteStates"},
    {"fmi3EnterStepMode", "....x...", 'S', "hasEventMode"},
    {"fmi3DoStep", "...x...."},
    {"fmi3Terminate", "...xx...", 'T'},
    {"fmi3GetFMUState", "x.xxx..x", same, "canGetAndSetFMUState"},
    {"fmi3SetFMUState", "x.xxx..x", 'N', "canGetAndSetFMUState"},
    {"fmi3FreeFMUState", "x.xxx..x", same, "canGetAndSetFMUState"},
    {"fmi3SerializedFMUStateSize", "x.xxx..x", same, "canSerializeFMUState"},
    {"fmi3SerializeFMUState", "x.xxx..x", same, "canSerializeFMUState"},
    {"fmi3DeserializeFMUState", "x.xxx..x", same, "canSerializeFMUState"},
    {"fmi3GetDirectionalDerivative", "..xxx..x", same, "providesDirectionalDerivatives"},
    {"fmi3GetAdjointDerivative", "..xxx..x", same, "providesAdjointDerivatives"},
    {"fmi3GetOutputDerivatives", "...x..gx", same, "maxOutputDerivativeOrder"},
    {"fmi3GetNumberOfVariableDependencies", "x.xxx.xx", same, "providesPerElementDependencies"},
    {"fmi3GetVariableDependencies", "x.xxx.xx", same, "providesPerElementDependencies"},
    {"fmi3EnterContinuousTimeMode", ""},
    {"fmi3CompletedIntegratorStep", ""},
    {"fmi3SetTime", ""},
    {"fmi3SetContinuousStates", ""},
    {"fmi3GetContinuousStateDerivatives", ""},
    {"fmi3GetEventIndicators", ""},
    {"fmi3GetContinuousStates", ""},
    {"fmi3GetNominalsOfContinuousStates", ""},
    {"fmi3GetNumberOfEventIndicators", ""},
    {"fmi3GetNumberOfContinuousStates", ""},
};

const std::vector<Expectation> model_exchange_rows = {
    //                                 IKNVMRT
    {"fmi3GetVersion", "xxxxxxx"},
    {"fmi3SetDebugLogging", "x.xxx.x"},
    {"fmi3FreeInstance", "x.xxx.x", gone},
    {"fmi3Reset", "x.xxx.x", 'I'},
    {"fmi3EnterInitializationMode", "x......", 'N'},
    {"fmi3ExitInitializationMode", "..x....", 'V'},
    {"fmi3EnterEventMode", "....x..", 'V'},
    {"fmi3UpdateDiscreteStates", "...x..."},
    {"fmi3EvaluateDiscreteStates", "...x...", same, "providesEvaluateDiscreteStates"},
    {"fmi3EnterContinuousTimeMode", "...x...", 'M'},
    {"fmi3CompletedIntegratorStep", "....x.."},
    {"fmi3SetTime", "....x.."},
    {"fmi3SetContinuousStates", "....x.."},
    {"fmi3GetContinuousStates", "..xxx.x"},
    {"fmi3GetContinuousStateDerivatives", "..xxx.x"},
    {"fmi3GetEventIndicators", "..xxx.x"},
    {"fmi3GetNominalsOfContinuousStates", "..xxx.x"},
    {"fmi3GetNumberOfEventIndicators", "x..x..."},
    {"fmi3GetNumberOfContinuousStates", "x..x..."},
    {"fmi3Terminate", "...xx..", 'T'},
    {"fmi3GetFMUState", "x.xxx.x", same, "canGetAndSetFMUState"},
    {"fmi3SetFMUState", "x.xxx.x", 'N', "canGetAndSetFMUState"},
    {"fmi3FreeFMUState", "x.xxx.x", same, "canGetAndSetFMUState"},
    {"fmi3SerializedFMUStateSize", "x.xxx.x", same, "canSerializeFMUState"},
    {"fmi3SerializeFMUState", "x.xxx.x", same, "canSerializeFMUState"},
    {"fmi3DeserializeFMUState", "x.xxx.x", same, "canSerializeFMUState"},
    {"fmi3GetDirectionalDerivative", "..xxx.x", same, "providesDirectionalDerivatives"},
    {"fmi3GetAdjointDerivative", "..xxx.x", same, "providesAdjointDerivatives"},
    {"fmi3GetNumberOfVariableDependencies", "x.xxx.x", same, "providesPerElementDependencies"},
    {"fmi3GetVariableDependencies", "x.xxx.x", same, "providesPerElementDependencies"},
    {"fmi3GetOutputDerivatives", ""},
    {"fmi3DoStep", ""},
    {"fmi3EnterStepMode", ""},
};

}  // namespace

// States: I instantiated, K configuration mode, N initialization mode, S step mode, V event mode, R reconfiguration
// mode, U intermediate update mode, T terminated, also after an error.
const StateMachine& co_simulation3() {
  static const StateMachine machine = {
      "fmi3Functions.h",
      calls3(),
      "IKNSVRUT",
      'T',
      {"fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3DoStep", "fmi3UpdateDiscreteStates",
       "fmi3SetFloat64", "fmi3GetFloat64"},
      joined(joined(co_simulation_rows, getters("g.xxx.gx")), joined(setters("sssssss.", "sssssss."), without)),
      {{"fmi3EnterConfigurationMode", "IS"}, {"fmi3ExitConfigurationMode", "IS"}},
  };
  return machine;
}

// States: I, K, N, V, R, T as above, M continuous-time mode.
const StateMachine& model_exchange3() {
  static const StateMachine machine = {
      "fmi3Functions.h",
      calls3(),
      "IKNVMRT",
      'T',
      {"fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3UpdateDiscreteStates", "fmi3SetTime",
       "fmi3SetFloat64"},
      joined(joined(model_exchange_rows, getters("g.xxx.x")), joined(setters("ssssss.", "ssss.s."), without)),
      {{"fmi3EnterConfigurationMode", "IV"},
       {"fmi3ExitConfigurationMode", "IV"},
       {"fmi3GetNumberOfEventIndicators", "M"},
       {"fmi3GetNumberOfContinuousStates", "M"}},
  };
  return machine;
}

}  // namespace mechfmu::importer
