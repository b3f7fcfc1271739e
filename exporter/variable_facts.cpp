// Dependencies by connected components (input_dependencies.hpp), once for the motion and once for each stage of the
// start, with everything an importer knows taken as an input.
#include "exporter/variable_facts.hpp"

#include <set>

#include "exporter/input_dependencies.hpp"

namespace mechfmu {

using casadi::Sparsity;
using casadi::SX;

namespace {

/// Columns of symbols laid end to end: which of them is number i?
struct Knowns {
  int inputs, parameters, positions, velocities;

  int first_input() const { return 1; }
  int first_parameter() const { return 1 + inputs; }
  int first_position() const { return first_parameter() + parameters; }
  int first_velocity() const { return first_position() + positions; }
};

class Dependencies {
 public:
  explicit Dependencies(const Derivation& d)
      : d_(d),
        equations_(d.equations),
        s_(d.equations.symbols),
        knowns_{d.sizes.inputs, d.sizes.parameters, d.sizes.positions, d.sizes.velocities} {
    equations_.symbols.inputs = SX::vertcat({s_.time, s_.inputs, s_.parameters, s_.q, s_.v});
    find_calculated();
  }

  VariableFacts facts() {
    VariableFacts facts;
    facts.degrees_of_freedom = d_.sizes.degrees_of_freedom();
    facts.parameter_values = d_.equations.parameter_values;
    for (const OutputEquation& output : d_.equations.outputs) {
      facts.outputs.push_back({output.name, output.group, output.index});
    }
    facts.calculated = calculated_;
    facts.at_start.positions = positions_ = start_of_positions();
    facts.at_start.velocities = velocities_ = start_of_velocities();

    const std::vector<SX> parts = d_.acceleration(s_.all());  // h, γ, C_a, B
    const SX C_a(d_.C_a, parts[2]);
    const SX B = d_.character.ideal ? SX(C_a.T()) : SX(d_.B, parts[3]);
    const InputDependencies motion = input_dependencies(equations_, M(), C_a, B, parts[0], parts[1]);
    for (const bool start : {false, true}) {
      Dependence& dependence = start ? facts.at_start : facts.in_step;
      dependence.accelerations = translate(motion.accelerations, start);
      dependence.multipliers = translate(motion.multipliers, start);
      dependence.outputs = translate(motion.outputs, start);
    }
    return facts;
  }

 private:
  SX M() const { return SX(d_.M, d_.stages.M); }

  void find_calculated() {
    calculated_.resize(static_cast<std::size_t>(knowns_.parameters));
    for (const Calculation& calculation : d_.equations.calculations) {
      Known& known = calculated_[static_cast<std::size_t>(calculation.parameter)];
      for (const casadi_int i : SX::jacobian_sparsity(SX::densify(calculation.value), s_.parameters).get_col()) {
        known.parameters.push_back(static_cast<int>(i));
      }
    }
  }

  /// Positions that occur in the equations are guesses at first. In equilibrium everything acts on every position.
  std::vector<Known> start_of_positions() {
    positions_ = guesses_of_positions();
    if (equations_.equilibrium) return std::vector<Known>(positions_.size(), everything());
    const std::vector<SX> further = d_.start_positions(s_.all());
    const casadi::Slice rows(0, d_.sizes.position_rows), all;
    const SX C = SX::vertcat({SX(d_.C, d_.stages.C)(rows, all), rows_of(further)});
    const SX residual = SX::vertcat({d_.violation(s_.all()).front(), further.front()});
    return by_position(start_of(C, residual, by_velocity(equations_.position_guess)));
  }

  std::vector<Known> start_of_velocities() {
    const std::vector<SX> further = d_.start_velocities(s_.all());
    const SX C = SX::vertcat({SX(d_.C, d_.stages.C), rows_of(further)});
    const SX at_rest = SX::substitute(further.front(), s_.v, SX::zeros(s_.v.numel()));
    return start_of(C, SX::vertcat({SX::densify(SX(d_.stages.c_t)), at_rest}), equations_.velocity_guess);
  }

  /// The start of positions minimises a distance in the metric M subject to the first rows of C and those of the start,
  /// that of velocities likewise: the same graph as that of the motion, with the guesses as its right-hand side.
  std::vector<Known> start_of(const SX& C, const SX& residual, const SX& guesses) {
    Equations stage = equations_;
    stage.outputs.clear();
    return translate(input_dependencies(stage, metric(C), C, C.T(), SX::densify(guesses), residual).accelerations, true);
  }

