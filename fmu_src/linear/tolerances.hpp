// This file has every tolerance of the core by name. Comments say what it is a part of, why it is so large, and what
// breaks if it is not. All are numbers without a unit, parts of sizes that the mechanism itself gives, unless a unit is
// said.
#pragma once

#include "newton.hpp"

namespace mechfmu {

// --- Numbers ---------------------------------------------------------------------------------------------------------

/// A number near 1 is rounded by this. Everything below that is said to be rounding is some multiple of it.
inline constexpr double machine_epsilon = 2.2e-16;

/// Sizes are raised to this before something that vanishes with them is divided by them: 0/0 becomes 0. Smaller numbers
/// lose digits.
inline constexpr double tiny = 1e-300;

// --- Orthogonal vectors, eigenvalues, singular values ----------------------------------------------------------------

/// A vector depends on others if so short a part of it is left when it has become orthogonal to them: a length, for a
/// process that does so twice, and a square, for one that multiplies by a projector. Smaller numbers would take
/// rounding for a direction. Larger ones would refuse rows that rank_tolerance has let pass.
inline constexpr double dependent_length = 1e-12, dependent_square = 1e-28;

/// An entry beside the diagonal is zero if it is below the first number, relative to the two entries of the diagonal
/// that it couples, and the second, relative to the largest entry of all. This is half of rounding: larger numbers
/// would give digits away, and with smaller ones sweeps would turn rounding about until they are counted out.
inline constexpr double uncoupled = 1e-16, uncoupled_of_all = 1e-18;

/// A column whose square is below this part of all squares is rounding, the square of machine_epsilon: its direction
/// means nothing, and the sweeps leave it.
inline constexpr double rounded_square = 1e-31;

/// A refinement of this part of the whole leaves an error of its square, which is rounding. With a smaller number one
/// more pass would be made in vain.
inline constexpr double refined = 1e-8;

/// A singular value below this part of the largest is zero where a pseudo-inverse is asked for. It is a hundred times
/// rounding. If it were smaller, multipliers of dependent rows would be rounding, divided by rounding.
inline constexpr double vanished_singular_value = 1e-14;

// --- Pivots of sparse matrices ---------------------------------------------------------------------------------------

/// Local coordinates depend on each other if a pivot of their J, whose entries are about 1, is below this part of the
/// first one. If it were smaller, their frame would lose half of the digits; if it were larger, positions near a
/// singular one would be refused.
inline constexpr double independent_local = 1e-5;

/// A pivot is at least this part of its row's largest entry. If the number were smaller, factors would grow and digits
/// would be lost. If it were larger, more nonzeros would fill in.
inline constexpr double pivot_part = 0.2;

/// A row whose largest entry is below this part of its length waits until nothing better is left. Smaller numbers let
/// pivots become small, larger ones let nonzeros fill in.
inline constexpr double row_that_waits = 1e-2;

/// Another order of pivots is sought when the smallest pivot is below this part of the other entries of its row. Three
/// digits are lost then. If the number were larger, orders would change often, which costs time.
inline constexpr double renewed_quality = 1e-3;

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

/// A value in the derivative of the start is not determined if its singular value is below this part of the largest.
/// The matrix has been brought to rows and columns of like sizes, so that this is rounding. If it were larger, stiff
/// springs beside soft ones would be taken for none.
inline constexpr double undetermined_slope = 1e-14;

/// A coordinate is immobile if moves that are orthonormal in the coordinates' nominal sizes move it by less than this.
inline constexpr double unmoved = 1e-8;

// --- Which coordinates are independent ------------------------------------------------------------------------------
// What is compared is the smallest pivot of a choice of coordinates, as a part of that of the best choice.

/// A choice gives way to the best one below this part. If it were larger, choices would change often, and each change
/// rounds. If it were smaller, W_d would be differentiated along directions that turn fast.
inline constexpr double renewed_choice = 0.5;

/// Coordinates that the author prefers stay independent down to the first part, where one digit is lost. They come back
/// above the second, which is so much larger that a motion to and fro about one place does not change the choice each
/// time.
inline constexpr double kept_preference = 0.1, taken_preference = 0.3;

// --- Dependent coordinates that follow from independent ones ---------------------------------------------------------
// A step has to stay on one assembly. If these numbers were larger, it could land on another one. If they were smaller,
// steps would be short for nothing.

/// Corrections that are not shorter than this part of the one before ask for factors at the present place.
inline constexpr double slow_closing = 0.1;

/// Factors are renewed so often in one evaluation: beginning with good guesses, the second ones are nearly exact.
inline constexpr int most_renewals = 6;

/// Within a step, the dependent coordinates are aside of where its beginning leads by at most this part of the way.
inline constexpr double largest_detour = 1;

/// If C_d is factored in terms of the C_d at the beginning of the step, each pivot lies between this and its
/// reciprocal. It is 1 if nothing has changed, and passes 0 where two assemblies meet.
inline constexpr double least_kept_pivot = 0.2;

/// Across such a place, a pivot goes from 1 to a negative number of at least this size, and at most its reciprocal. The
/// directions turn by at most the second number, and the last one is how far the step may be aside of what was
/// expected. Behind the place, the assemblies are farther from each other by the angle between them, times the first
/// number.
inline constexpr double least_crossed_pivot = 0.05, bend_of_crossing = 0.05, aside_of_crossing = 1e-3;

// --- Where the mass matrix is singular ------------------------------------------------------------------------------

/// A pivot of the reduced mass matrix below this, relative to the terms that it is a sum of, is rounding. If this were
/// larger, light bodies beside heavy ones would be refused.
inline constexpr double singular_inertia = 1e-13;

/// Eigenvalues of the reduced mass matrix at the start, scaled by its diagonal, are above this. The motion loses as
/// many digits.
inline constexpr double least_inertia = 1e-12;

/// So much of its diagonal is added to a mass matrix that is not definite, where it measures moves of the start. Moves
/// without inertia then have a size, too; all others change by a thousandth of what they would be.
inline constexpr double share_of_diagonal = 1e-3;

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
inline constexpr NewtonRule onto_dependent{1e-15, 1e-11};      ///< finds dependent coordinates: v̇ needs their digits
inline constexpr NewtonRule onto_frictions{1e-15, 1e-12};      ///< relative to loads and to the forces they are made of
inline constexpr NewtonRule onto_unknowns{1e-15, 1e-8};        ///< residuals at double solutions have half the digits
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

/// A step is halved down to this part of it. If no longer part has made residuals smaller, they are at their smallest.
inline constexpr double shortest_part = 1e-4;

/// Steps that shrink by a constant part come near a dead point when they are shorter than this. Sparse starts look for
/// it later, since the search takes many factorisations. If the numbers were smaller, Newton's steps would arrive where
/// no slope is left to find the dead point by.
inline constexpr double near_dead_point = 1e-2, near_dead_point_sparse = 1e-4;

/// A step of the start below this leaves the valley in which guesses are met by its square, which is no matter then.
inline constexpr double straight_step = 1e-6;

/// The slope of the distance vanishes if it is this part of the terms that it is a sum of: this is rounding, and no
/// step makes it smaller.
inline constexpr double rounding_of_slope = 1e-15;

/// A place beside another is aside by this part of the coordinates' scales. It is far enough for slopes to differ from
/// those at a dead point, and so near that they are still of the same size.
inline constexpr double place_beside = 1e-2;

/// Guesses that the coordinates of the start cannot all meet pull so many times harder than the rest of the distance,
/// so that they are met as far as the assembly lets them. With a smaller number they would be missed by what others
/// pull; with a larger one the distance would lose digits.
inline constexpr double insistence = 1e4;

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

/// Lengths that rows do not show may leave so much open by rounding, in m.
inline constexpr double rounding_of_lengths = 1e-14;

/// A residual of positions is rounding up to this part of what q changes the row by: some roundings, since rows are
/// sums. If it were smaller, rounding beside a singular position would be corrected, by large steps that mean nothing.
inline constexpr double rounding_of_rows = 8 * machine_epsilon;

/// Likewise at a dead point, where more is summed: it is one only if nothing but this stays open there.
inline constexpr double rounded_row = 64 * machine_epsilon;

/// Whole turns are taken back only if the rows hold as well without them; far from zero q has this many digits fewer
/// for each turn.
inline constexpr double rounding_of_turns = 2e-15;

/// Slower rates, in 1/s and 1/s², may be nothing but rounding of rates or forces that cancel.
inline constexpr double slow_rate = 1e-3;

/// A row whose multiplier is a smaller part of a contradiction is not named.
inline constexpr double part_in_contradiction = 1e-3;

/// Rows contradict each other everywhere if their multipliers and their opening stay the same up to these parts at
/// other places. Larger numbers would call rows contradictory that only depend on each other there.
inline constexpr double same_contradiction = 1e-9, same_opening = 1e-6;

/// The start is told to be near a dead point if what is missing there is below this part of what the coordinates can
/// change, and rates are so many times faster than those that are given. Farther away it is an ordinary place.
inline constexpr double near_part_of_reach = 1e-6, fast_rate = 100;

/// Fixed values with a smaller part in what stays open are not named.
inline constexpr double least_responsibility = 1e-3;

/// A recommended number is rounded up; beyond this part above a digit, the digit itself is meant.
inline constexpr double rounding_of_digits = 1e-12;

/// Contradictions of rows up to this may be rounding of data: a closure tolerance is offered.
inline constexpr double largest_data_rounding = 1e-2;

/// A mechanism without drift correction may have drifted open by so much: beyond the first there is a warning, and the
/// second is the limit.
inline constexpr double drift_to_warn_of = 1e-3, most_drift = 1e-1;

// --- Derivatives of the start ----------------------------------------------------------------------------------------

/// Fixed values let a row follow a direction if what is open is below the first number, relative to the terms of its
/// derivative, or the second, relative to moves by the coordinates' scales. The first has half the digits of the
/// start, since the row's slopes may have lost the others beside a dead point.
inline constexpr double open_slope = 1e-8, rounded_slope = 1e-12;

/// At a dead point, the part of a derivative that the lost slopes would have to close is zero below this.
inline constexpr double open_dead_point = 1e-9;

/// Whether a dead point stays one is seen by steps of the first size: second-order terms are 1e-8 then, and rounding
/// does not hide them. They have to stay below the second number, relative to what such a step makes.
inline constexpr double little_way = 1e-4, little_opening = 1e-4;

// --- Starts in equilibrium -------------------------------------------------------------------------------------------

/// Eigenvalues of the stiffness count by size, so that steps go down; those near zero count as this part of the
/// largest.
inline constexpr double smallest_stiffness = 1e-11;

/// Differences leave this in a stiffness that is symmetric: relative to itself, and to what the forces would make along
/// a coordinate's nominal size. Beyond it, forces have no potential. The second number also tells a falling potential
/// from a flat one.
inline constexpr double asymmetry = 1e-4, little_stiffness = 1e-6;

/// A stiffness below the first, and a force below the second, relative to those of the mechanism, are none: what
/// nothing pushes and nothing holds stays where it is.
inline constexpr double no_stiffness = 1e-9, no_push = 1e-10;

/// Rounding does not let work be told from none in steps below the first; where no step below the second helps, the
/// equilibrium is found.
inline constexpr double unjudged_step = 1e-6, rounded_equilibrium = 1e-7;

/// Work is none up to this part of the terms that it is a sum of.
inline constexpr double rounding_of_work = 1e-14;

/// A coordinate that has gone this many scales away from its guess is held by nothing.
inline constexpr double farthest_from_guess = 1e6;

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

/// Branches of a motion are apart if the smallest pivot is above this many roots of what the data leave open: twice the
/// number that was measured where Sarrus's linkage turns back. Nearer, errors of data decide which branch goes on.
inline constexpr double branches_apart = 4;

/// Rows may be so many times further open on the way of a motion than where a mechanism is assembled.
inline constexpr double open_on_the_way = 10;

// --- Loads (reactions/loads.cpp), relative to a load's size ----------------------------------------------------------

/// Steps of unknowns are at most this long: farther away, equations are no longer what their slopes say.
inline constexpr double longest_step_of_unknowns = 10;
/// A place so far aside is tried where slopes say nothing, as at p |p| = 0.
inline constexpr double step_aside = 1e-3;
/// Two solutions differ by more than this.
inline constexpr double distinct_loads = 1e-6;

// --- Rows that come and go (contacts/), in units in which a row's mobility is about 1
// ----------------------------------

/// Laws hold to this part of the largest impulse or speed; what solves the equations of the modes may miss signs and
/// zeros by the second number, so that the first is kept when what is negative has become zero.
inline constexpr double law_tolerance = 1e-12, rounding_of_laws = 3e-13;
/// Laws also hold to this part of what is given, speeds and capacities. Forces many times as large as that press
/// against each other; what rounding leaves of their speeds would pass for a solution where there is none.
inline constexpr double law_tolerance_of_given = 1e-6;

/// An acceleration below this part of the terms that it is a sum of is none. Laws may miss zero by 1e-12 of the largest
/// number; if this were larger, what creeps would be held.
inline constexpr double rounding_of_rest = 1e-10;

/// Equations of modes are solved as far as they can be at the first; at the second a few more passes are tried.
inline constexpr double exact_modes = 1e-15, settled_modes = 1e-13;

/// Pivots of modes below this part of the largest are rounding of rows that depend on others. H squares the condition
/// of its rows, so that this is 1e-6 of the rows themselves; those who give the rows get rank_tolerance.
inline constexpr double independent_modes = 1e-12;

/// A row cannot be moved if its entries of H are below this part of what they would be if nothing held the bodies.
inline constexpr double unmoved_part = 1e-12;

/// A diagonal of H below this part of what other rows say is not what measures the row.
inline constexpr double least_diagonal = 1e-3;

/// H is softened by these parts, one after the other, until one of the solutions leads to one of the given problem. The
/// first ones are far above rounding, so that redundant rows share forces; they are so small that modes are those of
/// the given problem mostly. The last leaves a problem as it is: pressing may be stronger than yielding.
inline constexpr double softness[] = {1e-6, 1e-5, 1e-7, 1e-9, 1e-11, 0};

/// Compliances of softened rows are at least this part of the largest.
inline constexpr double least_compliance = 1e-3;

/// Directions that differ by less are the same, where it is asked whether another round can tell anything new.
inline constexpr double same_direction = 1e-9;

/// Laws that are smoothed by less than this part of the forces say nothing new either.
inline constexpr double smallest_smoothing = 1e-11;

/// An impulse so many times larger than what it has to stop has gone to infinity.
inline constexpr double to_infinity = 1e14;

/// A path's corrections end at the first; at the second a place is good enough to go on.
inline constexpr double on_path = 1e-12, near_path = 1e-9;

/// A step along a path may break laws by this, relative to sizes: more says that it has left the path.
inline constexpr double broken_on_path = 1e-8;

/// Curved pieces of a path are followed until their straight rest is below this part.
inline constexpr double straight_rest = 1e-8;

/// An impact may gain this part of what its terms make of the energy: rounding.
inline constexpr double rounding_of_energy = 1e-12;

// --- Internal steps -------------------------------------------------------------------------------------------------

/// A local error of a fixed step above the first is doubtful; above the second there is nothing left of the motion.
/// (It is judged as that of a method with error control.)
inline constexpr double doubtful_error = 1e-4, senseless_error = 0.1;

/// A tolerance that a message recommends where a finer one takes too many steps.
inline constexpr double ordinary_tolerance = 1e-6;

/// Errors below this would ask for steps beyond largest_growth anyhow. It keeps powers of zero away.
inline constexpr double least_error = 1e-30;

/// The first step follows Hairer, Nørsett and Wanner I, section II.4, with the numbers there: sizes that are below the
/// first tell nothing, and the second part of the experiment is tried then; slopes below the third do not change, and
/// the step grows by the fourth at the least.
inline constexpr double unknown_size = 1e-5, first_part = 1e-6, unseen_slope = 1e-15, least_growth = 1e-3;

/// Equal steps that miss the end by this part of one are not joined by one more.
inline constexpr double rounding_of_count = 1e-9;

/// Differences of slopes take steps as if a variable were at least this part of its nominal size (Hairer and Wanner's
/// RODAS takes 1e-5). Small variables may vary over a thousandth of it, and still less than 1e-6 of the derivative is
/// lost to rounding.
inline constexpr double least_variation = 1e-3;

/// The rate of the fastest motion is told as if the first difference were at least this part of what the state makes.
inline constexpr double least_of_first = 1e-3;

/// A coordinate stands still if its range is below this part of its size: it is rounding.
inline constexpr double standing = 1e-12;

/// Rounding leaves this of the error estimate of one step: no finer tolerance can be held.
inline constexpr double finest_tolerance = 1e-14;

// --- When rows come and go (stepping/contact_changes.cpp) ------------------------------------------------------------

/// A gap below this part of what nominal changes make of it touches; a speed below it rests. Solvers leave 1e-14, and
/// drift correction 1e-13. If it were smaller, corners of a box that others hold would close again and again.
inline constexpr double rounding_of_touch = 1e-11;

/// A gap above this part of what nominal changes make of it, and such a speed, are far from zero at the end of a step:
/// nothing else has to be looked at then. Any number well above rounding_of_touch serves.
inline constexpr double far_from_touch = 1e-6;

/// Rows that hold depend on others if a pivot of their mobilities, which are scaled to 1, is below this. Mobilities are
/// squares: it is a part of 1e-5 of a row. Smaller numbers would take rounding for a row.
inline constexpr double dependent_rows_that_hold = 1e-10;

/// An event is located to this part of its step, which is rounding of the time within it, or to so many roundings of
/// the time itself. If the second were smaller, a search in a short step would ask for times that no number has, for
/// ever.
inline constexpr double located_event = 1e-14, roundings_of_event_time = 4;

/// Events chatter if too many of them follow each other within this part of the experiment's duration. If it were
/// larger, machines that rattle would be refused; if it were smaller, steps would creep on.
inline constexpr double time_of_chatter = 1e-6;

/// Rounding leaves these parts of gaps, of forces and slips, and of numbers of conditions: an indicator that is nearer
/// to zero is zero. With smaller numbers a search would go on among roundings until it is counted out.
inline constexpr double rounding_of_gaps = 2e-15, rounding_of_forces = 1e-12, rounding_of_conditions = 1e-14;

/// A number of a condition lies at zero, for an integrator outside, if it is below this, in the unit of its formula: a
/// friction by a sign stays 0 at a rest that is one but for rounding. With a larger one branches would change late.
inline constexpr double least_indicator = 1e-13;

/// An indicator that begins a step at zero is watched as if it began at so many of these roundings: what leaves zero
/// may first go to the wrong side by one of them.
inline constexpr double begin_of_indicators = 8;

/// A row has no mobility, and no acceleration, where these parts of what they are sums of are left. With smaller
/// numbers, friction on a coordinate that nothing can move would take what rounding says for a motion.
inline constexpr double rounding_of_mobility = 1e-12, rounding_of_accelerations = 1e-12;

/// A slip that sticks has begun nevertheless if it is faster than this part of its nominal speed: what it belongs to is
/// driven, and friction cannot hold it. A smaller one would see errors of an integrator outside.
inline constexpr double moved_by_drive = 1e-6;

/// Slips whose directions differ by this part are the same while loads and modes are found by turns. With a smaller one
/// rounding of the loads would let the turns go on.
inline constexpr double equal_slips = 1e-9;

/// The direction in which a slip in space begins stands beside it as a speed of this part of the nominal one, until the
/// slip is so many times larger as the second number says. If it were below the errors of speeds that tolerances allow,
/// these would turn the friction about, and steps of 1e-9 s would follow slips that never grow.
inline constexpr double slip_of_direction = 1e-5, clear_slip = 10;

// --- What an importer sets -------------------------------------------------------------------------------------------

/// An importer's clock may differ from ours, since sums of many steps round differently: relative to the time, and by a
/// millionth of the step. A real mistake, a step left out or done twice, is as long as the step itself.
inline constexpr double clock_rounding = 1e-9, clock_part_of_step = 1e-6;

/// Calculated parameters may miss a bound by this part, since formulas round.
inline constexpr double rounding_of_formulas = 1e-12;

/// Numbers nearer than this part look equal with 12 digits; a message shows 17 then.
inline constexpr double looks_equal = 1e-9;

/// Differences by a value below this, in its unit, take the step of the value 1.
inline constexpr double no_own_size = 1e-3;

}  // namespace mechfmu
