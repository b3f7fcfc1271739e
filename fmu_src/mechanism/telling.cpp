// Writes words that messages share.
#include "telling.hpp"

#include <cmath>
#include <cstring>
#include <initializer_list>

namespace mechfmu {

namespace {

const ShownUnit* unit_of(const Mechanism& m, Told what, int index) {
  if (m.units == nullptr) return nullptr;
  const int counts[] = {
      m.sizes.positions,           m.sizes.velocities, m.sizes.all_rows(), m.sizes.start_position_rows,
      m.sizes.start_velocity_rows, m.sizes.loads,      m.sizes.loads};
  for (int list = 0; list < static_cast<int>(what); ++list) index += counts[list];
  return &m.units[m.units_of[index]];
}

void tell_in(const ShownUnit& unit, double si, Message& message, double offset = 0) {
  message.add("%.6g%s%s", (si - offset) / unit.factor, *unit.symbol != '\0' ? " " : "", unit.symbol);
}

}  // namespace

void tell_value(const Mechanism& m, Told what, int index, double si, Message& message) {
  const ShownUnit* unit = unit_of(m, what, index);
  if (unit == nullptr) return message.add("%.6g (SI)", si);
  tell_in(*unit, si, message, unit->offset);
}

void tell_difference(const Mechanism& m, Told what, int index, double si, Message& message) {
  const ShownUnit* unit = unit_of(m, what, index);
  if (unit == nullptr) return message.add("%.6g (SI)", si);
  tell_in(*unit, si, message);
}

void tell_row(const Mechanism& m, int row, Message& message) {
  const bool is_prescribed = *m.driven[row] != '\0';
  message.add("%s '%s'", is_prescribed ? "motion of" : "constraint",
              is_prescribed ? m.driven[row] : m.constraint_names[row]);
}

void RowList::add(int row) {
  if (count_ < most_) rows_[count_++] = row;
  else ++left_out_;
}

void RowList::tell(const Mechanism& m, Message& message) const {
  bool first = true;
  for (const bool prescribed : {false, true}) {
    const auto is_one = [&](int row) { return (*m.driven[row] != '\0') == prescribed; };
    int all = 0, named = 0;
    for (int i = 0; i < count_; ++i) all += is_one(rows_[i]);
    if (all == 0) continue;
    const char* what = prescribed ? (all == 1 ? "motion of" : "motions of") : (all == 1 ? "constraint" : "constraints");
    message.add("%s%s", first ? "" : " and the ", what);
    for (int i = 0; i < count_; ++i) {
      if (!is_one(rows_[i])) continue;
      message.add("%s '%s'", named++ > 0 ? "," : "", prescribed ? m.driven[rows_[i]] : m.constraint_names[rows_[i]]);
    }
    first = false;
  }
  if (left_out_ > 0) message.add(" and %d more", left_out_);
}

void tell_residual(const Mechanism& m, int row, int level, double si, Message& message) {
  const ShownUnit* unit = unit_of(m, Told::rows, row);
  if (unit == nullptr) return message.add("%.6g (SI)", si);
  int per_second = level - (row >= m.sizes.position_rows) - (row >= m.sizes.rate_rows());
  if (per_second == 0) return tell_in(*unit, si, message);
  int length = static_cast<int>(std::strlen(unit->symbol));
  if (length > 2 && std::strcmp(unit->symbol + length - 2, "/s") == 0) length -= 2, ++per_second;  // m/s becomes m/s2
  message.add("%.6g %.*s/s%s", si / unit->factor, length > 0 ? length : 1, length > 0 ? unit->symbol : "1",
              per_second > 2   ? "3"
              : per_second > 1 ? "2"
                               : "");
}

void tell_open(const Mechanism& m, const Point& point, int row, const double* f, Message& message) {
  const ToldRows* told = m.told;
  const ToldRows* const end = told + m.told_count;
  while (told != end && row >= told->first + told->count) ++told;
  if (told == end || row < told->first) {
    message.add("the constraint '%s' stays open by ", m.constraint_names[row]);
    return tell_difference(m, Told::rows, row, f[row], message);
  }
  double gap = 0;
  for (int i = told->first; i < told->first + told->count; ++i) gap += f[i] * f[i];
  gap = std::sqrt(gap);
  double lengths[most_told_lengths];
  const double* next = lengths + told->first_length;
  if (m.told_lengths != nullptr) m.told_lengths(point, lengths);
  if (told->gap == ToldRows::Gap::sine) gap = std::asin(gap < 1 ? gap : 1);
  if (told->gap == ToldRows::Gap::rod) {
    const double square = next[0] * next[0] + 2 * next[0] * f[row];
    gap = std::fabs(std::sqrt(square > 0 ? square : 0) - next[0]);
  }
  const char* text = told->text;
  for (bool first = true; const char* number = std::strchr(text, '#'); first = false) {
    message.add("%.*s", static_cast<int>(number - text), text);
    tell_in(m.units[told->unit], first ? gap : *next++, message);
    text = number + 1;
  }
  message.add("%s", text);
}

}  // namespace mechfmu
