// What an importer reads in modelDescription.xml before it loads the library: variables, token, capabilities.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mechfmu::importer {

struct Variable {
  std::string name, type;  ///< type: Real or Float64, String
  std::string causality, variability, initial, start;
  unsigned reference = 0;
  bool intermediate_update = false;

  bool is_text() const { return type == "String"; }
  /// Whether the standards let it be set before initialization ends, inputs apart.
  bool has_exact_start() const { return variability != "constant" && initial == "exact"; }
};

struct Description {
  bool fmi3 = false;
  std::string token, identifier;
  std::map<std::string, std::string> co_simulation;  ///< attributes of <CoSimulation>
  bool model_exchange = false;
  std::vector<std::string> log_categories;
  double stop_time = 1;
  std::vector<Variable> variables;

  /// Whether a capability of <CoSimulation> is there: a flag that is true, or a number above zero.
  bool has(const std::string& capability) const;
  /// Those of one causality, numbers only.
  std::vector<Variable> numbers(const std::string& causality) const;
};

/// Reads folder/modelDescription.xml.
Description read_description(const std::filesystem::path& folder);

}  // namespace mechfmu::importer
