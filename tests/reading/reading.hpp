// Reads small mechanisms in tests.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>

#include "modelDescription/reading/read.hpp"

/// Returns the description of a right file.
inline mechfmu::Description description_of(const mechfmu::ReadResult& result) {
  for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(result.description);
  return *result.description;
}

/// Returns the messages of a wrong file.
inline std::vector<std::string> messages_of(const mechfmu::ReadResult& result) {
  std::vector<std::string> texts;
  for (const mechfmu::Diagnostic& diagnostic : result.diagnostics) texts.push_back(to_text(diagnostic));
  return texts;
}

/// Returns the item of that name.
template <class Item>
const Item& named(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  REQUIRE(found != items.end());
  return *found;
}
