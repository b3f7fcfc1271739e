// Derives Lagrange's equations and the constraints' derivatives.
//
//   d/dt (M v + b) = Q + ∂T/∂q + B λ        T = ½ vᵀMv + bᵀv + T0
//   g = Q + ∂T/∂q − ḃ                        d(Mv)/dt without reactions
//   h = Q + ∂T/∂q − d/dt ∂T/∂v |_{v̇=0} = g − Ṁ v
//
// With a mass matrix the forces of inertia at v̇ = 0 may be given instead, h = Q + h_inertia: for velocities that are
// not the rates of coordinates, q̇ = A(q) v, Lagrange's equations do not hold. Then T = ½ vᵀMv. Derivatives by positions
// are taken along the velocities, ∂/∂q A, for forces, constraints and the rows of the start alike.
#include "derive.hpp"

#include <stdexcept>

#include "balance.hpp"
#include "contact_rows.hpp"
#include "equations/columns.hpp"
#include "equations/sharing.hpp"
#include "input_dependencies.hpp"
#include "loads.hpp"
#include "nonlinear_rows.hpp"
#include "probe.hpp"
#include "servo_rows.hpp"
#include "whole_turns.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

SX gradient_column(const SX& expression, const SX& variables) {
  return SX::densify(SX::gradient(expression, variables));
}

SX at_zero(const SX& expression, const SX& variables) {
  return SX::substitute(expression, variables, SX::zeros(variables.sparsity()));
}

/// Returns the equations with turns as functions of the angles that the present ones are nearest to, so that an
/// evaluation anywhere, on either side of where a raw angle jumps, finds the right ones by itself.
Equations with_turns_counted(Equations e) {
  const SX turns = e.symbols.turns;
  if (turns.is_empty()) return e;
  const auto count = static_cast<casadi_int>(e.angles.size());
  e.symbols.angles = SX::sym("angles", count);
  std::vector<SX> counted;
  for (casadi_int i = 0; i < count; ++i) {
    const SX& raw = e.angles[static_cast<std::size_t>(i)].raw;
    counted.push_back(SX::floor((e.symbols.angles(i) - raw) / (2 * casadi::pi) + 0.5));
  }
  const SX number = SX::vertcat(counted);
  const auto replace = [&](SX& expression) { expression = SX::substitute(expression, turns, number); };
  e.for_motion(replace);
  for (StartEquation& row : e.start_positions) replace(row.residual);
  for (StartEquation& row : e.start_velocities) replace(row.residual);
  for (StartEquation& row : e.start_guesses) replace(row.residual);
  return e;
}

/// Is the inertia of a mechanism.
struct Inertia {
  SX M;         ///< lower triangle
  SX momentum;  ///< ∂T/∂v = M v + b; not where forces of inertia are given
  SX b, T0;     ///< parts of T = ½ vᵀMv + bᵀv + T0; likewise
};

/// Are forces without reactions.
struct Forces {
  SX g, h, Q_short;
};

/// Holds the constraints of a mechanism, all rows.
struct Constraints {
  SX f_p, C, c_t;
  SX f_v, F;  ///< velocity constraints that are not linear in v, and ∂f_v/∂v
  SX gamma, C_a, B;
};

class Derivator {
 public:
  Derivator(const Equations& equations, Diagnostics& diagnostics)
      : equations_(equations), symbols_(equations.symbols), diagnostics_(diagnostics), q_(symbols_.q), v_(symbols_.v),
        accelerations_(symbols_.acceleration), moving_(SX::vertcat({symbols_.time, symbols_.q})),
        motion_(SX::vertcat({SX(1), symbols_.q_rate})) {}

