// One evaluation of the equations of motion of the four-bar linkage: the exported equations in tangent velocities
// against the minimal equation in the crank angle, derived and simplified by hand. Both run under the same Runge–Kutta
// steps, in one program, so that their ratio does not depend on the machine's load. Prints nanoseconds of the one and
// of the other, their ratio, and how far apart the angles are in the end.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "core/simulation.hpp"
#include "four_bar_equations/equations.cpp"  // generated: benchmarks/generate_sources.cpp

namespace {

using namespace mechfmu;

/// Parameters may change between runs, as those of an FMU do; what depends on them alone is computed once.
struct Linkage {
  double l1, l2, l3, a, b, m1, m2, m3, g;
  double a11 = m1 * l1 * l1 / 3 + (m2 + m3) * l1 * l1, a22 = m2 * l2 * l2 / 3 + m3 * l2 * l2, a33 = m3 * l3 * l3 / 3;
  double a12 = (m2 / 2 + m3) * l1 * l2, a13 = m3 / 2 * l1 * l3, a23 = m3 / 2 * l2 * l3;
  double g1 = g * l1 * (m1 / 2 + m2 + m3), g2 = g * l2 * (m2 / 2 + m3), g3 = g * l3 * m3 / 2;
};

/// θ̈ of the crank: loop closure solved in closed form, velocity ratios, reduced inertia and its derivative.
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
  const double force = h1 + k2 * h2 + k3 * h3 -
                       (a12 * c12 + k2 * a22 + k3 * a23 * c23) * b2 - (a13 * c13 + k2 * a23 * c23 + k3 * a33) * b3;
  dy[0] = rate;
  dy[1] = force / inertia;
}

template <int n, class Rate>
void runge_kutta(double* y, double h, Rate&& rate) {
  double k[4][n], at[n];
  rate(y, k[0]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h / 2 * k[0][i];
  rate(at, k[1]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h / 2 * k[1][i];
  rate(at, k[2]);
  for (int i = 0; i < n; ++i) at[i] = y[i] + h * k[2][i];
  rate(at, k[3]);
  for (int i = 0; i < n; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/// Time of the processor: what other programs take meanwhile does not count.
double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

int main() {
  const Mechanism& mechanism = exported_mechanism();
  const double parameters[] = {1, 2.5, 2, 3, 0, 1, 2.5, 2, 9.81, 1, 0.5, -1.5, 0.5, 0, 0};  // as the file has them
  static_assert(sizeof parameters / sizeof *parameters == Model::fixed.parameters);
  Settings settings;
  Simulation simulation(mechanism, settings, make_stepper);
  for (int i = 0; i < Model::fixed.parameters; ++i) simulation.set_parameter(i, parameters[i]);
  if (!simulation.assemble(0)) {
    std::fprintf(stderr, "%s\n", simulation.message().text);
    return 1;
  }
  State state(mechanism.sizes);
  std::memcpy(state.data(), simulation.state(), sizeof(double) * static_cast<std::size_t>(state.size()));
  TangentMotion<Model, PartitionedBasis> motion(mechanism, Model{}, Drift::projection);
  Message message;
  if (!motion.begin(state, message)) return 1;
  double start[4];
  motion.pack(state, start);

  constexpr int steps = 20000, rounds = 60;
  constexpr double h = 1e-4;
  volatile double length = parameters[0];
  const Linkage linkage{length,        parameters[1], parameters[2], parameters[3], parameters[4],
                        parameters[5], parameters[6], parameters[7], parameters[8]};
  double best_tangent = 1e9, best_minimal = 1e9, tangent[4], angle[2];
  for (int round = 0; round < rounds; ++round) {
    std::memcpy(tangent, start, sizeof tangent);
    angle[0] = start[0];
    angle[1] = simulation.velocities()[0];
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
              std::fabs(tangent[0] - angle[0]));
  return 0;
}
