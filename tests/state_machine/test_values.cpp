// Which variables may be set and read in which state, and what a call with a wrong one does: an error, and nothing is
// set of what stands beside it.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

#include "session.hpp"

using namespace mechfmu::importer;

namespace {

/// Set: in which states a kind of variable can be set. FMI 2 allows what has initial exact, in initialization mode
/// also inputs, afterwards inputs and tunable parameters; while instantiated FMPy and the FMU checker set inputs too
/// (strictly not allowed there). FMI 3 the same, inputs always.
struct Kind {
  const char* causality;
  const char* variability;
  const char* set2;
  const char* set3;
};
constexpr Kind kinds[] = {
    {"parameter", "fixed", "IN", "IN"},
    {"parameter", "tunable", "INC", "INSV"},
    {"input", "continuous", "INC", "INSV"},
    {"calculatedParameter", "fixed", "", ""},
    {"calculatedParameter", "tunable", "", ""},
    {"output", "continuous", "", ""},
    {"local", "continuous", "", ""},
    {"local", "fixed", "", ""},
    {"independent", "continuous", "", ""},
};

std::string states(const Fmu& fmu) {
  if (!fmu.description.fmi3) return "INCTE";
  return fmu.description.has("hasEventMode") ? "INSVT" : "INST";
}

std::unique_ptr<Session> reached(const Fmu& fmu, char state) {
  Options options;
  options.event_mode = state == 'V';
  auto session = make_session(fmu, options);
  if (state == 'I') return session;
  REQUIRE(session->enter() == ok);
  if (state == 'N') return session;
  REQUIRE(session->exit() == ok);
  if (state == 'V') return session;
  REQUIRE(session->step() == ok);
  double ignored;
  if (state == 'T') REQUIRE(session->terminate() == ok);
  if (state == 'E') REQUIRE(session->get(0, ignored) == error);
  return session;
}

std::vector<const Variable*> of_kind(const Fmu& fmu, const Kind& kind) {
  std::vector<const Variable*> result;
  for (const Variable& variable : fmu.description.variables) {
    if (variable.causality == kind.causality && variable.variability == kind.variability) result.push_back(&variable);
  }
  return result;
}

int set_to_start(Session& session, const Variable& variable) {
  const char* text = variable.start.c_str();
  if (variable.is_text()) return session.set_texts(&variable.reference, 1, &text);
  return session.set(variable.reference, variable.start.empty() ? 0.5 : std::stod(variable.start));
}

int read(Session& session, const Variable& variable) {
  const char* text = nullptr;
  double number = std::nan("");
  const int status = variable.is_text() ? session.get_texts(&variable.reference, 1, &text)
                                        : session.get(variable.reference, number);
  if (status == ok && variable.is_text()) CHECK(text != nullptr);
  if (status == ok && !variable.is_text()) CHECK(std::isfinite(number));
  return status;
}

std::vector<const Fmu*> all_fmus() {
  std::vector<const Fmu*> result = fmus("2.0");
  for (const Fmu* fmu : fmus("3.0")) result.push_back(fmu);
  return result;
}

}  // namespace

TEST_CASE("variables can be set in the states that the standards name, and in no other") {
  for (const Fmu* fmu : all_fmus()) {
    std::size_t seen = 0;
    for (const Kind& kind : kinds) {
      const std::vector<const Variable*> variables = of_kind(*fmu, kind);
      seen += variables.size();
      for (const char state : states(*fmu)) {
        const bool allowed = std::strchr(fmu->description.fmi3 ? kind.set3 : kind.set2, state) != nullptr;
        auto session = reached(*fmu, state);
        for (const Variable* variable : variables) {
          INFO(fmu->name << ", " << variable->name << " in " << state << "\n" << session->log());
          CHECK(set_to_start(*session, *variable) == (allowed ? ok : error));
          if (!allowed) session = reached(*fmu, state);
        }
      }
    }
    CHECK(seen == fmu->description.variables.size());
  }
}

TEST_CASE("all variables can be read wherever there are values") {
  for (const Fmu* fmu : all_fmus()) {
    for (const char state : states(*fmu)) {
      auto session = reached(*fmu, state);
      const bool allowed = fmu->description.fmi3 || state != 'I';
      for (const Variable& variable : fmu->description.variables) {
        INFO(fmu->name << ", " << variable.name << " in " << state << "\n" << session->log());
        CHECK(read(*session, variable) == (allowed ? ok : error));
        if (!allowed) session = reached(*fmu, state);
      }
    }
  }
}

TEST_CASE("FMI 3 shows the starts of modelDescription.xml while instantiated") {
  for (const Fmu* fmu : fmus("3.0")) {
    const auto session = reached(*fmu, 'I');
    for (const Variable& variable : fmu->description.variables) {
      if (variable.start.empty()) continue;
      INFO(fmu->name << ", " << variable.name);
      if (variable.is_text()) {
        const char* text = nullptr;
        CHECK(session->get_texts(&variable.reference, 1, &text) == ok);
        CHECK(text == variable.start);
      } else {
        double number = std::nan("");
        CHECK(session->get(variable.reference, number) == ok);
        CHECK(number == std::stod(variable.start));
      }
    }
  }
}

TEST_CASE("a call with one wrong variable sets none and names it") {
  for (const Fmu* fmu : all_fmus()) {
    const Variable input = fmu->description.numbers("input").at(0), output = fmu->description.numbers("output").at(0);
    unsigned text = 0;
    for (const Variable& variable : fmu->description.variables) {
      if (variable.is_text()) text = variable.reference;
    }
    for (const unsigned wrong : {output.reference, text, 0u, 4000000000u}) {
      const auto session = reached(*fmu, fmu->description.fmi3 ? 'S' : 'C');
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
  for (const Fmu* fmu : all_fmus()) {
    for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      for (const Variable& input : fmu->description.numbers("input")) {
        const auto session = reached(*fmu, fmu->description.fmi3 ? 'S' : 'C');
        CHECK(session->set(input.reference, wrong) == error);
        REQUIRE(session->messages.size() == 1);
        CHECK(session->messages[0].text.find(input.name) != std::string::npos);
        double value = wrong;
        CHECK(session->get(input.reference, value) == ok);
        CHECK(std::isfinite(value));
      }
      for (const Variable& parameter : fmu->description.numbers("parameter")) {
        const auto session = reached(*fmu, 'I');
        CHECK(session->set(parameter.reference, wrong) == error);
        CHECK(session->messages.size() == 1);
      }
    }
  }
}
