// Makes random problems of contacts, and judges solutions.
#include "problems.hpp"

#include <Eigen/QR>
#include <algorithm>

#include "tests/peers.hpp"

namespace mechfmu::testing {

namespace {

using Long = long double;

/// Returns w = H x + q in long double.
std::vector<Long> speeds(const Rows& rows, const double* x) {
  std::vector<Long> w(static_cast<std::size_t>(rows.count()));
  for (int i = 0; i < rows.count(); ++i) {
    Long sum = rows.q[i];
    for (int j = 0; j < rows.count(); ++j) sum += static_cast<Long>(rows.H(i, j)) * x[j];
    w[static_cast<std::size_t>(i)] = sum;
  }
  return w;
}

}  // namespace

double broken(const Rows& rows, const double* x) {
  const std::vector<Long> w = speeds(rows, x);
  Long worst = 0, size = 0;
  int first = 0;
  for (const Group& g : rows.groups) {
    Long mobility = 0;
    for (int k = 0; k < g.rows(); ++k)
      mobility = std::max(mobility, std::fabs(static_cast<Long>(rows.H(first + k, first + k))));
    const Long unit = mobility > 0 ? 1 / std::sqrt(mobility) : 1;
    const auto force = [&](int k) { return x[first + k] / unit; };
    const auto speed = [&](int k) { return w[static_cast<std::size_t>(first + k)] * unit; };
    for (int k = 0; k < g.rows(); ++k)
      size = std::max({size, std::fabs(force(k)), std::fabs(rows.q[first + k] * unit)});
    int tangent = 0;
    Long radius = g.capacity / unit;
    if (g.law == Law::bilateral) worst = std::max(worst, std::fabs(speed(0)));
    if (g.law == Law::unilateral) {
      // A negative force, a negative speed, and their common part are all wrong.
      worst = std::max({worst, -force(0), -speed(0), std::min(force(0), speed(0))});
      radius = g.friction * std::max(force(0), Long(0));
      tangent = 1;
    }
    const int d = g.rows() - tangent;
    if (g.law != Law::bilateral && d > 0) {
      Long slip = 0, length = 0;
      for (int k = tangent; k < tangent + d; ++k) {
        slip += speed(k) * speed(k);
        length += force(k) * force(k);
      }
      slip = std::sqrt(slip);
      length = std::sqrt(length);
      worst = std::max(worst, length - radius);  // it is outside the disk
      // The power of friction is −R |w_t| and no other: x_t lies against the slip then.
      Long power = 0;
      for (int k = tangent; k < tangent + d; ++k) power += force(k) * speed(k);
      const Long lacking = power + radius * slip;
      const Long scale = std::max(radius, slip);
      if (scale > 0) worst = std::max(worst, lacking / scale / 2);
    }
    first += g.rows();
  }
  return size > 0 ? static_cast<double>(worst / size) : static_cast<double>(worst);
}

double unlike_modes(const Rows& rows, const double* x, const double* w, const GroupMode* modes) {
  double worst = 0, size = 1e-300;
  int first = 0;
  for (std::size_t i = 0; i < rows.groups.size(); ++i) {
    const Group& g = rows.groups[i];
    const int count = g.rows(), tangent = first + (g.has_normal() ? 1 : 0);
    const double unit = 1 / std::sqrt(rows.H.diagonal().segment(first, count).maxCoeff());
    for (int a = first; a < first + count; ++a) {
      size = std::max({size, std::fabs(x[a] / unit), std::fabs(rows.q[a] * unit)});
      if (modes[i].mode == Mode::open) worst = std::max(worst, std::fabs(x[a] / unit));
      if (modes[i].mode == Mode::stick && (a < tangent || g.friction > 0 || g.law != Law::unilateral))
        worst = std::max(worst, std::fabs(w[a] * unit));
    }
    if (modes[i].mode == Mode::slip) {
      const double radius = (g.has_normal() ? g.friction * x[first] : g.capacity) / unit;
      const double* s = modes[i].direction;
      double along = 0;
      for (int k = 0; k < first + count - tangent; ++k) along += w[tangent + k] * unit * s[k];
      for (int k = 0; k < first + count - tangent; ++k) {
        worst = std::max(worst, std::fabs(x[tangent + k] / unit + radius * s[k]));
        worst = std::max(worst, std::fabs(w[tangent + k] * unit - along * s[k]));
      }
      worst = std::max(worst, -along);
    }
    first += count;
  }
  return worst / size;
}

double energy_gain(const Rows& rows, const double* x) {
  const std::vector<Long> w = speeds(rows, x);
  Long gain = 0, size = 1e-300L;
  for (int a = 0; a < rows.count(); ++a) {
    const Long after = w[static_cast<std::size_t>(a)];
    gain += x[a] * (rows.q[a] + after);
    size += std::fabs(x[a]) * (std::fabs(static_cast<Long>(rows.q[a])) + std::fabs(after));
  }
  return static_cast<double>(gain / size);
}

std::vector<VectorXd> all_solutions(const Rows& rows, bool& singular) {
  singular = false;
  std::vector<VectorXd> found;
  const auto count_of = [](const Group& g) {
    const bool rubs = g.rows() > (g.has_normal() ? 1 : 0) && g.law != Law::bilateral;
    return g.law == Law::bilateral ? 1 : (g.has_normal() ? 2 : 1) + (rubs ? 2 : 0);
  };
  long all = 1;
  for (const Group& g : rows.groups) all *= count_of(g);
  const int m = rows.count();
  for (long number = 0; number < all; ++number) {
    // x = C y + c with as many unknowns as equations E w = 0.
    MatrixXd C = MatrixXd::Zero(m, m), E = MatrixXd::Zero(m, m);
    VectorXd c = VectorXd::Zero(m);
    int n = 0, first = 0;
    long rest = number;
    for (const Group& g : rows.groups) {
      const int choice = static_cast<int>(rest % count_of(g)) + (g.has_normal() ? 0 : 1);
      rest /= count_of(g);
      const int tangent = first + (g.has_normal() ? 1 : 0);
      const double s = choice == 2 ? 1 : -1;
      if (choice == 1) {
        for (int k = 0; k < g.rows(); ++k, ++n) C(first + k, n) = E(n, first + k) = 1;
      } else if (choice >= 2 && g.has_normal()) {
        C(first, n) = E(n, first) = 1;
        C(tangent, n++) = -g.friction * s;
      } else if (choice >= 2) {
        c[tangent] = -g.capacity * s;
      }
      first += g.rows();
    }
    VectorXd x = c;
    if (n > 0) {
      const MatrixXd J = E.topRows(n) * rows.H * C.leftCols(n);
      if (rank_of(J) < n) {
        singular = true;
        continue;
      }
      x += C.leftCols(n) * solution_of(J, -E.topRows(n) * (rows.q + rows.H * c));
    }
    if (!x.allFinite() || broken(rows, x.data()) > 1e-10) continue;
    const auto same = [&](const VectorXd& other) {
      return (x - other).cwiseAbs().maxCoeff() <= 1e-8 * (1e-300 + x.cwiseAbs().maxCoeff());
    };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(x);
  }
  return found;
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::full: return "full";
    case Kind::deficient: return "deficient";
    case Kind::tiny_friction: return "tiny friction";
    case Kind::huge_friction: return "huge friction";
    case Kind::conditioned: return "conditioned";
    case Kind::box: return "box";
    case Kind::stack: return "stack";
    case Kind::deficient_huge: return "deficient, huge friction";
  }
  return "";
}

