// Tests which variables may be set and read in which state. A call with a wrong one is an error, and sets none of the
// others.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

#include "session.hpp"

using namespace mechfmu::importer;

namespace {

/// Set: in which states a group of variables can be set. FMI 2 allows what has initial exact, in initialization mode
/// also inputs, afterwards inputs and tunable parameters; while instantiated FMPy and the FMU checker set inputs too
/// (strictly not allowed there). FMI 3 the same, inputs always.
struct Group {
  const char* causality;
  const char* variability;
  const char* set2;
  const char* set3;
  const char* set_in_exchange;
};
constexpr Group groups[] = {
    {"parameter", "fixed", "IN", "IN", "IN"},
    {"parameter", "tunable", "INC", "INSV", "INV"},
    {"input", "continuous", "INC", "INSV", "INVM"},
    {"calculatedParameter", "fixed", "", "", ""},
    {"calculatedParameter", "tunable", "", "", ""},
    {"output", "continuous", "", "", ""},
    {"local", "continuous", "", "", ""},
    {"local", "fixed", "", "", ""},
    {"local", "discrete", "", "", ""},
    {"independent", "continuous", "", "", ""},
};

/// Guesses (initial approx) can be set while instantiated, states of model exchange while they are integrated; in event
/// mode only those that the FMU never sets itself (reinit), of which there are none.
std::string where_set(const Subject& subject, const Group& group, const Variable& variable) {
  const std::string by_group =
      subject.exchange()             ? group.set_in_exchange
      : subject.fmu.description.fmi3 ? group.set3
                                     : group.set2;
  const bool integrated = subject.exchange() && subject.fmu.description.is_state(variable.reference);
  return (variable.is_guessed() ? "I" : "") + (integrated ? "M" : by_group);
}

std::string states(const Subject& subject) {
  const bool fmi3 = subject.fmu.description.fmi3;
  if (subject.exchange()) return fmi3 ? "INVMT" : "INVMTE";
  if (!fmi3) return "INCTE";
  return subject.has("hasEventMode") ? "INSVT" : "INST";
}

/// The state in which time goes on.
char running(const Subject& subject) { return subject.exchange() ? 'M' : subject.fmu.description.fmi3 ? 'S' : 'C'; }

std::unique_ptr<Session> reached(const Subject& subject, char state) {
  Options options;
  options.event_mode = state == 'V' && !subject.exchange();
  auto session = make_session(subject, options);
  if (state == 'I') return session;
  REQUIRE(session->enter() == ok);
  if (state == 'N') return session;
  if (state == 'V') {
    REQUIRE(session->exit() == ok);
    return session;
  }
  REQUIRE(session->begin() == ok);
  REQUIRE(session->advance() == ok);
  double ignored;
  if (state == 'T') REQUIRE(session->terminate() == ok);
  if (state == 'E') REQUIRE(session->get(0, ignored) == error);
  return session;
}

std::vector<const Variable*> of_group(const Fmu& fmu, const Group& group) {
  std::vector<const Variable*> result;
  for (const Variable& variable : fmu.description.variables) {
    if (variable.causality == group.causality && variable.variability == group.variability) result.push_back(&variable);
  }
  return result;
}

int set_to_start(Session& session, const Variable& variable) {
  const int item = variable.is_choice() ? std::stoi(variable.start) : 0;
  if (variable.is_choice()) return session.set_items(&variable.reference, 1, &item);
  return session.set(variable.reference, variable.start.empty() ? 0.5 : std::stod(variable.start));
}

int read(Session& session, const Variable& variable) {
  int item = 0;
  double number = std::nan("");
  const int status =
      variable.is_choice() ? session.get_items(&variable.reference, 1, &item) : session.get(variable.reference, number);
  if (status == ok && variable.is_choice()) CHECK(item > 0);
  if (status == ok && !variable.is_choice()) CHECK(std::isfinite(number));
  return status;
}

}  // namespace

TEST_CASE("variables can be set in the states that the standards name, and in no other") {
  for (const Subject& subject : subjects()) {
    std::size_t seen = 0;
    for (const Group& group : groups) {
      const std::vector<const Variable*> variables = of_group(subject.fmu, group);
      seen += variables.size();
      for (const char state : states(subject)) {
        auto session = reached(subject, state);
        for (const Variable* variable : variables) {
          INFO(subject.name() << ", " << variable->name << " in " << state << "\n" << session->log());
          const bool allowed = where_set(subject, group, *variable).find(state) != std::string::npos;
          CHECK(set_to_start(*session, *variable) == (allowed ? ok : error));
          if (!allowed) session = reached(subject, state);
        }
      }
    }
    CHECK(seen == subject.fmu.description.variables.size());
  }
}

