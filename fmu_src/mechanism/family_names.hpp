// Has the names of the families' members, for files that check or show the lists themselves. All others include
// families.hpp and are not compiled anew when a name is added. stepping/member_facts.cpp compiles only if these names
// agree with the lists.
#pragma once

namespace mechfmu::family_names {

/// The names have the order of integrators/list.hpp.
inline constexpr const char* methods[] = {"dopri5", "dop853", "rk4", "rodas"};

/// The names have the order of constraints/tangent_bases/list.hpp, then of constraints/saddle_solvers/list.hpp.
inline constexpr const char* resolutions[] = {
    "partitioned",
    "gram_schmidt",
    "qr",
    "lu",
    "svd",
    "zero_eigenvalue",
    "schur",
    "putd",
    "qtz",
    "local_frames",
    "successive_orthogonal",
    "coordinate_partitioning",
    "range_space",
    "null_space_block",
    "udwadia_kalaba",
    "kkt"};

/// The names have the order of Drift (drift.hpp).
inline constexpr const char* drifts[] = {"projection", "integral", "baumgarte", "none"};

}  // namespace mechfmu::family_names
