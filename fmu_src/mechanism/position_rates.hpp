// Relates positions and velocities, q̇ = A(q) v. A position is the integral of its velocity, or it belongs to a unit
// quaternion (w, x, y, z) that turns with an angular velocity ω in the turned frame, q̇ = ½ q ∘ (0, ω). Moves,
// differences and sizes of positions are therefore counted by velocity and have n numbers; a rotation has three of
// them, in rad, in the turned frame. States of the file are the last positions. No velocity moves them: A has zeros
// there, and their rates are added by those who integrate.
#pragma once

#include <cmath>

#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "model.hpp"

namespace mechfmu {

/// Calls scalar(i, j) for each q[i] that is the integral of v[j], and turned(i, j) for each quaternion q[i] … q[i + 3]
/// whose ω is v[j] … v[j + 2]. The loop over quaternions is unrolled for a generated model; without quaternions there
/// is a plain loop.
template <class Model, class Scalar, class Turned>
[[gnu::always_inline]] inline void for_positions(const Model& model, Scalar&& scalar, Turned&& turned) {
  const int n = model.sizes().velocities;
  int i = 0, j = 0;
  if constexpr (Model::fixed.quaternions != 0) {
    repeat<Model::fixed.quaternions>(model.sizes().quaternions, [&](int k) {
      for (const int velocity = model.quaternions()[k].velocity; j < velocity; ++i, ++j) scalar(i, j);
      turned(i, j);
      i += 4;
      j += 3;
    });
  }
  for (; j < n; ++i, ++j) scalar(i, j);
}

/// Calls act(i, k) for each q[i] that is a state; k is the place of its nominal size.
template <class Model, class Act>
[[gnu::always_inline]] inline void for_states(const Model& model, Act&& act) {
  const Sizes& s = model.sizes();
  for (int k = 0; k < s.states(); ++k) act(s.first_state() + k, s.velocities + k);
}

/// y = ½ p ∘ (0, ω)
inline void half_product(const double* p, const double* omega, double* y) {
  y[0] = 0.5 * (-p[1] * omega[0] - p[2] * omega[1] - p[3] * omega[2]);
  y[1] = 0.5 * (p[0] * omega[0] + p[2] * omega[2] - p[3] * omega[1]);
  y[2] = 0.5 * (p[0] * omega[1] + p[3] * omega[0] - p[1] * omega[2]);
  y[3] = 0.5 * (p[0] * omega[2] + p[1] * omega[1] - p[2] * omega[0]);
}

/// q̇ = A(q) v
template <class Model>
inline void rates(const Model& model, const double* q, const double* v, double* q_rate) {
  for_positions(
      model, [&](int i, int j) { q_rate[i] = v[j]; }, [&](int i, int j) { half_product(q + i, v + j, q_rate + i); });
  for_states(model, [&](int i, int) { q_rate[i] = 0; });
}

/// y = A⁺ᵀ x: xᵀ v = yᵀ q̇. For a unit quaternion, A⁺ is 4 Aᵀ.
template <class Model>
inline void pull_back_rates(const Model& model, const double* q, const double* x, double* y) {
  for_positions(
      model, [&](int i, int j) { y[i] = x[j]; },
      [&](int i, int j) {
        half_product(q + i, x + j, y + i);
        for (int c = i; c < i + 4; ++c) y[c] *= 4;
      });
  for_states(model, [&](int i, int) { y[i] = 0; });
}

/// Scales quaternions to length one. A position is always normalised before it is evaluated.
template <class Model>
inline void normalise(const Model& model, double* q) {
  for_positions(
      model, [](int, int) {},
      [&](int i, int) {
        const double scale = 1 / std::sqrt(dense::dot(4, q + i, q + i));
        for (int c = i; c < i + 4; ++c) q[c] *= scale;
      });
}

/// q ← q + A(q) Δ; then q is normalised.
template <class Model>
inline void move(const Model& model, const double* delta, double* q) {
  for_positions(
      model, [&](int i, int j) { q[i] += delta[j]; },
      [&](int i, int j) {
        double change[4];
        half_product(q + i, delta + j, change);
        dense::add(4, 1, change, q + i);
      });
  normalise(model, q);
}

/// p = from* ∘ to, where `from*` is the conjugate. Between unit quaternions, p is the rotation from the one to the
/// other.
inline void quotient(const double* from, const double* to, double* p) {
  p[0] = dense::dot(4, from, to);
  p[1] = from[0] * to[1] - from[1] * to[0] - from[2] * to[3] + from[3] * to[2];
  p[2] = from[0] * to[2] - from[2] * to[0] - from[3] * to[1] + from[1] * to[3];
  p[3] = from[0] * to[3] - from[3] * to[0] - from[1] * to[2] + from[2] * to[1];
}

/// Gives this rotation the sign p_w ≥ 0: it goes the shorter way.
inline void rotation_between(const double* from, const double* to, double* p) {
  quotient(from, to, p);
  if (p[0] >= 0) return;
  for (int c = 0; c < 4; ++c) p[c] = -p[c];
}

/// d is the difference between q and another position; for a rotation it is twice the vector part of p, 2 sin(angle/2)
/// along its axis.
template <class Model>
inline void difference(const Model& model, const double* q, const double* from, double* d) {
  for_positions(
      model, [&](int i, int j) { d[j] = q[i] - from[i]; },
      [&](int i, int j) {
        double p[4];
        rotation_between(from + i, q + i, p);
        for (int c = 0; c < 3; ++c) d[j + c] = 2 * p[c + 1];
      });
}

/// y = (p_w 1 + [vector part of p ×])ᵀ x
inline void pull_back_turned(const double* p, const double* x, double* y) {
  y[0] = p[0] * x[0] + p[3] * x[1] - p[2] * x[2];
  y[1] = p[0] * x[1] + p[1] * x[2] - p[3] * x[0];
  y[2] = p[0] * x[2] + p[2] * x[0] - p[1] * x[1];
}

/// y = (∂d/∂Δ)ᵀ x, where ∂d/∂Δ is the derivative of difference() by moves of q.
template <class Model>
inline void pull_back(const Model& model, const double* q, const double* from, const double* x, double* y) {
  for_positions(
      model, [&](int, int j) { y[j] = x[j]; },
      [&](int i, int j) {
        double p[4];
        rotation_between(from + i, q + i, p);
        pull_back_turned(p, x + j, y + j);
      });
}

/// Finds the position q that has the difference d from another one: this is the inverse of difference(). States stay.
/// Returns false if a rotation of d is above a quarter turn, or if a number is NaN.
template <class Model>
inline bool displace(const Model& model, const double* from, const double* d, double* q) {
  constexpr double quarter_turn = 2;  // |d|² = 4 sin²(angle/2)
  bool found = true;
  for_positions(
      model, [&](int i, int j) { q[i] = from[i] + d[j]; },
      [&](int i, int j) {
        const double square = dense::dot(3, d + j, d + j);
        found = found && square <= quarter_turn;
        if (!found) return;
        half_product(from + i, d + j, q + i);
        dense::add(4, std::sqrt(1 - square / 4), from + i, q + i);
      });
  for_states(model, [&](int i, int) { q[i] = from[i]; });
  if (found) normalise(model, q);
  return found;
}

/// ḋ = ∂d/∂Δ v, the rate of difference() while q moves with v.
template <class Model>
inline void difference_rates(const Model& model, const double* d, const double* v, double* d_rate) {
  for_positions(
      model, [&](int, int j) { d_rate[j] = v[j]; },
      [&](int, int j) {
        const double p[4] = {std::sqrt(1 - dense::dot(3, d + j, d + j) / 4), -d[j] / 2, -d[j + 1] / 2, -d[j + 2] / 2};
        pull_back_turned(p, v + j, d_rate + j);
      });
}

/// Returns the index of the position that belongs to velocity j; for a rotation, the index of its quaternion.
template <class Model>
inline int position_of(const Model& model, int j) {
  int before = 0;
  if constexpr (Model::fixed.quaternions != 0) {
    for (int k = 0; k < model.sizes().quaternions; ++k) {
      const Quaternion& quaternion = model.quaternions()[k];
      if (j < quaternion.velocity) break;
      if (j < quaternion.velocity + 3) return quaternion.position;
      ++before;
    }
  }
  return j + before;
}

/// Is true if velocity j is a component of an angular velocity of a quaternion.
template <class Model>
inline bool is_turned(const Model& model, int j) {
  for (int k = 0; k < model.sizes().quaternions; ++k) {
    const int first = model.quaternions()[k].velocity;
    if (j >= first && j < first + 3) return true;
  }
  return false;
}

/// Returns N + |q|: a move along velocity j is compared with it. Components of a quaternion are at most 1.
template <class Model>
inline double scale_of(const Model& model, const double* q, int j) {
  return Model::fixed.quaternions != 0 && is_turned(model, j)
             ? 2
             : model.nominal()[j] + std::fabs(q[position_of(model, j)]);
}

/// Returns the largest part of its coordinate's scale that a move changes, or NaN if a number is NaN.
template <class Model>
inline double relative_size(const Model& model, const double* delta, const double* q) {
  double size = 0;
  const double* nominal = model.nominal();
  for_positions(
      model, [&](int i, int j) { dense::raise(size, std::fabs(delta[j]) / (nominal[j] + std::fabs(q[i]))); },
      [&](int, int j) { dense::raise(size, dense::largest(3, delta + j) / 2); });
  return size;
}

/// Returns nominal sizes of positions; a quaternion's components are at most 1.
template <class Model>
inline void position_sizes(const Model& model, double* sizes) {
  const double* nominal = model.nominal();
  for_positions(model, [&](int i, int j) { sizes[i] = nominal[j]; }, [&](int i, int) { dense::fill(4, 1, sizes + i); });
  for_states(model, [&](int i, int k) { sizes[i] = nominal[k]; });
}

/// Keeps the largest of errors, each relative to the size of its quantity, and the name of that quantity.
struct LargestError {
  using Names = const char* const* Mechanism::*;
  double size = 0;
  Names names = nullptr;
  int index = 0;
  void raise(double error, Names of, int i) {
    if (!(error > size || error != error)) return;
    size = error;
    names = of;
    index = i;
  }
  const char* name(const Mechanism& mechanism) const { return names == nullptr ? "" : (mechanism.*names)[index]; }
};

/// Judges errors e of positions, which are q at one end of a step and q1 at the other.
template <class Model>
inline void judge_positions(const Model& model, const double* e, const double* q, const double* q1,
                            LargestError& largest) {
  const double* nominal = model.nominal();
  const auto judge = [&](int i, double size) {
    largest.raise(std::fabs(e[i]) / (size + std::fmax(std::fabs(q[i]), std::fabs(q1[i]))), &Mechanism::position_names,
                  i);
  };
  for_positions(
      model, [&](int i, int j) { judge(i, nominal[j]); },
      [&](int i, int) {
        for (int c = 0; c < 4; ++c) judge(i + c, 1);
      });
  for_states(model, [&](int i, int k) { judge(i, nominal[k]); });
}

/// Judges errors e of velocities.
template <class Model>
inline void judge_velocities(const Model& model, const double* e, const double* v, LargestError& largest) {
  const double* nominal = model.rate_nominal();
  for (int j = 0; j < model.sizes().velocities; ++j) {
    largest.raise(std::fabs(e[j]) / (nominal[j] + std::fabs(v[j])), &Mechanism::velocity_names, j);
  }
}

}  // namespace mechfmu
