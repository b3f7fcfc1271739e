// Drives both standards through one interface, so that each test runs on both: it holds an instance as an importer
// does.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <fmi2Functions.h>
#include <fmi3Functions.h>

#include "pendulum.hpp"

namespace mechfmu {

/// Records what an importer is told between communication points, and what it answers.
struct Between {
  double time;
  bool inputs_wanted, may_return;
  bool early = false;  ///< the answer: the step shall end at
  double end = 0;
};

/// Holds what both clients share: the log, and the importer's answers to callbacks.
struct Messages {
  std::function<void(Between&)> between;

  std::vector<std::string> texts;
  std::string all() const {
    std::string result;
    for (const std::string& text : texts) result += text + "\n";
    return result;
  }
};

class Client2 {
 public:
  using State = fmi2FMUstate;
  static constexpr int ok = fmi2OK, error = fmi2Error;

  explicit Client2(bool logging = true, fmi2Type type = fmi2CoSimulation) {
    // stepFinished is not used; memory callbacks are optional for an FMU.
    functions_ = {log, nullptr, nullptr, nullptr, &messages};
    instance = fmi2Instantiate("pendulum", type, pendulum_token, "file:///tmp", &functions_, fmi2False, logging);
  }
  ~Client2() { fmi2FreeInstance(instance); }
  Client2(const Client2&) = delete;
  Client2& operator=(const Client2&) = delete;

  int enter(double start = 0, double stop = -1, double tolerance = 0) {
    const int status = fmi2SetupExperiment(instance, tolerance > 0, tolerance, start, stop >= start, stop);
    return status == fmi2OK ? fmi2EnterInitializationMode(instance) : status;
  }
  int exit() { return fmi2ExitInitializationMode(instance); }
  int step(double t, double h) { return fmi2DoStep(instance, t, h, fmi2True); }
  int terminate() { return fmi2Terminate(instance); }
  int reset() { return fmi2Reset(instance); }
  int set(unsigned vr, double value) { return fmi2SetReal(instance, &vr, 1, &value); }
  int get(unsigned vr, double& value) { return fmi2GetReal(instance, &vr, 1, &value); }
  int get_derivative(unsigned vr, int order, double& value) {
    return fmi2GetRealOutputDerivatives(instance, &vr, 1, &order, &value);
  }
  /// Returns derivatives of one unknown along several knowns.
  int directional(unsigned unknown, const std::vector<unsigned>& knowns, const std::vector<double>& seed,
                  double& slope) {
    return fmi2GetDirectionalDerivative(instance, &unknown, 1, knowns.data(), knowns.size(), seed.data(), &slope);
  }
  using Item = fmi2Integer;
  int set_item(unsigned vr, Item value) { return fmi2SetInteger(instance, &vr, 1, &value); }
  int get_item(unsigned vr, Item& value) { return fmi2GetInteger(instance, &vr, 1, &value); }
  int save(State* state) { return fmi2GetFMUstate(instance, state); }
  int restore(State state) { return fmi2SetFMUstate(instance, state); }
  int discard(State* state) { return fmi2FreeFMUstate(instance, state); }
  int size(State state, std::size_t& size) { return fmi2SerializedFMUstateSize(instance, state, &size); }
  int serialize(State state, std::vector<char>& bytes) {
    return fmi2SerializeFMUstate(instance, state, bytes.data(), bytes.size());
  }
  int deserialize(const std::vector<char>& bytes, State* state) {
    return fmi2DeSerializeFMUstate(instance, bytes.data(), bytes.size(), state);
  }

  Messages messages;
  fmi2Component instance = nullptr;

 private:
  static void log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String category, fmi2String message,
                  ...) {
    char text[4096];
    std::va_list arguments;
    va_start(arguments, message);
    std::vsnprintf(text, sizeof text, message, arguments);  // as the importers do that take it for a format
    va_end(arguments);
    static_cast<Messages*>(environment)->texts.push_back(std::string(category) + ": " + text);
  }
  fmi2CallbackFunctions functions_;
};

class Client3 {
 public:
  using State = fmi3FMUState;
  static constexpr int ok = fmi3OK, error = fmi3Error;

