// Evaluates rows that come and go.
#include "changing_rows.hpp"

#include <cmath>

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/products.hpp"
#include "linear/tolerances.hpp"

namespace mechfmu {

ChangingRows::ChangingRows(Arena& arena, const Mechanism& m)
    : mechanism_(m), n_(m.sizes.velocities), lasting_(m.sizes.lasting_rows()), lasting_accelerations_(arena, m),
      first_(arena, m.sizes.contacts), work_(arena, m.sizes.work), M_(arena, m.sizes.M_nonzeros),
      C_(arena, m.sizes.C_nonzeros), c_t_(arena, m.sizes.rows()), h_(arena, n_), gamma_(arena, m.sizes.all_rows()),
      C_a_(arena, m.C_a.nonzeros), B_(arena, m.B.nonzeros), none_(arena, m.sizes.changing_rows), metric_(arena, n_),
      gaps_(arena, m.sizes.contacts), speeds_(arena, m.sizes.changing_rows),
      accelerations_of_rows_(arena, m.sizes.changing_rows), free_mobility_(arena, m.sizes.changing_rows),
      acceleration_sizes_(arena, m.sizes.changing_rows), loads_(arena, m.sizes.loads),
      forces_(arena, m.sizes.loads > 0 ? m.sizes.changing_rows : 0), impulse_force_(arena, n_),
      velocity_change_(arena, n_), impulses_(arena, m.sizes.all_rows()),
      reaction_impulses_(arena, m.sizes.reaction_impulses), laws_(arena, m.sizes.contacts),
      P_(arena, n_, m.sizes.changing_rows), R_(arena, n_, m.sizes.changing_rows),
      responded_(arena, m.sizes.changing_rows), chosen_group_(arena, m.sizes.contacts),
      chosen_row_(arena, m.sizes.changing_rows), chosen_law_(arena, m.sizes.contacts), q_(arena, m.sizes.changing_rows),
      chosen_mobility_(arena, m.sizes.changing_rows), H_(arena, m.sizes.changing_rows, m.sizes.changing_rows),
      A_(arena, n_, m.sizes.changing_rows), response_(arena, n_, m.sizes.changing_rows) {
  if (!arena.ok()) return;
  for (int i = 0, row = 0; i < m.sizes.contacts; row += kind(i++).rows()) first_[i] = row;
}

void ChangingRows::watch(const Point& p) {
  mechanism_.gaps(p, gaps_.data());
  mechanism_.contact_speeds(p, speeds_.data());
}

void ChangingRows::judge(const Point& p) {
  static_assert(sizeof(ContactLaw) == contact_law_numbers * sizeof(double));
  mechanism_.contact_laws(p, &laws_.data()->friction);
}

bool ChangingRows::evaluate(const Point& p, Message& message) {
  point_ = p;
  point_.held = nullptr;
  point_.slide = none_.data();
  point_.work = work_.data();
  if (!prepared_) mechanism_.prepare(point_);
  prepared_ = true;
  mechanism_.position(point_, M_.data(), C_.data(), c_t_.data());
  if (!accelerate(p, message)) return false;
  dense::fill(n_ * rows(), 0, P_.data());
  dense::fill(rows(), 0, free_mobility_.data());
  column_metric(mechanism_.M, M_.data(), mechanism_.nominal, metric_.data());
  const Pattern& pattern = mechanism_.C_a;
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int row = pattern.row[e] - lasting_, j = pattern.column[e];
    if (row < 0) continue;
    P_(j, row) = C_a_[e];
    free_mobility_[row] += C_a_[e] * C_a_[e] / metric_[j];
  }
  for (int i = 0; i < rows(); ++i) responded_[i] = 0;
  return true;
}

void ChangingRows::find_sizes(double* gap_sizes, double* speed_sizes, double* force_sizes) const {
  for (int i = 0; i < rows(); ++i) {
    gap_sizes[i] = speed_sizes[i] = 0;
    for (int j = 0; j < n_; ++j) {
      gap_sizes[i] += std::fabs(P_(j, i)) * mechanism_.nominal[j];
      speed_sizes[i] += std::fabs(P_(j, i)) * mechanism_.rate_nominal[j];
    }
    const double mobility = mechanism_.duration * free_mobility_[i];
    force_sizes[i] = mobility > 0 ? speed_sizes[i] / mobility : 0;
  }
}

bool ChangingRows::accelerate(const Point& p, Message& message) {
  ++evaluations_;
  point_.v = p.v;
  watch(point_);
  if (depend_on_loads() && !find_loads(p, message)) return false;
  judge(point_);
  if (!(depend_on_loads() ? lasting_accelerations_.solve_with_loads(point_, M_.data(), loads_.data(), message)
                          : lasting_accelerations_.solve(point_, M_.data(), nullptr, message)))
    return false;
  mechanism_.acceleration(point_, h_.data(), gamma_.data(), C_a_.data(), B_.data());
  const Pattern& pattern = mechanism_.C_a;
  dense::copy(rows(), gamma_.data() + lasting_, accelerations_of_rows_.data());
  for (int i = 0; i < rows(); ++i) acceleration_sizes_[i] = std::fabs(accelerations_of_rows_[i]);
  // Accelerations of what cannot move are rounding of those elsewhere.
  const double* acceleration = lasting_accelerations_.acceleration();
  double largest = 0;
  for (int j = 0; j < n_; ++j) dense::raise(largest, std::fabs(acceleration[j]) / mechanism_.rate_nominal[j]);
  for (int e = 0; e < pattern.nonzeros; ++e) {
    if (pattern.row[e] < lasting_) continue;
    const int j = pattern.column[e], row = pattern.row[e] - lasting_;
    accelerations_of_rows_[row] += C_a_[e] * acceleration[j];
    acceleration_sizes_[row] += std::fabs(C_a_[e]) * largest * mechanism_.rate_nominal[j];
  }
  return true;
}

