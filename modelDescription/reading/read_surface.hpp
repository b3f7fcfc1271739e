// Reads a surface of a contact.
#pragma once

#include "read_sections.hpp"

namespace mechfmu {

/// Reads { body = "foot", sphere = 0.02, at = "heel" }; none after an error. `what` is "'first' of the contact 'heel'".
std::optional<Surface> read_surface(const TomlNode::Entry& entry, const std::string& what, Reading& reading);

/// Adds an error if two surfaces cannot make a contact: they belong to one body, or no pair is made for their shapes.
void check_surfaces(const Surface& first, const Surface& second, const std::string& contact, Reading& reading);

}  // namespace mechfmu
