// The catalogue of wrong files: each says exactly what its .txt says.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "modelDescription/reading/read.hpp"

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("every wrong file of the catalogue gives exactly its messages", "[mistakes]") {
  const std::filesystem::path catalogue = std::filesystem::path(MECHFMU_SOURCE_DIR) / "tests" / "mistakes";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(catalogue)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const std::string name = entry.path().filename().string();
    const mechfmu::ReadResult result = mechfmu::read_mechanism_text(content(entry.path()), name);
    std::string messages;
    for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) messages += to_text(diagnostic) + "\n";
    INFO(name);
    CHECK_FALSE(result.description);
    CHECK(messages == content(std::filesystem::path(entry.path()).replace_extension(".txt")));
  }
  CHECK(files >= 45);
}