int RandomRows::contacts(int most) {
  constexpr int numbers[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64};
  const double shares[] = {15, 20, 15, 20, 10, 10, 5, 4, 0.8, 0.2};
  for (;;) {
    double rest = between(0, 100);
    int i = 0;
    while (i < 9 && rest > shares[i]) rest -= shares[i++];
    if (numbers[i] <= most) return numbers[i];
  }
}

MatrixXd RandomRows::matrix(int rows, int columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&] { return number(); });
}

/// Rows of boxes that stand on each other, the lowest on the ground; all corners of a box are alike. Velocities are in
/// an orthonormal basis: three for each box in the plane, six in space.
MatrixXd RandomRows::rows_of_boxes(int boxes, int corners, int d) {
  const int freedoms = d == 2 ? 6 : 3;
  const double pi = std::acos(-1.0), height = between(0.3, 1.5), width = between(0.3, 1.5);
  const double gyration = between(0.3, 0.8);  // radius of inertia
  MatrixXd A = MatrixXd::Zero(freedoms * boxes, boxes * corners * (1 + d));
  for (int b = 0; b < boxes; ++b) {
    const double mass = std::sqrt(between(0.5, 2)), below = std::sqrt(between(0.5, 2));
    for (int c = 0; c < corners; ++c) {
      const double part = corners == 1 ? 0.5 : static_cast<double>(c) / (corners - 1);
      const double angle = 2 * pi * (c + 0.5) / corners;
      const double px = d == 2 ? width * std::cos(angle) : width * (2 * part - 1);
      const double py = d == 2 ? width * std::sin(angle) : 0;
      for (int r = 0; r <= d; ++r) {
        const int column = (b * corners + c) * (1 + d) + r;
        for (int side = 0; side < 2 && b >= side; ++side) {
          // The contact is on the upper box's lower face and on the lower box's upper face.
          const int at = freedoms * (b - side);
          const double pz = side == 0 ? -height : height, sign = (side == 0 ? 1 : -1) / (side == 0 ? mass : below);
          if (d == 2) {
            const double p[] = {px, py, pz};
            const int axis = r == 0 ? 2 : r - 1;
            A(at + axis, column) = sign;
            const int next = (axis + 1) % 3, last = (axis + 2) % 3;
            // The turn has p × e, where e is the row's direction.
            A(at + 3 + last, column) = -sign * p[next] / gyration;
            A(at + 3 + next, column) = sign * p[last] / gyration;
          } else {
            A(at + (r == 0 ? 1 : 0), column) = sign;
            A(at + 2, column) = sign * (r == 0 ? px : -pz) / gyration;
          }
        }
      }
    }
  }
  return A;
}

