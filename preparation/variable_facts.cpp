// Finds dependencies by connected components (input_dependencies.hpp), once for the motion and once for each stage of
// the start. It takes everything that an importer knows, and everything that earlier stages find, as inputs.
#include "variable_facts.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "derivation/input_dependencies.hpp"

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

namespace {

/// Lays columns of symbols end to end, and says to which of them number i belongs.
struct Knowns {
  explicit Knowns(const Symbols& s)
      : first_parameter(first_input + s.inputs.numel()), first_position(first_parameter + s.parameters.numel()),
        first_velocity(first_position + s.q.numel()), first_turn(first_velocity + s.v.numel()) {}
  static SX column(const Symbols& s) { return SX::vertcat({s.time, s.inputs, s.parameters, s.q, s.v, s.angles}); }

  static constexpr casadi_int first_input = 1;
  casadi_int first_parameter, first_position, first_velocity, first_turn;
};

/// Collects the dependencies of several values.
class Union {
 public:
  void join(const Known& known) {
    everything_ |= known.everything;
    if (everything_) return;
    time_ |= known.time;
    inputs_.insert(known.inputs.begin(), known.inputs.end());
    parameters_.insert(known.parameters.begin(), known.parameters.end());
    positions_.insert(known.positions.begin(), known.positions.end());
    velocities_.insert(known.velocities.begin(), known.velocities.end());
    everything_ = inputs_.size() + parameters_.size() + positions_.size() + velocities_.size() > Known::most_listed;
  }
  Known known() const {
    if (everything_) return {true, {}, {}, {}, {}, true};
    const auto listed = [](const std::set<int>& set) { return std::vector<int>(set.begin(), set.end()); };
    return {time_, listed(inputs_), listed(parameters_), listed(positions_), listed(velocities_)};
  }

 private:
  bool time_ = false, everything_ = false;
  std::set<int> inputs_, parameters_, positions_, velocities_;
};

/// Says what positions, velocities and turns depend on, at one instant.
struct State {
  std::vector<Known> positions, velocities, turns;
};

class Dependencies {
 public:
  explicit Dependencies(const Derivation& d)
      : d_(d), equations_(d.equations), s_(d.equations.symbols), knowns_(s_), all_knowns_(Knowns::column(s_)) {
    equations_.symbols.inputs = all_knowns_;
    equations_.turning.clear();  // The position of a turning coordinate tells its dependencies.
    calculated_.resize(d.equations.parameters.size());
    for (const Calculation& calculation : d.equations.calculations) {
      calculated_[static_cast<std::size_t>(calculation.parameter)] = known(calculation.value, states()).front();
    }
    for (casadi_int i = 0; i < s_.v.numel(); ++i) velocities_of_.push_back({i});
    none_.resize(velocities_of_.size());
    for (const Quaternion& quaternion : d.equations.quaternions) {  // Ascending order keeps those before in place.
      const auto first = velocities_of_.begin() + quaternion.position;
      const std::vector<casadi_int> three = {quaternion.velocity, quaternion.velocity + 1, quaternion.velocity + 2};
      velocities_of_.insert(velocities_of_.erase(first, first + 3), 4, three);
    }
  }

  Dependence at_start() {
    const Equations& e = d_.equations;
    State state;
    state.positions = known(e.position_guess, state);
    for (const Quaternion& quaternion : e.quaternions) {  // Quaternions are brought to length one.
      const auto first = state.positions.begin() + quaternion.position;
      Union all;
      for (auto one = first; one != first + 4; ++one) all.join(*one);
      std::fill(first, first + 4, all.known());
    }
    state.turns = found_turns(state);
    const SX g = column_of(e.start_guesses);
    if (!g.is_empty()) meet(state, g, along_velocities(g), e.position_fixed);
    state.turns = found_turns(state);
    const SX f = column_of(e.start_positions), r = column_of(e.start_velocities);
    const SX F = along_velocities(f), R = SX::jacobian(r, s_.v);
    if (e.equilibrium) balance(state);
    else assemble(state, f, F, e.position_fixed);
    state.turns = found_turns(state);
    state.velocities = known(e.velocity_guess, state);
    make_consistent(state, r, R, e.velocity_fixed);
    return motion(state);
  }

  /// Returns dependencies in a step. Positions, velocities and turns are states: they depend on themselves, unless
  /// inputs move the constraints.
  Dependence in_step() {
    State state = states();
    if (SX::depends_on(SX::vertcat({violation(), d_.stages.c_t}), given_inputs())) {
      const SX none(0, 1), no_rows(0, s_.v.numel());
      assemble(state, none, no_rows, none_);
      make_consistent(state, none, no_rows, none_);
    } else {
      add_tunable_parameters(state);
    }
    return motion(state);
  }