  /// Holds the arguments of instantiation.
  struct Wishes {
    bool logging = true, events = false, early_return = false;
    std::vector<unsigned> variables;
  };

  explicit Client3(bool logging = true) : Client3(Wishes{logging, false, false, {}}, nullptr) {}
  ~Client3() { fmi3FreeInstance(instance); }
  Client3(const Client3&) = delete;
  Client3& operator=(const Client3&) = delete;

  int enter(double start = 0, double stop = -1, double tolerance = 0) {
    return fmi3EnterInitializationMode(instance, tolerance > 0, tolerance, start, stop >= start, stop);
  }
  int exit() { return fmi3ExitInitializationMode(instance); }
  int step(double t, double h) {
    bool event = true, end = true;
    const int status = fmi3DoStep(instance, t, h, true, &event, &end, &returned_early, &last_time);
    return event || end ? -1 : status;
  }
  int terminate() { return fmi3Terminate(instance); }
  int reset() { return fmi3Reset(instance); }
  int set(unsigned vr, double value) { return fmi3SetFloat64(instance, &vr, 1, &value, 1); }
  int get(unsigned vr, double& value) { return fmi3GetFloat64(instance, &vr, 1, &value, 1); }
  int get_derivative(unsigned vr, int order, double& value) {
    return fmi3GetOutputDerivatives(instance, &vr, 1, &order, &value, 1);
  }
  int directional(unsigned unknown, const std::vector<unsigned>& knowns, const std::vector<double>& seed,
                  double& slope) {
    return fmi3GetDirectionalDerivative(instance, &unknown, 1, knowns.data(), knowns.size(), seed.data(), seed.size(),
                                        &slope, 1);
  }
  using Item = fmi3Int64;
  int set_item(unsigned vr, Item value) { return fmi3SetInt64(instance, &vr, 1, &value, 1); }
  int get_item(unsigned vr, Item& value) { return fmi3GetInt64(instance, &vr, 1, &value, 1); }
  int save(State* state) { return fmi3GetFMUState(instance, state); }
  int restore(State state) { return fmi3SetFMUState(instance, state); }
  int discard(State* state) { return fmi3FreeFMUState(instance, state); }
  int size(State state, std::size_t& size) { return fmi3SerializedFMUStateSize(instance, state, &size); }
  int serialize(State state, std::vector<char>& bytes) {
    return fmi3SerializeFMUState(instance, state, reinterpret_cast<fmi3Byte*>(bytes.data()), bytes.size());
  }
  int deserialize(const std::vector<char>& bytes, State* state) {
    return fmi3DeserializeFMUState(instance, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), state);
  }

  Messages messages;
  fmi3Instance instance = nullptr;
  double last_time = -1;
  bool returned_early = true;

 protected:
  /// Makes an instance for model exchange.
  explicit Client3(std::nullptr_t)
      : instance(fmi3InstantiateModelExchange("pendulum", pendulum_token, nullptr, false, true, &messages, log)) {}
  Client3(const Wishes& wishes, fmi3IntermediateUpdateCallback update)
      : instance(fmi3InstantiateCoSimulation("pendulum", pendulum_token, nullptr, false, wishes.logging, wishes.events,
                                             wishes.early_return, wishes.variables.data(), wishes.variables.size(),
                                             &messages, log, update)) {}

 private:
  static void log(fmi3InstanceEnvironment environment, fmi3Status, fmi3String category, fmi3String message) {
    static_cast<Messages*>(environment)->texts.push_back(std::string(category) + ": " + message);
  }
};

/// An importer that uses event mode.
class EventClient : public Client3 {
 public:
  EventClient() : Client3({true, true, false, {}}, nullptr) {}
  int enter_events() { return fmi3EnterEventMode(instance); }
  int enter_steps() { return fmi3EnterStepMode(instance); }
  /// One event iteration; -1: it asks for something.
  int update() {
    bool again = true, end = true, nominals = true, values = true, next = true;
    double time = 0;
    const int status = fmi3UpdateDiscreteStates(instance, &again, &end, &nominals, &values, &next, &time);
    return again || end || nominals || values || next ? -1 : status;
  }
};

