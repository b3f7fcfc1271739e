// Has the tables of FMI 2.0.5: co-simulation (figure 11 and the table below it), model exchange (figure 6 and its
// table).
#include "expectations.hpp"

namespace mechfmu::importer {

// States: I instantiated, N initialization mode, C step complete, P step in progress, F step failed, X step canceled,
// T terminated, E error.
const StateMachine& co_simulation2() {
  static const StateMachine machine = {
      "fmi2Functions.h",
      calls2(),
      "INCPFXTE",
      'E',
      {"fmi2SetupExperiment", "fmi2ExitInitializationMode", "fmi2DoStep", "fmi2GetRealStatus", "fmi2SetReal"},
      {
          //                                 INCPFXTE
          {"fmi2GetTypesPlatform", "xxxxxxxx"},
          {"fmi2GetVersion", "xxxxxxxx"},
          {"fmi2SetDebugLogging", "xxxxxxxx"},
          {"fmi2FreeInstance", "xxx.xxxx", gone},
          {"fmi2Reset", "xxx.xxxx", 'I'},
          {"fmi2SetupExperiment", "x......."},
          {"fmi2EnterInitializationMode", "x.......", 'N'},
          {"fmi2ExitInitializationMode", ".x......", 'C'},
          {"fmi2GetReal", ".gx.ddxd"},
          {"fmi2GetInteger", ".gx.ddxd"},
          {"fmi2GetBoolean", ".gx.ddxd"},
          {"fmi2GetString", ".gx.ddxd"},
          {"fmi2SetReal", "sss....."},
          {"fmi2SetInteger", "sss....."},
          {"fmi2SetBoolean", "sss....."},
          {"fmi2SetString", "sss....."},
          {"fmi2SetRealInputDerivatives", "xxx.....", same, "canInterpolateInputs"},
          {"fmi2GetRealOutputDerivatives", "..x.dxxd", same, "maxOutputDerivativeOrder"},
          {"fmi2GetDirectionalDerivative", ".xx.ddxd", same, "providesDirectionalDerivative"},
          {"fmi2DoStep", "..x....."},
          {"fmi2CancelStep", "...x...."},
          {"fmi2GetStatus", "..xxx.x.", same, nullptr, discard},
          {"fmi2GetRealStatus", "..xxx.x."},
          {"fmi2GetIntegerStatus", "..xxx.x.", same, nullptr, discard},
          {"fmi2GetBooleanStatus", "..xxx.x."},
          {"fmi2GetStringStatus", "..xxx.x.", same, nullptr, discard},
          {"fmi2Terminate", "..x.x...", 'T'},
          {"fmi2GetFMUstate", "xxx.ddxd", same, "canGetAndSetFMUstate"},
          {"fmi2SetFMUstate", "xxx.xxxx", 'N', "canGetAndSetFMUstate"},
          {"fmi2FreeFMUstate", "xxx.xxxx", same, "canGetAndSetFMUstate"},
          {"fmi2SerializedFMUstateSize", "xxx.xxxx", same, "canSerializeFMUstate"},
          {"fmi2SerializeFMUstate", "xxx.xxxx", same, "canSerializeFMUstate"},
          {"fmi2DeSerializeFMUstate", "xxx.xxxx", same, "canSerializeFMUstate"},
          {"fmi2EnterEventMode", ""},
          {"fmi2NewDiscreteStates", ""},
          {"fmi2EnterContinuousTimeMode", ""},
          {"fmi2CompletedIntegratorStep", ""},
          {"fmi2SetTime", ""},
          {"fmi2SetContinuousStates", ""},
          {"fmi2GetDerivatives", ""},
          {"fmi2GetEventIndicators", ""},
          {"fmi2GetContinuousStates", ""},
          {"fmi2GetNominalsOfContinuousStates", ""},
      },
      {},
  };
  return machine;
}

// States: I instantiated, N initialization mode, V event mode, M continuous-time mode, T terminated, E error.
const StateMachine& model_exchange2() {
  static const StateMachine machine = {
      "fmi2Functions.h",
      calls2(),
      "INVMTE",
      'E',
      {"fmi2SetupExperiment", "fmi2ExitInitializationMode", "fmi2NewDiscreteStates", "fmi2CompletedIntegratorStep",
       "fmi2SetReal"},
      {
          //                                INVMTE
          {"fmi2GetTypesPlatform", "xxxxxx"},
          {"fmi2GetVersion", "xxxxxx"},
          {"fmi2SetDebugLogging", "xxxxxx"},
          {"fmi2FreeInstance", "xxxxxx", gone},
          {"fmi2Reset", "xxxxxx", 'I'},
          {"fmi2SetupExperiment", "x....."},
          {"fmi2EnterInitializationMode", "x.....", 'N'},
          {"fmi2ExitInitializationMode", ".x....", 'V'},
          {"fmi2Terminate", "..xx..", 'T'},
          {"fmi2GetReal", ".gxxxd"},
          {"fmi2GetInteger", ".gxxxd"},
          {"fmi2GetBoolean", ".gxxxd"},
          {"fmi2GetString", ".gxxxd"},
          {"fmi2SetReal", "ssss.."},
          {"fmi2SetInteger", "sss..."},
          {"fmi2SetBoolean", "sss..."},
          {"fmi2SetString", "sss..."},
          {"fmi2GetFMUstate", "xxxxxd", same, "canGetAndSetFMUstate"},
          {"fmi2SetFMUstate", "xxxxxx", 'N', "canGetAndSetFMUstate"},
          {"fmi2FreeFMUstate", "xxxxxx", same, "canGetAndSetFMUstate"},
          {"fmi2SerializedFMUstateSize", "xxxxxx", same, "canSerializeFMUstate"},
          {"fmi2SerializeFMUstate", "xxxxxx", same, "canSerializeFMUstate"},
          {"fmi2DeSerializeFMUstate", "xxxxxx", same, "canSerializeFMUstate"},
          {"fmi2GetDirectionalDerivative", ".xxxxd", same, "providesDirectionalDerivative"},
          {"fmi2EnterEventMode", "..xx..", 'V'},
          {"fmi2NewDiscreteStates", "..x..."},
          {"fmi2EnterContinuousTimeMode", "..x...", 'M'},
          {"fmi2CompletedIntegratorStep", "...x.."},
          {"fmi2SetTime", "...x.."},
          {"fmi2SetContinuousStates", "...x.."},
          {"fmi2GetEventIndicators", ".xxxxd"},
          {"fmi2GetContinuousStates", ".xxxxd"},
          {"fmi2GetDerivatives", ".xxxxd"},
          {"fmi2GetNominalsOfContinuousStates", "xxxxxd"},
          {"fmi2SetRealInputDerivatives", ""},
          {"fmi2GetRealOutputDerivatives", ""},
          {"fmi2DoStep", ""},
          {"fmi2CancelStep", ""},
          {"fmi2GetStatus", ""},
          {"fmi2GetRealStatus", ""},
          {"fmi2GetIntegerStatus", ""},
          {"fmi2GetBooleanStatus", ""},
          {"fmi2GetStringStatus", ""},
      },
      {},
  };
  return machine;
}

}  // namespace mechfmu::importer
