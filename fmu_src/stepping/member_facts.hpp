// These functions tell what the families' members say of themselves, by their places in the names' lists
// (mechanism/families.hpp). They do not include the members' code.
#pragma once

namespace mechfmu {

/// The first so many of `tangent_bases` are bases; the others serve without one.
extern const int basis_count;

/// Is true if the method's steps have the size that the author chose; then it judges no error.
bool has_fixed_step(int method);
/// Is true if the method takes long steps where motions are stiff.
bool serves_stiff(int method);
/// Is true if the resolution serves only where M is regular.
bool needs_regular_M(int resolution);
/// Is true if some coordinates are independent in the resolution: its E* are their unit vectors.
bool chooses_coordinates(int resolution);
/// Is true if the resolution integrates only independent coordinates and their rates, and finds the dependent ones from
/// them.
bool integrates_independent(int resolution);
/// Is true if the resolution serves only where every reaction acts along its own constraint, B = Cᵀ.
bool needs_ideal_constraints(int resolution);

}  // namespace mechfmu
