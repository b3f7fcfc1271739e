// Reads from modelDescription.xml what an importer needs before it loads the library: variables, token, capabilities.
#pragma once

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mechfmu::importer {

/// Says whether an instance is made for co-simulation or for model exchange.
enum class Kind { co_simulation, model_exchange };

struct Variable {
  std::string name, type;  ///< type: Real or Float64, Enumeration
  std::string causality, variability, initial, start;
  std::string declared_type;
  double minimum = -HUGE_VAL, maximum = HUGE_VAL;
  unsigned reference = 0;
  unsigned derivative_of = 0;  ///< is a value reference in FMI 3, a position in the list from 1 in FMI 2; 0 means none
  bool intermediate_update = false;

  bool is_choice() const { return type == "Enumeration"; }
  /// Is true if its start is a guess, which the standards let importers set only while instantiated.
  bool is_guessed() const { return initial == "approx"; }
};

struct Description {
  bool fmi3 = false;
  std::map<std::string, std::vector<int>> items;  ///< numbers of an enumeration's items, by its name
  std::string token, identifier;
  std::map<Kind, std::map<std::string, std::string>> kinds;  ///< those there are, with the element's attributes
  std::vector<std::string> log_categories;
  double stop_time = 1;
  std::vector<Variable> variables;
  std::vector<unsigned> states, state_derivatives;  ///< value references, in the order of model exchange
  std::size_t indicators = 0;                       ///< number of event indicators

  bool offers(Kind kind) const { return kinds.count(kind) != 0; }
  /// Is true if a kind has a capability: a flag that is true, or a number above zero.
  bool has(Kind, const std::string& capability) const;
  bool is_state(unsigned reference) const;
  /// Is true if speeds and states may jump at events.
  bool has_impacts() const;
  /// Returns the variables of one causality that are numbers.
  std::vector<Variable> numbers(const std::string& causality) const;
};

/// Reads folder/modelDescription.xml.
Description read_description(const std::filesystem::path& folder);

}  // namespace mechfmu::importer
