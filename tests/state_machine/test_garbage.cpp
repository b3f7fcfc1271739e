// Makes random calls in any state with wrong arguments: there is never a crash, a hang, OK with a number that is none,
// or an error without a message; afterwards reset gives an instance as good as new.
#include <catch2/catch.hpp>

#include <fmi2FunctionTypes.h>
#include <fmi3FunctionTypes.h>

#include <chrono>
#include <climits>
#include <cmath>
#include <random>

#include "expectations.hpp"

using namespace mechfmu::importer;

namespace {

class GarbageRun {
 public:
  GarbageRun(const Subject& subject, unsigned seed)
      : subject_(subject), random_(seed), session_(make_session(subject)) {
    // Holds a good state and its bytes, of this version and of the other.
    REQUIRE(session_->enter() == ok);
    REQUIRE(session_->begin() == ok);
    bytes_ = saved_bytes(*session_);
    const Fmu& other = fmu_.description.fmi3 ? first_fmu("2.0") : first_fmu("3.0");
    foreign_bytes_ = saved_bytes(*make_session(other));
    expected_ = good_run();
    arguments_.input = fmu_.description.numbers("input").at(0).reference;
    arguments_.output = fmu_.description.numbers("output").at(0).reference;
    arguments_.readable = arguments_.input;
    arguments_.bytes = bytes_;
    REQUIRE(session_->save(&arguments_.state) == ok);
    if (subject.exchange()) {
      arguments_.states.resize(fmu_.description.states.size());
      REQUIRE(session_->get_states(arguments_.states.data(), arguments_.states.size()) == ok);
    }
    const Kind kind = subject.exchange() ? Kind::co_simulation : Kind::model_exchange;
    if (fmu_.description.offers(kind)) REQUIRE(make_session(Subject{fmu_, kind})->save(&foreign_state_) == ok);
  }
  ~GarbageRun() {
    session_->free_state(&arguments_.state);
    session_->free_state(&foreign_state_);
  }

  void make(int batches) {
    for (int batch = 0; batch < batches; ++batch) {
      start_anew();
      for (int i = 0; i < 25; ++i) {
        if (one_call() == error && number() < 0.8) start_anew();
      }
      if (batch % 10 == 0) REQUIRE(good_run() == expected_);
    }
  }

 private:
  double number() { return std::uniform_real_distribution<>()(random_); }
  int whole(int most) { return std::uniform_int_distribution<>(0, most)(random_); }

  double value() {
    const double values[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e308, -1e308, 5e-324, -0.0, 0, 1, -1, 1e-9, 1e30};
    return number() < 0.3 ? number() : values[whole(11)];
  }
  unsigned reference() {
    const unsigned count = static_cast<unsigned>(fmu_.description.variables.size());
    const unsigned wrong[] = {0, count + 1, 4294967295u, 2147483648u};
    return number() < 0.1 ? wrong[whole(3)] : 1 + static_cast<unsigned>(whole(static_cast<int>(count) - 1));
  }
  int item() {
    const int items[] = {-2147483647 - 1, -1, 0, 1, 3, 15, 2147483647};
    return items[whole(6)];
  }
  std::string damaged_bytes() {
    std::string bytes = number() < 0.2 ? foreign_bytes_ : bytes_;
    if (number() < 0.4) bytes.resize(static_cast<std::size_t>(whole(static_cast<int>(bytes.size()))));
    if (number() < 0.2) bytes += "more";
    for (int changes = whole(2); changes > 0 && !bytes.empty(); --changes) {
      bytes[static_cast<std::size_t>(whole(static_cast<int>(bytes.size()) - 1))] ^= static_cast<char>(1 + whole(200));
    }
    return bytes;
  }

  /// Somewhere in the life of an instance, with some value set that may make no sense.
  void start_anew() {
    REQUIRE(session_->reset() == ok);
    if (number() < 0.3) session_->set(reference(), value());
    if (number() < 0.7 && session_->enter() == ok && number() < 0.8) {
      number() < 0.2 ? session_->exit() : session_->begin();
    }
  }

  int one_call() {
    session_->messages.clear();
    const auto begin = std::chrono::steady_clock::now();
    const int kind = whole(subject_.exchange() ? 12 : 9);
    const int status = call(kind);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    INFO("call of kind " << kind << "\n" << session_->log());
    if (status == error && session_->messages.empty()) FAIL("an error without a message");
    if (status >= fatal) FAIL("status " << status);
    if (taken.count() > 10) FAIL("a call took " << taken.count() << " s");
    return status;
  }

