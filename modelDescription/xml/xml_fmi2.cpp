// Writes modelDescription.xml for FMI 2.0. Value references are positions counted from 1, as ModelStructure's indices
// are.
#include "modelDescription/description/version.hpp"
#include "xml.hpp"

namespace mechfmu {

namespace {

/// Only derivatives of states are marked: importers such as OMSimulator think that every marked variable is one, and
/// miss it in ModelStructure.
void write_fmi2_variable(XmlWriter& xml, const ModelVariables& variables, int reference) {
  const ModelVariable& variable = variables.of_reference(reference);
  xml.open("ScalarVariable").attribute("name", variable.name).attribute("valueReference", reference);
  xml.optional_attribute("description", variable.description);
  xml.attribute("causality", variable.causality()).attribute("variability", variable.variability());
  if (variable.initial() != nullptr) xml.attribute("initial", variable.initial());
  xml.open(variable.is_choice() ? "Enumeration" : "Real").optional_attribute("declaredType", variable.type);
  xml.optional_attribute("unit", variable.unit.text);
  xml.optional_attribute("min", variable.minimum).optional_attribute("max", variable.maximum);
  if (variable.has_start()) xml.attribute("start", variable.start);
  const int of = variable.derivative_of;
  if (of != 0 && variables.of_reference(of).is_state) xml.attribute("derivative", of);
  xml.optional_attribute("nominal", variable.nominal);
  if (variable.is_state) xml.attribute("reinit", "true");
  xml.close().close();
}

void write_fmi2_types(XmlWriter& xml, const ModelVariables& variables) {
  xml.open("TypeDefinitions");
  for (const ModelVariable& variable : variables.all) {
    if (!variable.is_choice()) continue;
    xml.open("SimpleType").attribute("name", variable.type).open("Enumeration");
    write_items(xml, variable);
    xml.close().close();
  }
  xml.close();
}

/// Dependencies are written if they are known, since an importer takes missing ones for all.
void write_fmi2_unknown(XmlWriter& xml, const ModelVariables& variables, int reference, const Known& knowns) {
  xml.open("Unknown").attribute("index", reference);
  if (!knowns.everything) xml.attribute("dependencies", joined(variables.references(knowns)));
  xml.close();
}

/// In FMI 2 parameters are among the knowns only at the start.
void write_in_step(XmlWriter& xml, const ModelVariables& variables, int reference) {
  Known knowns = variables.of_reference(reference).in_step;
  knowns.parameters.clear();
  write_fmi2_unknown(xml, variables, reference, knowns);
}

}  // namespace

std::string write_fmi2_description(const ModelVariables& variables, const std::string& token, bool sources) {
  XmlWriter xml;
  xml.open("fmiModelDescription").attribute("fmiVersion", "2.0").attribute("modelName", variables.model);
  xml.attribute("guid", token).optional_attribute("description", variables.description);
  xml.attribute("generationTool", name_and_version()).optional_attribute("generationDateAndTime", generation_time());
  xml.attribute("variableNamingConvention", "structured");
  if (variables.model_exchange())
    xml.attribute("numberOfEventIndicators", static_cast<int>(variables.event_indicators().size()));

  // Only what exists is declared.
  const auto write_source = [&] {
    if (sources) xml.open("SourceFiles").open("File").attribute("name", source_file(variables.model)).close().close();
  };
  if (variables.model_exchange()) {
    xml.open("ModelExchange").attribute("modelIdentifier", variables.model);
    for (const char* flag : {"canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"}) {
      xml.attribute(flag, "true");
    }
    write_source();
    xml.close();
  }
  xml.open("CoSimulation").attribute("modelIdentifier", variables.model);
  for (const char* flag : {"canHandleVariableCommunicationStepSize", "canGetAndSetFMUstate", "canSerializeFMUstate",
                           "canInterpolateInputs", "providesDirectionalDerivative"}) {
    xml.attribute(flag, "true");
  }
  xml.attribute("maxOutputDerivativeOrder", most_output_derivatives);
  write_source();
  xml.close();

  write_units(xml, variables);
  write_fmi2_types(xml, variables);
  write_log_categories(xml);
  write_default_experiment(xml, variables);

  xml.open("ModelVariables");
  for (std::size_t i = 0; i < variables.all.size(); ++i) write_fmi2_variable(xml, variables, static_cast<int>(i) + 1);
  xml.close();

  xml.open("ModelStructure").open("Outputs");
  for (const int output : variables.outputs()) write_in_step(xml, variables, output);
  xml.close();
  if (variables.model_exchange()) {
    xml.open("Derivatives");
    for (const int derivative : variables.state_derivatives()) write_in_step(xml, variables, derivative);
    xml.close();
  }
  xml.open("InitialUnknowns");
  for (const int unknown : variables.initial_unknowns()) {
    write_fmi2_unknown(xml, variables, unknown, variables.of_reference(unknown).at_start);
  }
  return xml.close().close().close().text();
}

}  // namespace mechfmu