  Derivation run() {
    const Inertia inertia = derive_inertia();
    const Constraints constraints = derive_constraints();
    Derivation result;
    result.equations = equations_;
    const SX Q = applied_forces();
    const SX metric(inertia.M.sparsity(), at_load_starts(nonzeros(inertia.M), equations_));
    const SX M_rate = matrix_rate(metric), C_rate = matrix_rate(constraints.C);
    const Forces forces = derive_forces(Q, inertia, M_rate);

    result.M = inertia.M.sparsity();
    result.C = constraints.C.sparsity();
    result.M_rate = M_rate.sparsity();
    result.C_rate = C_rate.sparsity();
    result.C_a = constraints.C_a.sparsity();
    result.mass = nonzeros(inertia.M);
    result.stages = {nonzeros(metric), nonzeros(constraints.C), constraints.c_t, forces.g,
                     nonzeros(C_rate), nonzeros(M_rate),        forces.Q_short};

    result.character.rheonomic = SX::sparsify(constraints.c_t).nnz() > 0;
    const std::vector<ConstraintEquation> rows = equations_.all_rows();
    for (const ConstraintEquation& row : rows) {
      result.realised.push_back(row.realised_by.has_value());
      if (row.realised_by) result.character.ideal = result.character.ideal_without_contacts = false;
      const auto first = std::find_if(rows.begin(), rows.end(), [&](const ConstraintEquation& other) {
        const bool has_unit = !row.kept_by_others && !other.kept_by_others;
        return has_unit ? other.unit.dimension == row.unit.dimension : &other == &row;
      });
      result.bare.push_back(row.unit.dimension == Dimension{} && !row.kept_by_others);
      result.same_unit.push_back(static_cast<int>(first - rows.begin()));
      const bool lasts = result.same_unit.size() <= equations_.constraints.size();
      if (lasts && row.level != Level::acceleration && !is_curved(row) && result.same_unit.back() > 0)
        result.character.several_units = true;
    }
    for (const ContactEquation& contact : equations_.contacts)
      if (rubs(contact)) result.character.ideal = false;
    const SX B = result.character.ideal ? SX(symbols_.v.numel(), 0) : constraints.B;
    result.B = B.sparsity();

    set_sizes(result);
    add_local_frames(result, constraints.C);
    add_contacts(result);
    result.violation = function("violation", {constraints.f_p});
    result.nonlinear = function("nonlinear", {constraints.f_v, SX::vec(SX::densify(constraints.F.T()))});
    const std::vector<SX> motion = {forces.h, constraints.gamma, nonzeros(constraints.C_a), nonzeros(B)};
    result.acceleration = function("acceleration", motion);
    result.character.reads_angles =
        SX::depends_on(SX::vertcat({SX::vertcat(motion), constraints.f_p}), symbols_.angles);
    for (casadi_int i = 0; i < equations_.given_inputs(); ++i)
      result.drives.push_back(SX::depends_on(SX::vertcat({constraints.f_p, constraints.c_t}), symbols_.inputs(i)));
    result.drives.resize(static_cast<std::size_t>(symbols_.inputs.numel()), false);
    add_start(result);
    result.told = told_tables(equations_);
    result.told_lengths = function("told_lengths", {SX::densify(told_lengths(equations_))});
    add_conditions(result);
    add_angles(result);
    add_loads(result, motion, diagnostics_);
    add_outputs(result);
    result.balance = balance_of(result);
    result.start = start_of(result);
    result.fix_ranks(result.sizes.rank, result.sizes.position_rank);
    result.dependencies =
        input_dependencies(equations_, inertia.M, constraints.C_a, constraints.B, forces.h, constraints.gamma);
    return result;
  }

 private:
  casadi::Function function(const std::string& name, const std::vector<SX>& results) const {
    return casadi::Function(name, symbols_.all(), shared(results));
  }

  SX applied_forces() const {
    SX Q = SX::densify(equations_.forces);
    if (!equations_.potential_energy) return Q;
    const SX& V = *equations_.potential_energy;
    return Q - (equations_.quaternions.empty() ? gradient_column(V, symbols_.q) : SX::densify(along_velocities(V).T()));
  }

  /// Returns ∂/∂q A of a column: what moving along each velocity changes. If there are quaternions, there are two ways
  /// to write it, and the one of fewer operations is taken.
  SX along_velocities(const SX& expression) const {
    const SX by_coordinates = q_.jacobian(expression);
    if (equations_.quaternions.empty()) return by_coordinates;
    const SX by_positions = SX::sparsify(SX::mtimes(by_coordinates, SX::jacobian(symbols_.q_rate, symbols_.v)));
    const SX by_rates = v_.jacobian(q_.slope(expression, symbols_.q_rate));
    const auto operations = [this](const SX& matrix) { return operations_of(symbols_.all(), {nonzeros(matrix)}); };
    return operations(by_rates) < operations(by_positions) ? by_rates : by_positions;
  }

