// Finds where numbers that are watched along a step become negative: indicators. They are known at some places of the
// step, with or without their slopes; a polynomial through these says where to look next.
#pragma once

#include "linear/columns.hpp"

namespace mechfmu {

class EventSearch {
 public:
  EventSearch(Arena&, int indicators);

  /// Begins at the beginning of a step. All indicators are positive there. A slope may be unknown: NaN.
  void begin(const double* values, const double* slopes);
  /// Adds what was seen at `length` from the beginning. The part of the step behind it is out of sight if some
  /// indicator is below `-tolerance` there.
  void add(double length, const double* values, const double* slopes, const double* tolerances);
  /// Is true if no indicator was seen below its tolerance.
  bool clear() const { return late_ < 0; }

  /// Returns where the first indicator vanishes. It lies between the last place without an event and the first one
  /// with one, and at least `apart` from both: a nearer place could be rounded to one of them.
  double predict(double apart) const;
  /// Returns the length of what is left between these two.
  double width() const { return places_[late_] - places_[early_]; }
  /// Returns the first place with an event.
  double late() const { return places_[late_]; }
  bool negative_there(int indicator) const { return value(late_, indicator) < 0; }

  /// Is true if an indicator, positive at both ends of the step, may be negative between them: a cubic polynomial falls
  /// below the error that it may have. `where` is the place of its least value.
  bool dips(double& where) const;

 private:
  static constexpr int most_places = 5, most_degree = 2 * most_places;
  double root(int indicator) const;
  double value(int place, int indicator) const { return values_(indicator, place); }

  int indicators_, count_ = 0, early_ = 0, late_ = -1, searches_ = 0;
  double places_[most_places] = {};
  RunTimeColumns values_, slopes_;
};

}  // namespace mechfmu
