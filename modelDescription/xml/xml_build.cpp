// Writes sources/buildDescription.xml, which both FMI versions read: one file to compile, and no options.
#include "xml.hpp"

namespace mechfmu {

std::string source_file(const std::string& model) { return model + ".cpp"; }

std::string write_build_description(const std::string& model, const std::string& prefix_override) {
  XmlWriter xml;
  xml.open("fmiBuildDescription").attribute("fmiVersion", "3.0");
  xml.open("BuildConfiguration").attribute("modelIdentifier", model);
  xml.open("SourceFileSet").attribute("language", "C++20");
  xml.open("SourceFile").attribute("name", source_file(model)).close();
  xml.open("PreprocessorDefinition").attribute("name", prefix_override).attribute("value", "1");
  xml.attribute("optional", "true");
  xml.attribute("description", "for a shared library: the functions have the names of the standard").close();
  return xml.close().close().close().text();
}

}  // namespace mechfmu
