// Reads the sections of a mechanism file, one function for each. read_checks.hpp checks across sections.
#pragma once

#include "modelDescription/reading/expressions/expression_check.hpp"
#include "modelDescription/reading/toml/toml_document.hpp"

namespace mechfmu {

/// Lists formulas that have been read. When all names are known, the program checks their names and measures. Formulas
/// with an unknown measure must have one measure.
struct Wanted {
  std::vector<Expression> expressions;
  Usage usage;
  Measure measure;
};

/// Is a description that is being made.
struct Reading {
  Diagnostics diagnostics;
  Description description;
  Names names{diagnostics};
  std::vector<Wanted> wanted;
  bool of_bodies = false;  ///< is true for a mechanism of bodies and joints, false for one of equations
};

/// Reads all sections of the document.
void read_sections(const TomlNode& document, Reading& reading);

/// Adds body 0.
void add_ground(const Place& place, Reading& reading);

// These functions read one section each.
void read_mechanism_section(const TomlNode::Entry& section, Reading& reading);
void read_parameters(const TomlNode::Entry& section, Reading& reading);
void read_inputs(const TomlNode::Entry& section, Reading& reading);
void read_coordinates(const TomlNode::Entry& section, Reading& reading);
void read_velocities(const TomlNode::Entry& section, Reading& reading);
void read_states(const TomlNode::Entry& section, Reading& reading);
void read_unknowns(const TomlNode::Entry& section, Reading& reading);
void read_dynamics(const TomlNode::Entry& section, Reading& reading);
void read_bodies(const TomlNode::Entry& section, Reading& reading);
void read_ground(const TomlNode::Entry& section, Reading& reading);
void read_joints(const TomlNode::Entry& section, Reading& reading);
void read_forces(const TomlNode::Entry& section, Reading& reading);
void read_couplings(const TomlNode::Entry& section, Reading& reading);
void read_sensors(const TomlNode::Entry& section, Reading& reading);
void read_constraints(const TomlNode::Entry& section, Reading& reading);
void read_contacts(const TomlNode::Entry& section, Reading& reading);
void read_definitions(const TomlNode::Entry& section, Reading& reading);
void read_functions(const TomlNode::Entry& section, Reading& reading);
void read_outputs(const TomlNode::Entry& section, Reading& reading);
void read_solver(const TomlNode::Entry& section, Reading& reading);

}  // namespace mechfmu
