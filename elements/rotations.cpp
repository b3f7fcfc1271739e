// Makes rotations as expressions.
#include "rotations.hpp"

#include <cmath>

namespace mechfmu {

using casadi::SX;

namespace {

SX matrix(const SX& a, const SX& b, const SX& c, const SX& d) {
  return SX::vertcat({SX::horzcat({a, b}), SX::horzcat({c, d})});
}

SX in_frame(const SX& frame, const SX& R) { return SX::mtimes(SX::mtimes(frame, R), frame.T()); }

}  // namespace

SX planar_rotation(const SX& angle) {
  const SX c = SX::cos(angle), s = SX::sin(angle);
  return matrix(c, -s, s, c);
}

SX rotation_about(const SX& frame, const SX& angle) {
  SX R = SX::eye(3);
  R(casadi::Slice(0, 2), casadi::Slice(0, 2)) = planar_rotation(angle);
  return in_frame(frame, R);
}

SX rotation_about_first(const SX& frame, const SX& angle) {
  SX R = SX::eye(3);
  R(casadi::Slice(1, 3), casadi::Slice(1, 3)) = planar_rotation(angle);
  return in_frame(frame, R);
}

SX rotation_of(const SX& quaternion) {
  const SX w = quaternion(0), x = quaternion(1), y = quaternion(2), z = quaternion(3);
  return SX::vertcat({SX::horzcat({1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)}),
                      SX::horzcat({2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)}),
                      SX::horzcat({2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)})});
}

SX quaternion_rate(const SX& quaternion, const SX& omega) {
  const SX w = quaternion(0), vector = quaternion(casadi::Slice(1, 4));
  return SX::vertcat({-SX::dot(vector, omega), w * omega + cross_product(vector, omega)}) / 2;
}

SX quaternion_of(const SX& R) {
  // These are entries of 4 q qᵀ: its column with the largest diagonal element is q, up to its length.
  const SX xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  const SX columns =
      SX::horzcat({SX::vertcat({1 + xx + yy + zz, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}),
                   SX::vertcat({R(2, 1) - R(1, 2), 1 + xx - yy - zz, R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)}),
                   SX::vertcat({R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 - xx + yy - zz, R(1, 2) + R(2, 1)}),
                   SX::vertcat({R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 - xx - yy + zz})});
  SX best = columns(casadi::Slice(), 0), largest = columns(0, 0);
  for (casadi_int i = 1; i < 4; ++i) {
    const SX better = columns(i, i) > largest;
    best = SX::if_else(better, columns(casadi::Slice(), i), best);
    largest = SX::if_else(better, columns(i, i), largest);
  }
  return best / (2 * SX::sqrt(largest));
}

SX cross_matrix(const SX& a) {
  return SX::vertcat({SX::horzcat({0, -a(2), a(1)}), SX::horzcat({a(2), 0, -a(0)}), SX::horzcat({-a(1), a(0), 0})});
}

SX cross_product(const SX& a, const SX& b) {
  if (b.numel() == 2) return SX::vertcat({-a * b(1), a * b(0)});
  return SX::vertcat({a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)});
}

SX rotation_of_roll_pitch_yaw(const SX& angles) {
  const SX z = SX::eye(3);
  SX y(3, 3), x(3, 3);  // frames whose third column is the axis
  y(2, 0) = 1, y(0, 1) = 1, y(1, 2) = 1;
  x(1, 0) = 1, x(2, 1) = 1, x(0, 2) = 1;
  return SX::mtimes({rotation_about(z, angles(2)), rotation_about(y, angles(1)), rotation_about(x, angles(0))});
}

SX unit(const SX& vector) {
  if (!vector.is_constant()) return vector / SX::norm_2(vector);
  std::vector<double> numbers = static_cast<casadi::DM>(SX::densify(vector)).nonzeros();
  double square = 0;
  for (const double number : numbers) square += number * number;
  for (double& number : numbers) number /= std::sqrt(square);
  return SX(casadi::DM(numbers));
}

SX angle_between(const SX& a, const SX& b) { return SX::atan2(SX::norm_2(cross_product(a, b)), SX::dot(a, b)); }

SX frame_about(const SX& axis, const SX& first) {
  const SX e3 = unit(axis), e1 = unit(first - SX::dot(first, e3) * e3);
  return SX::horzcat({e1, cross_product(e3, e1), e3});
}

SX frame_about(const SX& axis, const std::vector<double>& values) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i]) < std::abs(values[least])) least = i;
  SX first = SX::zeros(3);
  first(static_cast<casadi_int>(least)) = 1;
  return frame_about(axis, first);
}

}  // namespace mechfmu
