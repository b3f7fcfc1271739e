// In this response the kept rows share what the others leave open.
#include "shared_response.hpp"

#include "constraints/choice.hpp"

namespace mechfmu {

SharedResponse::SharedResponse(Arena& arena, const Mechanism& m, Response* kept)
    : mechanism_(m), kept_(kept), rows_(m.sizes.all_rows()), shared_(arena, m, m.C_a, rows_ - m.sizes.rank),
      order_(arena, rows_), metric_(arena, m.sizes.velocities), gamma_(arena, rows_), multipliers_(arena, rows_),
      no_force_(arena, m.sizes.velocities) {}

/// Answers for the kept rows with γ and λ of these alone, in their order; nullptr means 0.
auto SharedResponse::respond_in_order() {
  return [this](const double* h, const double* gamma, double* acceleration, double* mu) {
    for (int i = 0; i < rank_ && gamma != nullptr; ++i) gamma_[row(i)] = gamma[i];
    kept_->respond(h != nullptr ? h : no_force_.data(), gamma != nullptr ? gamma_.data() : nullptr, acceleration,
                   multipliers_.data());
    for (int i = 0; i < rank_; ++i) mu[i] = multipliers_[row(i)];
  };
}

bool SharedResponse::factor(const Matrices& given, double time, Message& message) {
  shares_ = false;
  if (!kept_->factor(given, time, message)) return false;
  rank_ = kept_->rank();
  if (!wanted_ || rank_ == rows_) return true;
  for (int i = 0; i < rank_; ++i) order_[i] = row(i);
  column_metric(mechanism_.M, given.M, mechanism_.nominal, metric_.data());
  shares_ = shared_.factor(rows_, rank_, order_.data(), given.M, given.C_a, metric_.data(), respond_in_order());
  return true;
}

void SharedResponse::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  if (shares_) shared_.respond(h, gamma, acceleration, multipliers, respond_in_order());
  else kept_->respond(h, gamma, acceleration, multipliers);
}

}  // namespace mechfmu
