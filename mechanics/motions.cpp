// Separates real and virtual motions.
#include "motions.hpp"

#include "equations/columns.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Makes new symbols with these names, and symbols for their derivatives.
Moving moving_symbols(const std::vector<std::string>& names) {
  std::vector<std::string> rates, accelerations;
  for (const std::string& name : names) {
    rates.push_back("der(" + name + ")");
    accelerations.push_back("der(" + name + ",2)");
  }
  return {column_of_symbols(names), column_of_symbols(rates), column_of_symbols(accelerations)};
}

}  // namespace

Motions::Motions(const Symbols& symbols, casadi_int opening_count, const std::vector<ReadCoordinate>& coordinates)
    : rate(symbols) {
  std::vector<std::string> opening_names, reading_names;
  for (casadi_int i = 0; i < opening_count; ++i) opening_names.push_back("opening_" + std::to_string(i));
  std::vector<SX> q, v, acceleration;
  for (const auto& [name, position, velocity] : coordinates) {
    reading_names.push_back(name);
    q.push_back(symbols.q(position));
    v.push_back(symbols.v(velocity));
    acceleration.push_back(symbols.acceleration(velocity));
  }
  openings = moving_symbols(opening_names);
  readings = moving_symbols(reading_names);
  for (const Moving* moving : {&openings, &readings}) {
    rate.set(moving->at, moving->rate);
    rate.set(moving->rate, moving->acceleration);
  }
  const auto replace = [this](const SX& of, const SX& by) {
    for (casadi_int i = 0; i < of.numel(); ++i) real_[of(i).scalar().get()] = by(i);
  };
  for (const SX& opening : {openings.at, openings.rate, openings.acceleration})
    replace(opening, SX::zeros(opening_count));
  replace(readings.at, column(q));
  replace(readings.rate, column(v));
  replace(readings.acceleration, column(acceleration));
}

SX Motions::real(const SX& expression) const { return real(std::vector<SX>{expression}).front(); }

std::vector<SX> Motions::real(const std::vector<SX>& expressions) const {
  std::vector<SX> virtual_ones, real_ones;  // takes only those that are there: a large mechanism has many
  for (const SX& symbol : SX::symvar(SX::veccat(expressions))) {
    if (const auto found = real_.find(symbol.scalar().get()); found != real_.end()) {
      virtual_ones.push_back(symbol);
      real_ones.push_back(found->second);
    }
  }
  if (virtual_ones.empty()) return expressions;
  return SX::substitute(expressions, std::vector<SX>{column(virtual_ones)}, std::vector<SX>{column(real_ones)});
}

}  // namespace mechfmu
