// The table of FMI 3.0.2 for co-simulation.
#include <fmi3FunctionTypes.h>

#include "expectations.hpp"

namespace mechfmu::importer {
namespace {

double place;
std::size_t size_place;
bool flag;
const double number = 0;

int free_instance(Session& session, const Arguments&, const char* name) {
  session.fmu.function<fmi3FreeInstanceTYPE>(name)(session.instance);
  session.instance = nullptr;
  return ok;
}

int output_derivative(Session& session, const Arguments& arguments, const char* name) {
  const fmi3Int32 order = 1;
  return session.fmu.function<fmi3GetOutputDerivativesTYPE>(name)(session.instance, &arguments.output, 1, &order,
                                                                  &place, 1);
}

/// An output with respect to an input, or the other way round.
template <class Function>
int derivative(Session& session, const Arguments& arguments, const char* name) {
  const double seed = 1;
  return session.fmu.function<Function>(name)(session.instance, &arguments.output, 1, &arguments.input, 1, &seed, 1,
                                              &place, 1);
}

int dependencies(Session& session, const Arguments& arguments, const char* name) {
  return session.fmu.function<fmi3GetNumberOfVariableDependenciesTYPE>(name)(session.instance, arguments.output,
                                                                             &size_place);
}

/// Types without variables are asked for none.
template <class Function>
int none(Session& session, const Arguments&, const char* name) {
  return session.fmu.function<Function>(name)(session.instance, nullptr, 0, nullptr, 0);
}

std::vector<Expectation> common_rows() {
  return {
      //                                IKNSVRUT
      {"fmi3GetVersion",               "xxxxxxxx", [](Session& s, const Arguments&, const char* name) {
         return std::string(s.fmu.function<fmi3GetVersionTYPE>(name)()) == "3.0" ? ok : error; }},
      {"fmi3SetDebugLogging",          "x.xxx..x", with<fmi3SetDebugLoggingTYPE>(true, 0, nullptr)},
      {"fmi3FreeInstance",             "x.xxx..x", free_instance, gone},
      {"fmi3Reset",                    "x.xxx..x", with<fmi3ResetTYPE>(), 'I'},
      {"fmi3EnterConfigurationMode",   "........", with<fmi3EnterConfigurationModeTYPE>(), same, never},
      {"fmi3ExitConfigurationMode",    "........", with<fmi3ExitConfigurationModeTYPE>(), same, never},
      {"fmi3EnterInitializationMode",  "x.......", [](Session& s, const Arguments&, const char*) { return s.enter(); },
       'N'},
      {"fmi3ExitInitializationMode",   "..x.....", with<fmi3ExitInitializationModeTYPE>(), 'S'},
      {"fmi3EnterEventMode",           "...e....", with<fmi3EnterEventModeTYPE>(), 'V', "hasEventMode"},
      {"fmi3UpdateDiscreteStates",     "....x...", [](Session& s, const Arguments&, const char*) {
         return s.update_discrete_states(); }, same, "hasEventMode"},
      {"fmi3EvaluateDiscreteStates",   "....x...", with<fmi3EvaluateDiscreteStatesTYPE>(), same,
       "providesEvaluateDiscreteStates"},
      {"fmi3EnterStepMode",            "....x...", with<fmi3EnterStepModeTYPE>(), 'S', "hasEventMode"},
      {"fmi3DoStep",                   "...x....", [](Session& s, const Arguments&, const char*) { return s.step(); }},
      {"fmi3Terminate",                "...xx...", with<fmi3TerminateTYPE>(), 'T'},
      {"fmi3GetFMUState",              "x.xxx..x", get_state, same, "canGetAndSetFMUState"},
      {"fmi3SetFMUState",              "x.xxx..x", [](Session& s, const Arguments& a, const char*) {
         return s.restore(a.state); }, 'N', "canGetAndSetFMUState"},
      {"fmi3FreeFMUState",             "x.xxx..x", [](Session& s, const Arguments&, const char*) {
         void* nothing = nullptr;
         return s.free_state(&nothing); }, same, "canGetAndSetFMUState"},
      {"fmi3SerializedFMUStateSize",   "x.xxx..x", [](Session& s, const Arguments& a, const char*) {
         return s.serialized_size(a.state, &size_place); }, same, "canSerializeFMUState"},
      {"fmi3SerializeFMUState",        "x.xxx..x", [](Session& s, const Arguments& a, const char*) {
         std::string bytes = a.bytes;
         return s.serialize(a.state, bytes.data(), bytes.size()); }, same, "canSerializeFMUState"},
      {"fmi3DeserializeFMUState",      "x.xxx..x", deserialize, same, "canSerializeFMUState"},
      {"fmi3GetDirectionalDerivative", "..xxx..x", derivative<fmi3GetDirectionalDerivativeTYPE>, same,
       "providesDirectionalDerivatives"},
      {"fmi3GetAdjointDerivative",     "..xxx..x", derivative<fmi3GetAdjointDerivativeTYPE>, same,
       "providesAdjointDerivatives"},
      {"fmi3GetOutputDerivatives",     "...x..gx", output_derivative, same, "maxOutputDerivativeOrder"},
      {"fmi3GetNumberOfVariableDependencies", "x.xxx.xx", dependencies, same, "providesPerElementDependencies"},
      {"fmi3GetVariableDependencies",  "x.xxx.xx",
       with<fmi3GetVariableDependenciesTYPE>(0u, nullptr, nullptr, nullptr, nullptr, 0), same,
       "providesPerElementDependencies"},
  };
}

std::vector<Expectation> value_rows() {
  return {
      //                  IKNSVRUT
      {"fmi3GetFloat64", "g.xxx.gx", [](Session& s, const Arguments& a, const char*) {
         return s.get(a.readable, place); }},
      {"fmi3GetFloat32", "g.xxx.gx", none<fmi3GetFloat32TYPE>},
      {"fmi3GetInt8",    "g.xxx.gx", none<fmi3GetInt8TYPE>},
      {"fmi3GetUInt8",   "g.xxx.gx", none<fmi3GetUInt8TYPE>},
      {"fmi3GetInt16",   "g.xxx.gx", none<fmi3GetInt16TYPE>},
      {"fmi3GetUInt16",  "g.xxx.gx", none<fmi3GetUInt16TYPE>},
      {"fmi3GetInt32",   "g.xxx.gx", none<fmi3GetInt32TYPE>},
      {"fmi3GetUInt32",  "g.xxx.gx", none<fmi3GetUInt32TYPE>},
      {"fmi3GetInt64",   "g.xxx.gx", none<fmi3GetInt64TYPE>},
      {"fmi3GetUInt64",  "g.xxx.gx", none<fmi3GetUInt64TYPE>},
      {"fmi3GetBoolean", "g.xxx.gx", none<fmi3GetBooleanTYPE>},
      {"fmi3GetString",  "g.xxx.gx", none<fmi3GetStringTYPE>},
      {"fmi3GetBinary",  "g.xxx.gx", with<fmi3GetBinaryTYPE>(nullptr, 0, nullptr, nullptr, 0)},
      {"fmi3SetFloat64", "sssssss.", none<fmi3SetFloat64TYPE>},
      {"fmi3SetFloat32", "sssssss.", none<fmi3SetFloat32TYPE>},
      {"fmi3SetInt8",    "sssssss.", none<fmi3SetInt8TYPE>},
      {"fmi3SetUInt8",   "sssssss.", none<fmi3SetUInt8TYPE>},
      {"fmi3SetInt16",   "sssssss.", none<fmi3SetInt16TYPE>},
      {"fmi3SetUInt16",  "sssssss.", none<fmi3SetUInt16TYPE>},
      {"fmi3SetInt32",   "sssssss.", none<fmi3SetInt32TYPE>},
      {"fmi3SetUInt32",  "sssssss.", none<fmi3SetUInt32TYPE>},
      {"fmi3SetInt64",   "sssssss.", none<fmi3SetInt64TYPE>},
      {"fmi3SetUInt64",  "sssssss.", none<fmi3SetUInt64TYPE>},
      {"fmi3SetBoolean", "sssssss.", none<fmi3SetBooleanTYPE>},
      {"fmi3SetString",  "sssssss.", none<fmi3SetStringTYPE>},
      {"fmi3SetBinary",  "sssssss.", with<fmi3SetBinaryTYPE>(nullptr, 0, nullptr, nullptr, 0)},
  };
}

/// Clocks, model exchange, scheduled execution: not of this FMU.
std::vector<Expectation> foreign_rows() {
  std::vector<Expectation> rows = {
      {"fmi3GetClock", "", with<fmi3GetClockTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetClock", "", with<fmi3SetClockTYPE>(nullptr, 0, nullptr)},
      {"fmi3GetIntervalDecimal", "", with<fmi3GetIntervalDecimalTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3GetIntervalFraction", "", with<fmi3GetIntervalFractionTYPE>(nullptr, 0, nullptr, nullptr, nullptr)},
      {"fmi3GetShiftDecimal", "", with<fmi3GetShiftDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3GetShiftFraction", "", with<fmi3GetShiftFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3SetIntervalDecimal", "", with<fmi3SetIntervalDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetIntervalFraction", "", with<fmi3SetIntervalFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3SetShiftDecimal", "", with<fmi3SetShiftDecimalTYPE>(nullptr, 0, nullptr)},
      {"fmi3SetShiftFraction", "", with<fmi3SetShiftFractionTYPE>(nullptr, 0, nullptr, nullptr)},
      {"fmi3EnterContinuousTimeMode", "", with<fmi3EnterContinuousTimeModeTYPE>()},
      {"fmi3CompletedIntegratorStep", "", with<fmi3CompletedIntegratorStepTYPE>(true, &flag, &flag)},
      {"fmi3SetTime", "", with<fmi3SetTimeTYPE>(0.)},
      {"fmi3SetContinuousStates", "", with<fmi3SetContinuousStatesTYPE>(&number, 1)},
      {"fmi3GetContinuousStateDerivatives", "", with<fmi3GetContinuousStateDerivativesTYPE>(&place, 1)},
      {"fmi3GetEventIndicators", "", with<fmi3GetEventIndicatorsTYPE>(&place, 1)},
      {"fmi3GetContinuousStates", "", with<fmi3GetContinuousStatesTYPE>(&place, 1)},
      {"fmi3GetNominalsOfContinuousStates", "", with<fmi3GetNominalsOfContinuousStatesTYPE>(&place, 1)},
      {"fmi3GetNumberOfEventIndicators", "", with<fmi3GetNumberOfEventIndicatorsTYPE>(&size_place)},
      {"fmi3GetNumberOfContinuousStates", "", with<fmi3GetNumberOfContinuousStatesTYPE>(&size_place)},
      {"fmi3ActivateModelPartition", "", with<fmi3ActivateModelPartitionTYPE>(1u, 0.)},
  };
  for (Expectation& row : rows) {
    row.cells = "........";
    row.capability = never;
  }
  return rows;
}

StateMachine make() {
  std::vector<Expectation> rows = common_rows();
  for (auto* more : {value_rows, foreign_rows}) {
    for (Expectation& row : more()) rows.push_back(std::move(row));
  }
  return {"3.0", "fmi3Functions.h", "IKNSVRUT", 'T', std::move(rows),
          {"fmi3InstantiateModelExchange", "fmi3InstantiateCoSimulation", "fmi3InstantiateScheduledExecution"}};
}

}  // namespace

const StateMachine& state_machine3() {
  static const StateMachine machine = make();
  return machine;
}

const StateMachine& state_machine(const Fmu& fmu) { return fmu.description.fmi3 ? state_machine3() : state_machine2(); }

const Expectation& StateMachine::row(const std::string& function) const {
  for (const Expectation& expectation : rows) {
    if (expectation.function == function) return expectation;
  }
  throw std::runtime_error("no row for " + function);
}

}  // namespace mechfmu::importer