  /// Returns g, h and, for one degree of freedom, Q_s.
  Forces derive_forces(const SX& Q, const Inertia& inertia, const SX& M_rate) const {
    if (equations_.inertia_forces) {
      const SX h = Q + SX::densify(*equations_.inertia_forces);
      return {h + SX::densify(SX::mtimes(SX::tril2symm(M_rate), symbols_.v)), h, Q};
    }
    const SX Q_and_inertia = Q + gradient_column(equations_.kinetic_energy, symbols_.q);
    return {Q_and_inertia - SX::densify(rate_at_fixed_velocities(inertia.b)),
            Q_and_inertia - SX::densify(rate_at_fixed_velocities(inertia.momentum)),
            Q + gradient_column(inertia.T0, symbols_.q) - SX::densify(SX::jacobian(inertia.b, symbols_.time))};
  }

  Inertia derive_inertia() {
    const SX& T = equations_.kinetic_energy;
    const SX& v = symbols_.v;
    Inertia inertia;
    if (equations_.inertia_forces) {
      inertia.M = without_cancelling(SX::sparsify(SX::tril(equations_.mass_matrix.value())), equations_);
      inertia.M = SX::sparsify(inertia.M);
      return inertia;
    }
    inertia.momentum = gradient_column(T, v);
    const std::vector<double> sizes = nominal_sizes(equations_);
    std::vector<double> of_entries;
    for (const double column : sizes)
      for (const double row : sizes) of_entries.push_back(row * column);
    const std::optional<SX> M =
        equations_.mass_matrix ? equations_.mass_matrix
                               : free_of(v_.jacobian(inertia.momentum), v, equations_, of_entries);
    if (!M) {
      diagnostics_.add(equations_.energy_place, "the kinetic energy is not quadratic in the velocities",
                       "write it as a sum of squares and products of velocities; other forces belong in "
                       "[dynamics.forces]");
      inertia.M = SX(v.numel(), v.numel());
      inertia.b = SX::zeros(v.numel());
      inertia.T0 = 0;
      return inertia;
    }
    check_symmetry(*M);
    inertia.M = SX::sparsify(without_cancelling(SX::sparsify(SX::tril(*M)), equations_));
    if (SX::depends_on(SX::jacobian(inertia.momentum, v), v)) {  // a quadratic form in disguise: taken at v = 1
      const SX ones = SX::ones(v.numel());
      inertia.b = SX::densify(SX::substitute(inertia.momentum, v, ones) - SX::mtimes(*M, ones));
      inertia.T0 = SX::substitute(T, v, ones) - SX::dot(inertia.b, ones) - SX::bilin(*M, ones, ones) / 2;
    } else {
      inertia.b = SX::densify(at_zero(inertia.momentum, v));
      inertia.T0 = at_zero(T, v);
    }
    return inertia;
  }

  void check_symmetry(const SX& M) {
    if (!equations_.mass_matrix) return;
    for (casadi_int i = 0; i < M.size1(); ++i)
      for (casadi_int j = 0; j < i; ++j)
        if (!SX::is_equal(SX(M(i, j)), SX(M(j, i)), 50) && !agree(SX(M(i, j)), SX(M(j, i)), equations_))
          diagnostics_.add(equations_.energy_place,
                           "the mass matrix is not symmetric in the entries of " +
                               in_quotes(equations_.positions[static_cast<std::size_t>(i)].name) + " and " +
                               in_quotes(equations_.positions[static_cast<std::size_t>(j)].name),
                           "give entry (i, j) and entry (j, i) the same value");
  }