  /// Returns dependencies in model exchange: the motion is that of the velocities that fit, and both rates lead back
  /// onto the constraints.
  Dependence from_outside() {
    const SX none(0, 1), no_rows(0, s_.v.numel());
    const State given = states();
    State fitting = given, corrected = given;
    make_consistent(fitting, none, no_rows, none_);
    assemble(corrected, none, no_rows, none_);
    Dependence result = motion(fitting);
    for (std::size_t j = 0; j < given.velocities.size(); ++j) {
      result.accelerations[j] = both(result.accelerations[j], both(fitting.velocities[j], given.velocities[j]));
    }
    for (std::size_t i = 0; i < given.positions.size(); ++i) {
      result.position_rates[i] = both(result.position_rates[i], corrected.positions[i]);
    }
    result.velocities = given.velocities;
    return result;
  }

  const std::vector<Known>& calculated() const { return calculated_; }

 private:
  /// Adds tunable parameters that move the constraints: a change of them moves positions and velocities.
  void add_tunable_parameters(State& state) const {
    if (!SX::depends_on(SX::vertcat({violation(), d_.stages.C, d_.stages.c_t, nonlinear()}), s_.parameters)) return;
    const SX none(0, 1), no_rows(0, s_.v.numel());
    State moved = state;
    assemble(moved, none, no_rows, none_);
    make_consistent(moved, none, no_rows, none_);
    const auto is_tunable = [this](int i) { return d_.equations.parameters[static_cast<std::size_t>(i)].tunable; };
    for (auto list : {&State::positions, &State::velocities}) {
      for (std::size_t i = 0; i < (state.*list).size(); ++i) {
        const std::vector<int>& parameters = (moved.*list)[i].parameters;
        std::copy_if(parameters.begin(), parameters.end(), std::back_inserter((state.*list)[i].parameters), is_tunable);
      }
    }
  }

  SX M() const { return SX(d_.M, d_.stages.M); }
  SX C() const { return SX(d_.C, d_.stages.C); }
  SX violation() const { return d_.violation(s_.all()).front(); }
  SX nonlinear() const { return d_.nonlinear(s_.all()).front(); }

  SX along_velocities(const SX& f) const { return SX::mtimes(SX::jacobian(f, s_.q), SX::jacobian(s_.q_rate, s_.v)); }

  static SX column_of(const std::vector<StartEquation>& rows) {
    std::vector<SX> residuals{SX(0, 1)};
    for (const StartEquation& row : rows) residuals.push_back(row.residual);
    return SX::vertcat(residuals);
  }

  State states() const {
    const auto each = [](const SX& of, std::vector<int> Known::* itself) {
      std::vector<Known> result(static_cast<std::size_t>(of.numel()));
      for (std::size_t i = 0; i < result.size(); ++i) (result[i].*itself).push_back(static_cast<int>(i));
      return result;
    };
    return {each(s_.q, &Known::positions), each(s_.v, &Known::velocities),
            std::vector<Known>(static_cast<std::size_t>(s_.angles.numel()))};
  }

  Dependence motion(const State& state) const {
    const std::vector<SX> parts = d_.acceleration(s_.all());  // are h, γ, C_a, B
    const SX C_a(d_.C_a, parts[2]);
    const SX B = d_.character.ideal ? SX(C_a.T()) : SX(d_.B, parts[3]);
    const SX M(d_.M, d_.mass);
    const DependencySets found = dependency_sets(equations_, M, C_a, B, parts[0], parts[1]);
    const std::vector<Known> sets = translate(found.sets, state);
    return {state.positions,
            rates(state),
            state.velocities,
            each(found.accelerations, sets),
            each(found.multipliers, sets),
            each(found.outputs, sets)};
  }

  /// Returns dependencies of q̇ = A(q) v: a quaternion's rates depend on all of it.
  std::vector<Known> rates(const State& state) const {
    std::vector<Known> result;
    for (const std::vector<casadi_int>& velocities : velocities_of_) {
      Union all;
      for (const casadi_int j : velocities) all.join(state.velocities[static_cast<std::size_t>(j)]);
      result.push_back(all.known());
    }
    for (const Quaternion& quaternion : d_.equations.quaternions) {
      Union all;
      for (int c = 0; c < 4; ++c) all.join(state.positions[static_cast<std::size_t>(quaternion.position + c)]);
      for (int c = 0; c < 4; ++c) {
        Known& rate = result[static_cast<std::size_t>(quaternion.position + c)];
        rate = both(rate, all.known());
      }
    }
    return result;
  }

