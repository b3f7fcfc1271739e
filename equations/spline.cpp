// Makes cubic splines from the three-moment equations. A tree of comparisons evaluates them.
#include "spline.hpp"

#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::SX;

namespace {

using Points = std::vector<std::array<double, 2>>;

double width(const Points& points, int interval) { return points[interval + 1][0] - points[interval][0]; }

double secant(const Points& points, int interval) {
  return (points[interval + 1][1] - points[interval][1]) / width(points, interval);
}

/// Returns the second derivatives at the points from the three-moment equations. They are zero at both ends or, in a
/// periodic spline, equal at both ends and continuous there.
std::vector<double> second_derivatives(const Points& points, bool periodic) {
  const int intervals = static_cast<int>(points.size()) - 1;
  DM A(intervals + 1, intervals + 1), right_side = DM::zeros(intervals + 1);
  const auto add = [&A](int row, int column, double value) { A(row, column) = A(row, column) + value; };
  for (int i = periodic ? 0 : 1; i < intervals; ++i) {
    const int before = i > 0 ? i - 1 : intervals - 1;  // the interval that ends where interval i begins
    add(i, before, width(points, before));
    add(i, i, 2 * (width(points, before) + width(points, i)));
    add(i, i + 1, width(points, i));
    right_side(i) = 6 * (secant(points, i) - secant(points, before));
  }
  if (!periodic) A(0, 0) = 1;
  A(intervals, intervals) = 1;
  if (periodic) A(intervals, 0) = -1;
  return DM::solve(A, right_side).nonzeros();
}

std::vector<CubicPiece> spline(const Points& points, bool periodic) {
  const std::vector<double> bend = second_derivatives(points, periodic);
  std::vector<CubicPiece> pieces;
  for (int i = 0; i + 1 < static_cast<int>(points.size()); ++i)
    pieces.push_back(
        {points[i][0], points[i][1], secant(points, i) - width(points, i) * (2 * bend[i] + bend[i + 1]) / 6,
         bend[i] / 2, (bend[i + 1] - bend[i]) / (6 * width(points, i))});
  return pieces;
}

/// Is true if a piece ends with the slope and the curvature with which the next one begins.
bool meet_smoothly(const CubicPiece& before, const CubicPiece& next) {
  const double s = next.from - before.from, bend = before.square + 3 * s * before.cube,
               slope = before.slope + s * (before.square + bend);
  const double terms = std::abs(before.slope) + std::abs(s * before.square) + std::abs(s * s * before.cube);
  return std::abs(slope - next.slope) <= rounding_of_pieces * (terms + std::abs(next.slope)) &&
         std::abs(s * (bend - next.square)) <= rounding_of_pieces * (terms + std::abs(s * next.square));
}

/// Returns one coefficient of the piece that x lies in; it is one of the pieces first … last.
SX select(const std::vector<CubicPiece>& pieces, double CubicPiece::* coefficient, const SX& x, std::size_t first,
          std::size_t last) {
  bool alike = true;
  for (std::size_t i = first; i <= last; ++i) alike = alike && pieces[i].*coefficient == pieces[first].*coefficient;
  if (alike) return pieces[first].*coefficient;
  const std::size_t middle = (first + last + 1) / 2;
  const SX before = select(pieces, coefficient, x, first, middle - 1),
           behind = select(pieces, coefficient, x, middle, last);
  // A sign chooses where pieces meet smoothly: a motion need not stop there (derivation/rows/switches.cpp).
  const double from = pieces[middle].from;
  const SX test = meet_smoothly(pieces[middle - 1], pieces[middle]) ? SX::copysign(1, x - from) < 0 : x < from;
  return SX::if_else(test, before, behind);
}

}  // namespace

std::vector<CubicPiece> natural_spline(const Points& points, Function::Beyond beyond) {
  std::vector<CubicPiece> pieces = spline(points, false);
  CubicPiece before{points.front()[0], points.front()[1]}, after{points.back()[0], points.back()[1]};
  if (beyond == Function::Beyond::line) {
    const CubicPiece& end = pieces.back();
    const double s = after.from - end.from;
    before.slope = pieces.front().slope;
    after.slope = end.slope + s * (2 * end.square + 3 * s * end.cube);
  }
  pieces.insert(pieces.begin(), before);
  pieces.push_back(after);
  return pieces;
}

std::vector<CubicPiece> periodic_spline(Points points, double period) {
  const double end = points.front()[0] + period, slip = written_digits * period;  // "2*pi" beside 6.283185307
  if (points.back()[0] >= end - slip) points.pop_back();
  points.push_back({end, points.front()[1]});
  return spline(points, true);
}

SX evaluate_spline(const std::vector<CubicPiece>& pieces, const SX& x, std::optional<double> period) {
  const double begin = pieces.front().from;
  // A remainder jumps where the pieces meet smoothly: floor() would be a place at which a motion stops.
  const SX place = period ? SX::remainder(x - (begin + *period / 2), *period) + (begin + *period / 2) : x;
  const auto coefficient = [&](double CubicPiece::* which) {
    return select(pieces, which, place, 0, pieces.size() - 1);
  };
  const SX s = place - coefficient(&CubicPiece::from);
  return coefficient(&CubicPiece::value) +
         s * (coefficient(&CubicPiece::slope) +
              s * (coefficient(&CubicPiece::square) + s * coefficient(&CubicPiece::cube)));
}

}  // namespace mechfmu
