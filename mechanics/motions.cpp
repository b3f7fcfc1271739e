// Real and virtual motions.
#include "motions.hpp"

namespace mechfmu {

using casadi::SX;
using casadi::SXElem;

Moving moving_symbols(const std::vector<std::string>& names) {
  std::vector<SXElem> at, rate, acceleration;
  for (const std::string& name : names) {
    at.push_back(SXElem::sym(name));
    rate.push_back(SXElem::sym("der(" + name + ")"));
    acceleration.push_back(SXElem::sym("der(" + name + ",2)"));
  }
  if (names.empty()) return {SX(0, 1), SX(0, 1), SX(0, 1)};
  return {SX(at), SX(rate), SX(acceleration)};
}

Motions::Motions(const Symbols& s, casadi_int opening_count, const std::vector<std::string>& reading_names) : symbols(s) {
  std::vector<std::string> names;
  for (casadi_int i = 0; i < opening_count; ++i) names.push_back("opening_" + std::to_string(i));
  openings = moving_symbols(names);
  readings = moving_symbols(reading_names);
}

SX Motions::rate(const SX& expression) const {
  if (expression.is_empty()) return expression;
  return SX::densify(SX::jtimes(
      expression,
      SX::vertcat({symbols.time, symbols.q, symbols.v, openings.at, openings.rate, readings.at, readings.rate}),
      SX::vertcat({SX(1), symbols.q_rate, symbols.acceleration, openings.rate, openings.acceleration, readings.rate,
                   readings.acceleration})));
}

SX Motions::virtual_symbols() const {
  return SX::vertcat({openings.at, openings.rate, openings.acceleration, readings.at, readings.rate,
                      readings.acceleration});
}

SX Motions::real_values() const {
  std::vector<SX> q{SX(0, 1)}, v{SX(0, 1)}, acceleration{SX(0, 1)};
  for (const auto& [position, velocity] : reading_positions) {
    q.push_back(symbols.q(position));
    v.push_back(symbols.v(velocity));
    acceleration.push_back(symbols.acceleration(velocity));
  }
  return SX::vertcat({SX::zeros(3 * openings.at.numel()), SX::vertcat(q), SX::vertcat(v), SX::vertcat(acceleration)});
}

SX Motions::real(const SX& expression) const { return real(std::vector<SX>{expression}).front(); }

std::vector<SX> Motions::real(const std::vector<SX>& expressions) const {
  const SX symbols = virtual_symbols();
  if (symbols.is_empty()) return expressions;
  return SX::substitute(expressions, std::vector<SX>{symbols}, std::vector<SX>{real_values()});
}

}  // namespace mechfmu