Rows RandomRows::impact(Kind kind, int contacts, int d) {
  Rows rows;
  int m = contacts * (1 + d);
  switch (kind) {
    case Kind::box: rows.A = rows_of_boxes(1, contacts, d); break;
    case Kind::stack: {
      const int corners = d == 2 ? 4 : 2, boxes = std::max(1, contacts / corners);
      rows.A = rows_of_boxes(boxes, std::min(contacts, corners), d);
      contacts = boxes * std::min(contacts, corners);
      m = contacts * (1 + d);
      break;
    }
    case Kind::deficient:
    case Kind::deficient_huge: rows.A = matrix(std::max(1, static_cast<int>(m * between(0.3, 0.8))), m); break;
    case Kind::conditioned: {
      // Lengths of A fall by 1e4.
      const MatrixXd U = Eigen::HouseholderQR<MatrixXd>(matrix(m, m)).householderQ();
      const MatrixXd V = Eigen::HouseholderQR<MatrixXd>(matrix(m, m)).householderQ();
      VectorXd s(m);
      for (int i = 0; i < m; ++i) s[i] = std::pow(1e-4, m == 1 ? 0 : static_cast<double>(i) / (m - 1));
      rows.A = U * s.asDiagonal() * V.transpose();
      break;
    }
    default: rows.A = matrix(m + below(3), m);
  }
  const bool huge = kind == Kind::huge_friction || kind == Kind::deficient_huge;
  const double low = huge ? 1 : kind == Kind::tiny_friction ? 1e-4 : 0.01;
  const double high = huge ? 100 : kind == Kind::tiny_friction ? 0.1 : 1.5;
  const double common = log_between(low, high);
  const bool alike = (kind == Kind::box || kind == Kind::stack) && below(2) == 0;
  for (int i = 0; i < contacts; ++i) rows.groups.push_back(Group::contact(alike ? common : log_between(low, high), d));
  VectorXd u = matrix(static_cast<int>(rows.A.rows()), 1);
  // Boxes fall, and some of them straight.
  if (kind == Kind::box || kind == Kind::stack) {
    const int freedoms = d == 2 ? 6 : 3;
    const bool straight = below(4) == 0;
    for (int at = 0; at < u.size(); at += freedoms) {
      if (straight) u.segment(at, freedoms).setZero();
      u[at + (d == 2 ? 2 : 1)] = -std::fabs(number());
      if (straight) u[at] = number();
    }
  }
  rows.H = rows.A.transpose() * rows.A;
  rows.q = rows.A.transpose() * u;
  return rows;
}

