// Chooses the integration method by the damping of the mechanism if the mechanism file does not name one.
#pragma once

#include <string>

#include "assembly_checks.hpp"
#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is the motion that dampers and friction slow down fastest where the mechanism stands.
struct Decay {
  double rate = 0;       ///< 1/s
  std::string velocity;  ///< changes most
};

/// Finds it at the assembled positions. Friction with a stick_speed is steepest at rest.
Decay fastest_decay(const Derivation&, Assembled);

/// Says that this decay makes the motion stiff, and by what; empty if it does not.
std::string stiffness_text(const Decay&, const Description&);

/// Returns the method that the exporter takes then.
std::string method_for_stiff();

}  // namespace mechfmu
