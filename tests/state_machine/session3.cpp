// Makes sessions of FMI 3.0.
#include <fmi3FunctionTypes.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "session.hpp"

namespace mechfmu::importer {
namespace {

class Session3 final : public Session {
 public:
  Session3(const Fmu& fmu_, Options options_) : Session(fmu_, std::move(options_)) {
    if (options.kind == Kind::model_exchange) {
      instance = call<fmi3InstantiateModelExchangeTYPE>(
          "fmi3InstantiateModelExchange")("instance", fmu.description.token.c_str(), nullptr, false, options.logging,
                                          static_cast<Session*>(this), write);
    } else {
      instance = make_stepping_one();
    }
    if (instance == nullptr) throw std::runtime_error("no instance: " + log());
  }
  ~Session3() override { call<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(instance); }

  int enter(double tolerance, double start, double stop) override {
    time = start;
    return call<fmi3EnterInitializationModeTYPE>(
        "fmi3EnterInitializationMode")(instance, tolerance != 0, tolerance, start, !std::isnan(stop), stop);
  }
  int exit() override { return call<fmi3ExitInitializationModeTYPE>("fmi3ExitInitializationMode")(instance); }
  int step(double from, double h) override {
    bool event = true, end = true, early = true;
    double last = std::nan("");
    const int status = call<fmi3DoStepTYPE>("fmi3DoStep")(instance, from, h, false, &event, &end, &early, &last);
    if (instance != nullptr && std::isnan(last)) return no_such_call;  // always to be written
    if (status == ok) time = last;
    return status;
  }
  int terminate() override { return call<fmi3TerminateTYPE>("fmi3Terminate")(instance); }
  int reset() override {
    time = 0;
    return call<fmi3ResetTYPE>("fmi3Reset")(instance);
  }
  int get(const unsigned* references, std::size_t count, double* values, std::size_t value_count) override {
    return call<fmi3GetFloat64TYPE>("fmi3GetFloat64")(instance, references, count, values, value_count);
  }
  int set(const unsigned* references, std::size_t count, const double* values, std::size_t value_count) override {
    return call<fmi3SetFloat64TYPE>("fmi3SetFloat64")(instance, references, count, values, value_count);
  }
  int get_items(const unsigned* references, std::size_t count, int* values) override {
    std::vector<fmi3Int64> wide(values, values + count);
    const int status = call<fmi3GetInt64TYPE>("fmi3GetInt64")(instance, references, count, wide.data(), wide.size());
    std::copy(wide.begin(), wide.end(), values);
    return status;
  }
  int set_items(const unsigned* references, std::size_t count, const int* values) override {
    const std::vector<fmi3Int64> wide(values, values + count);
    return call<fmi3SetInt64TYPE>("fmi3SetInt64")(instance, references, count, wide.data(), wide.size());
  }
  int save(void** state) override { return call<fmi3GetFMUStateTYPE>("fmi3GetFMUState")(instance, state); }
  int restore(void* state) override { return call<fmi3SetFMUStateTYPE>("fmi3SetFMUState")(instance, state); }
  int free_state(void** state) override { return call<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState")(instance, state); }
  int serialized_size(void* state, std::size_t* size) override {
    return call<fmi3SerializedFMUStateSizeTYPE>("fmi3SerializedFMUStateSize")(instance, state, size);
  }
  int serialize(void* state, char* bytes, std::size_t size) override {
    return call<fmi3SerializeFMUStateTYPE>(
        "fmi3SerializeFMUState")(instance, state, reinterpret_cast<fmi3Byte*>(bytes), size);
  }
  int deserialize(const char* bytes, std::size_t size, void** state) override {
    return call<fmi3DeserializeFMUStateTYPE>(
        "fmi3DeserializeFMUState")(instance, reinterpret_cast<const fmi3Byte*>(bytes), size, state);
  }
  int set_logging(bool on, std::size_t count, const char* const* categories) override {
    return call<fmi3SetDebugLoggingTYPE>("fmi3SetDebugLogging")(instance, on, count, categories);
  }
  int directional(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns,
                  const std::vector<double>& seed, std::vector<double>& sensitivity) override {
    return call<fmi3GetDirectionalDerivativeTYPE>(
        "fmi3GetDirectionalDerivative")(instance, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                                        seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  }
  int adjoint(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns,
              const std::vector<double>& seed, std::vector<double>& sensitivity) override {
    return call<fmi3GetAdjointDerivativeTYPE>(
        "fmi3GetAdjointDerivative")(instance, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                                    seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  }
  int get_output_derivatives(const std::vector<unsigned>& references, const std::vector<int>& orders,
                             std::vector<double>& values) override {
    return call<fmi3GetOutputDerivativesTYPE>("fmi3GetOutputDerivatives")(
        instance, references.data(), references.size(), orders.data(), values.data(), values.size());
  }
  int enter_event_mode() override { return call<fmi3EnterEventModeTYPE>("fmi3EnterEventMode")(instance); }
  int update_discrete_states(bool* states_changed) override {
    bool again = true, end = true, nominals = true, states = true, next_defined = true;
    double next = 0;
    const int status = call<fmi3UpdateDiscreteStatesTYPE>(
        "fmi3UpdateDiscreteStates")(instance, &again, &end, &nominals, &states, &next_defined, &next);
    if (states_changed != nullptr) *states_changed = states;
    const bool wrong = again || end || nominals || next_defined || (states && options.kind == Kind::co_simulation);
    return status == ok && wrong ? no_such_call : status;
  }
  int enter_step_mode() override { return call<fmi3EnterStepModeTYPE>("fmi3EnterStepMode")(instance); }
  int enter_continuous_time_mode() override {
    return call<fmi3EnterContinuousTimeModeTYPE>("fmi3EnterContinuousTimeMode")(instance);
  }
  int set_time(double t) override { return call<fmi3SetTimeTYPE>("fmi3SetTime")(instance, t); }
  int set_states(const double* values, std::size_t count) override {
    return call<fmi3SetContinuousStatesTYPE>("fmi3SetContinuousStates")(instance, values, count);
  }
  int get_states(double* values, std::size_t count) override {
    return call<fmi3GetContinuousStatesTYPE>("fmi3GetContinuousStates")(instance, values, count);
  }
  int get_state_derivatives(double* values, std::size_t count) override {
    return call<fmi3GetContinuousStateDerivativesTYPE>("fmi3GetContinuousStateDerivatives")(instance, values, count);
  }
  int get_nominals(double* values, std::size_t count) override {
    return call<fmi3GetNominalsOfContinuousStatesTYPE>("fmi3GetNominalsOfContinuousStates")(instance, values, count);
  }
  int get_event_indicators(double* values, std::size_t count) override {
    return call<fmi3GetEventIndicatorsTYPE>("fmi3GetEventIndicators")(instance, values, count);
  }
  int complete_step(bool* asks) override {
    bool event = true, end = true;
    const int status =
        call<fmi3CompletedIntegratorStepTYPE>("fmi3CompletedIntegratorStep")(instance, false, &event, &end);
    if (asks != nullptr) *asks = event;
    return status == ok && ((event && asks == nullptr) || end) ? no_such_call : status;
  }

 private:
  template <class Function>
  Function* call(const char* name) const {
    return fmu.function<Function>(name);
  }

  void* make_stepping_one() {
    std::vector<unsigned> registered;
    for (const Variable& variable : fmu.description.variables) {
      if (options.intermediate != nullptr && variable.intermediate_update) registered.push_back(variable.reference);
    }
    return call<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        "instance", fmu.description.token.c_str(), nullptr, false, options.logging, options.event_mode,
        options.early_return, registered.data(), registered.size(), static_cast<Session*>(this), write,
        options.intermediate == nullptr ? nullptr : intermediate_update);
  }

  static void write(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    static_cast<Session*>(environment)->messages.push_back({status, category == nullptr ? "" : category, message});
  }

  static void intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64, fmi3Boolean set_requested,
                                  fmi3Boolean get_allowed, fmi3Boolean, fmi3Boolean, fmi3Boolean* early_return,
                                  fmi3Float64* early_return_time) {
    *early_return = false;
    *early_return_time = 0;
    static_cast<Session*>(environment)->options.intermediate(set_requested, get_allowed);
  }
};

}  // namespace

std::unique_ptr<Session> make_session3(const Fmu& fmu, Options options) {
  return std::make_unique<Session3>(fmu, std::move(options));
}

}  // namespace mechfmu::importer
