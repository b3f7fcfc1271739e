// Handles parameters before reading: it gives them other values, and finds those that are numbers.
#pragma once

#include <set>

#include "expand.hpp"
#include "modelDescription/reading/read.hpp"

namespace mechfmu {

/// Gives parameters of [parameters] the values of the command line. Throws SettingError if one is not there.
void apply_settings(const std::vector<ParameterSetting>& settings, TomlNode& document);

/// Gives a parameter of [parameters] another value. Returns false if there is none of that name.
bool override_parameter(TomlNode& document, const std::string& name, TomlNode value);

/// Returns the names of [parameters] in their order.
std::vector<std::string> parameter_names(const TomlNode& document);

/// Returns the values of all parameters that follow from numbers. Formulas of those in `given` use the names of
/// `outer`.
KnownParameters known_parameters(const TomlNode& document, const std::set<std::string>& given = {},
                                 const KnownParameters& outer = {});

}  // namespace mechfmu