Rows RandomRows::mixed(int groups, int d) {
  Rows rows;
  int m = 0;
  for (int i = 0; i < groups; ++i) {
    switch (below(4)) {
      case 0: rows.groups.push_back(Group::lock()); break;
      case 1: rows.groups.push_back(Group::rubbing(log_between(0.01, 3), d)); break;
      case 2: rows.groups.push_back(Group::limit()); break;
      default: rows.groups.push_back(Group::contact(log_between(0.01, 1.5), d));
    }
    m += rows.groups.back().rows();
  }
  rows.A = matrix(below(3) == 0 ? std::max(1, static_cast<int>(0.7 * m)) : m + 1, m);
  // Rows are in units of their own, some of them far apart.
  for (int i = 0, a = 0; i < groups; ++i) {
    const double unit = below(2) == 0 ? 1 : log_between(1e-3, 1e3);
    const int count = rows.groups[static_cast<std::size_t>(i)].rows();
    rows.A.middleCols(a, count) *= unit;
    rows.groups[static_cast<std::size_t>(i)].capacity /= unit;
    a += count;
  }
  rows.H = rows.A.transpose() * rows.A;
  rows.q = rows.A.transpose() * matrix(static_cast<int>(rows.A.rows()), 1);
  return rows;
}

Rows RandomRows::sliding(int contacts, double most_friction, bool deficient) {
  // Columns of sliding contacts are those of the normal row and of the friction that it makes.
  const int full = 2 * contacts;
  const MatrixXd all = matrix(deficient ? std::max(1, static_cast<int>(0.6 * full)) : full + below(3), full);
  std::vector<VectorXd> left, right;
  Rows rows;
  for (int i = 0; i < contacts; ++i) {
    const double friction = log_between(0.05, most_friction);
    const VectorXd normal = all.col(2 * i), tangent = all.col(2 * i + 1);
    left.push_back(normal);
    if (below(2) == 0) {
      right.push_back(normal - (below(2) == 0 ? friction : -friction) * tangent);
      rows.groups.push_back(Group::limit());
      continue;
    }
    right.push_back(normal);
    left.push_back(tangent);
    right.push_back(tangent);
    rows.groups.push_back(Group::contact(friction, 1));
  }
  const auto m = static_cast<int>(left.size());
  MatrixXd L(all.rows(), m), R(all.rows(), m);
  for (int j = 0; j < m; ++j) {
    L.col(j) = left[static_cast<std::size_t>(j)];
    R.col(j) = right[static_cast<std::size_t>(j)];
  }
  rows.H = L.transpose() * R;
  rows.q = L.transpose() * matrix(static_cast<int>(all.rows()), 1);
  return rows;
}

}  // namespace mechfmu::testing
