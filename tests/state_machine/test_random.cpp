// Tests long random sequences of legal calls: each is OK and does what a simple model of an FMU foretells.
#include <catch2/catch.hpp>

#include "legal_run.hpp"

using namespace mechfmu::importer;

namespace {

constexpr unsigned seeds = 8,
                   most_seeds = 40;  ///< there are more seeds only if choices of the solver are still missing
/// Without sanitizers this makes over 8e4 for each FMU and kind.
constexpr int calls_of_a_seed = sanitized ? 4000 : 10000;

using Begun = std::map<std::string, std::map<int, int>>;

/// Returns the choices of the solver, as "solver.tangent_basis = 3", with which no motion has begun.
std::vector<std::string> missing(const Description& description, Begun& begun) {
  std::vector<std::string> result;
  for (const Variable& variable : description.variables) {
    if (!variable.is_choice()) continue;
    for (const int item : description.items.at(variable.declared_type)) {
      if (begun[variable.name][item] == 0) result.push_back(variable.name + " = " + std::to_string(item));
    }
  }
  return result;
}

void run(const std::string& version) {
  Begun begun;
  std::map<std::string, double> events;
  const std::vector<Subject> all = subjects(version);
  const Description& description = all.front().fmu.description;
  for (unsigned seed = 1; seed <= seeds || (seed <= most_seeds && !missing(description, begun).empty()); ++seed) {
    for (const Subject& subject : all) {
      INFO(subject.name() << ", seed " << seed);
      CHECK_NOTHROW([&] {
        LegalRun run(subject, seed);
        run.make(calls_of_a_seed);
        events[subject.name()] += run.events();
        for (const auto& [choice, items] : run.begun()) {
          for (const auto& [item, count] : items) begun[choice][item] += count;
        }
      }());
    }
  }
  for (const Subject& subject : all) {
    INFO(subject.name());
    if (subject.fmu.description.has_impacts()) CHECK(events[subject.name()] > 0);
  }
  INFO("Where no FMU allows a choice, add a model to tests/state_machine/fmu.cpp that does.");
  CHECK(missing(description, begun) == std::vector<std::string>());
}

}  // namespace

TEST_CASE("random sequences of legal calls do what is foretold in FMI 2") { run("2.0"); }

TEST_CASE("random sequences of legal calls do what is foretold in FMI 3") { run("3.0"); }

TEST_CASE("the same calls give the same bits") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name());
    LegalRun first(subject, 99), second(subject, 99);
    first.make(2000);
    second.make(2000);
    CHECK(first.digest() == second.digest());
  }
}

TEST_CASE("questions for derivatives leave no trace") {
  for (const Subject& subject : subjects()) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      INFO(subject.name() << ", seed " << seed);
      LegalRun curious(subject, seed), silent(subject, seed, false);
      curious.make(5000);
      silent.make(5000);
      CHECK(curious.digest() == silent.digest());
    }
  }
}
