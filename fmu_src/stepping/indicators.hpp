// Numbers that are positive while nothing changes, watched from the beginning of a step to its end: the first one that
// becomes negative is an event.
#pragma once

#include "changes.hpp"
#include "event_search.hpp"
#include "linear/buffer.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

class Indicators {
 public:
  Indicators(Arena& arena, int count)
      : count_(count), search_(arena, count), values_(arena, count), slopes_(arena, count), shifts_(arena, count),
        begin_(arena, count), tolerances_(arena, count), sizes_(arena, count) {}

  /// Sets an indicator at the present place. The slope may be unknown: NaN. Rounding of the value is `size`.
  void set(int place, double value, double slope, double size) {
    values_[place] = value;
    slopes_[place] = slope;
    sizes_[place] = size;
  }
  double value(int place) const { return values_[place]; }
  /// Returns what look() adds before it compares with zero.
  double shift(int place) const { return shifts_[place]; }
  /// Returns the value at the beginning of the step, as look() sees it.
  double begun(int place) const { return begin_[place]; }
  bool has_slope(int place) const { return slopes_[place] == slopes_[place]; }
  double size(int place) const { return sizes_[place]; }
  /// Begins at the beginning of a step, with what has been set there.
  void begin();
  /// Looks at what has been set at the step's end, `length` behind its beginning. If something has happened earlier, it
  /// says where to look next.
  Changes::Seen look(double time, double& length);
  /// Is true if an indicator has become zero where look() has seen an event.
  bool reached(int place) const { return values_[place] <= tolerances_[place]; }

 private:
  int count_;
  EventSearch search_;
  /// The shift keeps an indicator positive that begins at zero.
  Buffer<dynamic> values_, slopes_, shifts_, begin_, tolerances_, sizes_;
};

/// Counts events that follow each other while hardly any time passes.
class Chatter {
 public:
  static constexpr int most = 1000;
  /// Returns true if there have been too many.
  bool count(double time, double duration) {
    if (time > since_ + time_of_chatter * duration || time < since_) {
      since_ = time;
      events_ = 0;
    }
    return ++events_ > most;
  }
  void forget() { events_ = 0; }

 private:
  double since_ = 0;
  int events_ = 0;
};

}  // namespace mechfmu
