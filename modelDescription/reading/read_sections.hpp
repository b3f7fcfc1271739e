// The sections of a mechanism file, each by its function. They read; read_checks.hpp checks across sections.
#pragma once

#include "expression_check.hpp"
#include "toml_document.hpp"

namespace mechfmu {

/// Formulas that have been read: what they may depend on and what they must measure is checked when all names are
/// known. Where the measure is unknown they must be alike.
struct Wanted {
  std::vector<Expression> expressions;
  Usage usage;
  Measure measure;
};

/// A description in the making.
struct Reading {
  Diagnostics diagnostics;
  Description description;
  Names names{diagnostics};
  std::vector<Wanted> wanted;
  bool of_bodies = false;  ///< the mechanism is one of bodies and joints, not of equations
};

/// Reads all sections of the document.
void read_sections(const TomlNode& document, Reading& reading);

/// Body 0.
void add_ground(const Place& place, Reading& reading);

// One section each.
void read_mechanism_section(const TomlNode::Entry& section, Reading& reading);
void read_parameters(const TomlNode::Entry& section, Reading& reading);
void read_inputs(const TomlNode::Entry& section, Reading& reading);
void read_coordinates(const TomlNode::Entry& section, Reading& reading);
void read_unknowns(const TomlNode::Entry& section, Reading& reading);
void read_dynamics(const TomlNode::Entry& section, Reading& reading);
void read_bodies(const TomlNode::Entry& section, Reading& reading);
void read_ground(const TomlNode::Entry& section, Reading& reading);
void read_joints(const TomlNode::Entry& section, Reading& reading);
void read_forces(const TomlNode::Entry& section, Reading& reading);
void read_couplings(const TomlNode::Entry& section, Reading& reading);
void read_sensors(const TomlNode::Entry& section, Reading& reading);
void read_constraints(const TomlNode::Entry& section, Reading& reading);
void read_definitions(const TomlNode::Entry& section, Reading& reading);
void read_functions(const TomlNode::Entry& section, Reading& reading);
void read_outputs(const TomlNode::Entry& section, Reading& reading);
void read_solver(const TomlNode::Entry& section, Reading& reading);

}  // namespace mechfmu
