// Says how each function of FMI 2.0 is called.
#include <fmi2FunctionTypes.h>

#include "calls.hpp"

namespace mechfmu::importer {
namespace {

using namespace calls;

const double number = 0;
const fmi2Integer first_order = 1;
// Receives answers that nobody reads; each thread has its own.
thread_local double place;
thread_local fmi2Boolean flag;
thread_local fmi2Integer whole;
thread_local fmi2Status status_place;
thread_local fmi2String text_place;

int types_platform(Session& session, const Arguments&, const char* name) {
  return std::string(session.fmu.function<fmi2GetTypesPlatformTYPE>(name)()) == "default" ? ok : error;
}

int version(Session& session, const Arguments&, const char* name) {
  return std::string(session.fmu.function<fmi2GetVersionTYPE>(name)()) == "2.0" ? ok : error;
}

int free_instance(Session& session, const Arguments&, const char* name) {
  session.fmu.function<fmi2FreeInstanceTYPE>(name)(session.instance);
  session.instance = nullptr;
  return ok;
}

int directional(Session& session, const Arguments& arguments, const char* name) {
  const double seed = 1;
  return with<fmi2GetDirectionalDerivativeTYPE>(&arguments.output, 1, &arguments.input, 1, &seed,
                                                &place)(session, arguments, name);
}

int input_derivatives(Session& session, const Arguments& arguments, const char* name) {
  return with<fmi2SetRealInputDerivativesTYPE>(&arguments.input, 1, &first_order, &number)(session, arguments, name);
}

int output_derivatives(Session& session, const Arguments& arguments, const char* name) {
  return with<fmi2GetRealOutputDerivativesTYPE>(&arguments.output, 1, &first_order, &place)(session, arguments, name);
}

}  // namespace

const std::map<std::string, Call>& calls2() {
  static const std::map<std::string, Call> all = {
      {"fmi2GetTypesPlatform", types_platform},
      {"fmi2GetVersion", version},
      {"fmi2SetDebugLogging", with<fmi2SetDebugLoggingTYPE>(fmi2True, 0, nullptr)},
      {"fmi2FreeInstance", free_instance},
      {"fmi2Reset", with<fmi2ResetTYPE>()},
      {"fmi2SetupExperiment", with<fmi2SetupExperimentTYPE>(fmi2False, 0., 0., fmi2False, 0.)},
      {"fmi2EnterInitializationMode", with<fmi2EnterInitializationModeTYPE>()},
      {"fmi2ExitInitializationMode", with<fmi2ExitInitializationModeTYPE>()},
      {"fmi2Terminate", with<fmi2TerminateTYPE>()},
      {"fmi2GetReal", of_arguments(read)},
      {"fmi2GetInteger", with<fmi2GetIntegerTYPE>(nullptr, 0, nullptr)},
      {"fmi2GetBoolean", with<fmi2GetBooleanTYPE>(nullptr, 0, nullptr)},
      {"fmi2GetString", with<fmi2GetStringTYPE>(nullptr, 0, nullptr)},
      {"fmi2SetReal", with<fmi2SetRealTYPE>(nullptr, 0, nullptr)},
      {"fmi2SetInteger", with<fmi2SetIntegerTYPE>(nullptr, 0, nullptr)},
      {"fmi2SetBoolean", with<fmi2SetBooleanTYPE>(nullptr, 0, nullptr)},
      {"fmi2SetString", with<fmi2SetStringTYPE>(nullptr, 0, nullptr)},
      {"fmi2GetFMUstate", of_session(save)},
      {"fmi2SetFMUstate", of_arguments(restore)},
      {"fmi2FreeFMUstate", of_session(free_no_state)},
      {"fmi2SerializedFMUstateSize", of_arguments(serialized_size)},
      {"fmi2SerializeFMUstate", of_arguments(serialize)},
      {"fmi2DeSerializeFMUstate", of_arguments(deserialize)},
      {"fmi2GetDirectionalDerivative", directional},
      // These functions belong to co-simulation.
      {"fmi2SetRealInputDerivatives", input_derivatives},
      {"fmi2GetRealOutputDerivatives", output_derivatives},
      {"fmi2DoStep", of_session(step)},
      {"fmi2CancelStep", with<fmi2CancelStepTYPE>()},
      {"fmi2GetStatus",
       [](Session& s, const Arguments& a, const char* name) {
         return with<fmi2GetStatusTYPE>(fmi2DoStepStatus, &status_place)(s, a, name);
       }},
      {"fmi2GetRealStatus",
       [](Session& s, const Arguments& a, const char* name) {
         return with<fmi2GetRealStatusTYPE>(fmi2LastSuccessfulTime, &place)(s, a, name);
       }},
      {"fmi2GetIntegerStatus",
       [](Session& s, const Arguments& a, const char* name) {
         return with<fmi2GetIntegerStatusTYPE>(fmi2DoStepStatus, &whole)(s, a, name);
       }},
      {"fmi2GetBooleanStatus",
       [](Session& s, const Arguments& a, const char* name) {
         return with<fmi2GetBooleanStatusTYPE>(fmi2Terminated, &flag)(s, a, name);
       }},
      {"fmi2GetStringStatus",
       [](Session& s, const Arguments& a, const char* name) {
         return with<fmi2GetStringStatusTYPE>(fmi2PendingStatus, &text_place)(s, a, name);
       }},
      // These functions belong to model exchange.
      {"fmi2EnterEventMode", with<fmi2EnterEventModeTYPE>()},
      {"fmi2NewDiscreteStates", of_session(update_discrete_states)},
      {"fmi2EnterContinuousTimeMode", with<fmi2EnterContinuousTimeModeTYPE>()},
      {"fmi2CompletedIntegratorStep", of_session(complete_step)},
      {"fmi2SetTime", of_session(set_time)},
      {"fmi2SetContinuousStates", of_arguments(set_states)},
      {"fmi2GetDerivatives", of_arguments(of_states<&Session::get_state_derivatives>)},
      {"fmi2GetEventIndicators", of_arguments(get_event_indicators)},
      {"fmi2GetContinuousStates", of_arguments(of_states<&Session::get_states>)},
      {"fmi2GetNominalsOfContinuousStates", of_arguments(of_states<&Session::get_nominals>)},
  };
  return all;
}

}  // namespace mechfmu::importer
