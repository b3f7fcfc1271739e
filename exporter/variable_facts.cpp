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
    facts.at_start.positions = positions_ = start_of(d_.equations.count(Level::position), s_.q, 0);
    facts.at_start.velocities = velocities_ = start_of(d_.sizes.rows(), s_.v, d_.sizes.positions);

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

  /// The start of positions minimises a distance in the metric M subject to the first rows of C, that of velocities
  /// likewise: the same graph as that of the motion, with the start parameters as its right-hand side.
  std::vector<Known> start_of(int row_count, const SX& unknowns, int offset) {
    const casadi::Slice rows(0, row_count), all;
    const SX C = SX(d_.C, d_.stages.C)(rows, all);
    const casadi_int first = d_.sizes.first_position_start() + offset;
    const SX guesses = s_.parameters(casadi::Slice(first, first + unknowns.numel()));
    const bool of_positions = offset == 0;
    const SX residual = of_positions ? d_.violation(s_.all()).front() : SX::densify(SX(d_.stages.c_t));
    Equations stage = equations_;
    stage.outputs.clear();
    stage.loads.clear();
    const InputDependencies found = input_dependencies(stage, metric(C), C, C.T(), guesses, residual);
    // Where positions are the unknowns, those that occur in the equations are guesses at first.
    if (of_positions) positions_ = guesses_of_positions();
    return translate(found.accelerations, true);
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
    for (int i = 0; i < knowns_.positions; ++i) {
      result[static_cast<std::size_t>(i)] = with_calculated(d_.sizes.first_position_start() + i);
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
      bool time = false;
      std::set<int> inputs, parameters;
      const auto join = [&](const Known& known) {
        time |= known.time;
        inputs.insert(known.inputs.begin(), known.inputs.end());
        parameters.insert(known.parameters.begin(), known.parameters.end());
      };
      for (const int i : set) {
        if (i < knowns_.first_input()) {
          time = true;
        } else if (i < knowns_.first_parameter()) {
          const int input = i - knowns_.first_input();
          if (input == d_.equations.input_time) time = true;  // no variable: what it tells changes with time
          else inputs.insert(input);
        } else if (i < knowns_.first_position()) {
          join(with_calculated(i - knowns_.first_parameter()));
        } else if (at_start && i < knowns_.first_velocity()) {
          join(positions_[static_cast<std::size_t>(i - knowns_.first_position())]);
        } else if (at_start) {
          join(velocities_[static_cast<std::size_t>(i - knowns_.first_velocity())]);
        }
      }
      result.push_back({time, {inputs.begin(), inputs.end()}, {parameters.begin(), parameters.end()}});
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
