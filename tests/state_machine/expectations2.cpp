// The table of FMI 2.0.5 for co-simulation.
#include <fmi2FunctionTypes.h>

#include "expectations.hpp"

namespace mechfmu::importer {
namespace {

const double number = 0;
const fmi2Integer first_order = 1;
double place;
fmi2Boolean flag;
fmi2Integer whole;
fmi2Status status_place;
fmi2String text_place;

int directional(Session& session, const Arguments& arguments, const char* name) {
  const double seed = 1;
  return session.fmu.function<fmi2GetDirectionalDerivativeTYPE>(name)(session.instance, &arguments.output, 1,
                                                                      &arguments.input, 1, &seed, &place);
}

int free_instance(Session& session, const Arguments&, const char* name) {
  session.fmu.function<fmi2FreeInstanceTYPE>(name)(session.instance);
  session.instance = nullptr;
  return ok;
}

std::vector<Expectation> rows() {
  const auto in = [](auto work) {  // calls that need neither name nor arguments
    return [=](Session& session, const Arguments&, const char*) { return work(session); };
  };
  const auto with_state = [](auto work) {
    return [=](Session& session, const Arguments& arguments, const char*) { return work(session, arguments); };
  };
  return {
      //                                  INCPFXTE
      {"fmi2GetTypesPlatform",           "xxxxxxxx", [](Session& s, const Arguments&, const char* name) {
         return std::string(s.fmu.function<fmi2GetTypesPlatformTYPE>(name)()) == "default" ? ok : error; }},
      {"fmi2GetVersion",                 "xxxxxxxx", [](Session& s, const Arguments&, const char* name) {
         return std::string(s.fmu.function<fmi2GetVersionTYPE>(name)()) == "2.0" ? ok : error; }},
      {"fmi2SetDebugLogging",            "xxxxxxxx", with<fmi2SetDebugLoggingTYPE>(fmi2True, 0, nullptr)},
      {"fmi2FreeInstance",               "xxx.xxxx", free_instance, gone},
      {"fmi2Reset",                      "xxx.xxxx", with<fmi2ResetTYPE>(), 'I'},
      {"fmi2SetupExperiment",            "x.......", with<fmi2SetupExperimentTYPE>(fmi2False, 0., 0., fmi2False, 0.)},
      {"fmi2EnterInitializationMode",    "x.......", with<fmi2EnterInitializationModeTYPE>(), 'N'},
      {"fmi2ExitInitializationMode",     ".x......", with<fmi2ExitInitializationModeTYPE>(), 'C'},
      {"fmi2GetReal",                    ".gx.ddxd", with_state([](Session& s, const Arguments& a) {
         return s.get(a.readable, place); })},
      {"fmi2GetInteger",                 ".gx.ddxd", with<fmi2GetIntegerTYPE>(nullptr, 0, &whole)},
      {"fmi2GetBoolean",                 ".gx.ddxd", with<fmi2GetBooleanTYPE>(nullptr, 0, &flag)},
      {"fmi2GetString",                  ".gx.ddxd", with<fmi2GetStringTYPE>(nullptr, 0, &text_place)},
      {"fmi2SetReal",                    "sss.....", with<fmi2SetRealTYPE>(nullptr, 0, &number)},
      {"fmi2SetInteger",                 "sss.....", with<fmi2SetIntegerTYPE>(nullptr, 0, &first_order)},
      {"fmi2SetBoolean",                 "sss.....", with<fmi2SetBooleanTYPE>(nullptr, 0, &first_order)},
      {"fmi2SetString",                  "sss.....", with<fmi2SetStringTYPE>(nullptr, 0, nullptr)},
      {"fmi2SetRealInputDerivatives",    "xxx.....", [](Session& s, const Arguments& a, const char* name) {
         return static_cast<int>(s.fmu.function<fmi2SetRealInputDerivativesTYPE>(name)(s.instance, &a.input, 1,
                                                                                       &first_order, &number)); },
       same, "canInterpolateInputs"},
      {"fmi2GetRealOutputDerivatives",   "..x.dxxd", [](Session& s, const Arguments& a, const char* name) {
         return static_cast<int>(s.fmu.function<fmi2GetRealOutputDerivativesTYPE>(name)(s.instance, &a.output, 1,
                                                                                        &first_order, &place)); },
       same, "maxOutputDerivativeOrder"},
      {"fmi2GetDirectionalDerivative",   ".xx.ddxd", directional, same, "providesDirectionalDerivative"},
      {"fmi2DoStep",                     "..x.....", in([](Session& s) { return s.step(); })},
      {"fmi2CancelStep",                 "...x....", with<fmi2CancelStepTYPE>()},
      {"fmi2GetStatus",                  "..xxx.x.", with<fmi2GetStatusTYPE>(fmi2DoStepStatus, &status_place), same,
       nullptr, discard},
      {"fmi2GetRealStatus",              "..xxx.x.", with<fmi2GetRealStatusTYPE>(fmi2LastSuccessfulTime, &place)},
      {"fmi2GetIntegerStatus",           "..xxx.x.", with<fmi2GetIntegerStatusTYPE>(fmi2DoStepStatus, &whole), same,
       nullptr, discard},
      {"fmi2GetBooleanStatus",           "..xxx.x.", with<fmi2GetBooleanStatusTYPE>(fmi2Terminated, &flag)},
      {"fmi2GetStringStatus",            "..xxx.x.", with<fmi2GetStringStatusTYPE>(fmi2PendingStatus, &text_place),
       same, nullptr, discard},
      {"fmi2Terminate",                  "..x.x...", with<fmi2TerminateTYPE>(), 'T'},
      {"fmi2GetFMUstate",                "xxx.ddxd", get_state, same, "canGetAndSetFMUstate"},
      {"fmi2SetFMUstate",                "xxx.xxxx", with_state([](Session& s, const Arguments& a) {
         return s.restore(a.state); }), 'N', "canGetAndSetFMUstate"},
      {"fmi2FreeFMUstate",               "xxx.xxxx", in([](Session& s) {
         void* none = nullptr;
         return s.free_state(&none); }), same, "canGetAndSetFMUstate"},
      {"fmi2SerializedFMUstateSize",     "xxx.xxxx", with_state([](Session& s, const Arguments& a) {
         std::size_t size;
         return s.serialized_size(a.state, &size); }), same, "canSerializeFMUstate"},
      {"fmi2SerializeFMUstate",          "xxx.xxxx", with_state([](Session& s, const Arguments& a) {
         std::string bytes = a.bytes;
         return s.serialize(a.state, bytes.data(), bytes.size()); }), same, "canSerializeFMUstate"},
      {"fmi2DeSerializeFMUstate",        "xxx.xxxx", deserialize, same, "canSerializeFMUstate"},
      // Model exchange, which no co-simulation instance allows.
      {"fmi2EnterEventMode",                "........", with<fmi2EnterEventModeTYPE>(), same, never},
      {"fmi2NewDiscreteStates",             "........", with<fmi2NewDiscreteStatesTYPE>(nullptr), same, never},
      {"fmi2EnterContinuousTimeMode",       "........", with<fmi2EnterContinuousTimeModeTYPE>(), same, never},
      {"fmi2CompletedIntegratorStep",       "........",
       with<fmi2CompletedIntegratorStepTYPE>(fmi2True, &flag, &flag), same, never},
      {"fmi2SetTime",                       "........", with<fmi2SetTimeTYPE>(0.), same, never},
      {"fmi2SetContinuousStates",           "........", with<fmi2SetContinuousStatesTYPE>(&number, 1), same, never},
      {"fmi2GetDerivatives",                "........", with<fmi2GetDerivativesTYPE>(&place, 1), same, never},
      {"fmi2GetEventIndicators",            "........", with<fmi2GetEventIndicatorsTYPE>(&place, 1), same, never},
      {"fmi2GetContinuousStates",           "........", with<fmi2GetContinuousStatesTYPE>(&place, 1), same, never},
      {"fmi2GetNominalsOfContinuousStates", "........", with<fmi2GetNominalsOfContinuousStatesTYPE>(&place, 1), same,
       never},
  };
}

}  // namespace

const StateMachine& state_machine2() {
  static const StateMachine machine = {"2.0", "fmi2Functions.h", "INCPFXTE", 'E', rows(), {"fmi2Instantiate"}};
  return machine;
}

}  // namespace mechfmu::importer
