// What the author, or an importer before initialisation, may choose about the solution method.
#pragma once

namespace mechfmu {

/// Indices into the lists of families.hpp, and numbers.
struct Settings {
  int method = 0;             ///< families.hpp: methods
  int tangent_basis = 0;      ///< families.hpp: tangent_bases
  int drift_correction = 0;   ///< families.hpp: drift_corrections
  double tolerance = 1e-8;    ///< relative and absolute, maximum norm over (q, u)
  double step = 1e-3;         ///< s, fixed-step methods
  double drift_gain_1 = 20;   ///< 1/s: G₁ of Blajer 1993 (4.6a); K_v of Blajer et al. 1994 (34)
  double drift_gain_0 = 100;  ///< 1/s²: G₀; K_p
  /// By how much constraints that depend on each other may disagree, of the mechanism's size and in rad; 0: not at all.
  double closure_tolerance = 1e-6;
  double max_steps = 1e7;  ///< of the integrator, in one call of advance()
};

}  // namespace mechfmu
