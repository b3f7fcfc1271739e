// Long random sequences of legal calls: each is OK and does what a simple model of an FMU foretells.
#include <catch2/catch.hpp>

#include "legal_run.hpp"

using namespace mechfmu::importer;

namespace {

constexpr int seeds = 8, calls_of_a_seed = 13000;  // over 1e5 for each FMU

void run(const std::string& version) {
  for (const Fmu* fmu : fmus(version)) {
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      INFO(fmu->name << ", seed " << seed);
      CHECK_NOTHROW(LegalRun(*fmu, seed).make(calls_of_a_seed));
    }
  }
}

}  // namespace

TEST_CASE("random sequences of legal calls do what is foretold in FMI 2") { run("2.0"); }

TEST_CASE("random sequences of legal calls do what is foretold in FMI 3") { run("3.0"); }

TEST_CASE("the same calls give the same bits") {
  for (const char* version : {"2.0", "3.0"}) {
    for (const Fmu* fmu : fmus(version)) {
      LegalRun first(*fmu, 99), second(*fmu, 99);
      first.make(3000);
      second.make(3000);
      CHECK(first.digest() == second.digest());
    }
  }
}
