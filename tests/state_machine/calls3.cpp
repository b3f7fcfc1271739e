// Says how each function of FMI 3.0 is called.
#include <fmi3FunctionTypes.h>

#include "calls.hpp"

namespace mechfmu::importer {
namespace {

using namespace calls;

thread_local double place;  ///< receives answers that nobody reads; each thread has its own
thread_local std::size_t size_place;

int version(Session& session, const Arguments&, const char* name) {
  return std::string(session.fmu.function<fmi3GetVersionTYPE>(name)()) == "3.0" ? ok : error;
}

int free_instance(Session& session, const Arguments&, const char* name) {
  session.fmu.function<fmi3FreeInstanceTYPE>(name)(session.instance);
  session.instance = nullptr;
  return ok;
}

int output_derivative(Session& session, const Arguments& arguments, const char* name) {
  const fmi3Int32 order = 1;
  return with<fmi3GetOutputDerivativesTYPE>(&arguments.output, 1, &order, &place, 1)(session, arguments, name);
}

/// Asks for an output with respect to an input, or the other way round.
template <class Function>
int derivative(Session& session, const Arguments& arguments, const char* name) {
  const double seed = 1;
  return with<Function>(&arguments.output, 1, &arguments.input, 1, &seed, 1, &place, 1)(session, arguments, name);
}

int dependencies(Session& session, const Arguments& arguments, const char* name) {
  return with<fmi3GetNumberOfVariableDependenciesTYPE>(arguments.output, &size_place)(session, arguments, name);
}

int count_states(Session& session, const Arguments& arguments, const char* name) {
  const int status = with<fmi3GetNumberOfContinuousStatesTYPE>(&size_place)(session, arguments, name);
  return status == ok && size_place != arguments.states.size() ? no_such_call : status;
}

int count_indicators(Session& session, const Arguments& arguments, const char* name) {
  const int status = with<fmi3GetNumberOfEventIndicatorsTYPE>(&size_place)(session, arguments, name);
  return status == ok && size_place != arguments.indicators ? no_such_call : status;
}

/// Types without variables are asked for none.
template <class Function>
int none(Session& session, const Arguments& arguments, const char* name) {
  return with<Function>(nullptr, 0, nullptr, 0)(session, arguments, name);
}

}  // namespace

const std::map<std::string, Call>& calls3() {
  static const std::map<std::string, Call> all = {
      {"fmi3GetVersion", version},
      {"fmi3SetDebugLogging", with<fmi3SetDebugLoggingTYPE>(true, 0, nullptr)},
      {"fmi3FreeInstance", free_instance},
      {"fmi3Reset", with<fmi3ResetTYPE>()},
      {"fmi3EnterConfigurationMode", with<fmi3EnterConfigurationModeTYPE>()},
      {"fmi3ExitConfigurationMode", with<fmi3ExitConfigurationModeTYPE>()},
      {"fmi3EnterInitializationMode", of_session([](Session& session) { return session.enter(); })},
      {"fmi3ExitInitializationMode", with<fmi3ExitInitializationModeTYPE>()},
      {"fmi3EnterEventMode", with<fmi3EnterEventModeTYPE>()},
      {"fmi3UpdateDiscreteStates", of_session(update_discrete_states)},
      {"fmi3EvaluateDiscreteStates", with<fmi3EvaluateDiscreteStatesTYPE>()},
      {"fmi3EnterStepMode", with<fmi3EnterStepModeTYPE>()},
      {"fmi3DoStep", of_session(step)},
      {"fmi3Terminate", with<fmi3TerminateTYPE>()},
      {"fmi3GetFMUState", of_session(save)},
      {"fmi3SetFMUState", of_arguments(restore)},
      {"fmi3FreeFMUState", of_session(free_no_state)},
      {"fmi3SerializedFMUStateSize", of_arguments(serialized_size)},
      {"fmi3SerializeFMUState", of_arguments(serialize)},
      {"fmi3DeserializeFMUState", of_arguments(deserialize)},
      {"fmi3GetDirectionalDerivative", derivative<fmi3GetDirectionalDerivativeTYPE>},
      {"fmi3GetAdjointDerivative", derivative<fmi3GetAdjointDerivativeTYPE>},
      {"fmi3GetOutputDerivatives", output_derivative},
      {"fmi3GetNumberOfVariableDependencies", dependencies},
      {"fmi3GetVariableDependencies", with<fmi3GetVariableDependenciesTYPE>(0u, nullptr, nullptr, nullptr, nullptr, 0)},
      // These functions get and set values.
      {"fmi3GetFloat64", of_arguments(read)},
      {"fmi3GetFloat32", none<fmi3GetFloat32TYPE>},
      {"fmi3GetInt8", none<fmi3GetInt8TYPE>},
      {"fmi3GetUInt8", none<fmi3GetUInt8TYPE>},
      {"fmi3GetInt16", none<fmi3GetInt16TYPE>},
      {"fmi3GetUInt16", none<fmi3GetUInt16TYPE>},
      {"fmi3GetInt32", none<fmi3GetInt32TYPE>},
      {"fmi3GetUInt32", none<fmi3GetUInt32TYPE>},
      {"fmi3GetInt64", none<fmi3GetInt64TYPE>},
      {"fmi3GetUInt64", none<fmi3GetUInt64TYPE>},
      {"fmi3GetBoolean", none<fmi3GetBooleanTYPE>},
      {"fmi3GetString", none<fmi3GetStringTYPE>},
      {"fmi3GetBinary", with<fmi3GetBinaryTYPE>(nullptr, 0, nullptr, nullptr, 0)},
      {"fmi3SetFloat64", none<fmi3SetFloat64TYPE>},
      {"fmi3SetFloat32", none<fmi3SetFloat32TYPE>},
      {"fmi3SetInt8", none<fmi3SetInt8TYPE>},
      {"fmi3SetUInt8", none<fmi3SetUInt8TYPE>},
      {"fmi3SetInt16", none<fmi3SetInt16TYPE>},
      {"fmi3SetUInt16", none<fmi3SetUInt16TYPE>},
      {"fmi3SetInt32", none<fmi3SetInt32TYPE>},
      {"fmi3SetUInt32", none<fmi3SetUInt32TYPE>},
      {"fmi3SetInt64", none<fmi3SetInt64TYPE>},
      {"fmi3SetUInt64", none<fmi3SetUInt64TYPE>},
      {"fmi3SetBoolean", none<fmi3SetBooleanTYPE>},
      {"fmi3SetString", none<fmi3SetStringTYPE>},
      {"fmi3SetBinary", with<fmi3SetBinaryTYPE>(nullptr, 0, nullptr, nullptr, 0)},
      // These functions belong to model exchange.
      {"fmi3EnterContinuousTimeMode", with<fmi3EnterContinuousTimeModeTYPE>()},
      {"fmi3CompletedIntegratorStep", of_session(complete_step)},
      {"fmi3SetTime", of_session(set_time)},
      {"fmi3SetContinuousStates", of_arguments(set_states)},
      {"fmi3GetContinuousStateDerivatives", of_arguments(of_states<&Session::get_state_derivatives>)},
      {"fmi3GetEventIndicators", of_arguments(get_event_indicators)},
      {"fmi3GetContinuousStates", of_arguments(of_states<&Session::get_states>)},
      {"fmi3GetNominalsOfContinuousStates", of_arguments(of_states<&Session::get_nominals>)},
      {"fmi3GetNumberOfEventIndicators", count_indicators},
      {"fmi3GetNumberOfContinuousStates", count_states},
      // These functions belong to clocks and scheduled execution.
      {"fmi3GetClock", with<fmi3GetClockTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetClock", with<fmi3SetClockTYPE>(nullptr, 0, nullptr)},
      {"fmi3GetIntervalDecimal", with<fmi3GetIntervalDecimalTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3GetIntervalFraction", with<fmi3GetIntervalFractionTYPE>(nullptr, 0, nullptr, nullptr, nullptr)},
      {"fmi3GetShiftDecimal", with<fmi3GetShiftDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3GetShiftFraction", with<fmi3GetShiftFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3SetIntervalDecimal", with<fmi3SetIntervalDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetIntervalFraction", with<fmi3SetIntervalFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3SetShiftDecimal", with<fmi3SetShiftDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetShiftFraction", with<fmi3SetShiftFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3ActivateModelPartition", with<fmi3ActivateModelPartitionTYPE>(1u, 0.)},
  };
  return all;
}

}  // namespace mechfmu::importer