  int call(int kind) {
    std::vector<unsigned> references(static_cast<std::size_t>(whole(3)));
    for (unsigned& item : references) item = reference();
    std::vector<double> values(references.size());
    for (double& item : values) item = value();
    const std::size_t count = references.size();
    const std::size_t value_count = number() < 0.2 ? 7 : count;
    const unsigned* some = number() < 0.05 ? nullptr : references.data();
    switch (kind) {
      case 0: {
        std::vector<double> read(8, 0.0);  // FMI 3 is told of as many as there are, or of more
        const int status = session_->get(some, count, number() < 0.05 ? nullptr : read.data(), value_count);
        for (const double item : read) {
          if (status == ok && !std::isfinite(item)) FAIL("OK with a value that is no number");
        }
        return status;
      }
      case 1: return session_->set(some, count, number() < 0.05 ? nullptr : values.data(), count);
      case 2: return items(references);
      case 3: return session_->enter(value(), value(), value());
      case 4: return session_->step(number() < 0.5 ? session_->time : value(), step_size());
      case 5: return state_call();
      case 6: {
        const char* categories[3];  // as many as there are references, at most
        for (const char*& one : categories) one = number() < 0.5 ? "logStatusError" : number() < 0.2 ? nullptr : "x";
        return session_->set_logging(number() < 0.9, count, number() < 0.2 ? nullptr : categories);
      }
      case 7: return fmu_.description.fmi3 ? question3(references) : question2(references);
      case 8:
      case 9: {  // any function, well called, in whatever state this is
        const StateMachine& machine = state_machine(subject_);
        const auto& rows = machine.rows;
        const Expectation& row = rows[static_cast<std::size_t>(whole(static_cast<int>(rows.size()) - 1))];
        return row.after_success == gone ? no_such_call : machine.call(*session_, arguments_, row.function);
      }
      default: return exchange_call();
    }
  }

  /// Times and states that cannot be, in wrong numbers, or nowhere.
  int exchange_call() {
    std::vector<double> values = arguments_.states;
    for (double& item : values) {
      if (number() < 0.1) item = value();
    }
    double* const place = number() < 0.1 ? nullptr : values.data();
    const std::size_t count = number() < 0.1 ? static_cast<std::size_t>(whole(40)) : values.size();
    const auto answered = [&](int status) {
      if (status == ok && (count != values.size() || place == nullptr)) FAIL("OK with wrong arguments");
      for (const double item : values) {
        if (status == ok && !std::isfinite(item)) FAIL("OK with a value that is no number");
      }
      return status;
    };
    switch (whole(6)) {
      case 0: return session_->set_time(number() < 0.5 ? value() : session_->time - number());
      case 1: return answered(session_->set_states(place, count));
      case 2: return answered(session_->get_states(place, count));
      case 3: return answered(session_->get_state_derivatives(place, count));
      case 4: return answered(session_->get_nominals(place, count));
      case 5: return session_->get_event_indicators(place, count);
      default: return session_->complete_step();
    }
  }

  /// Finite ones are short: a long step is legal and may take long.
  double step_size() {
    const double sizes[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0, -1, -1e-12, 5e-324, 1e-300, 1e-3, 1e-3};
    return sizes[whole(9)];
  }

  int items(const std::vector<unsigned>& references) {
    std::vector<int> read(references.size(), 0), given(references.size());
    for (int& one : given) one = item();
    if (number() < 0.5) return session_->set_items(references.data(), given.size(), given.data());
    const int status = session_->get_items(references.data(), read.size(), read.data());
    for (const int one : read) {
      if (status == ok && one <= 0) FAIL("OK with an item that is none");
    }
    return status;
  }

  int state_call() {
    void* state = nullptr;
    std::size_t size = 0;
    std::string bytes = damaged_bytes();
    switch (whole(7)) {
      case 7:  // belongs to the other kind of instance
        if (foreign_state_ == nullptr) return no_such_call;
        if (session_->restore(foreign_state_) != error) FAIL("the state of another kind of instance was restored");
        return error;
      case 0: return session_->save(nullptr);
      case 1: return session_->restore(nullptr);
      case 2: return session_->serialized_size(nullptr, &size);
      case 3: return session_->serialized_size(arguments_.state, nullptr);
      case 4: return session_->serialize(number() < 0.5 ? nullptr : arguments_.state, nullptr, bytes_.size());
      case 5: return session_->serialize(arguments_.state, bytes.data(), std::min(bytes.size(), bytes_.size() - 1));
      default: {
        const bool whole_place = number() < 0.9;
        const int status = session_->deserialize(number() < 0.1 ? nullptr : bytes.data(), bytes.size(),
                                                 whole_place ? &state : nullptr);
        if (status == ok && bytes != bytes_) FAIL("altered bytes were taken for a state");
        if (status == ok) session_->free_state(&state);
        return status;
      }
    }
  }

