// Takes the units from a problem, and says when the laws of its groups hold.
#include "scaled.hpp"

#include "linear/dense.hpp"
#include "linear/powers_of_two.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

double Pair::length() const { return b == 0 ? std::fabs(a) : std::sqrt(a * a + b * b); }

Scaled::Scaled(Arena& arena, const Sizes& sizes)
    : members_(arena, sizes.groups), row_(arena, sizes.rows), H_(arena, sizes.rows, sizes.rows),
      A_(arena, sizes.freedoms, sizes.rows), B_(arena, sizes.freedoms, sizes.rows), q_(arena, sizes.rows),
      diagonal_(arena, sizes.rows) {}

bool Scaled::take(const Problem& problem) {
  members_count_ = rows_ = 0;
  freedoms_ = problem.A.data() != nullptr ? problem.A.rows() : 0;
  has_B_ = problem.B.data() != nullptr;
  unmoved_ = -1;
  in_space_ = false;
  softness_ = 0;
  int first = 0;
  for (int i = 0; i < problem.groups; ++i) {
    if (!take_group(problem, i, first)) return false;
    first += problem.group[i].rows();
  }
  take_numbers(problem);
  // Angles of slip and forces move along one path: the largest number is about 1, whatever the unit of time or mass.
  scale_ = power_of_two(dense::largest(rows_, q_.data()));
  for (int a = 0; a < rows_; ++a) q_[a] /= scale_;
  double widest = 0;
  for (int i = 0; i < members_count_; ++i) widest = std::fmax(widest, members_[i].unit);
  for (int i = 0; i < members_count_; ++i) {
    const double part = members_[i].unit / widest;
    members_[i].compliance = part * part;
    members_[i].capacity /= scale_;
  }
  return is_finite(dense::largest(rows_, q_.data())) && is_finite(dense::largest(rows_ * rows_, H_.data()));
}

/// Returns whether anything that acts on the rows of the problem moves row a. Lengths of the vectors that rows are,
/// whose products are in H, cancel to rounding where a row cannot be moved.
bool Scaled::moves(const Problem& problem, int a) const {
  const double* free = problem.free_mobility;
  for (int j = 0; j < problem.H.rows(); ++j) {
    const double entry = std::fabs(problem.H(a, j));
    if (free != nullptr ? entry > unmoved_part * std::sqrt(free[a]) * std::sqrt(free[j]) : entry > 0) return true;
  }
  return false;
}

/// Returns the size that the diagonal of H has in row a. If H is not symmetric, the diagonal may vanish although the
/// row moves: other rows then say how far, which never matters for AᵀA (Schwarz's inequality).
double Scaled::mobility(const Problem& problem, int a) const {
  double size = std::fabs(problem.H(a, a)), beside = 0;
  for (int j = 0; j < problem.H.rows(); ++j) {
    const double entry = problem.H(a, j), other = std::fabs(problem.H(j, j));
    if (other > 0) dense::raise(size, least_diagonal * entry * entry / other);
    dense::raise(beside, std::fabs(entry));
  }
  return size > 0 ? size : beside;
}

/// Decides whether a group takes part, with which rows, and in which unit.
bool Scaled::take_group(const Problem& problem, int group, int first) {
  const Group& given = problem.group[group];
  double size = 0;
  for (int a = first; a < first + given.rows(); ++a)
    if (moves(problem, a)) dense::raise(size, mobility(problem, a));
  const bool normal = given.has_normal();
  const bool rubs = given.law == Law::capacity ? given.capacity > 0 : given.friction > 0;
  if (given.law != Law::capacity && !moves(problem, first)) {
    // No force changes how fast such a row closes.
    const double free = problem.free_mobility != nullptr ? problem.free_mobility[first] : 0;
    const double unit = 1 / std::sqrt(free > 0 ? free : size > 0 ? size : 1);
    const double speed = problem.q[first] * unit, allowed = law_tolerance * dense::largest(problem.H.rows(), problem.q);
    if (!((normal ? -speed : std::fabs(speed)) <= allowed)) {
      unmoved_ = group;
      return false;
    }
  }
  if (!(size > 0)) return size == 0;
  const double own_unit = power_of_two(1 / std::sqrt(size));
  if (given.law == Law::capacity && !rubs) return true;
  Member member;
  member.group = group;
  member.first = rows_;
  member.normal = normal;
  member.holds = given.law == Law::bilateral;
  member.tangential = member.holds ? 1 : rubs ? given.tangential : 0;
  member.friction = given.friction;
  member.capacity = given.capacity / own_unit;
  member.unit = own_unit;
  for (int k = 0; k < member.rows(); ++k) row_[rows_++] = first + k;
  in_space_ = in_space_ || member.tangential == 2;
  members_[members_count_++] = member;
  return true;
}