  Constraints derive_constraints() {
    const casadi_int n = symbols_.v.numel();
    std::vector<SX> f_p{SX(0, 1)}, C{SX(0, n)}, c_t{SX(0, 1)}, f_v{SX(0, 1)}, F{SX(0, n)}, gamma{SX(0, 1)},
        C_a{SX(0, n)}, B{SX(n, 0)};
    for (const ConstraintEquation& row : equations_.constraints) {
      const SX& f = row.residual;
      SX direction;
      if (row.level == Level::position) {
        direction = along_velocities(f);
        f_p.push_back(f);
        c_t.push_back(SX::jacobian(f, symbols_.time));
        gamma.push_back(rate_at_fixed_velocities(rate_at_fixed_velocities(f)));
      } else if (is_curved(row)) {
        check_may_rest(row);
        direction = v_.jacobian(f);
        f_v.push_back(f);
        F.push_back(direction);
        gamma.push_back(rate_at_fixed_velocities(f));
      } else if (row.level == Level::velocity) {
        const auto [factor, rest] = linear_parts(row, symbols_.v, v_);
        direction = factor;
        c_t.push_back(rest);
        gamma.push_back(rate_at_fixed_velocities(f));
      } else {
        const auto [factor, rest] = linear_parts(row, symbols_.acceleration, accelerations_);
        direction = factor;
        gamma.push_back(rest);
      }
      check_direction(row, direction);
      if (row.level != Level::acceleration && !is_curved(row)) C.push_back(direction);
      if (row.kept_by_others) direction = SX(1, n), gamma.back() = 0;
      if (row.instead) {
        const SX& held = row.instead->residual;
        const bool of_positions = row.instead->level == Level::position;
        direction = of_positions ? along_velocities(held) : v_.jacobian(held);
        gamma.back() = rate_at_fixed_velocities(of_positions ? rate_at_fixed_velocities(held) : held);
      }
      C_a.push_back(direction);
      B.push_back(row.realised_by ? SX::sparsify(*row.realised_by) : direction.T());
    }
    add_contact_rows(gamma, C_a, B);
    return {column(f_p),    SX::vertcat(C), column(c_t),      column(f_v),
            SX::vertcat(F), column(gamma),  SX::vertcat(C_a), SX::horzcat(B)};
  }

  /// Is true for a group whose normal force has friction.
  static bool rubs(const ContactEquation& contact) {
    return contact.law == contacts::Law::unilateral && !contact.slips.empty() && !contact.friction.is_zero();
  }

  /// Adds the rows of contacts. The reaction of a normal row that slides has friction along the slips.
  void add_contact_rows(std::vector<SX>& gamma, std::vector<SX>& C_a, std::vector<SX>& B) const {
    std::vector<SX> directions;
    for (const ConstraintEquation& row : equations_.changing) {
      const bool of_positions = row.level == Level::position;
      directions.push_back(of_positions ? along_velocities(row.residual) : v_.jacobian(row.residual));
      C_a.push_back(directions.back());
      gamma.push_back(rate_at_fixed_velocities(of_positions ? rate_at_fixed_velocities(row.residual) : row.residual));
      B.push_back(directions.back().T());
    }
    std::size_t first = 0;
    for (const ContactEquation& contact : equations_.contacts) {
      SX& column = B[B.size() - directions.size() + first];
      const std::vector<SX> slips =
          rubs(contact) ? slip_directions(contact, symbols_.slide, static_cast<casadi_int>(first) + 1) : std::vector<SX>{};
      for (std::size_t i = 0; i < slips.size(); ++i)
        column = SX::sparsify(column - contact.friction * slips[i] * directions[first + 1 + i].T());
      first += contact.rows();
    }
  }

  void add_contacts(Derivation& result) const {
    std::vector<SX> gaps{SX(0, 1)}, speeds{SX(0, 1)}, laws{SX(0, 1)};
    for (const ContactEquation& contact : equations_.contacts) {
      gaps.push_back(contact.has_gap() ? contact.gap : SX(0));
      for (const SX& number : {contact.friction, contact.rest, contact.restitution, contact.capacity,
                               contact.when.value_or(SX(1))})
        laws.push_back(number);
    }
    for (const ConstraintEquation& row : equations_.changing) {
      const SX rate = row.level == Level::position ? rate_at_fixed_velocities(row.residual) : row.residual;
      speeds.push_back(rate);
    }
    result.gaps = function("gaps", {column(gaps)});
    result.contact_speeds = function("contact_speeds", {column(speeds)});
    result.contact_laws = function("contact_laws", {column(laws)});
  }

