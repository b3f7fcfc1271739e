// Measures one evaluation of the equations of motion of a four-bar linkage: the exported equations in tangent
// velocities against the minimal equation in the crank angle, derived and simplified by hand. Both run under one
// Runge–Kutta method with equal steps, in one program, so that their ratio does not depend on the machine's load. The
// program is compiled for each model of the linkage; the argument is the model's name for the crank's angle. Prints
// nanoseconds of the one and of the other, their ratio, and how far apart the angles are in the end.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "equations.cpp"  // benchmarks/generate_sources.cpp generates it
#include "model.hpp"

namespace {

using namespace mechfmu;

/// Holds the linkage. Parameters may change between runs, as those of an FMU do; values that depend on them alone are
/// computed once.
struct Linkage {
  double l1, l2, l3, a, b, m1, m2, m3, g;
  double a11 = m1 * l1 * l1 / 3 + (m2 + m3) * l1 * l1, a22 = m2 * l2 * l2 / 3 + m3 * l2 * l2, a33 = m3 * l3 * l3 / 3;
  double a12 = (m2 / 2 + m3) * l1 * l2, a13 = m3 / 2 * l1 * l3, a23 = m3 / 2 * l2 * l3;
  double g1 = g * l1 * (m1 / 2 + m2 + m3), g2 = g * l2 * (m2 / 2 + m3), g3 = g * l3 * m3 / 2;
};

/// Computes θ̈ of the crank: loop closure in closed form, velocity ratios, reduced inertia and its derivative.
void minimal(const Linkage& p, const double* y, double* dy) {
  const auto& [l1, l2, l3, a, b, m1, m2, m3, g, a11, a22, a33, a12, a13, a23, g1, g2, g3] = p;
  const double s1 = std::sin(y[0]), c1 = std::cos(y[0]), rate = y[1];
  const double X = a - l1 * c1, Y = b - l1 * s1, square = X * X + Y * Y, d = std::sqrt(square);
  const double cosine = (l2 * l2 + square - l3 * l3) / (2 * l2 * d), sine = std::sqrt(1 - cosine * cosine);
  const double ux = X / d, uy = Y / d;
  const double c2 = ux * cosine - uy * sine, s2 = uy * cosine + ux * sine;
  const double c3 = (X - l2 * c2) / l3, s3 = (Y - l2 * s2) / l3;
  const double s31 = s3 * c1 - c3 * s1, s32 = s3 * c2 - c3 * s2, s21 = s2 * c1 - c2 * s1;
  const double k2 = -(l1 * s31) / (l2 * s32), k3 = l1 * s21 / (l3 * s32);
  const double v1 = rate, v2 = k2 * rate, v3 = k3 * rate;
  const double c12 = c1 * c2 + s1 * s2, s12 = s1 * c2 - c1 * s2, c13 = c1 * c3 + s1 * s3, s13 = s1 * c3 - c1 * s3;
  const double c23 = c2 * c3 + s2 * s3, s23 = s2 * c3 - c2 * s3;
  const double gx = -(l1 * c1 * v1 * v1 + l2 * c2 * v2 * v2 + l3 * c3 * v3 * v3);
  const double gy = l1 * s1 * v1 * v1 + l2 * s2 * v2 * v2 + l3 * s3 * v3 * v3;
  const double determinant = l2 * l3 * (s2 * c3 - c2 * s3);
  const double b2 = (gx * l3 * c3 - gy * l3 * s3) / determinant, b3 = (gy * l2 * s2 - gx * l2 * c2) / determinant;
  const double h1 = -a12 * s12 * v2 * v2 - a13 * s13 * v3 * v3 - g1 * c1;
  const double h2 = a12 * s12 * v1 * v1 - a23 * s23 * v3 * v3 - g2 * c2;
  const double h3 = a13 * s13 * v1 * v1 + a23 * s23 * v2 * v2 - g3 * c3;
  const double inertia =
      a11 + a22 * k2 * k2 + a33 * k3 * k3 + 2 * (a12 * c12 * k2 + a13 * c13 * k3 + a23 * c23 * k2 * k3);
  const double force = h1 + k2 * h2 + k3 * h3 - (a12 * c12 + k2 * a22 + k3 * a23 * c23) * b2 -
                       (a13 * c13 + k2 * a23 * c23 + k3 * a33) * b3;
  dy[0] = rate;
  dy[1] = force / inertia;
}

template <int n, class Rate>
void runge_kutta(double* y, double h, Rate&& rate) {
  double k[4][n] = {}, at[n];
  rate(y, k[0]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h / 2 * k[0][i];
  rate(at, k[1]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h / 2 * k[1][i];
  rate(at, k[2]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h * k[2][i];
  rate(at, k[3]);
  for (int i = 0; i < n; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) fail("usage: evaluation CRANK_ANGLE");
  const Mechanism& mechanism = exported_mechanism();
  StandaloneSimulation simulation(mechanism, Settings{}, make_stepper);
  set_up(simulation);
  int crank = -1;
  for (const VariableRow& row : exported_variables().all()) {
    if (row.source == Source::position && std::strcmp(row.name, arguments[1]) == 0) crank = row.index;
  }
  if (crank < 0) fail("no such coordinate");
  Arena memory;
  State state(memory, mechanism.sizes);
  std::memcpy(state.data(), simulation.state(), sizeof(double) * static_cast<std::size_t>(state.size()));
  TangentMotion<Model, PartitionedBasis> motion(memory, mechanism, Model{}, Drift::projection);
  Message message;
  if (!motion.begin(state, message)) return 1;
  static_assert(Model::fixed.positions == 3 && Model::fixed.degrees_of_freedom() == 1);
  double start[4];
  motion.pack(state, start);

  constexpr int steps = 20000, rounds = 60;
  constexpr double h = 1e-4;
  // keeps the compiler from computing with the numbers
  volatile double crank_length = 1;
  const Linkage linkage{crank_length, 2.5, 2, 3, 0, 1, 2.5, 2, 9.81};  // has the numbers of the files
  double best_tangent = 1e9, best_minimal = 1e9, tangent[4], angle[2];
  for (int round = 0; round < rounds; ++round) {
    std::memcpy(tangent, start, sizeof tangent);
    angle[0] = start[crank];
    angle[1] = simulation.velocities()[crank];
    const double t0 = now();
    for (int i = 0; i < steps; ++i)
      runge_kutta<4>(tangent, h, [&](const double* y, double* dy) { motion.rate(0, y, dy); });
    const double t1 = now();
    for (int i = 0; i < steps; ++i)
      runge_kutta<2>(angle, h, [&](const double* y, double* dy) { minimal(linkage, y, dy); });
    const double t2 = now();
    best_tangent = std::fmin(best_tangent, (t1 - t0) / steps / 4 * 1e9);
    best_minimal = std::fmin(best_minimal, (t2 - t1) / steps / 4 * 1e9);
  }
  std::printf("%.1f %.1f %.3f %.2e\n", best_tangent, best_minimal, best_tangent / best_minimal,
              std::fabs(tangent[crank] - angle[0]));
  return 0;
}
