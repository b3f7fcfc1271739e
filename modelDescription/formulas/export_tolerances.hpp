// This file has every tolerance of the export by name, but for those that the core has, too
// (fmu_src/linear/tolerances.hpp). Comments say what it is a part of, why it is so large, and what breaks if it is not.
// All are numbers without a unit, unless one is said.
#pragma once

namespace mechfmu {

// --- Numbers in files ------------------------------------------------------------------------------------------------

/// Numbers that a file writes with ten digits agree to this part: 6.283185307 is 2*pi. Smaller numbers would refuse a
/// table that ends with its period.
inline constexpr double written_digits = 1e-9;

/// Pieces of a spline meet smoothly if their slopes and curvatures differ by less than this part of their terms: this
/// is rounding of what solves for them.
inline constexpr double rounding_of_pieces = 1e-9;

/// A number is whole if it is so near to a whole one, which is at most 1e6. Formulas for the ends of a range round.
inline constexpr double whole_number = 1e-9;

/// Exponents of dimensions are so near to a fraction that they are meant to be. Powers such as 1/3 round, and units
/// would no longer agree if this were smaller.
inline constexpr double fraction_of_exponents = 1e-9;

/// Other programs round the digits of inertias to this part: a thin plate is no reason to refuse a file. If it were
/// larger, inertias that no body has would pass.
inline constexpr double rounded_inertia = 1e-6;

/// Directions that are written with seven digits miss a right angle by this, in radians; two that should be parallel
/// miss each other by the second number, since both have an error.
inline constexpr double right_angle = 1e-6, parallel_axes = 2e-6;

/// Radii of wheels that mesh are written with four digits: their sum may miss the distance of the axes by this part.
inline constexpr double meshing_distance = 1e-4;

/// A disk that rolls is tilted by at least this many degrees. Inertias that grow with its inverse still have half of
/// their digits there.
inline constexpr double least_tilt = 1e-4;

/// A valley whose radius of curvature is larger than that of a circle divided by this is flat: its radius is not told.
inline constexpr double flat_valley = 1e-6;

// --- Formulas at scattered points ------------------------------------------------------------------------------------

/// Two formulas agree if their numbers differ by less than this part: cancellation leaves half of the digits at the
/// worst. If it were larger, a weak dependence would be taken for none.
inline constexpr double formulas_agree = 1e-9;

/// A true dependence that is weaker than this part could not be seen in a motion either.
inline constexpr double unseen_dependence = 1e-13;

/// An entry below this part of the largest one of a column is rounding.
inline constexpr double rounded_entry = 1e-12;

/// A matrix is singular everywhere if its determinant is below this part of the product of its columns' lengths at all
/// points. If it were smaller, rounding would hide that.
inline constexpr double vanishing_determinant = 1e-12;

/// Smaller pivots are rounding in the accelerations of servo rows, whose rows and columns have length one.
inline constexpr double dependent_servo_rows = 1e-10;

// --- Formulas that are shown -----------------------------------------------------------------------------------------

/// Numbers of a formula that differ by less than this part are equal, and terms cancel: they come from the same numbers
/// of a file by different ways. If it were smaller, terms that cancel would be shown.
inline constexpr double equal_numbers = 1e-12;

/// Smaller numbers are what rounding leaves of an angle's cosine of 0.
inline constexpr double rounded_zero = 1e-15;

/// A fixed start may lie beyond its limit by this part of it: "85*pi/180" is rounded.
inline constexpr double rounding_of_limits = 1e-12;

// --- The assembled mechanism -----------------------------------------------------------------------------------------

/// An output depends on multipliers that no body feels if they change it by more than this part of what all
/// multipliers do.
inline constexpr double felt_by_an_output = 1e-8;

/// Two assemblies differ if a coordinate does by this part of its scale: nearer ones are one, found twice.
inline constexpr double assemblies_differ = 1e-3;

/// A coordinate whose part in the way from the guess is smaller is not reflected when another assembly is sought.
inline constexpr double part_of_way = 1e-3;

/// Motions depend on each other if a pivot of their rows and of the mechanism's is below this part of the first one.
/// Rows are those at an assembly that the start found, which has half of the digits beside a dead point.
inline constexpr double dependent_motions = 1e-7;

/// Slopes of forces by velocities come from differences over this part of a nominal rate: a smaller stick_speed is
/// taken for a larger one, and a larger part would miss friction that is steep at rest only.
inline constexpr double velocity_of_slopes = 1e-8;

/// Explicit methods need steps below this number divided by the rate of a decay: 3.3 for dopri5, 2.8 for rk4.
inline constexpr double explicit_stability = 3.3;

/// A motion is stiff if damping alone asks explicit methods for more steps than this in a communication step. A step of
/// rodas takes some times the work of an explicit one, and its steps are as long as the motion allows.
inline constexpr double stiff_steps = 20;

/// The fastest decay is found by dense matrices; mechanisms with more velocities are not asked.
inline constexpr int most_velocities_for_decay = 200;

/// --explain tells a gap below this, in m or rad, as none, and a slip in m/s or rad/s likewise: they are rounding.
inline constexpr double least_gap = 1e-12;

}  // namespace mechfmu