  /// Is true for a velocity constraint that has no row of C.
  static bool is_curved(const ConstraintEquation& row) { return row.nonlinear && row.level == Level::velocity; }

  static SX column(const std::vector<SX>& entries) { return SX::densify(SX::vertcat(entries)); }

  /// Returns the parts of f = factor · x + rest, neither of which depends on x. (Rows that are not linear were marked,
  /// or brought to this form, before.)
  std::pair<SX, SX> linear_parts(const ConstraintEquation& row, const SX& x, const Places& places) {
    const SX slope = places.jacobian(row.residual);
    const SX factor = free_of(slope, x, equations_, nominal_sizes(equations_)).value_or(slope);
    if (!SX::depends_on(slope, x)) return {factor, at_zero(row.residual, x)};
    const SX ones = SX::ones(x.numel());
    return {factor, SX::substitute(row.residual, x, ones) - SX::mtimes(factor, ones)};
  }

  /// An equilibrium is sought with all bodies at rest, where a row that is not linear has no direction to act along.
  void check_may_rest(const ConstraintEquation& row) {
    if (!equations_.equilibrium) return;
    diagnostics_.add(row.place,
                     "the constraint " + in_quotes(row.name) +
                         " is not linear in the velocities, and start = \"equilibrium\" looks for a start at rest",
                     "give it as a sum of velocities times factors, or start from guesses");
  }

  void check_direction(const ConstraintEquation& row, const SX& direction) {
    if (direction.nnz() > 0 || row.of_joint) return;
    const char* missing = row.level == Level::position   ? "coordinate"
                          : row.level == Level::velocity ? "velocity"
                                                         : "acceleration";
    diagnostics_.add(row.place,
                     "the constraint " + in_quotes(row.name) + " does not depend on any " + missing +
                         ", so nothing can fulfil it",
                     row.level == Level::position ? "use the coordinates that it is to constrain, or remove it"
                                                  : "give it at the level of what it contains, or remove it");
  }

  void set_sizes(Derivation& result) const {
    Sizes& sizes = result.sizes;
    sizes.positions = static_cast<int>(symbols_.q.numel());
    sizes.velocities = static_cast<int>(symbols_.v.numel());
    sizes.position_rows = equations_.count(Level::position);
    sizes.nonlinear_rows = sizes.nonlinear_rank = equations_.count_nonlinear();
    sizes.velocity_rows = equations_.count(Level::velocity) - sizes.nonlinear_rows;
    sizes.acceleration_rows = equations_.count(Level::acceleration) + sizes.nonlinear_rows;
    sizes.rank = std::min(sizes.rows(), sizes.velocities);
    sizes.position_rank = std::min(sizes.position_rows, sizes.velocities);
    sizes.inputs = static_cast<int>(symbols_.inputs.numel());
    sizes.parameters = static_cast<int>(symbols_.parameters.numel());
    sizes.angles = static_cast<int>(equations_.angles.size());
    sizes.loads = static_cast<int>(equations_.loads.size());
    for (const LoadEquation& load : equations_.loads) sizes.unknowns += load.start.has_value();
    sizes.M_nonzeros = static_cast<int>(result.M.nnz());
    sizes.C_nonzeros = static_cast<int>(result.C.nnz());
    sizes.quaternions = static_cast<int>(equations_.quaternions.size());
    sizes.start_position_rows = static_cast<int>(equations_.start_positions.size());
    sizes.start_velocity_rows = static_cast<int>(equations_.start_velocities.size());
    sizes.start_guess_rows = static_cast<int>(equations_.start_guesses.size());
    sizes.branches = static_cast<int>(equations_.branches.size());
    sizes.turning = static_cast<int>(equations_.turning.size());
    sizes.contacts = static_cast<int>(equations_.contacts.size());
    sizes.changing_rows = static_cast<int>(equations_.changing.size());
  }

