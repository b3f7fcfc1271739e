// Reads modelDescription.xml: an importer of scalars needs only a list of start tags with their attributes.
#include "description.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace mechfmu::importer {
namespace {

using Attributes = std::map<std::string, std::string>;

struct Tag {
  std::string name;
  Attributes attributes;
};

std::string unescaped(const std::string& text) {
  static const std::map<std::string, std::string> entities = {
      {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}};
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '&' ? text.find(';', i) : std::string::npos;
    if (end == std::string::npos) {
      result += text[i];
      continue;
    }
    const auto found = entities.find(text.substr(i + 1, end - i - 1));
    if (found != entities.end()) result += found->second;
    i = end;
  }
  return result;
}

/// Returns start tags in their order.
std::vector<Tag> tags(const std::string& xml) {
  const std::string name_ends = " \t\r\n/>=";
  std::vector<Tag> result;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    ++at;
    if (xml.compare(at, 3, "!--") == 0) at = xml.find("-->", at);
    if (at == std::string::npos) break;
    if (xml[at] == '/') continue;
    std::size_t end = xml.find_first_of(name_ends, at);
    Tag tag{xml.substr(at, end - at), {}};
    for (at = xml.find_first_not_of(" \t\r\n/?", end); at < xml.size() && xml[at] != '>';) {
      end = xml.find_first_of(name_ends, at);
      const std::string name = xml.substr(at, end - at);
      const std::size_t open = xml.find_first_of("\"'", end);
      const std::size_t close = open == std::string::npos ? open : xml.find(xml[open], open + 1);
      if (close == std::string::npos) throw std::runtime_error("modelDescription.xml: a value is missing");
      tag.attributes[name] = unescaped(xml.substr(open + 1, close - open - 1));
      at = xml.find_first_not_of(" \t\r\n/?", close + 1);
    }
    if (!tag.name.empty()) result.push_back(tag);
  }
  return result;
}

std::string value(const Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? "" : found->second;
}

void take(Variable& variable, const Attributes& attributes) {
  for (auto [name, place] :
       {std::pair{"name", &variable.name},
        {"causality", &variable.causality},
        {"variability", &variable.variability},
        {"initial", &variable.initial},
        {"start", &variable.start},
        {"declaredType", &variable.declared_type}}) {
    if (attributes.count(name) != 0) *place = attributes.at(name);
  }
  for (auto [name, place] : {std::pair{"min", &variable.minimum}, {"max", &variable.maximum}}) {
    if (attributes.count(name) != 0) *place = std::stod(attributes.at(name));
  }
  if (attributes.count("valueReference") != 0) {
    variable.reference = static_cast<unsigned>(std::stoul(attributes.at("valueReference")));
  }
  if (attributes.count("derivative") != 0) {
    variable.derivative_of = static_cast<unsigned>(std::stoul(attributes.at("derivative")));
  }
  variable.intermediate_update |= value(attributes, "intermediateUpdate") == "true";
}

}  // namespace

bool Description::has(Kind kind, const std::string& capability) const {
  const auto found = kinds.find(kind);
  const std::string text = found == kinds.end() ? "" : value(found->second, capability.c_str());
  return text == "true" || std::atoi(text.c_str()) > 0;
}

bool Description::has_impacts() const {
  return std::any_of(variables.begin(), variables.end(), [](const Variable& variable) {
    const std::string end = ".impulse";
    return variable.name.size() > end.size() && variable.name.substr(variable.name.size() - end.size()) == end;
  });
}

bool Description::is_state(unsigned reference) const {
  return std::count(states.begin(), states.end(), reference) != 0;
}

std::vector<Variable> Description::numbers(const std::string& causality) const {
  std::vector<Variable> result;
  for (const Variable& variable : variables) {
    if (variable.causality == causality && !variable.is_choice()) result.push_back(variable);
  }
  return result;
}

Description read_description(const std::filesystem::path& folder) {
  std::ifstream file(folder / "modelDescription.xml");
  if (!file) throw std::runtime_error("there is no " + (folder / "modelDescription.xml").string());
  Description result;
  std::string before, list, enumeration;
  for (const Tag& tag : tags(std::string(std::istreambuf_iterator<char>(file), {}))) {
    const auto attribute = [&](const char* name) { return value(tag.attributes, name); };
    if (tag.name == "fmiModelDescription") {
      result.fmi3 = attribute("fmiVersion")[0] == '3';
      result.token = attribute(result.fmi3 ? "instantiationToken" : "guid");
    } else if (tag.name == "CoSimulation" || tag.name == "ModelExchange") {
      result.kinds[tag.name == "CoSimulation" ? Kind::co_simulation : Kind::model_exchange] = tag.attributes;
      result.identifier = attribute("modelIdentifier");
    } else if (tag.name == "Category") {
      result.log_categories.push_back(attribute("name"));
    } else if (tag.name == "DefaultExperiment") {
      result.stop_time = std::stod(attribute("stopTime"));
    } else if (tag.name == "SimpleType" || tag.name == "EnumerationType") {
      enumeration = attribute("name");
    } else if (tag.name == "Item") {
      result.items[enumeration].push_back(std::stoi(attribute("value")));
    } else if (tag.name == "ScalarVariable" || tag.name == "Float64" || (result.fmi3 && tag.name == "Enumeration")) {
      take(result.variables.emplace_back(), tag.attributes);
      result.variables.back().type = tag.name;
    } else if (before == "ScalarVariable") {  // FMI 2: its type comes inside
      take(result.variables.back(), tag.attributes);
      result.variables.back().type = tag.name;
    }
    // FMI 2 gives derivatives of states by numbers in the order of variables, FMI 3 by value references.
    if (tag.name == "Derivatives" || tag.name == "InitialUnknowns") list = tag.name;
    if (tag.name == "Unknown" && list == "Derivatives") {
      const Variable& derivative = result.variables.at(std::stoul(attribute("index")) - 1);
      result.state_derivatives.push_back(derivative.reference);
      result.states.push_back(result.variables.at(derivative.derivative_of - 1).reference);
    } else if (tag.name == "ContinuousStateDerivative") {
      const auto reference = static_cast<unsigned>(std::stoul(attribute("valueReference")));
      const auto derivative = std::find_if(result.variables.begin(), result.variables.end(), [&](const Variable& v) {
        return v.reference == reference;
      });
      result.state_derivatives.push_back(reference);
      result.states.push_back(derivative->derivative_of);
    }
    if (tag.name == "EventIndicator") ++result.indicators;
    if (const auto count = tag.attributes.find("numberOfEventIndicators"); count != tag.attributes.end())
      result.indicators = std::stoul(count->second);
    before = tag.name;
  }
  return result;
}

}  // namespace mechfmu::importer
