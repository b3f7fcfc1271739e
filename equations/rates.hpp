// Total time derivatives along the motion: which symbols move, and how fast.
#pragma once

#include <unordered_map>

#include "equations.hpp"

namespace mechfmu {

class Rates {
 public:
  /// Nothing moves.
  Rates() = default;
  /// d/dt = ∂/∂t + ∂/∂q q̇ + ∂/∂v v̇.
  explicit Rates(const Symbols& symbols);

  /// Further symbols that move, and their rates.
  void set(const casadi::SX& of, const casadi::SX& rates);

  /// The derivative of a dense column.
  casadi::SX operator()(const casadi::SX& expression) const;

 private:
  std::unordered_map<const casadi::SXNode*, casadi::SX> rates_;
};

}  // namespace mechfmu
