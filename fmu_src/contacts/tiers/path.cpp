// Follows the path from large τ to τ = 0.
#include "path.hpp"

#include <cmath>

#include "finish.hpp"
#include "linear/dense.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu::contacts {

namespace {
constexpr double golden = 0.6180339887498949;
constexpr double longest_turn = 0.3;  // a step along a curved piece turns directions by so much, in radians
}  // namespace

Path::Path(Arena& arena, const Sizes& sizes)
    : q_(arena, sizes.rows), shift_(arena, sizes.rows), tangent_(arena, sizes.rows + 1), old_(arena, sizes.rows + 1),
      dx_(arena, sizes.rows), dw_(arena, sizes.rows), x_(arena, sizes.rows), modes_(arena, sizes.groups) {}

Found Path::find(Search& search) {
  Scaled& problem = search.problem;
  const double softness = problem.softness();
  dense::copy(problem.rows(), problem.q(), q_.data());
  const Found found = follow(search);
  dense::copy(problem.rows(), q_.data(), problem.q());
  problem.speeds(search.x.data(), search.w.data());
  if (found != Found::solution) return found;
  const bool finished = finish(search);
  problem.soften(softness);
  return finished ? Found::solution : Found::nothing;
}

/// Chooses a d without symmetry, so that laws never end at the same place; another one for each softness.
void Path::choose_shift(const Search& search) {
  const Scaled& problem = search.problem;
  const bool first = search.level == 0;
  dense::fill(problem.rows(), 0, shift_.data());
  for (int i = 0; i < problem.members(); ++i) {
    const Member& g = problem.member(i);
    const double number = golden * (i + 1) * (2 * search.level + 1), part = number - std::floor(number);
    const double size = (first ? 1 : 0.1) + (first ? 0.5 : 3) * part;
    if (g.normal) shift_[g.first] = size;
    if (g.normal || g.holds) continue;
    const double angle = g.tangential == 2 ? 6.28 * part : 0;
    shift_[g.first] = size * std::cos(angle) * (g.tangential == 1 && i % 2 == 1 ? -1 : 1);
    if (g.tangential == 2) shift_[g.first + 1] = size * std::sin(angle);
  }
}

double Path::size(const Search& search) const { return search.problem.size(search.x.data()); }

/// Brings q and w to the present τ.
void Path::move(Search& search) {
  for (int a = 0; a < search.problem.rows(); ++a) search.problem.q()[a] = q_[a] + tau_ * shift_[a];
  search.problem.speeds(search.x.data(), search.w.data());
}

void Path::keep(const Search& search) {
  kept_tau_ = tau_;
  dense::copy(search.problem.rows(), search.x.data(), x_.data());
  for (int i = 0; i < search.problem.members(); ++i) modes_[i] = search.modes[i];
}

void Path::back(Search& search) {
  tau_ = kept_tau_;
  dense::copy(search.problem.rows(), x_.data(), search.x.data());
  for (int i = 0; i < search.problem.members(); ++i) search.modes[i] = modes_[i];
}

void Path::let_slip(Search& search, int member, Pair direction) const {
  const double length = direction.length();
  GroupMode& mode = search.modes[member];
  if (length > 0) mode = {Mode::slip, {direction.a / length, direction.b / length}};
  else mode.mode = Mode::stick;
}

/// Writes the equations of the modes with τ as the last unknown. The last row is `row`, or holds τ.
int Path::border(Search& search, const double* row) {
  const Scaled& problem = search.problem;
  ModeEquations& equations = search.equations;
  move(search);
  n_ = equations.assemble(search.modes.data(), search.x.data(), search.w.data(), 1);
  for (int i = 0; i < problem.members(); ++i) {
    const Member& g = problem.member(i);
    const GroupMode& mode = search.modes[i];
    const int first = equations.unknown(i);
    if (mode.mode == Mode::open) continue;
    if (g.normal) {
      equations.J(first, n_) = shift_[g.first];
    } else if (mode.mode == Mode::stick) {
      for (int k = 0; k < g.rows(); ++k) equations.J(first + k, n_) = shift_[g.first + k];
    } else if (g.tangential == 2) {
      equations.J(first, n_) = -mode.direction[1] * shift_[g.first] + mode.direction[0] * shift_[g.first + 1];
    }
  }
  for (int c = 0; row != nullptr && c <= n_; ++c) equations.J(n_, c) = row[c];
  if (row == nullptr) equations.J(n_, n_) = 1;
  return n_;
}

/// Goes back to the path across `row`, or at the present τ.
bool Path::correct(Search& search, const double* row) {
  constexpr int most_passes = 8;
  for (int pass = 0; pass < most_passes; ++pass) {
    const int n = border(search, row);
    if (search.equations.largest_residual() <= on_path * size(search)) return true;
    if (!search.equations.step() || search.equations.turn(search.modes.data(), search.equations.y()) > 0.5)
      return false;
    search.equations.advance(search.modes.data(), search.equations.y(), 1, search.x.data());
    tau_ += search.equations.y()[n];
  }
  border(search, row);
  return search.equations.largest_residual() <= near_path * size(search);
}

