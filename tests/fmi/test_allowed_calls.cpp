// Tests every cell of the tables of allowed calls: in every state that can be reached, each function does what its row
// says.
#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <string>

#include "client.hpp"
#include "fmu_src/fmi/instance.hpp"

using namespace mechfmu;

namespace {

const unsigned any = 1;  // a value reference: time
double number, numbers[4];
constexpr double upright[] = {0, 1, 0, 0};
std::size_t size;
fmi2EventInfo event_info;
fmi2FMUstate saved2;
fmi3FMUState saved3;
std::vector<char> bytes2, bytes3;

using Call2 = std::function<fmi2Status(fmi2Component)>;
using Call3 = std::function<fmi3Status(fmi3Instance)>;

const std::map<std::string, Call2> calls2 = {
    {"fmi2SetDebugLogging", [](fmi2Component c) { return fmi2SetDebugLogging(c, 1, 0, nullptr); }},
    {"fmi2Reset", fmi2Reset},
    {"fmi2SetupExperiment", [](fmi2Component c) { return fmi2SetupExperiment(c, 0, 0, 0, 0, 0); }},
    {"fmi2EnterInitializationMode", fmi2EnterInitializationMode},
    {"fmi2ExitInitializationMode", fmi2ExitInitializationMode},
    {"fmi2GetReal", [](fmi2Component c) { return fmi2GetReal(c, &any, 1, &number); }},
    {"fmi2GetInteger", [](fmi2Component c) { return fmi2GetInteger(c, nullptr, 0, nullptr); }},
    {"fmi2GetBoolean", [](fmi2Component c) { return fmi2GetBoolean(c, nullptr, 0, nullptr); }},
    {"fmi2GetString", [](fmi2Component c) { return fmi2GetString(c, nullptr, 0, nullptr); }},
    {"fmi2SetReal", [](fmi2Component c) { return fmi2SetReal(c, nullptr, 0, nullptr); }},
    {"fmi2SetInteger", [](fmi2Component c) { return fmi2SetInteger(c, nullptr, 0, nullptr); }},
    {"fmi2SetBoolean", [](fmi2Component c) { return fmi2SetBoolean(c, nullptr, 0, nullptr); }},
    {"fmi2SetString", [](fmi2Component c) { return fmi2SetString(c, nullptr, 0, nullptr); }},
    {"fmi2SetRealInputDerivatives",
     [](fmi2Component c) { return fmi2SetRealInputDerivatives(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi2GetRealOutputDerivatives",
     [](fmi2Component c) { return fmi2GetRealOutputDerivatives(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi2GetDirectionalDerivative",
     [](fmi2Component c) { return fmi2GetDirectionalDerivative(c, nullptr, 0, nullptr, 0, nullptr, nullptr); }},
    {"fmi2DoStep", [](fmi2Component c) { return fmi2DoStep(c, 0, 0.01, 1); }},
    {"fmi2CancelStep", fmi2CancelStep},
    {"fmi2GetStatus", [](fmi2Component c) { return fmi2GetStatus(c, fmi2DoStepStatus, nullptr); }},
    {"fmi2GetRealStatus", [](fmi2Component c) { return fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &number); }},
    {"fmi2GetIntegerStatus", [](fmi2Component c) { return fmi2GetIntegerStatus(c, fmi2DoStepStatus, nullptr); }},
    {"fmi2GetBooleanStatus",
     [](fmi2Component c) {
       fmi2Boolean ended;
       return fmi2GetBooleanStatus(c, fmi2Terminated, &ended);
     }},
    {"fmi2GetStringStatus", [](fmi2Component c) { return fmi2GetStringStatus(c, fmi2PendingStatus, nullptr); }},
    {"fmi2Terminate", fmi2Terminate},
    {"fmi2GetFMUstate", [](fmi2Component c) { return fmi2GetFMUstate(c, &saved2); }},
    {"fmi2SetFMUstate", [](fmi2Component c) { return fmi2SetFMUstate(c, saved2); }},
    {"fmi2FreeFMUstate",
     [](fmi2Component c) {
       fmi2FMUstate none = nullptr;
       return fmi2FreeFMUstate(c, &none);
     }},
    {"fmi2SerializedFMUstateSize", [](fmi2Component c) { return fmi2SerializedFMUstateSize(c, saved2, &size); }},
    {"fmi2SerializeFMUstate",
     [](fmi2Component c) { return fmi2SerializeFMUstate(c, saved2, bytes2.data(), bytes2.size()); }},
    {"fmi2DeSerializeFMUstate",
     [](fmi2Component c) {
       fmi2FMUstate copy = nullptr;
       const fmi2Status status = fmi2DeSerializeFMUstate(c, bytes2.data(), bytes2.size(), &copy);
       if (status == fmi2OK) fmi2FreeFMUstate(c, &copy);
       return status;
     }},
    {"fmi2EnterEventMode", fmi2EnterEventMode},
    {"fmi2NewDiscreteStates", [](fmi2Component c) { return fmi2NewDiscreteStates(c, &event_info); }},
    {"fmi2EnterContinuousTimeMode", fmi2EnterContinuousTimeMode},
    {"fmi2CompletedIntegratorStep",
     [](fmi2Component c) { return fmi2CompletedIntegratorStep(c, 1, nullptr, nullptr); }},
    {"fmi2SetTime", [](fmi2Component c) { return fmi2SetTime(c, 0); }},
    {"fmi2SetContinuousStates", [](fmi2Component c) { return fmi2SetContinuousStates(c, upright, 4); }},
    {"fmi2GetDerivatives", [](fmi2Component c) { return fmi2GetDerivatives(c, numbers, 4); }},
    {"fmi2GetEventIndicators", [](fmi2Component c) { return fmi2GetEventIndicators(c, nullptr, 0); }},
    {"fmi2GetContinuousStates", [](fmi2Component c) { return fmi2GetContinuousStates(c, numbers, 4); }},
    {"fmi2GetNominalsOfContinuousStates",
     [](fmi2Component c) { return fmi2GetNominalsOfContinuousStates(c, numbers, 4); }},
};

/// Getters and setters of values that have the same five arguments.
template <auto function>
fmi3Status of_nothing(fmi3Instance c) {
  return function(c, nullptr, 0, nullptr, 0);
}

const std::map<std::string, Call3> calls3 = {
    {"fmi3SetDebugLogging", [](fmi3Instance c) { return fmi3SetDebugLogging(c, true, 0, nullptr); }},
    {"fmi3Reset", fmi3Reset},
    {"fmi3EnterInitializationMode",
     [](fmi3Instance c) { return fmi3EnterInitializationMode(c, false, 0, 0, false, 0); }},
    {"fmi3ExitInitializationMode", fmi3ExitInitializationMode},
    {"fmi3EnterConfigurationMode", fmi3EnterConfigurationMode},
    {"fmi3ExitConfigurationMode", fmi3ExitConfigurationMode},
    {"fmi3GetFloat64", [](fmi3Instance c) { return fmi3GetFloat64(c, &any, 1, &number, 1); }},
    {"fmi3GetFloat32", of_nothing<fmi3GetFloat32>},
    {"fmi3GetInt8", of_nothing<fmi3GetInt8>},
    {"fmi3GetUInt8", of_nothing<fmi3GetUInt8>},
    {"fmi3GetInt16", of_nothing<fmi3GetInt16>},
    {"fmi3GetUInt16", of_nothing<fmi3GetUInt16>},
    {"fmi3GetInt32", of_nothing<fmi3GetInt32>},
    {"fmi3GetUInt32", of_nothing<fmi3GetUInt32>},
    {"fmi3GetInt64", of_nothing<fmi3GetInt64>},
    {"fmi3GetUInt64", of_nothing<fmi3GetUInt64>},
    {"fmi3GetBoolean", of_nothing<fmi3GetBoolean>},
    {"fmi3GetString", of_nothing<fmi3GetString>},
    {"fmi3GetBinary", [](fmi3Instance c) { return fmi3GetBinary(c, nullptr, 0, nullptr, nullptr, 0); }},
    {"fmi3SetFloat64", of_nothing<fmi3SetFloat64>},
    {"fmi3SetFloat32", of_nothing<fmi3SetFloat32>},
    {"fmi3SetInt8", of_nothing<fmi3SetInt8>},
    {"fmi3SetUInt8", of_nothing<fmi3SetUInt8>},
    {"fmi3SetInt16", of_nothing<fmi3SetInt16>},
    {"fmi3SetUInt16", of_nothing<fmi3SetUInt16>},
    {"fmi3SetInt32", of_nothing<fmi3SetInt32>},
    {"fmi3SetUInt32", of_nothing<fmi3SetUInt32>},
    {"fmi3SetInt64", of_nothing<fmi3SetInt64>},
    {"fmi3SetUInt64", of_nothing<fmi3SetUInt64>},
    {"fmi3SetBoolean", of_nothing<fmi3SetBoolean>},
    {"fmi3SetString", of_nothing<fmi3SetString>},
    {"fmi3SetBinary", [](fmi3Instance c) { return fmi3SetBinary(c, nullptr, 0, nullptr, nullptr, 0); }},
    {"fmi3GetClock", [](fmi3Instance c) { return fmi3GetClock(c, nullptr, 0, nullptr); }},
    {"fmi3SetClock", [](fmi3Instance c) { return fmi3SetClock(c, nullptr, 0, nullptr); }},
    {"fmi3GetIntervalDecimal", [](fmi3Instance c) { return fmi3GetIntervalDecimal(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi3GetIntervalFraction",
     [](fmi3Instance c) { return fmi3GetIntervalFraction(c, nullptr, 0, nullptr, nullptr, nullptr); }},
    {"fmi3GetShiftDecimal", [](fmi3Instance c) { return fmi3GetShiftDecimal(c, nullptr, 0, nullptr); }},
    {"fmi3GetShiftFraction", [](fmi3Instance c) { return fmi3GetShiftFraction(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi3SetIntervalDecimal", [](fmi3Instance c) { return fmi3SetIntervalDecimal(c, nullptr, 0, nullptr); }},
    {"fmi3SetIntervalFraction",
     [](fmi3Instance c) { return fmi3SetIntervalFraction(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi3SetShiftDecimal", [](fmi3Instance c) { return fmi3SetShiftDecimal(c, nullptr, 0, nullptr); }},
    {"fmi3SetShiftFraction", [](fmi3Instance c) { return fmi3SetShiftFraction(c, nullptr, 0, nullptr, nullptr); }},
    {"fmi3GetNumberOfVariableDependencies",
     [](fmi3Instance c) { return fmi3GetNumberOfVariableDependencies(c, 1, nullptr); }},
    {"fmi3GetVariableDependencies",
     [](fmi3Instance c) { return fmi3GetVariableDependencies(c, 1, nullptr, nullptr, nullptr, nullptr, 0); }},
    {"fmi3GetDirectionalDerivative",
     [](fmi3Instance c) { return fmi3GetDirectionalDerivative(c, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0); }},
    {"fmi3GetAdjointDerivative",
     [](fmi3Instance c) { return fmi3GetAdjointDerivative(c, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0); }},
    {"fmi3GetOutputDerivatives",
     [](fmi3Instance c) { return fmi3GetOutputDerivatives(c, nullptr, 0, nullptr, nullptr, 0); }},
    {"fmi3DoStep",
     [](fmi3Instance c) {
       bool a, b, d;
       return fmi3DoStep(c, 0, 0.01, true, &a, &b, &d, &number);
     }},
    {"fmi3EnterEventMode", fmi3EnterEventMode},
    {"fmi3UpdateDiscreteStates",
     [](fmi3Instance c) { return fmi3UpdateDiscreteStates(c, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr); }},
    {"fmi3EvaluateDiscreteStates", fmi3EvaluateDiscreteStates},
    {"fmi3EnterStepMode", fmi3EnterStepMode},
    {"fmi3Terminate", fmi3Terminate},
    {"fmi3GetFMUState", [](fmi3Instance c) { return fmi3GetFMUState(c, &saved3); }},
    {"fmi3SetFMUState", [](fmi3Instance c) { return fmi3SetFMUState(c, saved3); }},
    {"fmi3FreeFMUState",
     [](fmi3Instance c) {
       fmi3FMUState none = nullptr;
       return fmi3FreeFMUState(c, &none);
     }},
    {"fmi3SerializedFMUStateSize", [](fmi3Instance c) { return fmi3SerializedFMUStateSize(c, saved3, &size); }},
    {"fmi3SerializeFMUState",
     [](fmi3Instance c) {
       return fmi3SerializeFMUState(c, saved3, reinterpret_cast<fmi3Byte*>(bytes3.data()), bytes3.size());
     }},
    {"fmi3DeserializeFMUState",
     [](fmi3Instance c) {
       fmi3FMUState copy = nullptr;
       const fmi3Status status =
           fmi3DeserializeFMUState(c, reinterpret_cast<const fmi3Byte*>(bytes3.data()), bytes3.size(), &copy);
       if (status == fmi3OK) fmi3FreeFMUState(c, &copy);
       return status;
     }},
    {"fmi3EnterContinuousTimeMode", fmi3EnterContinuousTimeMode},
    {"fmi3CompletedIntegratorStep",
     [](fmi3Instance c) { return fmi3CompletedIntegratorStep(c, true, nullptr, nullptr); }},
    {"fmi3SetTime", [](fmi3Instance c) { return fmi3SetTime(c, 0); }},
    {"fmi3SetContinuousStates", [](fmi3Instance c) { return fmi3SetContinuousStates(c, upright, 4); }},
    {"fmi3GetContinuousStateDerivatives",
     [](fmi3Instance c) { return fmi3GetContinuousStateDerivatives(c, numbers, 4); }},
    {"fmi3GetEventIndicators", [](fmi3Instance c) { return fmi3GetEventIndicators(c, nullptr, 0); }},
    {"fmi3GetContinuousStates", [](fmi3Instance c) { return fmi3GetContinuousStates(c, numbers, 4); }},
    {"fmi3GetNominalsOfContinuousStates",
     [](fmi3Instance c) { return fmi3GetNominalsOfContinuousStates(c, numbers, 4); }},
    {"fmi3GetNumberOfEventIndicators", [](fmi3Instance c) { return fmi3GetNumberOfEventIndicators(c, &size); }},
    {"fmi3GetNumberOfContinuousStates", [](fmi3Instance c) { return fmi3GetNumberOfContinuousStates(c, &size); }},
    {"fmi3ActivateModelPartition", [](fmi3Instance c) { return fmi3ActivateModelPartition(c, 1, 0); }},
};

template <class Client>
constexpr bool is_exchange = std::is_same_v<Client, ExchangeClient2> || std::is_same_v<Client, ExchangeClient3>;

/// Brings a fresh instance into a state. FMI 3 has no error state: there an error leads to T. With event mode, and in
/// model exchange, initialization ends in event mode.
template <class Client>
void bring(Client& client, Mode mode) {
  if (mode == Mode::error) {
    if constexpr (is_exchange<Client>) bring(client, Mode::continuous);  // so that there are states to read
    double value;
    client.get(1000000, value);
    return;
  }
  if (mode == Mode::instantiated) return;
  REQUIRE(client.enter() == 0);
  if (mode == Mode::initialization) return;
  REQUIRE(client.exit() == 0);
  if (mode == Mode::event) return;
  if constexpr (std::is_same_v<Client, EventClient>) REQUIRE(client.enter_steps() == 0);
  if constexpr (is_exchange<Client>) REQUIRE(client.enter_continuous() == 0);
  if (mode == Mode::continuous) return;
  if (mode == Mode::step) return;
  REQUIRE(client.terminate() == 0);
}

template <class Client, class Calls, std::size_t count>
void check_table(const Calls& calls, const AllowedCall (&table)[count], std::initializer_list<Mode> modes, int discard,
                 Mode after_error) {
  constexpr bool exchange = is_exchange<Client>, events = exchange || std::is_same_v<Client, EventClient>;
  for (const AllowedCall& row : table) {
    const bool frees = std::string(row.name).find("FreeInstance") != std::string::npos;
    if (frees) continue;  // returns nothing
    INFO(row.name);
    REQUIRE(calls.count(row.name) == 1);
    for (const Mode mode : modes) {
      INFO(readable(mode));
      Client client;
      bring(client, mode);
      const Mode reached = static_cast<Instance*>(client.instance)->mode();
      REQUIRE(reached == (mode == Mode::error ? after_error : mode));
      // FMI 2 also wants a set-up before initialization mode.
      if (std::string(row.name) == "fmi2EnterInitializationMode" && mode == Mode::instantiated) {
        REQUIRE(fmi2SetupExperiment(client.instance, 0, 0, 0, 0, 0) == fmi2OK);
      }
      client.messages.texts.clear();
      const int status = calls.at(row.name)(client.instance);
      const Mode now = static_cast<Instance*>(client.instance)->mode();
      const bool sets_state = std::string(row.name).find("SetFMU") != std::string::npos;
      if (row.allowed_in(reached, exchange) && (events || !row.of_event_mode)) {
        CHECK((status == 0 || status == discard));
        const bool ends_in_events = events && mode == Mode::initialization && row.next == Mode::step;
        const Mode next = ends_in_events ? Mode::event : row.next;
        if (!sets_state) CHECK(now == (row.next == Mode::unchanged ? reached : next));
      } else {
        CHECK(status == 3);
        CHECK(now == after_error);
        REQUIRE(client.messages.texts.size() == 1);
        CHECK(client.messages.texts.front().find(row.name) != std::string::npos);
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("every function of FMI 2 keeps to its row of the table", "", Client2, ExchangeClient2) {
  TestType source;
  REQUIRE(source.save(&saved2) == 0);
  REQUIRE(source.size(saved2, size) == 0);
  bytes2.resize(size);
  REQUIRE(source.serialize(saved2, bytes2) == 0);
  if constexpr (is_exchange<TestType>) {
    check_table<TestType>(calls2, fmi2_calls,
                          {Mode::instantiated, Mode::initialization, Mode::event, Mode::continuous, Mode::terminated,
                           Mode::error},
                          fmi2OK, Mode::error);
  } else {
    check_table<TestType>(calls2, fmi2_calls,
                          {Mode::instantiated, Mode::initialization, Mode::step, Mode::terminated, Mode::error},
                          fmi2Discard, Mode::error);
  }
  source.discard(&saved2);
}

TEMPLATE_TEST_CASE("every function of FMI 3 keeps to its row of the table", "", Client3, ExchangeClient3) {
  TestType source;
  REQUIRE(source.save(&saved3) == 0);
  REQUIRE(source.size(saved3, size) == 0);
  bytes3.resize(size);
  REQUIRE(source.serialize(saved3, bytes3) == 0);
  if constexpr (is_exchange<TestType>) {
    check_table<TestType>(calls3, fmi3_calls,
                          {Mode::instantiated, Mode::initialization, Mode::event, Mode::continuous, Mode::terminated,
                           Mode::error},
                          fmi3OK, Mode::terminated);
  } else {
    check_table<TestType>(calls3, fmi3_calls,
                          {Mode::instantiated, Mode::initialization, Mode::step, Mode::terminated, Mode::error}, fmi3OK,
                          Mode::terminated);
    check_table<EventClient>(calls3, fmi3_calls,
                             {Mode::instantiated, Mode::initialization, Mode::event, Mode::step, Mode::terminated,
                              Mode::error},
                             fmi3OK, Mode::terminated);
  }
  source.discard(&saved3);
}

TEST_CASE("the tables hold every function of the headers that takes an instance") {
  // There are 44 and 75 functions, less GetVersion, GetTypesPlatform and those that instantiate.
  CHECK(std::size(fmi2_calls) == 44 - 3);
  CHECK(std::size(fmi3_calls) == 75 - 4);
}
