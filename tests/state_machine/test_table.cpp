// Tests every cell of all tables: an allowed call works and leads where the standard says; any other returns an error,
// logs why, and leads to the state after an error. It finds the state of an instance from outside, by the calls that it
// allows.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "expectations.hpp"

using namespace mechfmu::importer;

namespace {

/// How to bring a fresh instance into a state.
struct Way {
  char state;
  bool event_mode = false;  ///< co-simulation of FMI 3: the instance was made with it
  bool by_error = false;    ///< FMI 3: T is reached by terminating or by an error
};

class TableCheck {
 public:
  explicit TableCheck(const Subject& subject)
      : subject_(subject), machine_(state_machine(subject)), source_(make_session(subject)) {
    const auto reference = [&](const char* causality) {
      const std::vector<Variable> all = fmu_.description.numbers(causality);
      const auto in_updates = std::find_if(all.begin(), all.end(), [](auto& v) { return v.intermediate_update; });
      return (in_updates != all.end() ? *in_updates : all.at(0)).reference;
    };
    arguments_.input = reference("input");
    arguments_.output = reference("output");
    arguments_.readable = arguments_.input;
    REQUIRE(source_->enter() == ok);
    REQUIRE(source_->save(&arguments_.state) == ok);
    std::size_t size = 0;
    REQUIRE(source_->serialized_size(arguments_.state, &size) == ok);
    arguments_.bytes.resize(size);
    REQUIRE(source_->serialize(arguments_.state, arguments_.bytes.data(), size) == ok);
    arguments_.states.resize(fmu_.description.states.size());
    arguments_.indicators = fmu_.description.indicators;
    if (subject.exchange()) {
      REQUIRE(source_->get_states(arguments_.states.data(), arguments_.states.size()) == ok);
    }
  }
  ~TableCheck() { source_->free_state(&arguments_.state); }

  std::vector<Way> ways() const {
    const bool fmi3 = fmu_.description.fmi3;
    if (subject_.exchange()) return {{'I'}, {'N'}, {'V'}, {'M'}, {'T'}, fmi3 ? Way{'T', false, true} : Way{'E'}};
    if (!fmi3) return {{'I'}, {'N'}, {'C'}, {'T'}, {'E'}};
    std::vector<Way> result = {{'I'}, {'N'}, {'S'}, {'T'}, {'T', false, true}};
    if (subject_.has("hasEventMode")) {
      for (const char state : {'I', 'N', 'S', 'V', 'T'}) result.push_back({state, true});
    }
    return result;
  }

  void check_all() const {
    for (const Expectation& row : machine_.rows) {
      for (const Way& way : ways()) {
        INFO(subject_.name() << ", " << row.function << " in " << way.state
                             << (way.event_mode ? " with event mode" : "") << (way.by_error ? " after an error" : ""));
        check(row, way);
      }
    }
  }

  /// Intermediate update mode: the calls are made from inside the callback.
  void check_intermediate_update() {
    arguments_.readable = arguments_.output;
    for (const Expectation& row : machine_.rows) {
      if (row.after_success == gone) continue;  // An instance cannot vanish inside its own step.
      INFO(fmu_.name << ", " << row.function << " in U");
      const bool permitted = allowed(row, {'U'});
      int status = no_such_call;
      std::size_t said = 0;
      Session* self = nullptr;  ///< once the step comes in which the call is made
      const auto intermediate = [&](bool set_requested, bool get_allowed) {
        const char cell = machine_.cell(row, 'U');
        if (self == nullptr || status != no_such_call) return;
        if ((cell == 's' && !set_requested) || (cell == 'g' && !get_allowed)) return;
        status = machine_.call(*self, arguments_, row.function);
        said = self->messages.size();
      };
      const auto make = [&] {
        Options options;
        options.intermediate = intermediate;
        auto session = make_session(subject_, options);
        self = nullptr;
        reach(*session, {'S'});
        self = session.get();
        status = no_such_call;
        const double several_internal_steps = fmu_.description.stop_time / 10;
        CHECK(session->step(session->time, several_internal_steps) == (permitted ? ok : error));
        return session;
      };
      make();
      CHECK(status == (permitted ? row.answer : error));
      CHECK(said == (permitted ? 0 : 1));
      for (const char* probe : machine_.probes) check_probe(*make(), probe, {permitted ? 'S' : 'T'});
    }
  }

 private:
  bool allowed(const Expectation& row, const Way& way) const {
    if (machine_.lenient(row, way.state)) return true;
    if (row.capability != nullptr && !subject_.has(row.capability)) return false;
    const char cell = machine_.cell(row, way.state);
    return cell == 'e' ? way.event_mode : cell != '.';
  }