TEST_CASE("all variables can be read wherever there are values") {
  for (const Subject& subject : subjects()) {
    for (const char state : states(subject)) {
      auto session = reached(subject, state);
      const bool allowed = subject.fmu.description.fmi3 || state != 'I';
      for (const Variable& variable : subject.fmu.description.variables) {
        INFO(subject.name() << ", " << variable.name << " in " << state << "\n" << session->log());
        CHECK(read(*session, variable) == (allowed ? ok : error));
        if (!allowed) session = reached(subject, state);
      }
    }
  }
}

TEST_CASE("states and their derivatives are the variables that modelDescription.xml names") {
  for (const Subject& subject : subjects()) {
    if (!subject.exchange()) continue;
    const std::vector<unsigned>& states = subject.fmu.description.states;
    const std::size_t count = states.size();
    const auto session = reached(subject, 'M');
    std::vector<double> x(count), rates(count), nominals(count), values(count);
    INFO(subject.name() << "\n" << session->log());
    REQUIRE(session->get_states(x.data(), count) == ok);
    REQUIRE(session->get_state_derivatives(rates.data(), count) == ok);
    REQUIRE(session->get_nominals(nominals.data(), count) == ok);
    for (const double nominal : nominals) CHECK(nominal > 0);
    REQUIRE(session->get(states.data(), count, values.data(), count) == ok);
    CHECK(values == x);
    REQUIRE(session->get(subject.fmu.description.state_derivatives.data(), count, values.data(), count) == ok);
    for (std::size_t i = 0; i < count; ++i) CHECK(values[i] == Approx(rates[i]).epsilon(1e-14).margin(1e-14));

    // One that is set as a variable is set as a state, and the others stay.
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> expected = x;
      expected[i] += 1e-6;
      REQUIRE(session->set_states(x.data(), count) == ok);
      REQUIRE(session->set(states[i], expected[i]) == ok);
      REQUIRE(session->get_states(values.data(), count) == ok);
      for (std::size_t k = 0; k < count; ++k) CHECK(values[k] == Approx(expected[k]).epsilon(1e-15).margin(1e-15));
    }
  }
}

TEST_CASE("FMI 3 shows the starts of modelDescription.xml while instantiated") {
  for (const Subject& subject : subjects("3.0")) {
    const auto session = reached(subject, 'I');
    for (const Variable& variable : subject.fmu.description.variables) {
      if (variable.start.empty()) continue;
      INFO(subject.name() << ", " << variable.name);
      if (variable.is_choice()) {
        int item = 0;
        CHECK(session->get_items(&variable.reference, 1, &item) == ok);
        CHECK(item == std::stoi(variable.start));
      } else {
        double number = std::nan("");
        CHECK(session->get(variable.reference, number) == ok);
        CHECK(number == std::stod(variable.start));
      }
    }
  }
}

TEST_CASE("a call with one wrong variable sets none and names it") {
  for (const Subject& subject : subjects()) {
    const Description& description = subject.fmu.description;
    const Variable input = description.numbers("input").at(0);
    unsigned choice = 0, computed = 0;
    for (const Variable& variable : description.variables) {
      if (variable.is_choice()) choice = variable.reference;
      if (variable.causality == "output" && !description.is_state(variable.reference)) computed = variable.reference;
    }
    for (const unsigned wrong : {computed, choice, 0u, 4000000000u}) {
      const auto session = reached(subject, running(subject));
      double before = 0, after = 0;
      REQUIRE(session->get(input.reference, before) == ok);
      const unsigned references[] = {input.reference, wrong};
      const double values[] = {before + 1, 1};
      CHECK(session->set(references, 2, values, 2) == error);
      CHECK(session->messages.size() == 1);
      CHECK(session->get(input.reference, after) == ok);
      CHECK(after == before);
    }
  }
}

TEST_CASE("values that are no numbers are refused with a message that names the variable") {
  for (const Subject& subject : subjects()) {
    for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      for (const Variable& input : subject.fmu.description.numbers("input")) {
        const auto session = reached(subject, running(subject));
        CHECK(session->set(input.reference, wrong) == error);
        REQUIRE(session->messages.size() == 1);
        CHECK(session->messages[0].text.find(input.name) != std::string::npos);
        double value = wrong;
        CHECK(session->get(input.reference, value) == ok);
        CHECK(std::isfinite(value));
      }
      for (const Variable& parameter : subject.fmu.description.numbers("parameter")) {
        const auto session = reached(subject, 'I');
        CHECK(session->set(parameter.reference, wrong) == error);
        CHECK(session->messages.size() == 1);
      }
    }
  }
}
