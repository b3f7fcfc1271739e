// Tests that the examples of docs/mechanism-file.md, put together, are one right file; those that name a file are its
// parts.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>

#include "folder.hpp"
#include "modelDescription/reading/read.hpp"

TEST_CASE("the examples of the documentation are a mechanism file", "[reading]") {
  std::ifstream page(std::string(MECHFMU_SOURCE_DIR) + "/docs/mechanism-file.md");
  REQUIRE(page);
  const std::string fence = "```", example = fence + "toml", whole = "mechanism-file.md";
  std::map<std::string, std::string> files;
  std::string inside, lines_before;
  for (std::string line; std::getline(page, line); lines_before += "\n") {
    const bool at_fence = line.starts_with(fence);
    if (at_fence) inside = line == example ? whole : line.starts_with(example) ? line.substr(example.size() + 1) : "";
    if (!inside.empty()) files.try_emplace(inside, lines_before);
    // Places in messages are those of the page.
    for (auto& [name, text] : files) text += (name == inside && !at_fence ? line : "") + "\n";
  }
  const Folder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  const mechfmu::ReadResult result = mechfmu::read_mechanism(folder.path(whole));
  for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(result.description);
  CHECK(result.description->outputs.size() == 5 + 3 + 2);
  // The files of bodies are mechanisms of their own.
  for (const char* name : {"press.toml", "buggy.toml", "yard.toml", "track.toml"}) {
    const mechfmu::ReadResult bodies = mechfmu::read_mechanism(folder.path(name));
    for (const mechfmu::Diagnostic& diagnostic : bodies.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
    REQUIRE(bodies.description);
    CHECK(bodies.description->bodies.size() > 3);
    CHECK((bodies.description->contacts.empty() || bodies.description->contacts.size() > 8));
  }
}