/// Returns the smallest margin of a law, or τ.
double Path::least_margin(const Search& search) const {
  const Scaled& problem = search.problem;
  double least = tau_;
  for (int i = 0; i < problem.members(); ++i) {
    const Member& g = problem.member(i);
    const GroupMode& mode = search.modes[i];
    const double *x = search.x.data(), *w = search.w.data();
    if (g.normal) least = std::fmin(least, mode.mode == Mode::open ? w[g.first] : x[g.first]);
    if (!g.rubs() || mode.mode == Mode::open) continue;
    least = std::fmin(least, mode.mode == Mode::slip ? problem.tangential(g, w).part_in(mode.direction)
                                                     : g.radius(x) - problem.tangential(g, x).length());
  }
  return least;
}

/// Finds the modes and the x of a large τ.
bool Path::begin(Search& search) {
  const Scaled& problem = search.problem;
  choose_shift(search);
  dense::fill(problem.rows(), 0, search.x.data());
  size_of_data_ = size(search);
  for (int i = 0; i < problem.members(); ++i) dense::raise(size_of_data_, problem.member(i).capacity);
  tau_ = size_of_data_;
  constexpr int doublings = 60;
  for (int k = 0; k < doublings; ++k, tau_ *= 2) {
    for (int i = 0; i < problem.members(); ++i) {
      const Member& g = problem.member(i);
      search.modes[i] = {g.normal ? Mode::open : Mode::stick, {1, 0}};
      if (!g.normal && !g.holds) let_slip(search, i, problem.tangential(g, shift_.data()));
    }
    dense::fill(problem.rows(), 0, search.x.data());
    search.equations.let_slip(search.modes.data(), search.x.data());
    if (correct(search, nullptr) && least_margin(search) >= 0) return true;
  }
  return false;
}

/// Notes a law that ends sooner than those before.
void Path::see(Event& event, double margin, double rate, int member, End end) const {
  if (rate < 0 && -margin / rate < event.way) event = {-margin / rate, member, end};
}

/// Returns how far the force of a sticking group is from the edge of its disk: a root of R² − |x_t|², which is
/// quadratic along the tangent.
double Path::way_to_slip(const Search& search, int member) const {
  const Member& g = search.problem.member(member);
  const double* x = search.x.data();
  const Pair f = search.problem.tangential(g, x), df = search.problem.tangential(g, dx_.data());
  const double R = g.normal ? g.friction * x[g.first] : g.capacity, dR = g.normal ? g.friction * dx_[g.first] : 0;
  const double c_0 = R * R - f.a * f.a - f.b * f.b, c_1 = R * dR - f.a * df.a - f.b * df.b;
  const double c_2 = dR * dR - df.a * df.a - df.b * df.b;
  const double second = c_2 < 0 && c_1 > 0 ? -2 * c_1 / c_2 : beyond_all;
  if (fresh_ && member == last_.member && last_.end == End::slip) return second;  // it comes from this edge
  if (c_0 <= 0) return c_1 < 0 ? 0 : second;
  const double discriminant = c_1 * c_1 - c_2 * c_0;
  if (!(discriminant >= 0)) return beyond_all;
  const double root = std::sqrt(discriminant), b = c_1 < 0 ? -c_1 + root : -c_1 - root;
  const double ways[] = {c_2 != 0 ? b / c_2 : -1, b != 0 ? c_0 / b : -1};
  double way = beyond_all;
  for (const double each : ways)
    if (each > 0) way = std::fmin(way, each);
  return way;
}

/// Returns the first law that ends along the tangent. The law that has just begun does not end at once.
Path::Event Path::first_end(const Search& search) const {
  const Scaled& problem = search.problem;
  Event event;
  see(event, tau_, tangent_[n_], -1, End::path);
  for (int i = 0; i < problem.members(); ++i) {
    const Member& g = problem.member(i);
    const GroupMode& mode = search.modes[i];
    const double *x = search.x.data(), *w = search.w.data();
    const End begun = fresh_ && i == last_.member ? last_.end : End::nothing;
    if (mode.mode == Mode::open) {
      if (begun != End::closed) see(event, w[g.first], dw_[g.first], i, End::open);
      continue;
    }
    if (g.normal && (mode.mode == Mode::slip || !g.rubs()) && begun != End::open)
      see(event, x[g.first], dx_[g.first], i, End::closed);
    if (mode.mode == Mode::slip && begun != End::stick)
      see(event, problem.tangential(g, w).part_in(mode.direction),
          problem.tangential(g, dw_.data()).part_in(mode.direction), i, End::slip);
    if (mode.mode == Mode::stick && g.rubs()) {
      const double way = way_to_slip(search, i);
      if (way < event.way) event = {way, i, End::stick};
    }
  }
  return event;
}

