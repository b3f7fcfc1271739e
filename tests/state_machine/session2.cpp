// Makes sessions of FMI 2.0.
#include <fmi2FunctionTypes.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "session.hpp"

namespace mechfmu::importer {
namespace {

class Session2 final : public Session {
 public:
  Session2(const Fmu& fmu_, Options options_) : Session(fmu_, std::move(options_)) {
    callbacks_ = {write, nullptr, nullptr, nullptr, static_cast<Session*>(this)};
    instance = call<fmi2InstantiateTYPE>(
        "fmi2Instantiate")("instance", options.kind == Kind::model_exchange ? fmi2ModelExchange : fmi2CoSimulation,
                           fmu.description.token.c_str(), "file:///", &callbacks_, fmi2False, options.logging);
    if (instance == nullptr) throw std::runtime_error("no instance: " + log());
  }
  ~Session2() override { call<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(instance); }

  int enter(double tolerance, double start, double stop) override {
    const int status = call<fmi2SetupExperimentTYPE>(
        "fmi2SetupExperiment")(instance, tolerance != 0, tolerance, start, !std::isnan(stop), stop);
    if (status != ok) return status;
    time = start;
    return call<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode")(instance);
  }
  int exit() override { return call<fmi2ExitInitializationModeTYPE>("fmi2ExitInitializationMode")(instance); }
  int step(double from, double h) override {
    const int status = call<fmi2DoStepTYPE>("fmi2DoStep")(instance, from, h, fmi2False);
    if (status == ok) time = from + h;
    return status;
  }
  int terminate() override { return call<fmi2TerminateTYPE>("fmi2Terminate")(instance); }
  int reset() override {
    time = 0;
    return call<fmi2ResetTYPE>("fmi2Reset")(instance);
  }
  int get(const unsigned* references, std::size_t count, double* values, std::size_t) override {
    return call<fmi2GetRealTYPE>("fmi2GetReal")(instance, references, count, values);
  }
  int set(const unsigned* references, std::size_t count, const double* values, std::size_t) override {
    return call<fmi2SetRealTYPE>("fmi2SetReal")(instance, references, count, values);
  }
  int get_items(const unsigned* references, std::size_t count, int* values) override {
    return call<fmi2GetIntegerTYPE>("fmi2GetInteger")(instance, references, count, values);
  }
  int set_items(const unsigned* references, std::size_t count, const int* values) override {
    return call<fmi2SetIntegerTYPE>("fmi2SetInteger")(instance, references, count, values);
  }
  int save(void** state) override { return call<fmi2GetFMUstateTYPE>("fmi2GetFMUstate")(instance, state); }
  int restore(void* state) override { return call<fmi2SetFMUstateTYPE>("fmi2SetFMUstate")(instance, state); }
  int free_state(void** state) override { return call<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate")(instance, state); }
  int serialized_size(void* state, std::size_t* size) override {
    return call<fmi2SerializedFMUstateSizeTYPE>("fmi2SerializedFMUstateSize")(instance, state, size);
  }
  int serialize(void* state, char* bytes, std::size_t size) override {
    return call<fmi2SerializeFMUstateTYPE>("fmi2SerializeFMUstate")(instance, state, bytes, size);
  }
  int deserialize(const char* bytes, std::size_t size, void** state) override {
    return call<fmi2DeSerializeFMUstateTYPE>("fmi2DeSerializeFMUstate")(instance, bytes, size, state);
  }
  int set_logging(bool on, std::size_t count, const char* const* categories) override {
    return call<fmi2SetDebugLoggingTYPE>("fmi2SetDebugLogging")(instance, on, count, categories);
  }
  int directional(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns,
                  const std::vector<double>& seed, std::vector<double>& sensitivity) override {
    return call<fmi2GetDirectionalDerivativeTYPE>("fmi2GetDirectionalDerivative")(
        instance, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(), sensitivity.data());
  }
  int get_output_derivatives(const std::vector<unsigned>& references, const std::vector<int>& orders,
                             std::vector<double>& values) override {
    return call<fmi2GetRealOutputDerivativesTYPE>(
        "fmi2GetRealOutputDerivatives")(instance, references.data(), references.size(), orders.data(), values.data());
  }
  int set_input_derivatives(const std::vector<unsigned>& references, const std::vector<int>& orders,
                            const std::vector<double>& values) override {
    return call<fmi2SetRealInputDerivativesTYPE>(
        "fmi2SetRealInputDerivatives")(instance, references.data(), references.size(), orders.data(), values.data());
  }
  int enter_event_mode() override { return call<fmi2EnterEventModeTYPE>("fmi2EnterEventMode")(instance); }
  int update_discrete_states(bool* states_changed) override {
    fmi2EventInfo info = {fmi2True, fmi2True, fmi2True, fmi2True, fmi2True, 0};
    const int status = call<fmi2NewDiscreteStatesTYPE>("fmi2NewDiscreteStates")(instance, &info);
    if (states_changed != nullptr) *states_changed = info.valuesOfContinuousStatesChanged != fmi2False;
    return status == ok && (info.newDiscreteStatesNeeded || info.terminateSimulation ||
                            info.nominalsOfContinuousStatesChanged || info.nextEventTimeDefined)
               ? no_such_call
               : status;
  }
  int enter_continuous_time_mode() override {
    return call<fmi2EnterContinuousTimeModeTYPE>("fmi2EnterContinuousTimeMode")(instance);
  }
  int set_time(double t) override { return call<fmi2SetTimeTYPE>("fmi2SetTime")(instance, t); }
  int set_states(const double* values, std::size_t count) override {
    return call<fmi2SetContinuousStatesTYPE>("fmi2SetContinuousStates")(instance, values, count);
  }
  int get_states(double* values, std::size_t count) override {
    return call<fmi2GetContinuousStatesTYPE>("fmi2GetContinuousStates")(instance, values, count);
  }
  int get_state_derivatives(double* values, std::size_t count) override {
    return call<fmi2GetDerivativesTYPE>("fmi2GetDerivatives")(instance, values, count);
  }
  int get_nominals(double* values, std::size_t count) override {
    return call<fmi2GetNominalsOfContinuousStatesTYPE>("fmi2GetNominalsOfContinuousStates")(instance, values, count);
  }
  int get_event_indicators(double* values, std::size_t count) override {
    return call<fmi2GetEventIndicatorsTYPE>("fmi2GetEventIndicators")(instance, values, count);
  }
  int complete_step(bool* asks) override {
    fmi2Boolean event = fmi2True, end = fmi2True;
    const int status =
        call<fmi2CompletedIntegratorStepTYPE>("fmi2CompletedIntegratorStep")(instance, fmi2False, &event, &end);
    if (asks != nullptr) *asks = event != fmi2False;
    return status == ok && ((event && asks == nullptr) || end) ? no_such_call : status;
  }

 private:
  template <class Function>
  Function* call(const char* name) const {
    return fmu.function<Function>(name);
  }

  /// As the importers do that take the message for a format.
  static void write(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
                    fmi2String message, ...) {
    char text[4096];
    std::va_list arguments;
    va_start(arguments, message);
    std::vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    static_cast<Session*>(environment)->messages.push_back({status, category == nullptr ? "" : category, text});
  }

  fmi2CallbackFunctions callbacks_;
};

}  // namespace

std::unique_ptr<Session> make_session2(const Fmu& fmu, Options options) {
  return std::make_unique<Session2>(fmu, std::move(options));
}

}  // namespace mechfmu::importer
