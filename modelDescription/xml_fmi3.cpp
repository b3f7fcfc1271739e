// modelDescription.xml for FMI 3.0. The value references are those of FMI 2: positions counted from 1, time first.
#include "xml.hpp"

namespace mechfmu {

namespace {

void write_variable(XmlWriter& xml, const ModelVariable& variable, int reference) {
  xml.open(variable.is_text() ? "String" : "Float64").attribute("name", variable.name);
  xml.attribute("valueReference", reference).optional_attribute("description", variable.description);
  xml.attribute("causality", variable.causality()).attribute("variability", variable.variability());
  if (variable.initial() != nullptr) xml.attribute("initial", variable.initial());
  if (variable.between_communication_points()) xml.attribute("intermediateUpdate", "true");
  xml.optional_attribute("unit", variable.unit.text);
  xml.optional_attribute("min", variable.minimum).optional_attribute("max", variable.maximum);
  if (variable.is_text()) {
    xml.open("Start").attribute("value", variable.start_text()).close();
  } else {
    if (variable.has_start()) xml.attribute("start", variable.start_text());
    if (variable.derivative_of != 0) xml.attribute("derivative", variable.derivative_of);
  }
  xml.close();
}

/// Dependencies are always written, since an importer takes missing ones for all.
void write_unknown(XmlWriter& xml, const char* kind, int reference, const std::vector<int>& knowns) {
  xml.open(kind).attribute("valueReference", reference).attribute("dependencies", joined(knowns)).close();
}

}  // namespace

std::string write_fmi3_description(const ModelVariables& variables, const std::string& token) {
  XmlWriter xml;
  xml.open("fmiModelDescription").attribute("fmiVersion", "3.0").attribute("modelName", variables.model);
  xml.attribute("instantiationToken", token).optional_attribute("description", variables.description);
  xml.attribute("generationTool", generation_tool).optional_attribute("generationDateAndTime", generation_time());
  xml.attribute("variableNamingConvention", "structured");

  // Declared is what exists.
  xml.open("CoSimulation").attribute("modelIdentifier", variables.model);
  for (const char* flag :
       {"canHandleVariableCommunicationStepSize", "canGetAndSetFMUState", "canSerializeFMUState", "hasEventMode",
        "providesIntermediateUpdate", "canReturnEarlyAfterIntermediateUpdate"}) {
    xml.attribute(flag, "true");
  }
  xml.attribute("maxOutputDerivativeOrder", most_output_derivatives).close();

  write_units(xml, variables);
  write_log_categories(xml);
  write_default_experiment(xml, variables);

  xml.open("ModelVariables");
  int reference = 0;
  for (const ModelVariable& variable : variables.all) write_variable(xml, variable, ++reference);
  xml.close();

  xml.open("ModelStructure");
  for (const int output : variables.outputs()) {
    write_unknown(xml, "Output", output, variables.references(variables.of_reference(output).in_step));
  }
  for (const int unknown : variables.initial_unknowns()) {
    write_unknown(xml, "InitialUnknown", unknown, variables.references(variables.of_reference(unknown).at_start));
  }
  return xml.close().close().text();
}

}  // namespace mechfmu
