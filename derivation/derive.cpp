// Derives Lagrange's equations and the constraints' derivatives (inertia.hpp, constraint_rows.hpp), and makes functions
// of them. Derivatives by positions are taken along the velocities, ∂/∂q A, for forces, constraints and the rows of the
// start alike.
#include "derive.hpp"

#include "balance.hpp"
#include "derivation/rows/constraint_rows.hpp"
#include "derivation/rows/contact_rows.hpp"
#include "derivation/rows/nonlinear_rows.hpp"
#include "derivation/rows/servo_rows.hpp"
#include "derivation/rows/switches.hpp"
#include "derivation/rows/whole_turns.hpp"
#include "equations/columns.hpp"
#include "equations/sharing.hpp"
#include "inertia.hpp"
#include "input_dependencies.hpp"
#include "loads.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

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

class Derivator {
 public:
  Derivator(const Equations& equations, Diagnostics& diagnostics)
      : equations_(equations), symbols_(equations.symbols), diagnostics_(diagnostics), rates_(equations) {}

  Derivation run() {
    const InertiaTerms inertia = derive_inertia(equations_, diagnostics_);
    const ConstraintRows constraints = derive_constraint_rows(equations_, rates_, diagnostics_);
    Derivation result;
    result.equations = equations_;
    const SX metric(inertia.M.sparsity(), at_load_starts(nonzeros(inertia.M), equations_));
    const SX M_rate = rates_.of_matrix(metric), C_rate = rates_.of_matrix(constraints.C);
    const ForceTerms forces = derive_forces(equations_, inertia, M_rate, rates_);

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
    add_switches(result);
    result.violation = function("violation", {constraints.f_p});
    result.nonlinear = function("nonlinear", {constraints.f_v, SX::vec(SX::densify(constraints.F.T()))});
    const std::vector<SX> motion = {forces.h, constraints.gamma, nonzeros(constraints.C_a), nonzeros(B)};
    result.acceleration = function("acceleration", motion);
    result.character.reads_angles =
        SX::depends_on(SX::vertcat({SX::vertcat(motion), constraints.f_p, equations_.state_rates()}), symbols_.angles);
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

  void set_sizes(Derivation& result) const {
    Sizes& sizes = result.sizes;
    sizes.positions = static_cast<int>(symbols_.positions().numel());
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
    sizes.reaction_impulses = static_cast<int>(equations_.reaction_impulses.size());
    sizes.switches = static_cast<int>(equations_.switches.size());
    sizes.resets = static_cast<int>(equations_.resets.size());
  }

  void add_local_frames(Derivation& result, const SX& C) const {
    result.frames = local_frames_of(equations_);
    result.sizes.local_coordinates = result.frames.count();
    std::vector<SX> J{SX(0, symbols_.v.numel())};
    for (std::size_t i = 0; i < result.frames.values.size(); ++i) {
      const SX& x = result.frames.values[i];
      if (!x.is_empty()) {
        J.push_back(rates_.along_velocities(x));
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
      return dense_column(values);
    };
    const SX f = residuals(equations_.start_positions), r = residuals(equations_.start_velocities),
             g = residuals(equations_.start_guesses);
    result.guess = function("guess", {guess_within_turns(equations_), SX::densify(equations_.velocity_guess)});
    result.start_positions = function("start_positions", {f, SX::vec(SX::densify(rates_.along_velocities(f)))});
    result.start_guesses = function("start_guesses", {g, SX::vec(SX::densify(rates_.along_velocities(g)))});
    std::vector<SX> conditions{SX(0, 1)};
    for (const BranchCondition& branch : equations_.branches) conditions.push_back(branch.value);
    result.branches = function("branches", {dense_column(conditions)});
    result.start_velocities = function("start_velocities", {r, SX::vec(SX::densify(SX::jacobian(r, symbols_.v)))});
  }

  void add_conditions(Derivation& result) const {
    const SX by_motion = SX::vertcat(
                 {symbols_.v, symbols_.acceleration, symbols_.multipliers, symbols_.angles, symbols_.loads}),
             changing = SX::vertcat({symbols_.positions(), by_motion, symbols_.time, symbols_.inputs});
    std::vector<SX> values{SX(0, 1)};
    for (ConditionEquation& condition : result.equations.conditions) {
      const SX both = SX::vertcat({condition.number, condition.bound});
      values.push_back(both);
      condition.when = SX::depends_on(both, by_motion)              ? Condition::assembled
                       : SX::depends_on(both, symbols_.positions()) ? Condition::positioned
                                                                    : Condition::before_assembly;
      // Parts may have to agree in a number because of how they were made: this is judged when they are put together.
      condition.always = condition.relation != Condition::agrees_with && SX::depends_on(both, changing);
    }
    result.condition_values = function("condition_values", {dense_column(values)});
  }

  void add_angles(Derivation& result) const {
    std::vector<SX> raw{SX(0, 1)}, guesses{SX(0, 1)};
    for (const AngleEquation& angle : equations_.angles) {
      raw.push_back(angle.raw);
      guesses.push_back(angle.guess);
    }
    const SX angles = dense_column(raw);
    result.angles =
        function("angles", {angles, SX::densify(rates_.at_fixed_velocities(angles)), dense_column(guesses)});
  }

  void add_outputs(Derivation& result) const {
    std::vector<SX> calculated{SX(0, 1)};
    for (const Calculation& calculation : equations_.calculations) calculated.push_back(calculation.value);
    result.calculate = function("calculate", {dense_column(calculated)});
    for (int group = 0; group < output_group_count; ++group) {
      std::vector<SX> values{SX(0, 1)};
      for (const OutputEquation& output : equations_.outputs)
        if (output.group == group) values.push_back(output.value);
      const auto index = static_cast<std::size_t>(group);
      result.output_counts[index] = static_cast<int>(values.size()) - 1;
      result.outputs[index] = function("outputs_" + std::to_string(group), {dense_column(values)});
    }
  }

  void add_switches(Derivation& result) const {
    std::vector<SX> numbers{SX(0, 1)}, rates{SX(0, 1)};
    for (const SwitchEquation& one : equations_.switches) {
      numbers.push_back(one.number);
      rates.push_back(equations_.has_rate(one) ? rates_.at_fixed_velocities(one.number) : SX(0));
    }
    std::vector<SX> conditions{SX(0, 1)}, values{SX(0, 1)};
    for (const ResetEquation& one : equations_.resets) conditions.push_back(one.condition), values.push_back(one.value);
    result.resets = function("resets", {dense_column(conditions), dense_column(values)});
    result.switches = function("switches", {dense_column(numbers), dense_column(rates)});
  }

  void add_contacts(Derivation& result) const {
    std::vector<SX> gaps{SX(0, 1)}, speeds{SX(0, 1)}, laws{SX(0, 1)};
    for (const ContactEquation& contact : equations_.contacts) {
      gaps.push_back(contact.has_gap() ? contact.gap : SX(0));
      for (const SX& number :
           {contact.friction, contact.rest, contact.restitution, contact.capacity, contact.when.value_or(SX(1))})
        laws.push_back(number);
    }
    for (const ConstraintEquation& row : equations_.changing)
      speeds.push_back(row.level == Level::position ? rates_.at_fixed_velocities(row.residual) : row.residual);
    result.gaps = function("gaps", {dense_column(gaps)});
    result.contact_speeds = function("contact_speeds", {dense_column(speeds)});
    result.contact_laws = function("contact_laws", {dense_column(laws)});
    std::vector<SX> impulses{SX(0, 1)};
    for (const ReactionImpulse& one : equations_.reaction_impulses) impulses.push_back(one.value);
    result.reaction_impulses = function("reaction_impulses", {dense_column(impulses)});
  }

  const Equations& equations_;
  const Symbols& symbols_;
  Diagnostics& diagnostics_;
  MotionRates rates_;
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
  const SX moves_alone = SX::vertcat({symbols.time, symbols.states});
  sizes.rank = rank;
  sizes.position_rank = position_rank;
  character.short_form =
      sizes.degrees_of_freedom() == 1 && character.ideal_without_contacts && sizes.acceleration_rows == 0 &&
      !character.rheonomic && !character.loads_in_mass && !SX::depends_on(stages.M, moves_alone) &&
      !SX::depends_on(stages.C, moves_alone) &&
      !(equations.inertia_forces && SX::depends_on(*equations.inertia_forces, moves_alone));
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
  Equations lasting = e;        // without contacts, which have no rows yet, and what is shown of them
  std::vector<SX> of_contacts;  // Normal forces of frictions contain them.
  for (const ContactEquation& contact : e.contacts) {
    of_contacts.push_back(contact.multipliers);
    of_contacts.push_back(contact.slide);
  }
  lasting.contacts.clear();
  if (const SX absent = SX::vertcat(of_contacts); absent.numel() > 0)
    lasting.for_forces([&](SX& one) { one = SX::substitute(one, absent, SX::zeros(absent.sparsity())); });
  std::erase_if(lasting.outputs, [](const OutputEquation& one) { return one.group != state_rate_outputs; });
  const Derivation d = Derivator(lasting, unheard).run();
  if (!unheard.empty()) return e;  // derive() tells them
  const SX h = d.acceleration(e.symbols.all()).front();
  e = with_servo_rows(std::move(e), SX::tril2symm(SX(d.M, d.mass)), h, diagnostics);
  if (e.contacts.empty()) return e;
  for (const ConstraintEquation& row : e.constraints)
    if (row.instead)
      diagnostics.add(row.place,
                      e.contacts.front().what + " cannot act beside " + in_quotes(row.name) +
                          ", whose controls do not act on it directly: forces of contacts would have derivatives",
                      "let a control act on it, or give a stiff spring in place of the contact");
  return e;
}

}  // namespace

/// Adds an error for what cannot be simulated beside contacts.
void check_beside_contacts(const Equations& e, Diagnostics& diagnostics) {
  const auto first = std::find_if(e.contacts.begin(), e.contacts.end(), [](const ContactEquation& contact) {
    return contact.rows() > 0;
  });
  if (first == e.contacts.end()) return;
  const char* creep = "write stick = false: then it creeps instead of sticking";
  const auto refuse = [&](const std::string& what, const char* repair) {
    diagnostics.add(first->place, first->what + " cannot act beside " + what, repair);
  };
  // Groups without gaps rest without a force where all others balance.
  const auto gap = std::find_if(e.contacts.begin(), e.contacts.end(), [](const ContactEquation& contact) {
    return contact.rows() > 0 && contact.has_gap();
  });
  if (e.equilibrium && gap != e.contacts.end())
    diagnostics.add(
        gap->place,
        gap->what + " cannot act beside start = \"equilibrium\", which looks for forces that balance without contacts",
        "give start values at which nothing penetrates, or let the contact give way (stiffness)");
  // Unknowns that follow from positions and velocities alone are finite forces, which an impact changes only
  // afterwards.
  const SX late = SX::vertcat({e.symbols.acceleration, e.symbols.multipliers});
  for (const LoadEquation& load : e.loads) {
    const std::string unknown = "the unknown " + in_quotes(load.name);
    if (load.start && SX::depends_on(load.value, late))
      return refuse(unknown + ", whose equation contains accelerations or reactions: these jump with what touches",
                    first->of_force ? creep : "use positions, rates, time and inputs only in its equation");
    if (load.start && e.mass_matrix && SX::depends_on(*e.mass_matrix, e.symbols.loads))
      return refuse(unknown + ", which masses contain: these would jump with speeds",
                    first->of_force ? creep : "let masses depend on coordinates and time only");
  }
  for (const ConstraintEquation& row : e.constraints)
    if (row.nonlinear && row.level == Level::acceleration)
      return refuse("the constraint " + in_quotes(row.name) +
                        ", which is not linear in accelerations: an impact would have no solution of its own",
                    first->of_force ? creep : "give the constraint as one of positions or velocities");
}

std::optional<Derivation> derive(const Equations& equations, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  const Equations marked = with_nonlinear_rows_marked(
      with_hidden_rows(with_whole_turns(with_turns_counted(with_switches(equations))), diagnostics));
  check_beside_contacts(marked, diagnostics);
  if (diagnostics.size() > before) return std::nullopt;
  const Equations counted = with_contact_rows(with_accelerations_sought(marked));
  Derivation result = Derivator(counted, diagnostics).run();
  if (diagnostics.size() > before) return std::nullopt;
  return result;
}

}  // namespace mechfmu
