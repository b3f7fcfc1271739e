// Makes problems of contacts for tests, and judges solutions without the solver's code: in long double, by the laws
// themselves.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fmu_src/contacts/impact.hpp"
#include "fmu_src/contacts/solver.hpp"

namespace mechfmu::testing {

using contacts::Group;
using contacts::GroupMode;
using contacts::Law;
using contacts::Mode;
using contacts::Outcome;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A problem that has numbers of its own is made of these.
struct Rows {
  std::vector<Group> groups;
  MatrixXd A;  // freedoms × rows; empty if H is not AᵀA
  MatrixXd H;
  VectorXd q;

  int count() const { return static_cast<int>(q.size()); }
  /// The caller keeps this object.
  contacts::Problem problem(bool with_A = true) const {
    contacts::Problem p;
    p.groups = static_cast<int>(groups.size());
    p.group = groups.data();
    p.H = {H.data(), static_cast<int>(H.rows())};
    p.q = q.data();
    if (with_A && A.size() > 0) p.A = {A.data(), static_cast<int>(A.rows())};
    return p;
  }
  contacts::Sizes sizes() const { return {static_cast<int>(groups.size()), count(), static_cast<int>(A.rows())}; }
};

/// This solver has memory of its own.
struct OwnSolver {
  explicit OwnSolver(const contacts::Sizes& sizes) : solver(memory, sizes), impact(memory, sizes, solver) {}
  Arena memory;
  contacts::Solver solver;
  contacts::Impact impact;
};

/// Returns how far the laws are broken by x, in units in which mobilities are 1, relative to the largest impulse or
/// speed.
double broken(const Rows& rows, const double* x);
/// Returns the energy that an impact gains, relative to the sizes of its terms.
double energy_gain(const Rows& rows, const double* x);

/// Returns how far x and w are from what the modes say, relative to the same size: no force in open groups, no speed in
/// sticking ones, friction on the disk's edge and a slip along the direction in the others.
double unlike_modes(const Rows& rows, const double* x, const double* w, const GroupMode* modes);

/// Returns all solutions of a planar problem by trying all modes, each solved by complete pivoting. Modes whose
/// equations depend on each other are left out; `singular` tells whether there were any.
std::vector<VectorXd> all_solutions(const Rows& rows, bool& singular);

/// Random problems are of these kinds.
enum class Kind { full, deficient, tiny_friction, huge_friction, conditioned, box, stack, deficient_huge };
inline constexpr Kind kinds[] = {Kind::full,        Kind::deficient, Kind::tiny_friction, Kind::huge_friction,
                                 Kind::conditioned, Kind::box,       Kind::stack,         Kind::deficient_huge};
const char* name_of(Kind);

class RandomRows {
 public:
  explicit RandomRows(std::uint64_t seed) : engine_(seed) {}
  double number() { return std::normal_distribution<double>()(engine_); }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double log_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

  /// Draws a number of contacts: few mostly, and up to `most`.
  int contacts(int most = 64);
  /// Makes an impact without rebound of contacts with d tangential rows each.
  Rows impact(Kind, int contacts, int d);
  /// Makes an impact of contacts, locks, limits and capacities on few freedoms.
  Rows mixed(int groups, int d);
  /// Makes accelerations with sliding contacts: H is not symmetric.
  Rows sliding(int contacts, double most_friction, bool deficient);

 private:
  MatrixXd matrix(int rows, int columns);
  MatrixXd rows_of_boxes(int boxes, int corners, int d);
  std::mt19937_64 engine_;
};

}  // namespace mechfmu::testing