  void add_local_frames(Derivation& result, const SX& C) const {
    result.frames = local_frames_of(equations_);
    result.sizes.local_coordinates = result.frames.count();
    std::vector<SX> J{SX(0, symbols_.v.numel())};
    for (std::size_t i = 0; i < result.frames.values.size(); ++i) {
      const SX& x = result.frames.values[i];
      if (!x.is_empty()) {
        J.push_back(along_velocities(x));
        continue;
      }
      const auto row = std::find(result.frames.row_points.begin(), result.frames.row_points.end(),
                                 result.frames.points[i]);  // is alone at its point
      J.push_back(C(static_cast<casadi_int>(row - result.frames.row_points.begin()), casadi::Slice()));
    }
    result.local_frames =
        function("local_frames", {SX::vec(SX::densify(SX::vertcat(J))), SX::vec(SX::densify(result.frames.C_hat))});
  }

  void add_start(Derivation& result) const {
    const auto residuals = [](const std::vector<StartEquation>& rows) {
      std::vector<SX> values{SX(0, 1)};
      for (const StartEquation& row : rows) values.push_back(row.residual);
      return column(values);
    };
    const SX f = residuals(equations_.start_positions), r = residuals(equations_.start_velocities),
             g = residuals(equations_.start_guesses);
    result.guess = function("guess", {guess_within_turns(equations_), SX::densify(equations_.velocity_guess)});
    result.start_positions = function("start_positions", {f, SX::vec(SX::densify(along_velocities(f)))});
    result.start_guesses = function("start_guesses", {g, SX::vec(SX::densify(along_velocities(g)))});
    std::vector<SX> conditions{SX(0, 1)};
    for (const BranchCondition& branch : equations_.branches) conditions.push_back(branch.value);
    result.branches = function("branches", {column(conditions)});
    result.start_velocities = function("start_velocities", {r, SX::vec(SX::densify(SX::jacobian(r, symbols_.v)))});
  }

  void add_conditions(Derivation& result) const {
    const SX by_motion = SX::vertcat(
                 {symbols_.v, symbols_.acceleration, symbols_.multipliers, symbols_.angles, symbols_.loads}),
             changing = SX::vertcat({symbols_.q, by_motion, symbols_.time, symbols_.inputs});
    std::vector<SX> values{SX(0, 1)};
    for (ConditionEquation& condition : result.equations.conditions) {
      const SX both = SX::vertcat({condition.number, condition.bound});
      values.push_back(both);
      condition.when = SX::depends_on(both, by_motion)    ? Condition::assembled
                       : SX::depends_on(both, symbols_.q) ? Condition::positioned
                                                          : Condition::before_assembly;
      // Parts may have to agree in a number because of how they were made: this is judged when they are put together.
      condition.always = condition.relation != Condition::agrees_with && SX::depends_on(both, changing);
    }
    result.condition_values = function("condition_values", {column(values)});
  }

  void add_angles(Derivation& result) const {
    std::vector<SX> raw{SX(0, 1)}, guesses{SX(0, 1)};
    for (const AngleEquation& angle : equations_.angles) {
      raw.push_back(angle.raw);
      guesses.push_back(angle.guess);
    }
    const SX angles = column(raw);
    result.angles = function("angles", {angles, SX::densify(rate_at_fixed_velocities(angles)), column(guesses)});
  }

  void add_outputs(Derivation& result) const {
    std::vector<SX> calculated{SX(0, 1)};
    for (const Calculation& calculation : equations_.calculations) calculated.push_back(calculation.value);
    result.calculate = function("calculate", {column(calculated)});
    for (int group = 0; group < output_group_count; ++group) {
      std::vector<SX> values{SX(0, 1)};
      for (const OutputEquation& output : equations_.outputs)
        if (output.group == group) values.push_back(output.value);
      const auto index = static_cast<std::size_t>(group);
      result.output_counts[index] = static_cast<int>(values.size()) - 1;
      result.outputs[index] = function("outputs_" + std::to_string(group), {column(values)});
    }
  }

  /// Time derivative along the motion of something that depends on time and positions, or at fixed velocities.
  SX rate_at_fixed_velocities(const SX& expression) const {
    return expression.is_empty() ? expression : moving_.slope(expression, motion_);
  }