  static Known both(const Known& one, const Known& other) {
    Union all;
    all.join(one);
    all.join(other);
    return all.known();
  }

  /// Puts positions on their constraints and on further rows f = 0, from their present place.
  void assemble(State& state, const SX& f, const SX& F, const std::vector<bool>& fixed) const {
    const SX C_p = C()(casadi::Slice(0, d_.sizes.position_rows), casadi::Slice());
    meet(state, SX::vertcat({violation(), f}), SX::vertcat({C_p, F}), fixed,
         d_.sizes.position_rank < Sparsity::sprank(C_p.sparsity()));
  }

  /// Puts positions on the rows f = 0, from their present place.
  void meet(State& state, const SX& f, const SX& F, const std::vector<bool>& fixed, bool redundant = true) const {
    SX from = SX::zeros(s_.v.numel(), 1);
    for (std::size_t i = 0; i < velocities_of_.size(); ++i) {
      for (const casadi_int v : velocities_of_[i]) from(v) += s_.q(static_cast<casadi_int>(i));
    }
    const std::vector<Known> found = projected(state, &State::positions, from, F, f, fixed, redundant);
    for (std::size_t i = 0; i < velocities_of_.size(); ++i) {
      Union all;
      for (const casadi_int v : velocities_of_[i]) all.join(found[static_cast<std::size_t>(v)]);
      state.positions[i] = all.known();
    }
  }

  /// Moves positions to where forces balance: everything acts on all of them.
  void balance(State& state) const {
    Union all;
    all.join({true, {}, {}});
    for (int i = 0; i < d_.equations.given_inputs(); ++i) {
      if (i != d_.equations.input_time) all.join({false, {i}, {}});
    }
    for (int i = 0; i < d_.sizes.parameters; ++i) all.join(with_calculated(i));
    state.positions.assign(state.positions.size(), all.known());
  }

  SX given_inputs() const { return s_.inputs(casadi::Slice(0, d_.equations.given_inputs())); }

  /// Makes velocities fit their constraints and the rows r.
  void make_consistent(State& state, const SX& r, const SX& R, const std::vector<bool>& fixed) const {
    const SX C = this->C(), f = nonlinear(), rows = SX::vertcat({C, SX::sparsify(SX::jacobian(f, s_.v))});
    state.velocities = projected(state, &State::velocities, s_.v, SX::vertcat({rows, R}),
                                 SX::vertcat({SX::mtimes(C, s_.v) + SX::densify(SX(d_.stages.c_t)), f, r}), fixed,
                                 d_.sizes.rank + d_.sizes.nonlinear_rank < Sparsity::sprank(rows.sparsity()));
  }

  /// Returns dependencies of the nearest values in the metric M subject to rows C. Fixed values stay. Values that the
  /// rows then determine have no choice: neither their origin nor the metric matters. (If rows are redundant, counting
  /// cannot tell what they determine.) The rest has the graph of the motion, with the place from which the distance is
  /// measured as its right-hand side.
  std::vector<Known> projected(const State& state, std::vector<Known> State::* values, const SX& from, const SX& C,
                               const SX& residual, const std::vector<bool>& fixed, bool redundant) const {
    Equations stage = equations_;
    stage.outputs.clear();
    stage.loads.clear();
    const casadi_int n = C.size2();
    const SX free_C = without_columns(C, fixed);
    const std::vector<bool> determined = redundant ? std::vector<bool>(fixed.size()) : determined_by(free_C.sparsity());
    const auto is_determined = [&](std::size_t i) {  // The number i is a position or a velocity.
      if (values == &State::velocities) return static_cast<bool>(determined[i]);
      return std::all_of(velocities_of_[i].begin(), velocities_of_[i].end(),
                         [&](casadi_int v) { return determined[static_cast<std::size_t>(v)]; });
    };
    State given = state, reached = state;
    for (std::size_t i = 0; i < (given.*values).size(); ++i)
      if (is_determined(i)) (given.*values)[i] = {};
    const DependencySets by_rows = dependency_sets(stage, SX(n, n), free_C, free_C.T(), SX::zeros(n, 1), residual);
    std::vector<Known> found = each(by_rows.accelerations, translate(by_rows.sets, given));
    for (std::size_t i = 0; i < (reached.*values).size(); ++i) {
      if (!is_determined(i)) continue;
      Union both;
      both.join((state.*values)[i]);
      const std::vector<casadi_int> own =
          values == &State::velocities ? std::vector<casadi_int>{static_cast<casadi_int>(i)} : velocities_of_[i];
      for (const casadi_int v : own) both.join(found[static_cast<std::size_t>(v)]);
      (reached.*values)[i] = both.known();
    }

    const SX open_C = without_columns(free_C, determined);
    const SX M = metric(free_C);
    SX start = from;
    std::vector<bool> away = fixed;
    for (std::size_t i = 0; i < away.size(); ++i) away[i] = away[i] || determined[i];
    const std::vector<casadi_int> rows = M.sparsity().get_row(), columns = M.sparsity().get_col();
    const auto pull = [&](casadi_int j, casadi_int l, std::size_t entry) {  // How far it comes pulls the others.
      if (determined[static_cast<std::size_t>(j)]) start(l) += SX(M.nonzeros()[entry]) + from(j);
    };
    for (std::size_t e = 0; e < rows.size(); ++e) {
      if (rows[e] == columns[e]) continue;
      pull(columns[e], rows[e], e);
      pull(rows[e], columns[e], e);
    }
    const SX open_M = without_columns(without_columns(M, away).T(), away);
    const DependencySets by_distance = dependency_sets(stage, open_M, open_C, open_C.T(), start, residual);
    const std::vector<Known> nearest = each(by_distance.accelerations, translate(by_distance.sets, reached));
    for (std::size_t j = 0; j < found.size(); ++j)
      if (!determined[j]) found[j] = nearest[j];
    return found;
  }

