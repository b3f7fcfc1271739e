// Gives all names of a part a prefix, where it declares them and where it uses them.
#pragma once

#include <set>
#include <string>

#include "modelDescription/reading/toml/toml_document.hpp"

namespace mechfmu {

/// Puts the prefix before every name that the part declares. The values of the parameters in `given` already have the
/// names of the file around it. Files that the part names are sought in `folder`.
void prefix_names(TomlNode& part, const std::string& prefix, const std::set<std::string>& given,
                  const std::string& folder);

}  // namespace mechfmu
