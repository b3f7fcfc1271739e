// Adds rows of contacts to a response.
#include "held_rows.hpp"

#include "constraints/choice.hpp"
#include "linear/dense.hpp"

namespace mechfmu {

HeldRows::HeldRows(Arena& arena, const Mechanism& m)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), lasting_(m.sizes.lasting_rows()),
      row_(arena, m.sizes.changing_rows), place_(arena, m.sizes.changing_rows), P_(arena, n_, m.sizes.changing_rows),
      b_(arena, n_, m.sizes.changing_rows), R_(arena, n_, m.sizes.changing_rows),
      Lambda_(arena, rows_, m.sizes.changing_rows), x_(arena, m.sizes.changing_rows), metric_(arena, n_),
      free_mobilities_(arena, m.sizes.changing_rows), mobilities_(arena, m.sizes.changing_rows) {}

void HeldRows::take_out(const double* held, double* C_a, double* B, double* gamma) {
  count_ = 0;
  for (int i = lasting_; i < rows_; ++i) {
    const bool holds = held != nullptr && held[i - lasting_] != 0;
    place_[i - lasting_] = holds ? count_ : -1;
    if (holds) row_[count_++] = i;
    else gamma[i] = 0;
  }
  dense::fill(n_ * count_, 0, P_.data());
  dense::fill(n_ * count_, 0, b_.data());
  const auto move_out = [this](int row, int velocity, double& value, RunTimeColumns& to) {
    if (row < lasting_) return;
    if (place_[row - lasting_] >= 0) to(velocity, place_[row - lasting_]) = value;
    value = 0;
  };
  const Pattern &rows = mechanism_.C_a, &directions = mechanism_.B;
  for (int e = 0; e < rows.nonzeros; ++e) move_out(rows.row[e], rows.column[e], C_a[e], P_);
  for (int e = 0; e < directions.nonzeros; ++e) move_out(directions.column[e], directions.row[e], B[e], b_);
  if (mechanism_.character.ideal) dense::copy(n_ * count_, P_.data(), b_.data());
}

void HeldRows::factor(Response& lasting, const double* M) {
  const WritableColumns<> S = mobilities_.matrix(count_);
  column_metric(mechanism_.M, M, mechanism_.nominal, metric_.data());
  for (int j = 0; j < count_; ++j) {
    free_mobilities_[j] = 0;
    for (int i = 0; i < n_; ++i) free_mobilities_[j] += P_(i, j) * P_(i, j) / metric_[i];
    lasting.respond(b_.column(j), nullptr, R_.column(j), Lambda_.column(j));
    for (int i = 0; i < count_; ++i) S(i, j) = dense::dot(n_, P_.column(i), R_.column(j));
  }
  mobilities_.factor(free_mobilities_.data());
}

void HeldRows::add(const double* gamma, double* acceleration, double* multipliers) {
  for (int i = 0; i < count_; ++i) {
    x_[i] = -(gamma == nullptr ? 0 : gamma[row_[i]]) - dense::dot(n_, P_.column(i), acceleration);
  }
  mobilities_.solve(x_.data());
  for (int i = lasting_; i < rows_; ++i) multipliers[i] = 0;
  add_responses(1, x_.data(), acceleration, multipliers);
}

/// Adds what the forces `factor` x of the rows do.
void HeldRows::add_responses(double factor, const double* x, double* acceleration, double* multipliers) const {
  for (int i = 0; i < count_; ++i) {
    dense::add(n_, factor * x[i], R_.column(i), acceleration);
    dense::add(lasting_, factor * x[i], Lambda_.column(i), multipliers);
    multipliers[row_[i]] += factor * x[i];
  }
}

void HeldRows::follow_way(int j, double* acceleration, double* multipliers) const {
  dense::fill(n_, 0, acceleration);
  dense::fill(rows_, 0, multipliers);
  add_responses(1, mobilities_.null_vectors().column(j), acceleration, multipliers);
}

void HeldRows::add_ways(double* products, double* acceleration, double* multipliers) const {
  mobilities_.find_parts(products);
  for (int j = 0; j < ways(); ++j)
    add_responses(products[j], mobilities_.null_vectors().column(j), acceleration, multipliers);
}

void HeldRows::add_forces(const double* multipliers, double* force) const {
  for (int i = 0; i < count_; ++i) dense::add(n_, multipliers[row_[i]], b_.column(i), force);
}

void HeldRows::add_open(const double* acceleration, double* open) const {
  for (int i = 0; i < count_; ++i) open[row_[i]] += dense::dot(n_, P_.column(i), acceleration);
}

}  // namespace mechfmu