  /// Ṁ or Ċ, where it is not zero.
  SX matrix_rate(const SX& matrix) const {
    const SX rates = SX::densify(rate_at_fixed_velocities(nonzeros(matrix)));
    return SX::sparsify(SX(matrix.sparsity(), rates.nonzeros()));
  }

  const Equations& equations_;
  const Symbols& symbols_;
  Diagnostics& diagnostics_;
  Places q_, v_, accelerations_;
  Places moving_;  ///< time and positions
  SX motion_;      ///< their rates
};

}  // namespace

casadi::Sparsity Derivation::stage_M_rate() const {
  return character.short_form ? casadi::Sparsity(M_rate.size()) : M_rate;
}

casadi::Sparsity Derivation::stage_C_rate() const {
  return character.short_form ? casadi::Sparsity(C_rate.size()) : C_rate;
}

void Derivation::fix_ranks(int rank, int position_rank) {
  const Symbols& symbols = equations.symbols;
  const bool before = character.short_form;
  sizes.rank = rank;
  sizes.position_rank = position_rank;
  character.short_form =
      sizes.degrees_of_freedom() == 1 && character.ideal_without_contacts && sizes.acceleration_rows == 0 &&
      !character.rheonomic &&
      !character.loads_in_mass && !SX::depends_on(stages.M, symbols.time) && !SX::depends_on(stages.C, symbols.time) &&
      !(equations.inertia_forces && SX::depends_on(*equations.inertia_forces, symbols.time));
  if (character.short_form == before && !staged.is_null()) return;
  const SX none(0, 1);
  const bool shorter = character.short_form;
  sizes.M_rate_nonzeros = static_cast<int>(stage_M_rate().nnz());
  sizes.C_rate_nonzeros = static_cast<int>(stage_C_rate().nnz());
  const std::vector<SX> results =
      shared({stages.M, stages.C, character.rheonomic ? stages.c_t : none, shorter ? stages.Q_short : stages.g,
              shorter ? none : stages.C_rate, shorter ? none : stages.M_rate});
  staged = casadi::Function("staged", symbols.all(), results);
  position = casadi::Function("position", symbols.all(), {results[0], results[1], results[2]});
  velocity = casadi::Function("velocity", symbols.all(), {results[3], results[4], results[5]});
}

namespace {

/// Returns the equations with the rows that servo constraints hide.
Equations with_hidden_rows(Equations e, Diagnostics& diagnostics) {
  if (std::none_of(e.constraints.begin(), e.constraints.end(),
                   [](const ConstraintEquation& row) { return row.realised_by.has_value(); }))
    return e;
  Diagnostics unheard;
  const Derivation d = Derivator(e, unheard).run();
  if (!unheard.empty()) return e;  // derive() tells them
  const SX h = d.acceleration(e.symbols.all()).front();
  return with_servo_rows(std::move(e), SX::tril2symm(SX(d.M, d.mass)), h, diagnostics);
}

}  // namespace

/// Adds an error for what cannot be simulated beside contacts.
void check_beside_contacts(const Equations& e, Diagnostics& diagnostics) {
  if (e.contacts.empty()) return;
  const auto refuse = [&](const std::string& what, const char* repair) {
    diagnostics.add(e.contacts.front().place, e.contacts.front().what + " cannot act beside " + what, repair);
  };
  if (e.equilibrium)
    refuse("start = \"equilibrium\", which looks for forces that balance without contacts",
           "give start values at which nothing penetrates");
  if (!e.loads.empty())
    refuse(in_quotes(e.loads.front().name) + ", whose size is found together with the reactions",
           "use a force that depends on coordinates, rates, time and inputs only");
}

std::optional<Derivation> derive(const Equations& equations, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  check_beside_contacts(equations, diagnostics);
  const Equations counted = with_contact_rows(with_accelerations_sought(
      with_nonlinear_rows_marked(with_hidden_rows(with_whole_turns(with_turns_counted(equations)), diagnostics))));
  if (diagnostics.size() > before) return std::nullopt;
  Derivation result = Derivator(counted, diagnostics).run();
  if (diagnostics.size() > before) return std::nullopt;
  return result;
}

}  // namespace mechfmu
