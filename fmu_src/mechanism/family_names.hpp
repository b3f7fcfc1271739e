// The names of the families' members, for those who check or show the lists themselves: all others ask families.hpp,
// and are not compiled anew when a name is added. stepping/member_facts.cpp compiles only if they agree with the lists.
#pragma once

namespace mechfmu::family_names {

/// In the order of integrators/list.hpp.
inline constexpr const char* methods[] = {"dopri5", "dop853", "rk4", "rodas"};

/// In the order of constraints/tangent_bases/list.hpp, then of constraints/saddle_solvers/list.hpp.
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
    "range_space",
    "null_space_block",
    "udwadia_kalaba",
    "kkt"};

/// In the order of Drift (drift.hpp).
inline constexpr const char* drifts[] = {"projection", "integral", "baumgarte", "none"};

}  // namespace mechfmu::family_names
