// Takes total time derivatives along the motion. It knows which symbols move, and how fast.
#pragma once

#include <unordered_map>

#include "equations.hpp"

namespace mechfmu {

class Rates {
 public:
  /// Lets nothing move.
  Rates() = default;
  /// Lets the state move: d/dt = ∂/∂t + ∂/∂q q̇ + ∂/∂v v̇.
  explicit Rates(const Symbols& symbols);

  /// Lets further symbols move at these rates.
  void set(const casadi::SX& of, const casadi::SX& rates);

  /// Returns the derivative of a dense column.
  casadi::SX operator()(const casadi::SX& expression) const;

 private:
  std::unordered_map<const casadi::SXNode*, casadi::SX> rates_;
};

}  // namespace mechfmu
