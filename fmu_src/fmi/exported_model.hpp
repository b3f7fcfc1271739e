// Declares the three things that the exporter's generated code supplies: they make this library one model's FMU.
#pragma once

#include "instance.hpp"
#include "mechanism/mechanism.hpp"
#include "variable_table.hpp"

namespace mechfmu {

const Mechanism& exported_mechanism();
Stepper* make_stepper(Arena& arena, const Mechanism& mechanism, const Settings& settings);

inline Instance::Model exported_model() { return {exported_mechanism(), exported_variables(), make_stepper}; }

}  // namespace mechfmu