  /// Takes for each value one of several sets.
  static std::vector<Known> each(const std::vector<std::size_t>& numbers, const std::vector<Known>& sets) {
    std::vector<Known> result;
    for (const std::size_t number : numbers) result.push_back(sets[number]);
    return result;
  }

  static SX without_columns(const SX& matrix, const std::vector<bool>& which) {
    const SX shown = SX::sparsify(matrix);
    const std::vector<casadi_int> row = shown.sparsity().get_row(), column = shown.sparsity().get_col();
    std::vector<casadi_int> rows, columns;
    std::vector<casadi::SXElem> values;
    for (std::size_t e = 0; e < row.size(); ++e) {
      if (which[static_cast<std::size_t>(column[e])]) continue;
      rows.push_back(row[e]);
      columns.push_back(column[e]);
      values.push_back(shown.nonzeros()[e]);
    }
    return SX::triplet(rows, columns, SX(values), shown.size1(), shown.size2());
  }

  /// Marks columns of a pattern to which its rows leave no freedom: those of a component of the graph that has as many
  /// independent rows as columns.
  static std::vector<bool> determined_by(const Sparsity& rows) {
    std::vector<bool> result(static_cast<std::size_t>(rows.size2()));
    std::vector<casadi_int> index, offset, mapping;
    const Sparsity graph = Sparsity::mtimes(rows.T(), rows) + Sparsity::diag(rows.size2());
    std::vector<casadi_int> all(static_cast<std::size_t>(rows.size1()));
    std::iota(all.begin(), all.end(), 0);
    const casadi_int count = graph.scc(index, offset);
    for (casadi_int c = 0; c < count; ++c) {
      const auto at = [&](casadi_int k) { return index.begin() + offset[static_cast<std::size_t>(k)]; };
      const std::vector<casadi_int> columns(at(c), at(c + 1));
      if (Sparsity::sprank(rows.sub(all, columns, mapping)) < static_cast<casadi_int>(columns.size())) continue;
      for (const casadi_int j : columns) result[static_cast<std::size_t>(j)] = true;
    }
    return result;
  }