  int question2(const std::vector<unsigned>& references) {
    const fmi2Integer orders[] = {INT_MIN, 0, 99};
    const double numbers[] = {value(), value(), value()};
    double place[3] = {0, 0, 0};
    const auto kind = static_cast<fmi2StatusKind>(whole(3));
    const bool null = number() < 0.2;
    switch (whole(3)) {
      case 0:
        return with<fmi2GetRealStatusTYPE>(kind, null ? nullptr : place)(*session_, arguments_, "fmi2GetRealStatus");
      case 1:
        return with<fmi2SetRealInputDerivativesTYPE>(references.data(), references.size(), null ? nullptr : orders,
                                                     numbers)(*session_, arguments_, "fmi2SetRealInputDerivatives");
      case 2:
        return with<fmi2GetRealOutputDerivativesTYPE>(references.data(), references.size(), null ? nullptr : orders,
                                                      place)(*session_, arguments_, "fmi2GetRealOutputDerivatives");
      default:
        return with<fmi2GetDirectionalDerivativeTYPE>(references.data(), references.size(), references.data(),
                                                      references.size(), null ? nullptr : numbers,
                                                      place)(*session_, arguments_, "fmi2GetDirectionalDerivative");
    }
  }

  int question3(const std::vector<unsigned>& references) {
    const fmi3Int32 orders[] = {INT_MIN, 0, 99};
    const double numbers[] = {value(), value(), value()};
    double place[3] = {0, 0, 0};
    const bool null = number() < 0.2;
    const std::size_t count = references.size(), claimed = number() < 0.2 ? count + 1 : count;
    switch (whole(3)) {
      case 0:
        return with<fmi3GetOutputDerivativesTYPE>(references.data(), count, null ? nullptr : orders, place,
                                                  claimed)(*session_, arguments_, "fmi3GetOutputDerivatives");
      case 1:
        return with<fmi3GetDirectionalDerivativeTYPE>(references.data(), count, references.data(), count,
                                                      null ? nullptr : numbers, claimed, place,
                                                      count)(*session_, arguments_, "fmi3GetDirectionalDerivative");
      case 2:
        return with<fmi3GetAdjointDerivativeTYPE>(references.data(), count, references.data(), count,
                                                  null ? nullptr : numbers, claimed, place,
                                                  count)(*session_, arguments_, "fmi3GetAdjointDerivative");
      default:  // nobody wants the answers
        return with<fmi3DoStepTYPE>(session_->time, step_size(), true, nullptr, nullptr, nullptr,
                                    nullptr)(*session_, arguments_, "fmi3DoStep");
    }
  }

  static std::string saved_bytes(Session& session) {
    void* state = nullptr;
    std::size_t size = 0;
    REQUIRE(session.save(&state) == ok);
    REQUIRE(session.serialized_size(state, &size) == ok);
    std::string bytes(size, '\0');
    REQUIRE(session.serialize(state, bytes.data(), size) == ok);
    REQUIRE(session.free_state(&state) == ok);
    return bytes;
  }

  /// A short run after a reset and all that it shows.
  std::vector<double> good_run() {
    REQUIRE(session_->reset() == ok);
    REQUIRE(session_->enter() == ok);
    REQUIRE(session_->begin() == ok);
    for (int i = 0; i < 3; ++i) REQUIRE(session_->advance() == ok);
    std::vector<unsigned> all;
    for (const Variable& variable : fmu_.description.variables) {
      if (!variable.is_choice()) all.push_back(variable.reference);
    }
    std::vector<double> values(all.size());
    REQUIRE(session_->get(all.data(), all.size(), values.data(), values.size()) == ok);
    return values;
  }

