// Takes total time derivatives.
#include "rates.hpp"

#include "columns.hpp"

namespace mechfmu {

using casadi::SX;

Rates::Rates(const Symbols& symbols) {
  set(symbols.time, 1);
  set(symbols.q, symbols.q_rate);
  set(symbols.v, symbols.acceleration);
}

void Rates::set(const SX& of, const SX& rates) {
  for (casadi_int i = 0; i < of.numel(); ++i) rates_[of(i).scalar().get()] = rates(i);
}

SX Rates::operator()(const SX& expression) const {
  std::vector<SX> moving, rates;
  for (const SX& symbol : SX::symvar(expression))
    if (const auto found = rates_.find(symbol.scalar().get()); found != rates_.end()) {
      moving.push_back(symbol);
      rates.push_back(found->second);
    }
  if (moving.empty()) return SX::zeros(expression.size1(), expression.size2());
  return SX::densify(SX::jtimes(expression, column(moving), column(rates)));
}

}  // namespace mechfmu