/// Gives the group whose law has ended its next mode.
void Path::change_mode(Search& search, const Event& event) {
  const Scaled& problem = search.problem;
  const int i = event.member;
  const Member& g = problem.member(i);
  GroupMode& mode = search.modes[i];
  switch (event.end) {
    case End::open:
      mode.mode = Mode::stick;
      if (g.rubs()) let_slip(search, i, problem.tangential(g, search.w.data()));
      break;
    case End::closed:
      mode.mode = Mode::open;
      dense::fill(g.rows(), 0, search.x.data() + g.first);
      break;
    case End::slip: mode.mode = Mode::stick; break;
    case End::stick: {
      const Pair force = problem.tangential(g, search.x.data());
      let_slip(search, i, {-force.a, -force.b});
      break;
    }
    case End::path:
    case End::nothing: break;
  }
}

/// Finds the tangent, and the direction along it that the path goes on in.
bool Path::find_tangent(Search& search) {
  const Scaled& problem = search.problem;
  const int n = border(search, fresh_ ? nullptr : old_.data());
  for (int i = 0; i < n; ++i) search.equations.residual(i) = 0;
  search.equations.residual(n) = -1;
  if (!search.equations.step()) return false;
  const double* y = search.equations.y();
  const double length = std::sqrt(dense::dot(n + 1, y, y));
  for (int i = 0; i <= n; ++i) tangent_[i] = y[i] / length;
  search.equations.rate(search.modes.data(), search.x.data(), tangent_.data(), dx_.data());
  for (int a = 0; a < problem.rows(); ++a) dw_[a] = tangent_[n] * shift_[a];
  for (int j = 0; j < problem.rows(); ++j)
    if (dx_[j] != 0) dense::add(problem.rows(), dx_[j], problem.H().column(j), dw_.data());
  double forward = 0;
  if (!fresh_) {
    forward = dense::dot(n + 1, tangent_.data(), old_.data());
  } else if (last_.member < 0) {
    forward = -tangent_[n];
  } else {
    const Member& g = problem.member(last_.member);
    const double* s = search.modes[last_.member].direction;
    const double dR = g.normal ? g.friction * dx_[g.first] : 0;
    forward = last_.end == End::open     ? dx_[g.first]
              : last_.end == End::closed ? dw_[g.first]
              : last_.end == End::stick  ? problem.tangential(g, dw_.data()).part_in(s)
                                         : dR + problem.tangential(g, dx_.data()).part_in(s);
  }
  if (!(forward < 0)) return true;
  for (int i = 0; i <= n; ++i) tangent_[i] = -tangent_[i];
  for (int a = 0; a < problem.rows(); ++a) {
    dx_[a] = -dx_[a];
    dw_[a] = -dw_[a];
  }
  return true;
}

Found Path::follow(Search& search) {
  // Small problems may take many pieces, since they are cheap; towers of boxes in space need a few thousand.
  const double m = search.problem.rows();
  const int budget = 400 + 100 * search.problem.rows() + static_cast<int>(std::fmin(2e4, 3e9 / (m * m * m)));
  const int work = search.equations.work();
  fresh_ = true;
  last_ = Event{};
  if (!begin(search)) return Found::nothing;
  double longest = beyond_all;
  while (search.equations.work() - work < budget && search.equations.work() < most_work) {
    const bool curved = search.equations.turns(search.modes.data());
    if (!find_tangent(search)) return Found::nothing;
    const Event event = first_end(search);
    const double all = size(search), turn = search.equations.turn(search.modes.data(), tangent_.data());
    const double most = std::fmin(longest, turn > 0 ? longest_turn / turn : beyond_all);
    if ((event.end == End::nothing && turn == 0) || all > to_infinity * size_of_data_) return Found::none;
    const bool arrives =
        event.way <= most && (!curved || std::fabs(event.way) * (1 + turn * all) <= straight_rest * all);
    if (!arrives) {
      // A step along the curve is predicted and corrected; it is shortened if that fails, or breaks another law.
      keep(search);
      const double margin = std::fmin(least_margin(search), -broken_on_path * all), way = std::fmin(event.way, most);
      search.equations.advance(search.modes.data(), tangent_.data(), way, search.x.data());
      tau_ += way * tangent_[n_];
      if (!correct(search, tangent_.data()) || least_margin(search) < margin) {
        back(search);
        longest = 0.3 * std::fabs(way);
        if (longest < law_tolerance * all) return Found::nothing;
        continue;
      }
      longest = way == event.way ? beyond_all : 4 * std::fabs(way);
      dense::copy(n_ + 1, tangent_.data(), old_.data());
      fresh_ = false;
      continue;
    }
    search.equations.advance(search.modes.data(), tangent_.data(), event.way, search.x.data());
    tau_ += event.way * tangent_[n_];
    longest = beyond_all;
    if (event.end == End::path) {
      tau_ = 0;
      return Found::solution;
    }
    move(search);
    change_mode(search, event);
    last_ = event;
    fresh_ = true;
    keep(search);
    if (!correct(search, nullptr)) back(search);
  }
  return Found::nothing;
}

}  // namespace mechfmu::contacts