  /// The matrix of a function of the start: its second result, a dense column.
  SX rows_of(const std::vector<SX>& further) const {
    return SX::sparsify(SX::reshape(further.back(), further.front().numel(), s_.v.numel()));
  }

  /// One expression a velocity from one a position: what it depends on is meant, each part of a rotation on all.
  SX by_velocity(const SX& of_positions) const {
    std::vector<SX> result{SX(0, 1)};
    casadi_int next = 0;
    for (const Quaternion& one : equations_.quaternions) {
      result.push_back(of_positions(casadi::Slice(next, one.position)));
      const SX rotation = SX::sumsqr(of_positions(casadi::Slice(one.position, one.position + 4)));
      for (int c = 0; c < 3; ++c) result.push_back(rotation);
      next = one.position + 4;
    }
    result.push_back(of_positions(casadi::Slice(next, of_positions.numel())));
    return SX::vertcat(result);
  }

  /// One set a position from one a velocity.
  std::vector<Known> by_position(const std::vector<Known>& of_velocities) const {
    std::vector<Known> result;
    auto next = of_velocities.begin();
    for (const Quaternion& one : equations_.quaternions) {
      while (next < of_velocities.begin() + one.velocity) result.push_back(*next++);
      Known rotation;
      for (int c = 0; c < 3; ++c) rotation = joined(rotation, *next++);
      result.insert(result.end(), 4, rotation);
    }
    result.insert(result.end(), next, of_velocities.end());
    return result;
  }

  Known everything() const {
    Known result{true, {}, {}};
    for (int i = 0; i < knowns_.inputs; ++i) result.inputs.push_back(i);
    for (int i = 0; i < knowns_.parameters; ++i)
      if (calculated_[static_cast<std::size_t>(i)].parameters.empty()) result.parameters.push_back(i);
    return result;
  }

  static Known joined(const Known& a, const Known& b) {
    std::set<int> inputs(a.inputs.begin(), a.inputs.end()), parameters(a.parameters.begin(), a.parameters.end());
    inputs.insert(b.inputs.begin(), b.inputs.end());
    parameters.insert(b.parameters.begin(), b.parameters.end());
    return {a.time || b.time, {inputs.begin(), inputs.end()}, {parameters.begin(), parameters.end()}};
  }

  /// M without the inertias of coordinates that nothing couples to others: these simply start where they are told.
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

  std::vector<Known> guesses_of_positions() const {
    std::vector<Known> result(static_cast<std::size_t>(knowns_.positions));
    const Sparsity guesses = SX::jacobian_sparsity(SX::densify(equations_.position_guess), s_.parameters);
    const std::vector<casadi_int> position = guesses.get_row(), parameter = guesses.get_col();
    for (std::size_t i = 0; i < position.size(); ++i) {
      Known& known = result[static_cast<std::size_t>(position[i])];
      known = joined(known, with_calculated(static_cast<int>(parameter[i])));
    }
    return result;
  }

  Known with_calculated(int parameter) const {
    const Known& known = calculated_[static_cast<std::size_t>(parameter)];
    return known.parameters.empty() ? Known{false, {}, {parameter}} : known;
  }

  /// Numbers in the long column to knowns; positions and velocities vanish in a step, since they are states, and stand
  /// for what they start from at the start.
  std::vector<Known> translate(const std::vector<std::vector<int>>& sets, bool at_start) const {
    std::vector<Known> result;
    for (const std::vector<int>& set : sets) {
      Known all;
      const auto join = [&](const Known& known) { all = joined(all, known); };
      for (const int i : set) {
        if (i < knowns_.first_input()) {
          all.time = true;
        } else if (i < knowns_.first_parameter()) {
          join({false, {i - knowns_.first_input()}, {}});
        } else if (i < knowns_.first_position()) {
          join(with_calculated(i - knowns_.first_parameter()));
        } else if (at_start && i < knowns_.first_velocity()) {
          join(positions_[static_cast<std::size_t>(i - knowns_.first_position())]);
        } else if (at_start) {
          join(velocities_[static_cast<std::size_t>(i - knowns_.first_velocity())]);
        }
      }
      result.push_back(std::move(all));
    }
    return result;
  }

  const Derivation& d_;
  Equations equations_;  ///< with everything known as an input
  const Symbols& s_;
  Knowns knowns_;
  std::vector<Known> calculated_, positions_, velocities_;
};

}  // namespace

VariableFacts variable_facts(const Derivation& derivation) { return Dependencies(derivation).facts(); }

}  // namespace mechfmu
