// The examples of docs/mechanism-file.md, put together, are one right file.
#include <catch2/catch.hpp>

#include <fstream>

#include "modelDescription/read.hpp"

TEST_CASE("the examples of the documentation are a mechanism file", "[reading]") {
  std::ifstream page(std::string(MECHFMU_SOURCE_DIR) + "/docs/mechanism-file.md");
  REQUIRE(page);
  std::string example;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```"))
      inside = line == "```toml";
    else
      example += inside ? line + "\n" : "\n";  // places in messages are then those of the page
  }
  const mechfmu::ReadResult result = mechfmu::read_mechanism_text(example, "docs/mechanism-file.md");
  for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(result.description);
  CHECK(result.description->outputs.size() == 5);
}
