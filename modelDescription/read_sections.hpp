// The sections of a mechanism file, each by its function. They read; read_checks.hpp checks across sections.
#pragma once

#include "names.hpp"
#include "toml_document.hpp"

namespace mechfmu {

/// A description in the making.
struct Reading {
  Diagnostics diagnostics;
  Description description;
  Names names{diagnostics};
};

/// Reads all sections of the document.
void read_sections(const TomlNode& document, Reading& reading);

// One section each.
void read_mechanism_section(const TomlNode::Entry& section, Reading& reading);
void read_parameters(const TomlNode::Entry& section, Reading& reading);
void read_inputs(const TomlNode::Entry& section, Reading& reading);
void read_coordinates(const TomlNode::Entry& section, Reading& reading);
void read_dynamics(const TomlNode::Entry& section, Reading& reading);
void read_constraints(const TomlNode::Entry& section, Reading& reading);
void read_definitions(const TomlNode::Entry& section, Reading& reading);
void read_functions(const TomlNode::Entry& section, Reading& reading);
void read_outputs(const TomlNode::Entry& section, Reading& reading);
void read_solver(const TomlNode::Entry& section, Reading& reading);

}  // namespace mechfmu