void Scaled::take_numbers(const Problem& problem) {
  H_.reshape(rows_);
  A_.reshape(freedoms_);
  B_.reshape(freedoms_);
  for (int j = 0; j < members_count_; ++j) {
    for (int b = members_[j].first; b < members_[j].first + members_[j].rows(); ++b) {
      q_[b] = problem.q[row_[b]] * members_[j].unit;
      for (int i = 0; i < members_count_; ++i) {
        const double scale = members_[i].unit * members_[j].unit;
        for (int a = members_[i].first; a < members_[i].first + members_[i].rows(); ++a)
          H_(a, b) = problem.H(row_[a], row_[b]) * scale;
      }
      for (int k = 0; k < freedoms_; ++k) A_(k, b) = problem.A(k, row_[b]) * members_[j].unit;
      for (int k = 0; has_B_ && k < freedoms_; ++k) B_(k, b) = problem.B(k, row_[b]) * members_[j].unit;
      diagonal_[b] = H_(b, b);
    }
  }
}

void Scaled::soften(double epsilon) {
  softness_ = epsilon;
  for (int i = 0; i < members_count_; ++i) {
    const Member& g = members_[i];
    for (int a = g.first; a < g.first + g.rows(); ++a)
      H_(a, a) = diagonal_[a] + epsilon * std::fmax(g.compliance, least_compliance);
  }
}

void Scaled::speeds(const double* x, double* w) const {
  dense::copy(rows_, q_.data(), w);
  for (int j = 0; j < rows_; ++j)
    if (x[j] != 0) dense::add(rows_, x[j], H_.column(j), w);
}

double Scaled::size(const double* x) const {
  return std::fmax(std::fmax(dense::largest(rows_, x), dense::largest(rows_, q_.data())), tiny);
}

Pair Scaled::tangential(const Member& g, const double* v) const {
  return {g.tangential > 0 ? v[g.tangent()] : 0, g.tangential == 2 ? v[g.tangent() + 1] : 0};
}

double Scaled::open_law(const Member& g, const double* x, const double* w) const {
  if (g.holds) return std::fabs(w[g.first]);
  double open = g.normal ? std::fabs(x[g.first] < w[g.first] ? x[g.first] : w[g.first]) : 0;
  if (!g.rubs()) return open;
  const Pair force = tangential(g, x), slip = tangential(g, w);
  Pair nearest{force.a - slip.a, force.b - slip.b};
  const double length = nearest.length(), radius = g.radius(x);
  if (length > radius) {
    nearest.a *= radius / length;
    nearest.b *= radius / length;
  }
  dense::raise(open, std::fabs(force.a - nearest.a));
  dense::raise(open, std::fabs(force.b - nearest.b));
  return open;
}

double Scaled::open_law(const double* x, const double* w) const {
  double open = 0;
  for (int i = 0; i < members_count_; ++i) dense::raise(open, open_law(members_[i], x, w));
  return open;
}

void Scaled::read_modes(const double* x, const double* w, GroupMode* modes) const {
  for (int i = 0; i < members_count_; ++i) {
    const Member& g = members_[i];
    modes[i].mode = Mode::stick;
    if (g.holds) continue;
    const double pressed = g.normal ? x[g.first] - w[g.first] : 1;
    if (!(pressed > 0)) {
      modes[i].mode = Mode::open;
    } else if (g.rubs()) {
      const Pair force = tangential(g, x), slip = tangential(g, w);
      const Pair towards{force.a - slip.a, force.b - slip.b};
      const double length = towards.length();
      if (!(length > (g.normal ? g.friction * pressed : g.capacity))) continue;
      modes[i] = {Mode::slip, {-towards.a / length, -towards.b / length}};
    }
  }
}

