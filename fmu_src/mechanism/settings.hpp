// The author, or an importer before initialisation, may choose these settings of the solution method.
#pragma once

namespace mechfmu {

/// The first members are indices into the lists of families.hpp.
struct Settings {
  int method = 0;             ///< index in families.hpp: integration_methods
  int tangent_basis = 0;      ///< index in families.hpp: tangent_bases
  int drift_correction = 0;   ///< index in families.hpp: drift_corrections
  double tolerance = 1e-8;    ///< relative and absolute, maximum norm over (q, u)
  double step = 1e-3;         ///< size of a step, s, for methods with fixed steps
  double drift_gain_1 = 20;   ///< 1/s: G₁ of Blajer 1993 (4.6a); K_v of Blajer et al. 1994 (34)
  double drift_gain_0 = 100;  ///< 1/s²: G₀; K_p
  /// Constraints that depend on each other may disagree by this, relative to the mechanism's size and in rad; 0: not at
  /// all.
  double closure_tolerance = 1e-6;
  /// Projection corrects the drift after so many steps; 0: their number does not count.
  double drift_interval = 1;
  /// A violation above this is corrected at once, relative to the mechanism's size and in rad; 0: no bound holds.
  double drift_bound = 0;
  double max_steps = 1e7;  ///< largest number of the integrator's steps in one call of advance()
};

}  // namespace mechfmu