  /// Returns M without the inertias of coordinates that nothing couples to others: these simply start at their start
  /// values.
  SX metric(const SX& C) const {
    SX M = this->M();
    const std::vector<casadi_int> row = d_.M.get_row(), column = d_.M.get_col();
    std::vector<bool> coupled(static_cast<std::size_t>(M.size1()), false);
    for (const casadi_int i : C.sparsity().get_col()) coupled[static_cast<std::size_t>(i)] = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == column[i]) continue;
      coupled[static_cast<std::size_t>(row[i])] = coupled[static_cast<std::size_t>(column[i])] = true;
    }
    for (casadi_int i = 0; i < M.size1(); ++i) {
      if (!coupled[static_cast<std::size_t>(i)] && M.has_nz(i, i)) M(i, i) = 0;
    }
    return SX::sparsify(M);
  }

  /// Returns dependencies of turns, which bring an angle next to its guess.
  std::vector<Known> found_turns(const State& state) const {
    std::vector<Known> result;
    for (const AngleEquation& angle : d_.equations.angles) {
      Union all;
      for (const Known& part : known(SX::vertcat({angle.raw, angle.guess}), state)) all.join(part);
      result.push_back(all.known());
    }
    return result;
  }

  /// Returns the dependencies of each entry of a column of expressions.
  std::vector<Known> known(const SX& column, const State& state) const {
    std::vector<std::vector<int>> sets(static_cast<std::size_t>(column.numel()));
    if (!sets.empty()) {
      const Sparsity pattern = SX::jacobian_sparsity(SX::densify(column), all_knowns_);
      const std::vector<casadi_int> row = pattern.get_row(), number = pattern.get_col();
      for (std::size_t i = 0; i < row.size(); ++i) {
        sets[static_cast<std::size_t>(row[i])].push_back(static_cast<int>(number[i]));
      }
    }
    return translate(sets, state);
  }

  Known with_calculated(int parameter) const {
    const Known& known = calculated_[static_cast<std::size_t>(parameter)];
    return known.parameters.empty() && !known.everything ? Known{false, {}, {parameter}} : known;
  }

  /// Translates numbers in the long column to knowns.
  std::vector<Known> translate(const std::vector<std::vector<int>>& sets, const State& state) const {
    const auto place = [](casadi_int number, casadi_int first) { return static_cast<std::size_t>(number - first); };
    std::vector<Known> result;
    for (const std::vector<int>& set : sets) {
      Union all;
      for (const int i : set) {
        if (i < Knowns::first_input || i == Knowns::first_input + d_.equations.input_time) {
          all.join({true, {}, {}});
        } else if (i < knowns_.first_parameter && i - Knowns::first_input >= d_.equations.given_inputs()) {
          continue;  // They are turns, beside the position.
        } else if (i < knowns_.first_parameter) {
          all.join({false, {static_cast<int>(i - Knowns::first_input)}, {}});
        } else if (i < knowns_.first_position) {
          all.join(with_calculated(static_cast<int>(i - knowns_.first_parameter)));
        } else if (i < knowns_.first_velocity) {
          all.join(state.positions[place(i, knowns_.first_position)]);
        } else if (i < knowns_.first_turn) {
          all.join(state.velocities[place(i, knowns_.first_velocity)]);
        } else {
          all.join(state.turns[place(i, knowns_.first_turn)]);
        }
      }
      result.push_back(all.known());
    }
    return result;
  }

  const Derivation& d_;
  Equations equations_;  ///< has all knowns as inputs
  const Symbols& s_;
  Knowns knowns_;
  SX all_knowns_;
  std::vector<Known> calculated_;
  std::vector<std::vector<casadi_int>> velocities_of_;  ///< velocities by which each position moves
  std::vector<bool> none_;                              ///< has no velocity
};

/// Adds dependencies that another search found. A motion on its constraints knows those on parameters more exactly.
void join(Dependence& all, const Dependence& others) {
  for (auto list : {&Dependence::positions, &Dependence::position_rates, &Dependence::velocities,
                    &Dependence::accelerations, &Dependence::multipliers, &Dependence::outputs}) {
    for (std::size_t i = 0; i < (all.*list).size(); ++i) {
      Known other = (others.*list)[i];
      other.parameters.clear();
      Union both;
      both.join((all.*list)[i]);
      both.join(other);
      (all.*list)[i] = both.known();
    }
  }
}

}  // namespace

VariableFacts variable_facts(const Derivation& derivation) {
  const Equations& equations = derivation.equations;
  VariableFacts facts;
  facts.tangent_velocities = derivation.sizes.degrees_of_freedom();
  facts.degrees_of_freedom = facts.tangent_velocities - derivation.sizes.nonlinear_rank;
  facts.filters = equations.filters;
  facts.remark = derivation.equations.remark;
  facts.positions = equations.positions;
  facts.velocities = equations.velocities;
  facts.accelerations = equations.accelerations;
  for (const ConstraintEquation& row : equations.constraints) {
    facts.multipliers.push_back(row.multiplier);
    facts.constraints.push_back({row.name, row.description, row.level});
  }
  for (const OutputEquation& output : equations.outputs) {
    facts.outputs.push_back({output.shown, output.group, output.index});
  }
  for (const ChangingVariable& one : equations.contact_states)
    facts.contact_states.push_back({one.shown, one.plus, one.minus});
  for (const ChangingVariable& one : equations.impulses) facts.impulses.push_back({one.shown, one.plus, one.minus});
  facts.parameters = equations.parameters;
  facts.parameter_values = equations.parameter_values;
  Dependencies dependencies(derivation);
  facts.calculated = dependencies.calculated();
  facts.in_step = dependencies.in_step();
  if (facts.states_are_shown()) join(facts.in_step, dependencies.from_outside());
  facts.at_start = dependencies.at_start();
  return facts;
}

}  // namespace mechfmu
