// Writes modelDescription.xml of both versions from the one table of variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Returns modelDescription.xml of the FMI 2.0 FMU, which tells whether it has sources. Equal arguments give equal
/// bytes.
std::string write_fmi2_description(const ModelVariables& variables, const std::string& token, bool sources);

/// Returns modelDescription.xml of the FMI 3.0 FMU.
std::string write_fmi3_description(const ModelVariables& variables, const std::string& token);

/// Returns sources/buildDescription.xml. `prefix_override` is the macro that makes FMI's headers leave the functions
/// their names.
std::string write_build_description(const std::string& model, const std::string& prefix_override);

/// Returns the name of the one file in sources/ that has to be compiled.
std::string source_file(const std::string& model);

/// Builds XML text: elements, attributes in the order given, and two blanks of indentation a level.
class XmlWriter {
 public:
  /// Starts an element; attributes may follow.
  XmlWriter& open(const std::string& element);
  /// Adds an attribute to the element started last; it escapes everything.
  XmlWriter& attribute(const std::string& name, const std::string& value);
  XmlWriter& attribute(const std::string& name, double value);
  XmlWriter& attribute(const std::string& name, int value);
  /// Adds an attribute unless it is empty.
  XmlWriter& optional_attribute(const std::string& name, const std::string& value);
  XmlWriter& optional_attribute(const std::string& name, const std::optional<double>& value);
  /// Ends the element opened last that is still open.
  XmlWriter& close();
  /// Returns the whole document.
  std::string text() const { return text_; }

 private:
  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

/// Returns text for attributes and elements, with markup and control characters escaped.
std::string escape_xml(const std::string& text);

/// These functions write UnitDefinitions, LogCategories and DefaultExperiment, which are equal in both versions.
void write_units(XmlWriter& xml, const ModelVariables& variables);
/// Writes the items of a choice into the element of its enumeration.
void write_items(XmlWriter& xml, const ModelVariable& choice);
void write_log_categories(XmlWriter& xml);
void write_default_experiment(XmlWriter& xml, const ModelVariables& variables);

/// Returns the text of dependencies="…": "3 7 8".
std::string joined(const std::vector<int>& references);

/// Returns generationDateAndTime if SOURCE_DATE_EPOCH is set; otherwise an empty text, so that equal input gives equal
/// bytes.
std::string generation_time();

}  // namespace mechfmu
