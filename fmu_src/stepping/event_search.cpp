// Searches for events within a step.
#include "event_search.hpp"

#include <cmath>

#include "linear/dense.hpp"

namespace mechfmu {

EventSearch::EventSearch(Arena& arena, int indicators)
    : indicators_(indicators), values_(arena, indicators, most_places), slopes_(arena, indicators, most_places) {}

void EventSearch::begin(const double* values, const double* slopes) {
  count_ = 1;
  early_ = 0;
  late_ = -1;
  searches_ = 0;
  places_[0] = 0;
  dense::copy(indicators_, values, values_.column(0));
  dense::copy(indicators_, slopes, slopes_.column(0));
}

void EventSearch::add(double length, const double* values, const double* slopes, const double* tolerances) {
  int place = count_;
  if (count_ < most_places) {
    ++count_;
  } else {  // replaces what is farthest away, but for the two ends
    double farthest = -1;
    for (int i = 0; i < most_places; ++i) {
      const double distance = std::fabs(places_[i] - length);
      if (i == early_ || i == late_ || distance <= farthest) continue;
      farthest = distance;
      place = i;
    }
  }
  places_[place] = length;
  dense::copy(indicators_, values, values_.column(place));
  dense::copy(indicators_, slopes, slopes_.column(place));
  bool negative = false;
  for (int i = 0; i < indicators_; ++i) negative = negative || values[i] < -tolerances[i];
  if (negative && late_ < 0 && places_[early_] > length) early_ = 0;  // It dips: the step's end is positive again.
  (negative ? late_ : early_) = place;
  ++searches_;
}

double EventSearch::predict(double apart) const {
  const double a = places_[early_], b = places_[late_], middle = (a + b) / 2;
  // A polynomial that leads nowhere is given up: each second search halves what is left then.
  constexpr int patient_searches = 8;
  if (searches_ > patient_searches && searches_ % 2 == 0) return middle;
  double first = b;
  for (int i = 0; i < indicators_; ++i) {
    if (!(value(late_, i) < 0)) continue;
    const double found = root(i);
    if (found < first) first = found;
  }
  return std::fmin(std::fmax(first, a + apart), b - apart);
}

/// Finds a root between the two ends by divided differences, where places with slopes count twice.
double EventSearch::root(int indicator) const {
  double z[most_degree], d[most_degree];
  int m = 0;
  const auto add = [&](int place) {
    const double slope = slopes_(indicator, place);
    z[m] = places_[place];
    d[m++] = value(place, indicator);
    if (slope != slope) return;
    z[m] = places_[place];
    d[m++] = value(place, indicator);
  };
  add(early_);
  add(late_);
  for (int i = 0; i < count_; ++i) {
    if (i != early_ && i != late_) add(i);
  }
  for (int order = 1; order < m; ++order) {
    for (int i = m - 1; i >= order; --i) {
      if (z[i] != z[i - order]) {
        d[i] = (d[i] - d[i - 1]) / (z[i] - z[i - order]);
        continue;
      }
      int place = 0;
      while (places_[place] != z[i]) ++place;
      d[i] = slopes_(indicator, place);
    }
  }
  const auto polynomial = [&](double x) {
    double sum = d[m - 1];
    for (int i = m - 2; i >= 0; --i) sum = d[i] + (x - z[i]) * sum;
    return sum;
  };
  double a = places_[early_], b = places_[late_];
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double x = (a + b) / 2;
    (polynomial(x) > 0 ? a : b) = x;
  }
  return (a + b) / 2;
}

bool EventSearch::dips(double& where) const {
  // The cubic has an error of a² (1 − a)² h⁴/24 times the fourth derivative at the part a of the step. A sixteenth of
  // its last two terms is more than that in the middle, if each derivative is at most a few times the one before,
  // divided by h. Each search that meets no event halves the doubt at least: the third one is the last.
  constexpr double error_of_terms = 1. / 16;
  constexpr int most_searches = 3;
  if (searches_ > most_searches) return false;
  const int last = count_ - 1;
  const double h = places_[last];
  bool found = false;
  for (int i = 0; i < indicators_; ++i) {
    const double s_0 = slopes_(i, 0) * h, s_1 = slopes_(i, last) * h, f_0 = value(0, i), f_1 = value(last, i);
    if (!(s_0 < 0 && s_1 > 0)) continue;  // or a slope is unknown
    const double rise = f_1 - f_0, square = 3 * rise - 2 * s_0 - s_1, cube = s_0 + s_1 - 2 * rise;
    double a = 0, b = 1;
    constexpr int halvings = 40;
    for (int k = 0; k < halvings; ++k) {
      const double x = (a + b) / 2;
      (s_0 + x * (2 * square + x * 3 * cube) < 0 ? a : b) = x;
    }
    const double least = f_0 + a * (s_0 + a * (square + a * cube));
    const double doubt = 16 * a * a * (1 - a) * (1 - a) * error_of_terms;
    if (least > doubt * (std::fabs(square) + std::fabs(cube))) continue;
    if (!found || a * h < where) where = a * h;
    found = true;
  }
  return found;
}

}  // namespace mechfmu
