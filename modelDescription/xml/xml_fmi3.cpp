// Writes modelDescription.xml for FMI 3.0. The value references are those of FMI 2: positions counted from 1, time
// first.
#include <set>

#include "modelDescription/description/version.hpp"
#include "modelDescription/variables/vectors.hpp"
#include "xml.hpp"

namespace mechfmu {

namespace {

/// Writes a scalar, or the array whose first component it is.
void write_fmi3_variable(XmlWriter& xml, const ModelVariables& variables, int reference) {
  const ModelVariable& variable = variables.of_reference(reference);
  const bool array = variable.components > 1;
  xml.open(variable.is_choice() ? "Enumeration" : "Float64");
  xml.attribute("name", array_name(variable));
  xml.attribute("valueReference", reference);
  xml.optional_attribute("description", array_description(variable));
  xml.attribute("causality", variable.causality()).attribute("variability", variable.variability());
  if (variable.initial() != nullptr) xml.attribute("initial", variable.initial());
  if (variable.between_communication_points()) xml.attribute("intermediateUpdate", "true");
  xml.optional_attribute("declaredType", variable.type).optional_attribute("unit", variable.unit.text);
  xml.optional_attribute("min", variable.minimum).optional_attribute("max", variable.maximum);
  if (variable.has_start()) xml.attribute("start", variable.start);
  const int of = variable.derivative_of;
  xml.optional_attribute("nominal", variable.nominal);
  if (variable.is_state) xml.attribute("reinit", "true");
  if (of != 0 && variables.of_reference(of).components == variable.components) xml.attribute("derivative", of);
  if (array) xml.open("Dimension").attribute("start", variable.components).close();
  xml.close();
}

void write_fmi3_types(XmlWriter& xml, const ModelVariables& variables) {
  xml.open("TypeDefinitions");
  for (const ModelVariable& variable : variables.all) {
    if (!variable.is_choice()) continue;
    xml.open("EnumerationType").attribute("name", variable.type);
    write_items(xml, variable);
    xml.close();
  }
  xml.close();
}

/// Dependencies are written if they are known, since an importer takes missing ones for all. An array has those of its
/// components.
void write_fmi3_unknown(XmlWriter& xml, const char* kind, const ModelVariables& variables, int reference,
                        Known ModelVariable::* known) {
  std::set<int> knowns;
  bool everything = false;
  for (int i = 0; i < variables.of_reference(reference).components; ++i) {
    const Known& component = variables.of_reference(reference + i).*known;
    everything |= component.everything;
    const std::vector<int> references = variables.references(component);
    knowns.insert(references.begin(), references.end());
  }
  if (variables.of_reference(reference).components == 0) return;  // is written with the first component
  xml.open(kind).attribute("valueReference", reference);
  if (!everything) xml.attribute("dependencies", joined({knowns.begin(), knowns.end()}));
  xml.close();
}

}  // namespace

std::string write_fmi3_description(const ModelVariables& variables, const std::string& token) {
  XmlWriter xml;
  xml.open("fmiModelDescription").attribute("fmiVersion", "3.0").attribute("modelName", variables.model);
  xml.attribute("instantiationToken", token).optional_attribute("description", variables.description);
  xml.attribute("generationTool", name_and_version()).optional_attribute("generationDateAndTime", generation_time());
  xml.attribute("variableNamingConvention", "structured");

  // Only what exists is declared.
  if (variables.model_exchange()) {
    xml.open("ModelExchange").attribute("modelIdentifier", variables.model);
    for (const char* flag : {"canGetAndSetFMUState", "canSerializeFMUState", "needsCompletedIntegratorStep",
                             "providesDirectionalDerivatives", "providesAdjointDerivatives"}) {
      xml.attribute(flag, "true");
    }
    xml.close();
  }
  xml.open("CoSimulation").attribute("modelIdentifier", variables.model);
  for (const char* flag : {"canHandleVariableCommunicationStepSize", "canGetAndSetFMUState", "canSerializeFMUState",
                           "hasEventMode", "providesIntermediateUpdate", "canReturnEarlyAfterIntermediateUpdate",
                           "providesDirectionalDerivatives", "providesAdjointDerivatives"}) {
    xml.attribute(flag, "true");
  }
  if (variables.ends_at_events()) xml.attribute("mightReturnEarlyFromDoStep", "true");
  xml.attribute("maxOutputDerivativeOrder", most_output_derivatives).close();

  write_units(xml, variables);
  write_fmi3_types(xml, variables);
  write_log_categories(xml);
  write_default_experiment(xml, variables);

  xml.open("ModelVariables");
  for (std::size_t i = 0; i < variables.all.size(); ++i) {
    if (variables.all[i].components > 0) write_fmi3_variable(xml, variables, static_cast<int>(i) + 1);
  }
  xml.close();

  xml.open("ModelStructure");
  for (const int output : variables.outputs()) {
    write_fmi3_unknown(xml, "Output", variables, output, &ModelVariable::in_step);
  }
  for (const int derivative : variables.state_derivatives()) {
    write_fmi3_unknown(xml, "ContinuousStateDerivative", variables, derivative, &ModelVariable::in_step);
  }
  for (const int unknown : variables.initial_unknowns()) {
    write_fmi3_unknown(xml, "InitialUnknown", variables, unknown, &ModelVariable::at_start);
  }
  for (const int indicator : variables.event_indicators())
    xml.open("EventIndicator").attribute("valueReference", indicator).close();  // depends on all
  return xml.close().close().text();
}

}  // namespace mechfmu
