// Measures what the modes of contacts cost: Solver::solve, from nothing and from the modes of a neighbouring problem,
// against Eigen's Cholesky factors of the same matrix, turn by turn. Prints a line for each number of contacts:
// tangential rows, contacts, 1 if rows depend on each other, nanoseconds of the factors, and how many times longer a
// cold and a warm solution take: means, and the largest number of factorisations of a cold one.
#include <Eigen/Cholesky>
#include <cstdio>
#include <random>
#include <vector>

#include "clock.hpp"
#include "fmu_src/contacts/solver.hpp"
#include "fmu_src/linear/dense.hpp"

namespace {

using namespace mechfmu;
using contacts::Group;

constexpr int problems = 40;
constexpr double least_seconds = 0.05;  // a measurement takes at least so long

/// Makes an impact of random contacts and a neighbouring one.
struct Impact {
  std::vector<Group> groups;
  std::vector<double> A, H, q, near_q;
  int rows = 0, freedoms = 0;

  Impact(std::mt19937_64& engine, int count, int d, bool dependent) : rows(count * (1 + d)) {
    std::normal_distribution<double> number;
    std::uniform_real_distribution<double> friction(0, 1);
    freedoms = dependent ? (rows + 1) / 2 : rows;
    for (int i = 0; i < count; ++i) groups.push_back(Group::contact(friction(engine), d));
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    A.resize(size(freedoms * rows));
    H.resize(size(rows * rows));
    std::vector<double> u(size(freedoms)), moved(size(freedoms));
    for (double& a : A) a = number(engine);
    for (double& a : u) a = number(engine);
    for (std::size_t k = 0; k < u.size(); ++k) moved[k] = u[k] + 1e-3 * number(engine);
    for (int j = 0; j < rows; ++j) {
      const double* a = A.data() + j * freedoms;
      for (int i = 0; i < rows; ++i) H[size(i + j * rows)] = dense::dot(freedoms, A.data() + i * freedoms, a);
      q.push_back(dense::dot(freedoms, a, u.data()));
      near_q.push_back(dense::dot(freedoms, a, moved.data()));
    }
  }
  contacts::Problem problem(const std::vector<double>& free) const {
    contacts::Problem p;
    p.groups = static_cast<int>(groups.size());
    p.group = groups.data();
    p.H = {H.data(), rows};
    p.q = free.data();
    p.A = {A.data(), freedoms};
    return p;
  }
};

/// Returns the seconds of one call for all problems, the best of several rounds.
template <class F>
double measure(F&& all_problems) {
  double best = 1e300, spent = 0;
  while (spent < least_seconds) {
    const double begin = now();
    all_problems();
    const double taken = now() - begin;
    spent += taken;
    if (taken < best) best = taken;
  }
  return best / problems;
}

void measure(int count, int d, bool dependent) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(100 * count + 10 * d + (dependent ? 1 : 0)));
  std::vector<Impact> impacts;
  for (int i = 0; i < problems; ++i) impacts.emplace_back(engine, count, d, dependent);
  const contacts::Sizes sizes{count, impacts[0].rows, impacts[0].freedoms};
  Arena memory;
  contacts::Solver solver(memory, sizes);
  if (!memory.ok()) fail("no memory");

  std::vector<std::vector<contacts::GroupMode>> modes;
  int most = 0;
  for (const Impact& impact : impacts) {
    if (solver.solve(impact.problem(impact.q), nullptr) != contacts::Outcome::solved) fail("an impact was not solved");
    modes.emplace_back(solver.modes(), solver.modes() + count);
    if (solver.factorisations() > most) most = solver.factorisations();
  }
  double sum = 0;
  Eigen::MatrixXd factors;
  const double cholesky = measure([&] {
    for (const Impact& impact : impacts) {
      factors = Eigen::Map<const Eigen::MatrixXd>(impact.H.data(), impact.rows, impact.rows);
      // Dependent rows have no factors: the diagonal is raised, which costs nothing.
      factors.diagonal().array() += 1;
      const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(factors);
      sum += factors(0, 0);
    }
  });
  const double cold = measure([&] {
    for (const Impact& impact : impacts) solver.solve(impact.problem(impact.q), nullptr);
  });
  const double warm = measure([&] {
    for (std::size_t i = 0; i < impacts.size(); ++i)
      solver.solve(impacts[i].problem(impacts[i].near_q), modes[i].data());
  });
  if (!(sum > 0)) fail("no factors");
  std::printf("%d %d %d %.1f %.3f %.3f %d\n", d, count, dependent ? 1 : 0, cholesky * 1e9, cold / cholesky,
              warm / cholesky, most);
}

}  // namespace

int main() {
  for (const int d : {1, 2})
    for (const bool dependent : {false, true})
      for (const int count : {1, 2, 4, 8, 16, 32, 64}) measure(count, d, dependent);
}