/// An importer that is called between communication points: `messages.between`.
class BetweenClient : public Client3 {
 public:
  explicit BetweenClient(std::vector<unsigned> variables, bool early_return = true)
      : Client3({true, false, early_return, std::move(variables)}, update) {}

 private:
  static void update(fmi3InstanceEnvironment environment, double time, bool inputs_wanted, bool may_look, bool accepted,
                     bool may_return, bool* early, double* end) {
    const Messages& messages = *static_cast<Messages*>(environment);
    if (!may_look || !accepted) std::abort();
    Between between{time, inputs_wanted, may_return};
    if (messages.between) messages.between(between);
    if (!between.early) return;
    *early = true;
    *end = between.end;
  }
};

/// Is an importer that integrates itself. If `update` or `complete` get a wrong value, they return −1.
class ExchangeClient2 : public Client2 {
 public:
  ExchangeClient2() : Client2(true, fmi2ModelExchange) {}
  int enter_events() { return fmi2EnterEventMode(instance); }
  int enter_continuous() { return fmi2EnterContinuousTimeMode(instance); }
  int update(bool& jumped) {
    fmi2EventInfo info{1, 1, 1, 1, 1, 0};
    const int status = fmi2NewDiscreteStates(instance, &info);
    jumped = info.valuesOfContinuousStatesChanged;
    return info.newDiscreteStatesNeeded || info.terminateSimulation || info.nominalsOfContinuousStatesChanged ||
                   info.nextEventTimeDefined
               ? -1
               : status;
  }
  int complete() {
    fmi2Boolean event = 1, end = 1;
    const int status = fmi2CompletedIntegratorStep(instance, fmi2True, &event, &end);
    return event || end ? -1 : status;
  }
  int set_time(double t) { return fmi2SetTime(instance, t); }
  int set_states(const std::vector<double>& x) { return fmi2SetContinuousStates(instance, x.data(), x.size()); }
  int get_states(std::vector<double>& x) { return fmi2GetContinuousStates(instance, x.data(), x.size()); }
  int get_rates(std::vector<double>& x) { return fmi2GetDerivatives(instance, x.data(), x.size()); }
  int get_nominals(std::vector<double>& x) { return fmi2GetNominalsOfContinuousStates(instance, x.data(), x.size()); }
  int get_indicators(std::size_t count) { return fmi2GetEventIndicators(instance, nullptr, count); }
};

class ExchangeClient3 : public Client3 {
 public:
  ExchangeClient3() : Client3(nullptr) {}
  int enter_events() { return fmi3EnterEventMode(instance); }
  int enter_continuous() { return fmi3EnterContinuousTimeMode(instance); }
  int update(bool& jumped) {
    bool again = true, end = true, nominals = true, next = true;
    double time = 0;
    jumped = true;
    const int status = fmi3UpdateDiscreteStates(instance, &again, &end, &nominals, &jumped, &next, &time);
    return again || end || nominals || next ? -1 : status;
  }
  int complete() {
    bool event = true, end = true;
    const int status = fmi3CompletedIntegratorStep(instance, true, &event, &end);
    return event || end ? -1 : status;
  }
  int set_time(double t) { return fmi3SetTime(instance, t); }
  int set_states(const std::vector<double>& x) { return fmi3SetContinuousStates(instance, x.data(), x.size()); }
  int get_states(std::vector<double>& x) { return fmi3GetContinuousStates(instance, x.data(), x.size()); }
  int get_rates(std::vector<double>& x) { return fmi3GetContinuousStateDerivatives(instance, x.data(), x.size()); }
  int get_nominals(std::vector<double>& x) { return fmi3GetNominalsOfContinuousStates(instance, x.data(), x.size()); }
  int get_indicators(std::size_t count) { return fmi3GetEventIndicators(instance, nullptr, count); }
};

/// Each test of behaviour is made for both.
using BothStandards = std::tuple<Client2, Client3>;
using BothExchanges = std::tuple<ExchangeClient2, ExchangeClient3>;

}  // namespace mechfmu