  void reach(Session& session, const Way& way) const {
    if (way.state == 'I') {
      // Entering initialization mode also needs this.
      if (!fmu_.description.fmi3) REQUIRE(call(session, "fmi2SetupExperiment") == ok);
      return;
    }
    REQUIRE(session.enter() == ok);
    if (way.state == 'N') return;
    REQUIRE(session.exit() == ok);
    if (way.state == 'V') return;
    if (subject_.exchange()) REQUIRE(session.enter_continuous_time_mode() == ok);
    if (way.event_mode) REQUIRE(session.enter_step_mode() == ok);
    REQUIRE(session.advance() == ok);
    double ignored;
    if (way.state == 'E' || way.by_error) {
      REQUIRE(session.get(4000000000u, ignored) == error);
    } else if (way.state == 'T') {
      REQUIRE(session.terminate() == ok);
    }
    session.messages.clear();
  }

  int call(Session& session, const std::string& function) const {
    return machine_.call(session, arguments_, function.c_str());
  }

  std::unique_ptr<Session> reached(const Way& way) const {
    Options options;
    options.event_mode = way.event_mode;
    auto session = make_session(subject_, options);
    reach(*session, way);
    return session;
  }

  void check_probe(Session& session, const char* probe, const Way& state) const {
    INFO("expected to be in " << state.state << ", tried with " << probe << "\n" << session.log());
    CHECK((call(session, probe) == ok) == allowed(machine_.row(probe), state));
  }

  void check(const Expectation& row, const Way& way) const {
    const bool permitted = allowed(row, way);
    const auto session = reached(way);
    const int status = machine_.call(*session, arguments_, row.function);
    INFO(session->log());
    CHECK(status == (permitted ? row.answer : error));
    REQUIRE(session->messages.size() == (permitted ? 0 : 1));
    if (!permitted) check_message(session->messages.front(), row.function);

    Way next = way;
    if (!permitted) {
      next.state = machine_.after_error;
    } else if (row.after_success == gone) {
      return;
    } else if (row.after_success != same && !machine_.lenient(row, way.state)) {
      next.state = row.after_success;
      if (way.event_mode && row.function == std::string("fmi3ExitInitializationMode")) next.state = 'V';
    }
    for (const char* probe : machine_.probes) {
      const auto again = reached(way);
      machine_.call(*again, arguments_, row.function);
      check_probe(*again, probe, next);
    }
  }

  void check_message(const Message& message, const std::string& function) const {
    CHECK(message.status == error);
    CHECK(message.text.find(function) != std::string::npos);
    const auto& categories = fmu_.description.log_categories;
    CHECK(std::count(categories.begin(), categories.end(), message.category) == 1);
  }

  const Subject subject_;
  const Fmu& fmu_ = subject_.fmu;
  const StateMachine& machine_;
  std::unique_ptr<Session> source_;
  Arguments arguments_;
};

}  // namespace

TEST_CASE("every function keeps to its row of the table in FMI 2") {
  for (const Subject& subject : subjects("2.0")) TableCheck(subject).check_all();
}

TEST_CASE("every function keeps to its row of the table in FMI 3") {
  for (const Subject& subject : subjects("3.0")) TableCheck(subject).check_all();
}

TEST_CASE("every function keeps to its row of the table in intermediate update mode") {
  for (const Subject& subject : subjects("3.0")) {
    if (subject.has("providesIntermediateUpdate")) TableCheck(subject).check_intermediate_update();
  }
}

TEST_CASE("all functions of both headers are in every library, and in the tables") {
  const std::set<std::string> instantiating = {"fmi2Instantiate", "fmi3InstantiateModelExchange",
                                               "fmi3InstantiateCoSimulation", "fmi3InstantiateScheduledExecution"};
  std::set<std::string> all;
  for (const char* header : {"fmi2Functions.h", "fmi3Functions.h"}) {
    for (const std::string& function : functions_of_header(header)) all.insert(function);
  }
  CHECK(all.size() == 44 + 75);
  for (const Subject& subject : subjects()) {  // one library serves both versions
    for (const std::string& function : all) CHECK(subject.fmu.has_function(function.c_str()));
  }
  for (const StateMachine* machine : {&co_simulation2(), &model_exchange2(), &co_simulation3(), &model_exchange3()}) {
    std::set<std::string> known, declared;
    for (const Expectation& row : machine->rows) {
      INFO(row.function);
      CHECK(known.insert(row.function).second);
      CHECK(machine->calls.count(row.function) == 1);
      CHECK((*row.cells == '\0' || std::string(row.cells).size() == std::string(machine->states).size()));
    }
    for (const std::string& function : functions_of_header(machine->header)) {
      if (instantiating.count(function) == 0) declared.insert(function);
    }
    CHECK(known == declared);
    CHECK(machine->calls.size() == known.size());
  }
}

TEST_CASE("the list of leniencies is in the documents") {
  std::ifstream file(MECHFMU_SOURCE_DIR "/docs/fmi.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const StateMachine* machine : {&co_simulation3(), &model_exchange3()}) {
    for (const Leniency& leniency : machine->leniencies) CHECK(text.find(leniency.function) != std::string::npos);
  }
}
