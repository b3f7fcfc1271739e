// Finds derivatives along velocities by the way of fewer operations.
#include "derivation/rows/motion_rates.hpp"

#include "equations/sharing.hpp"

namespace mechfmu {

using casadi::SX;

MotionRates::MotionRates(const Equations& equations)
    : equations_(equations), symbols_(equations.symbols), q_(symbols_.q), v_(symbols_.v),
      moving_(SX::vertcat({symbols_.time, symbols_.positions()})),
      motion_(SX::vertcat({SX(1), symbols_.q_rate, equations.state_rates()})) {}

SX MotionRates::along_velocities(const SX& expression) const {
  const SX by_coordinates = q_.jacobian(expression);
  if (equations_.quaternions.empty()) return by_coordinates;
  const SX by_positions = SX::sparsify(SX::mtimes(by_coordinates, SX::jacobian(symbols_.q_rate, symbols_.v)));
  const SX by_rates = v_.jacobian(q_.slope(expression, symbols_.q_rate));
  const auto operations = [this](const SX& matrix) { return operations_of(symbols_.all(), {nonzeros(matrix)}); };
  return operations(by_rates) < operations(by_positions) ? by_rates : by_positions;
}

SX MotionRates::at_fixed_velocities(const SX& expression) const {
  return expression.is_empty() ? expression : moving_.slope(expression, motion_);
}

SX MotionRates::of_matrix(const SX& matrix) const {
  const SX rates = SX::densify(at_fixed_velocities(nonzeros(matrix)));
  return SX::sparsify(SX(matrix.sparsity(), rates.nonzeros()));
}

}  // namespace mechfmu
