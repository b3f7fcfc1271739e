// Tests many instances of one library in many threads at once: each does what it does alone.
#include <catch2/catch.hpp>

#include <exception>
#include <thread>

#include "legal_run.hpp"

using namespace mechfmu::importer;

namespace {

constexpr int threads = 8, instances_in_a_thread = 4, calls = sanitized ? 150 : 500;

/// Runs several instances in turns, so that calls to many instances mix. Returns what each did, or what went wrong.
std::string work(const Subject& subject, unsigned seed) {
  try {
    std::vector<std::unique_ptr<LegalRun>> runs;
    for (int i = 0; i < instances_in_a_thread; ++i) {
      runs.push_back(std::make_unique<LegalRun>(subject, seed + static_cast<unsigned>(i)));
    }
    for (int turn = 0; turn < 10; ++turn) {
      for (auto& run : runs) run->make(calls / 10);
    }
    std::string result;
    for (auto& run : runs) result += std::to_string(run->digest()) + " ";
    return result;
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

}  // namespace

TEST_CASE("many instances in eight threads do what they do alone", "[threads]") {
  for (const Subject& subject : subjects()) {
    std::vector<std::string> together(threads), alone(threads);
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i) {
      all.emplace_back([&together, &subject, i] { together[i] = work(subject, 100 * i); });
    }
    for (std::thread& thread : all) thread.join();
    for (unsigned i = 0; i < threads; ++i) alone[i] = work(subject, 100 * i);
    INFO(subject.name());
    CHECK(together == alone);
  }
}
