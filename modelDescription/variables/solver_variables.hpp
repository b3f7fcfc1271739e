// Declares what adds the solver's variables to the table.
#pragma once

#include "variables.hpp"

namespace mechfmu {

/// Adds a variable at the end of the table.
ModelVariable& add_variable(ModelVariables& table, const std::string& name, const std::string& text, Source source,
                            Role role, int index, const Unit& unit);

void add_solver_variables(ModelVariables& table, const Description&, const VariableFacts&);

}  // namespace mechfmu