/// Finds the loads that belong to the rows which hold and slide at this point.
bool ChangingRows::find_loads(const Point& p, Message& message) {
  Point present = point_;
  present.held = p.held;
  present.slide = p.slide;
  present.loads = p.loads;
  if (!lasting_accelerations_.solve(present, M_.data(), nullptr, message)) return false;
  dense::copy(mechanism_.sizes.loads, lasting_accelerations_.loads(), loads_.data());
  dense::copy(rows(), lasting_accelerations_.multipliers() + lasting_, forces_.data());
  point_.loads = loads_.data();
  return true;
}

const double* ChangingRows::response(int row) {
  if (!responded_[row]) lasting_accelerations_.respond_to_force(P_.column(row), R_.column(row));
  responded_[row] = 1;
  return R_.column(row);
}

bool ChangingRows::stands(int row) {
  return std::fabs(accelerations_of_rows_[row]) <= rounding_of_accelerations * acceleration_sizes_[row] &&
         mobility(row, row) <= rounding_of_mobility * free_mobility_[row];
}

double ChangingRows::mobility(int row, int by) { return dense::dot(n_, P_.column(row), response(by)); }

void ChangingRows::add_reaction_impulses(const double* impulses, double* sums) {
  const int count = mechanism_.sizes.reaction_impulses;
  if (count == 0) return;
  dense::fill(n_, 0, impulse_force_.data());
  for (int i = 0; i < rows(); ++i) dense::add(n_, impulses[i], P_.column(i), impulse_force_.data());
  lasting_accelerations_.respond_to_force(impulse_force_.data(), velocity_change_.data(), impulses_.data());
  dense::copy(rows(), impulses, impulses_.data() + lasting_);
  Point p = point_;
  p.acceleration = velocity_change_.data();
  p.multipliers = impulses_.data();
  mechanism_.reaction_impulses(p, reaction_impulses_.data());
  dense::add(count, 1, reaction_impulses_.data(), sums);
}

void ChangingRows::find_directions(const double* slide, double* directions) const {
  for (int i = 0; i < groups(); ++i) {
    const int a = tangent(i), count = kind(i).law == contacts::Law::bilateral ? 0 : kind(i).tangential;
    if (kind(i).has_normal() || count == 0) directions[first(i)] = 0;
    if (count == 1) directions[a] = slide[a];
    if (count < 2) continue;
    const double side = speeds_[a] * slide[a] + speeds_[a + 1] * slide[a + 1] < 0 ? -1 : 1;
    const bool slides = slide[a] != 0 || slide[a + 1] != 0;
    const double s[] = {side * speeds_[a] + slide[a], side * speeds_[a + 1] + slide[a + 1]};
    const double length = std::sqrt(s[0] * s[0] + s[1] * s[1]);
    for (int k = 0; k < 2; ++k) directions[a + k] = slides && length > 0 ? s[k] / length : 0;
  }
}

void ChangingRows::choose(int group, const contacts::Group& law) {
  chosen_group_[chosen_] = group;
  chosen_law_[chosen_++] = law;
  for (int k = 0; k < law.rows(); ++k) chosen_row_[chosen_rows_++] = first_[group] + k;
}

contacts::Problem ChangingRows::problem(const double* q) {
  H_.reshape(chosen_rows_);
  const bool ideal = mechanism_.character.ideal_without_contacts;
  for (int j = 0; j < chosen_rows_; ++j) {
    const double* R = response(chosen_row_[j]);
    q_[j] = q[chosen_row_[j]];
    chosen_mobility_[j] = free_mobility_[chosen_row_[j]];
    for (int i = 0; i < chosen_rows_; ++i) H_(i, j) = dense::dot(n_, P_.column(chosen_row_[i]), R);
    if (!ideal) continue;
    // H = RᵀMR. Rows and columns are measured in the metric, so that all are about as large.
    times_symmetric(mechanism_.M, M_.data(), R, A_.column(j));
    for (int i = 0; i < n_; ++i) {
      const double size = std::sqrt(metric_[i]);
      A_(i, j) /= size;
      response_(i, j) = R[i] * size;
    }
  }
  contacts::Problem problem;
  problem.groups = chosen_;
  problem.group = chosen_law_.data();
  problem.H = H_;
  problem.q = q_.data();
  problem.free_mobility = chosen_mobility_.data();
  if (ideal) {
    for (int i = 0; i < chosen_rows_; ++i) {
      for (int j = 0; j < i; ++j) H_(i, j) = H_(j, i) = (H_(i, j) + H_(j, i)) / 2;
    }
    problem.A = A_;
    problem.B = response_;
  }
  return problem;
}

}  // namespace mechfmu
