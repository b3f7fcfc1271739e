// This file has every tolerance of the core by name. Comments say what it is a part of, why it is so large, and what
// breaks if it is not. All are numbers without a unit, parts of sizes that the mechanism itself gives, unless a unit is
// said.
#pragma once

#include "newton.hpp"

namespace mechfmu {

// --- Which rows are independent -------------------------------------------------------------------------------------

/// A pivot below this part of its row's length (rows and columns scaled) counts as zero. This is far above the
/// round-off that assembly leaves (1e-13), and far below the pivots of mechanisms that pass near a singular
/// position (1e-7 were seen). If it were smaller, rounding would make rows independent that are not. If it were larger,
/// singular positions would be met from afar.
inline constexpr double rank_tolerance = 1e-9;

/// A row shorter than this part of the longest one of its unit is taken for that long: it may be nothing but what
/// rounded data leave of a row that is 0, as that of a planar loop across its plane, and comes after the others then.
inline constexpr double short_row = 1e-4;

/// A singular value, row or second derivative at the start below this counts as zero, relative to the largest of its
/// kind. Newton's method comes to a dead point with the root of rounding, 1e-8. If this were smaller, dead points would
/// not be recognised.
inline constexpr double vanishing = 1e-6;

/// A coordinate is immobile if moves that are orthonormal in the coordinates' nominal sizes move it by less than this.
inline constexpr double unmoved = 1e-8;

// --- Where the mass matrix is singular ------------------------------------------------------------------------------

/// A pivot of the reduced mass matrix below this, relative to the terms that it is a sum of, is rounding. If this were
/// larger, light bodies beside heavy ones would be refused.
inline constexpr double singular_inertia = 1e-13;

/// Eigenvalues of the reduced mass matrix at the start, scaled by its diagonal, are above this. The motion loses as
/// many digits.
inline constexpr double least_inertia = 1e-12;

// --- When Newton's iterations end -----------------------------------------------------------------------------------
// Steps are relative to the coordinates' scales. Rounding stops them at about 1e-16, divided by how well the rows are
// conditioned. With smaller bounds, iterations would end without success beside singular positions. With larger bounds,
// digits would be given away.

namespace newton_rules {
inline constexpr NewtonRule onto_rows{1e-15, 1e-10};        ///< closes loops at the start
inline constexpr NewtonRule onto_shared_rows{1e-13, 1e-9};  ///< leads from one choice of what is shared to the next
inline constexpr NewtonRule to_nearest{1e-13, 1e-7};        ///< finds the nearest point: distances have half the digits
inline constexpr NewtonRule towards_guesses{1e-14, 1e-6};   ///< guesses cannot all be met: residuals stay
inline constexpr NewtonRule onto_rates{1e-15, 1e-9};        ///< closes constraints that are not linear in velocities
inline constexpr NewtonRule onto_dead_point{1e-15, 1e-9};   ///< the equations are regular there
inline constexpr NewtonRule onto_limit{1e-13, 1e-13};       ///< finds how far a fixed value may go, for a message
inline constexpr NewtonRule onto_equilibrium{1e-14, 1e-9};  ///< forces are differences of larger ones
inline constexpr NewtonRule onto_positions{1e-15, 1e-12};   ///< projects with factors of its own
inline constexpr NewtonRule back_after_step{1e-15, 1e-9};   ///< goes back with the step's factors. (Rounding reaches
                                                            ///< 1e-7 beside a singular position: 1e-9 is too short to
                                                            ///< lead onto another branch)
inline constexpr NewtonRule back_for_reactions{1e-15, 1e-11};  ///< goes back likewise where v̇ needs digits, too
}  // namespace newton_rules

/// One step of the start may move a coordinate by at most this part of its scale: farther away, rows are no longer what
/// their slopes say.
inline constexpr double largest_move = 0.5;

/// Corrections of a step become larger than this many scales only where the position is singular.
inline constexpr double largest_correction = 1e3;

/// Steps that shorten a residual by at least this part of themselves go forward (Armijo).
inline constexpr double enough_descent = 1e-4;

/// Differences along a move take steps of this size in the coordinates' scales: the cube root of rounding, for central
/// differences.
inline constexpr double central_difference = 6e-6;

// --- What constraints may leave open --------------------------------------------------------------------------------

/// A residual at the start is open, not merely rounded, if it is above this part of the row's change when the
/// coordinates move by their own size.
inline constexpr double open_tolerance = 1e-9;

/// Dependent rows may disagree by the closure tolerance where a mechanism is assembled, and by this many times as much
/// on its way: rounded data fit some positions better than others.
inline constexpr double way_tolerance = 10;

/// They may also disagree by what rounding leaves, even if the closure tolerance is 0. The first number is for
/// positions; the second is for velocities and accelerations, whose rounding grows near singular positions.
inline constexpr double rounding_of_positions = 1e-9, rounding_of_rates = 1e-7;

/// A gap beyond this where all has been closed is not rounding of numbers but of data.
inline constexpr double rounding_of_closing = 1e-12;

/// Slower rates, in 1/s and 1/s², may be nothing but rounding of rates or forces that cancel.
inline constexpr double slow_rate = 1e-3;

/// A row whose multiplier is a smaller part of a contradiction is not named.
inline constexpr double part_in_contradiction = 1e-3;

/// Contradictions of rows up to this may be rounding of data: a closure tolerance is offered.
inline constexpr double largest_data_rounding = 1e-2;

/// A mechanism without drift correction may have drifted open by so much: beyond the first there is a warning, and the
/// second is the limit.
inline constexpr double drift_to_warn_of = 1e-3, most_drift = 1e-1;

// --- Loops whose data are rounded -----------------------------------------------------------------------------------

/// Rounded data leave pivots of at most about 4 times their error (measured on four-bars in space, Bennett's and
/// Sarrus's linkages); independent rows have far larger ones.
inline constexpr double pivot_per_tolerance = 30;

/// Data that are wrong by a part of the size leave up to so many times as much open (measured likewise).
inline constexpr double left_open = 4;

/// The smallest pivot of independent rows has to be so many times larger than what data leave.
inline constexpr double pivot_gap = 100;

/// Closure tolerances from here on are not for digits that were rounded away.
inline constexpr double coarse_data = 1e-3;

/// Closure tolerances between these two are tried to tell which one would do.
inline constexpr double finest_data = 1e-9, coarsest_data = 1e-2;

/// Rows may be so many times further open on the way of a motion than where a mechanism is assembled.
inline constexpr double open_on_the_way = 10;

// --- Loads (reactions/loads.cpp), relative to a load's size ---------------------------------------------------------

inline constexpr double load_round_off = 1e-15;
/// A friction is met to this part: rounding may keep it from coming nearer.
inline constexpr double met_friction = 1e-12;
/// An unknown is met to this part: its equation may cancel more.
inline constexpr double met_unknown = 1e-8;
/// Two solutions differ by more than this.
inline constexpr double distinct_loads = 1e-6;

// --- Internal steps -------------------------------------------------------------------------------------------------

/// A local error of a fixed step above the first is doubtful; above the second there is nothing left of the motion.
/// (It is judged as that of a method with error control.)
inline constexpr double doubtful_error = 1e-4, senseless_error = 0.1;

/// Rounding leaves this of the error estimate of one step: no finer tolerance can be held.
inline constexpr double finest_tolerance = 1e-14;

}  // namespace mechfmu
