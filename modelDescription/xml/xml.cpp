// Writes the XML that both versions share.
#include "xml.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "fmu_src/fmi/log_category.hpp"

namespace mechfmu {

std::string escape_xml(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\n': result += "&#10;"; break;
      case '\r': result += "&#13;"; break;
      case '\t': result += "&#9;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result += c;  // XML does not allow other control characters.
    }
  }
  return result;
}

XmlWriter& XmlWriter::open(const std::string& element) {
  if (in_tag_) text_ += ">\n";
  text_ += std::string(2 * open_.size(), ' ') + '<' + element;
  open_.push_back(element);
  in_tag_ = true;
  return *this;
}

XmlWriter& XmlWriter::attribute(const std::string& name, const std::string& value) {
  text_ += ' ' + name + "=\"" + escape_xml(value) + '"';
  return *this;
}

XmlWriter& XmlWriter::attribute(const std::string& name, double value) { return attribute(name, to_text(value)); }

XmlWriter& XmlWriter::attribute(const std::string& name, int value) { return attribute(name, std::to_string(value)); }

XmlWriter& XmlWriter::optional_attribute(const std::string& name, const std::string& value) {
  return value.empty() ? *this : attribute(name, value);
}

XmlWriter& XmlWriter::optional_attribute(const std::string& name, const std::optional<double>& value) {
  return value ? attribute(name, *value) : *this;
}

XmlWriter& XmlWriter::close() {
  const std::string element = open_.back();
  open_.pop_back();
  text_ += in_tag_ ? "/>\n" : std::string(2 * open_.size(), ' ') + "</" + element + ">\n";
  in_tag_ = false;
  return *this;
}

void write_units(XmlWriter& xml, const ModelVariables& variables) {
  static constexpr const char* names[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  if (variables.units.empty()) return;
  xml.open("UnitDefinitions");
  for (const Unit& unit : variables.units) {
    xml.open("Unit").attribute("name", unit.text);
    bool whole = true;
    for (const double exponent : unit.dimension.exponents) whole &= exponent == std::round(exponent);
    if (whole) {  // The schema knows no others; such a unit has a name only.
      xml.open("BaseUnit");
      for (std::size_t i = 0; i < unit.dimension.exponents.size(); ++i) {
        const int exponent = static_cast<int>(unit.dimension.exponents[i]);
        if (exponent != 0) xml.attribute(names[i], exponent);
      }
      if (unit.radian != 0) xml.attribute("rad", unit.radian);
      if (unit.factor != 1) xml.attribute("factor", unit.factor);
      if (unit.offset != 0) xml.attribute("offset", unit.offset);
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

void write_items(XmlWriter& xml, const ModelVariable& choice) {
  int index = 0;
  for (const char* name : *solver_choices[choice.index].names) {
    xml.open("Item").attribute("name", name).attribute("value", item_of_index(index++)).close();
  }
}

void write_log_categories(XmlWriter& xml) {
  xml.open("LogCategories");
  for (const LogCategory& category : log_categories)
    xml.open("Category").attribute("name", category.name).attribute("description", category.description).close();
  xml.close();
}

void write_default_experiment(XmlWriter& xml, const ModelVariables& variables) {
  xml.open("DefaultExperiment")
      .attribute("startTime", 0.0)
      .attribute("stopTime", variables.stop_time)
      .attribute("tolerance", variables.tolerance)
      .attribute("stepSize", variables.communication_step)
      .close();
}

std::string joined(const std::vector<int>& references) {
  std::string result;
  for (const int reference : references) result += (result.empty() ? "" : " ") + std::to_string(reference);
  return result;
}

std::string generation_time() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch == nullptr) return "";
  char* end = nullptr;
  const std::time_t seconds = std::strtoll(epoch, &end, 10);
  std::tm parts{};
  char text[32];
  if (end == epoch || *end != '\0' || gmtime_r(&seconds, &parts) == nullptr) return "";
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace mechfmu
