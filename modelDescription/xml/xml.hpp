// modelDescription.xml of both versions, from the one table of variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// modelDescription.xml of the FMI 2.0 FMU, which tells whether it has sources. The same arguments give the same bytes.
std::string write_fmi2_description(const ModelVariables& variables, const std::string& token, bool sources);

/// modelDescription.xml of the FMI 3.0 FMU.
std::string write_fmi3_description(const ModelVariables& variables, const std::string& token);

/// sources/buildDescription.xml. `prefix_override` is the macro that makes FMI's headers leave the functions their
/// names.
std::string write_build_description(const std::string& model, const std::string& prefix_override);

/// The file in sources/ that is all there is to compile.
std::string source_file(const std::string& model);

/// Builds XML text: elements, attributes in the order given, two blanks of indentation a level.
class XmlWriter {
 public:
  /// Starts an element; attributes may follow.
  XmlWriter& open(const std::string& element);
  /// An attribute of the element started last; everything is escaped.
  XmlWriter& attribute(const std::string& name, const std::string& value);
  XmlWriter& attribute(const std::string& name, double value);
  XmlWriter& attribute(const std::string& name, int value);
  /// The same, left out if there is nothing to say.
  XmlWriter& optional_attribute(const std::string& name, const std::string& value);
  XmlWriter& optional_attribute(const std::string& name, const std::optional<double>& value);
  /// Ends the element opened last that is still open.
  XmlWriter& close();
  /// The whole document.
  std::string text() const { return text_; }

 private:
  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> open_;
  bool in_tag_ = false;
};

/// Text for attributes and elements: markup and control characters escaped.
std::string escape_xml(const std::string& text);

/// UnitDefinitions, LogCategories and DefaultExperiment are the same in both versions.
void write_units(XmlWriter& xml, const ModelVariables& variables);
/// The items of a choice, in the element of its enumeration.
void write_items(XmlWriter& xml, const ModelVariable& choice);
void write_log_categories(XmlWriter& xml);
void write_default_experiment(XmlWriter& xml, const ModelVariables& variables);

/// What dependencies="…" holds: "3 7 8".
std::string joined(const std::vector<int>& references);

/// generationDateAndTime if SOURCE_DATE_EPOCH says when; empty otherwise, so that the same input gives the same bytes.
std::string generation_time();

}  // namespace mechfmu