bool Scaled::laws_hold(double* x, double* w) const {
  const double all = size(x);
  bool raised = false;
  for (int i = 0; i < members_count_; ++i) {
    const Member& g = members_[i];
    if (!g.normal || x[g.first] >= 0) continue;
    if (!(x[g.first] >= -rounding_of_laws * all)) return false;
    dense::fill(g.rows(), 0, x + g.first);
    raised = true;
  }
  if (raised) speeds(x, w);
  const double open = open_law(x, w);
  return open <= law_tolerance * all && open <= law_tolerance_of_given * given();
}

double Scaled::given() const {
  double largest = dense::largest(rows_, q_.data());
  for (int i = 0; i < members_count_; ++i) dense::raise(largest, members_[i].capacity);
  return std::fmax(largest, tiny);
}

void Scaled::modes_in(const GroupMode* given, GroupMode* modes) const {
  for (int i = 0; i < members_count_; ++i) {
    const Member& g = members_[i];
    modes[i] = given[g.group];
    if (g.holds || (modes[i].mode == Mode::open && !g.normal) || (modes[i].mode == Mode::slip && !g.rubs()))
      modes[i].mode = Mode::stick;
    if (modes[i].mode != Mode::slip) continue;
    double* s = modes[i].direction;
    if (g.tangential == 1) s[1] = 0;
    const double length = std::sqrt(s[0] * s[0] + s[1] * s[1]);
    if (length > 0) {
      s[0] /= length;
      s[1] /= length;
    } else {
      modes[i].mode = Mode::stick;
    }
  }
}

void Scaled::results_out(const Problem& problem, const GroupMode* modes, const double* x, GroupMode* all_modes,
                         double* all_x, double* all_w) const {
  const int all = problem.H.rows();
  dense::fill(all, 0, all_x);
  for (int i = 0; i < problem.groups; ++i) all_modes[i] = {Mode::open, {1, 0}};
  for (int i = 0; i < members_count_; ++i) {
    const Member& g = members_[i];
    all_modes[g.group] = modes[i];
    for (int a = g.first; a < g.first + g.rows(); ++a) all_x[row_[a]] = x[a] * g.unit * scale_;
  }
  dense::copy(all, problem.q, all_w);
  for (int j = 0; j < all; ++j)
    if (all_x[j] != 0) dense::add(all, all_x[j], problem.H.column(j), all_w);
  // Rows without friction slip freely: the direction is told, as of every slip.
  int first = 0, member = 0;
  for (int i = 0; i < problem.groups; ++i) {
    const Group& given = problem.group[i];
    const bool took_part = member < members_count_ && members_[member].group == i;
    const bool braked = took_part && members_[member].tangential > 0;
    if (took_part) ++member;
    const int tangent = first + (given.has_normal() ? 1 : 0), count = first + given.rows() - tangent;
    first += given.rows();
    if (given.law == Law::bilateral) all_modes[i].mode = Mode::stick;
    if (given.law == Law::bilateral || braked || count == 0) continue;
    if (given.has_normal() && all_modes[i].mode == Mode::open) continue;
    // Rounding is all that forces leave of a row which nothing moves; it says nothing about the slip.
    const auto speed = [&](int row) { return moves(problem, row) ? all_w[row] : problem.q[row]; };
    const Pair slip{speed(tangent), count == 2 ? speed(tangent + 1) : 0};
    const double length = slip.length();
    if (length > 0) {
      all_modes[i] = {Mode::slip, {slip.a / length, slip.b / length}};
      // A row that does not move under its own force takes the whole capacity nevertheless.
      for (int k = 0; k < count && given.law == Law::capacity && given.capacity > 0; ++k)
        all_x[tangent + k] = -given.capacity * all_modes[i].direction[k];
    } else {
      all_modes[i].mode = Mode::stick;
    }
  }
}

}  // namespace mechfmu::contacts