  const Subject subject_;
  const Fmu& fmu_ = subject_.fmu;
  std::mt19937_64 random_;
  std::unique_ptr<Session> session_;
  Arguments arguments_;
  void* foreign_state_ = nullptr;
  std::string bytes_, foreign_bytes_;
  std::vector<double> expected_;
};

constexpr unsigned seeds = sanitized ? 2 : 4;

void run(const std::string& version) {
  for (const Subject& subject : subjects(version)) {
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      INFO(subject.name() << ", seed " << seed);
      GarbageRun(subject, seed).make(400);
    }
  }
}

/// Counts the errors that are logged.
void log2(fmi2ComponentEnvironment count, fmi2String, fmi2Status status, fmi2String, fmi2String, ...) {
  *static_cast<int*>(count) += status == fmi2Error;
}

}  // namespace

TEST_CASE("wrong calls do no harm in FMI 2") { run("2.0"); }

TEST_CASE("wrong calls do no harm in FMI 3") { run("3.0"); }

TEST_CASE("no instance is an error in every function, and freeing none has no effect") {
  for (const char* version : {"2.0", "3.0"}) {
    const Subject subject = {first_fmu(version), Kind::co_simulation};
    const StateMachine& machine = state_machine(subject);
    const auto session = make_session(subject);
    void* const instance = session->instance;
    session->instance = nullptr;
    for (const Expectation& row : machine.rows) {
      const std::string name = row.function;
      if (name.find("GetVersion") != name.npos || name.find("GetTypes") != name.npos) continue;
      INFO(name);
      CHECK(machine.call(*session, {}, row.function) == (row.after_success == gone ? ok : error));
    }
    session->instance = instance;
  }
}

TEST_CASE("what cannot be made is NULL with a message") {
  const Fmu& two = first_fmu("2.0");
  int told = 0, expected = 0;
  const fmi2CallbackFunctions callbacks = {log2, nullptr, nullptr, nullptr, &told};
  const std::string token2 = two.description.token;
  const auto make2 = [&](const char* name, fmi2Type type, const char* token) {
    ++expected;
    return two.function<fmi2InstantiateTYPE>("fmi2Instantiate")(name, type, token, nullptr, &callbacks, 0, 0);
  };
  CHECK(make2(nullptr, fmi2CoSimulation, token2.c_str()) == nullptr);
  CHECK(make2("", fmi2CoSimulation, token2.c_str()) == nullptr);
  CHECK(make2("a", fmi2CoSimulation, nullptr) == nullptr);
  CHECK(make2("a", fmi2CoSimulation, "{other}") == nullptr);
  if (!two.description.offers(Kind::model_exchange)) CHECK(make2("a", fmi2ModelExchange, token2.c_str()) == nullptr);
  CHECK(told == expected);

  const Fmu& three = first_fmu("3.0");
  const auto log3 = [](fmi3InstanceEnvironment count, fmi3Status status, fmi3String, fmi3String) {
    *static_cast<int*>(count) += status == fmi3Error;
  };
  told = expected = 0;
  const std::string token3 = three.description.token;
  const auto make3 = [&](const char* name, const char* token, bool events) {
    ++expected;
    return three.function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation")(
        name, token, nullptr, false, false, events, false, nullptr, 0, &told, log3, nullptr);
  };
  CHECK(make3(nullptr, token3.c_str(), false) == nullptr);
  CHECK(make3("", token3.c_str(), false) == nullptr);
  CHECK(make3("a", nullptr, false) == nullptr);
  CHECK(make3("a", "{other}", false) == nullptr);
  if (!three.description.has(Kind::co_simulation, "hasEventMode")) CHECK(make3("a", token3.c_str(), true) == nullptr);
  const auto exchange3 = [&](const char* name, const char* token) {
    ++expected;
    return three.function<fmi3InstantiateModelExchangeTYPE>(
        "fmi3InstantiateModelExchange")(name, token, nullptr, false, false, &told, log3);
  };
  CHECK(exchange3(nullptr, token3.c_str()) == nullptr);
  CHECK(exchange3("", token3.c_str()) == nullptr);
  CHECK(exchange3("a", nullptr) == nullptr);
  CHECK(exchange3("a", "{other}") == nullptr);
  if (!three.description.offers(Kind::model_exchange)) CHECK(exchange3("a", token3.c_str()) == nullptr);
  ++expected;
  CHECK(three.function<fmi3InstantiateScheduledExecutionTYPE>("fmi3InstantiateScheduledExecution")(
            "a", token3.c_str(), nullptr, false, false, &told, log3, nullptr, nullptr, nullptr) == nullptr);
  CHECK(told == expected);
}
