// Says what values depend on, as sets of what an importer knows: time, inputs, parameters, positions and velocities.
#pragma once

#include <set>
#include <vector>

#include "derivation/derive.hpp"
#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Collects the dependencies of several values.
class KnownUnion {
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

/// Returns what two values depend on together.
Known both(const Known&, const Known&);

/// Takes for each value one of several sets.
std::vector<Known> each_of(const std::vector<std::size_t>& numbers, const std::vector<Known>& sets);

/// Says what positions, velocities and turns depend on, at one instant.
struct KnownState {
  std::vector<Known> positions, velocities, turns;
};

/// Finds what expressions depend on. All that they may contain lies end to end in one long column; a KnownState says
/// what positions, velocities and turns mean there.
class Knowns {
 public:
  explicit Knowns(const Equations&);

  /// Returns the long column.
  const casadi::SX& column() const { return column_; }
  /// Returns states that are known themselves.
  KnownState states() const;

  /// Returns the dependencies of each entry of a column of expressions.
  std::vector<Known> of(const casadi::SX& column, const KnownState&) const;
  /// Translates numbers in the long column to knowns.
  std::vector<Known> translate(const std::vector<std::vector<int>>& sets, const KnownState&) const;
  /// Returns what a parameter depends on: itself, or others if it is calculated.
  Known of_parameter(int) const;
  const std::vector<Known>& calculated() const { return calculated_; }

 private:
  static constexpr casadi_int first_input_ = 1;
  const Equations& equations_;
  casadi::SX column_;
  casadi_int first_parameter_, first_position_, first_velocity_, first_turn_;
  std::vector<Known> calculated_;
};

}  // namespace mechfmu
