// Tests long random sequences of legal calls: each is OK and does what a simple model of an FMU foretells.
#include <catch2/catch.hpp>

#include "legal_run.hpp"

using namespace mechfmu::importer;

namespace {

constexpr int seeds = 8, calls_of_a_seed = 13000;  // make over 1e5 for each FMU and kind

void run(const std::string& version) {
  std::map<std::string, std::map<int, int>> begun;
  for (const Subject& subject : subjects(version)) {
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      INFO(subject.name() << ", seed " << seed);
      CHECK_NOTHROW([&] {
        LegalRun run(subject, seed);
        run.make(calls_of_a_seed);
        for (const auto& [choice, items] : run.begun()) {
          for (const auto& [item, count] : items) begun[choice][item] += count;
        }
      }());
    }
  }
  for (const Variable& variable : subjects(version).front().fmu.description.variables) {
    if (!variable.is_choice()) continue;
    for (const int item : subjects(version).front().fmu.description.items.at(variable.declared_type)) {
      INFO(variable.name << " = " << item
                         << " began no motion: where no FMU allows it, add a model to tests/state_machine/fmu.cpp "
                            "that does");
      CHECK(begun[variable.name][item] > 0);
    }
  }
}

}  // namespace

TEST_CASE("random sequences of legal calls do what is foretold in FMI 2") { run("2.0"); }

TEST_CASE("random sequences of legal calls do what is foretold in FMI 3") { run("3.0"); }

TEST_CASE("the same calls give the same bits") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name());
    LegalRun first(subject, 99), second(subject, 99);
    first.make(3000);
    second.make(3000);
    CHECK(first.digest() == second.digest());
  }
}

TEST_CASE("questions for derivatives leave no trace") {
  for (const Subject& subject : subjects()) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      INFO(subject.name() << ", seed " << seed);
      LegalRun curious(subject, seed), silent(subject, seed, false);
      curious.make(5000);
      silent.make(5000);
      CHECK(curious.digest() == silent.digest());
    }
  }
}
