// Resolves rates for the velocities of a file.
#include "equations/compose_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "columns.hpp"
#include "connected.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

Shown shown_velocity(const Velocity& velocity) {
  return {velocity.name, velocity.description, velocity.unit, velocity.place};
}

/// Is true if a square matrix is singular to rounding at several places, whatever the units of its rows and columns.
/// NaN is not 0: it says nothing.
bool is_singular(const SX& matrix, const Equations& equations) {
  const Symbols& s = equations.symbols;
  const SX lengths = SX::sqrt(SX::sum1(SX::sq(matrix)));  // a determinant is at most the product of these (Hadamard)
  SX bound = 1;
  for (casadi_int j = 0; j < lengths.numel(); ++j) bound *= lengths(j);
  const casadi::Function f("f", {s.time, s.q, s.parameters}, {SX::densify(SX::det(matrix) / bound)});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.2, 1.3);
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> q(static_cast<std::size_t>(s.q.numel()));
    for (double& one : q) one = uniform(random);
    const double value =
        static_cast<double>(f(std::vector<casadi::DM>{uniform(random), q, equations.parameter_values}).front());
    if (!(std::fabs(value) < vanishing_determinant)) return false;
  }
  return true;
}

}  // namespace

VelocityComposer::VelocityComposer(const Description& description, ParameterComposer& parameters)
    : description_(description), parameters_(parameters) {
  for (const Velocity& velocity : description.velocities)
    starts_.push_back(parameters.add(shown_velocity_start(shown_velocity(velocity), velocity.start),
                                     velocity.start.value.expression));
  for (std::size_t i = 0; i < description.coordinates.size(); ++i)
    if (description.coordinates[i].rate) given_.push_back(static_cast<casadi_int>(i));
}

SX VelocityComposer::given(const Start& start, const SX& symbol) const {
  return start.calculated ? parameters_.formula(start.value.expression) : symbol;
}

SX VelocityComposer::add_rate_start(std::size_t coordinate, const ShownParameter& shown,
                                    const std::vector<SX>& positions) {
  Translator at_start(description_.functions);
  Translator::Names own;
  at_start.define("time", 0);
  for (const Parameter& parameter : description_.parameters) {
    Expression symbol;
    symbol.kind = Expression::Kind::symbol;
    symbol.name = parameter.name;
    at_start.define(parameter.name, parameters_.formula(symbol));
  }
  for (const Definition& definition : description_.definitions) at_start.define(definition.name, definition.value);
  for (std::size_t i = 0; i < positions.size(); ++i)
    at_start.define(description_.coordinates[i].name, given(description_.coordinates[i].start, positions[i]));
  for (std::size_t j = 0; j < starts_.size(); ++j)
    own.emplace(description_.velocities[j].name, given(description_.velocities[j].start, starts_[j]));
  ShownParameter calculated = shown;
  calculated.written.reset();
  return parameters_.add(calculated, SX::densify(at_start(*description_.coordinates[coordinate].rate, own)));
}

void VelocityComposer::resolve(Translator& translate, Equations& equations, Diagnostics& diagnostics) {
  if (description_.velocities.empty()) return;
  const std::size_t errors = diagnostics.size();
  Translator::Names own;
  std::vector<SX> v;
  for (const Velocity& velocity : description_.velocities) {
    v.push_back(SX::sym(velocity.name));
    own.emplace(velocity.name, v.back());
  }
  const SX velocities = column(v);
  std::vector<SX> rates;
  for (const casadi_int i : given_) {
    const Coordinate& coordinate = description_.coordinates[static_cast<std::size_t>(i)];
    rates.push_back(SX::densify(translate(*coordinate.rate, own)));
    if (SX::depends_on(SX::jacobian(rates.back(), velocities), velocities))
      diagnostics.add(coordinate.rate->place,
                      "the rate of " + in_quotes(coordinate.name) + " is not linear in the velocities",
                      "write it as a sum of velocities times factors");
  }
  const SX rate = column(rates);
  const SX A = SX::sparsify(SX::jacobian(rate, velocities));
  const SX a = SX::densify(SX::substitute(rate, velocities, SX::zeros(velocities.numel(), 1)));
  SX Y(A.size2(), A.size1());
  for (const Connected& group : connected(A.sparsity())) {
    if (diagnostics.size() > errors) return;
    if (group.columns.empty()) continue;  // a rate that does not depend on velocities
    const SX block = inverse(group.columns, A(group.rows, group.columns), equations, diagnostics);
    Y(group.columns, group.rows) = block;
  }
  if (diagnostics.size() == errors) enter(A, a, SX::sparsify(Y), translate, equations);
}

SX VelocityComposer::inverse(const std::vector<casadi_int>& velocities, const SX& A, const Equations& equations,
                             Diagnostics& diagnostics) const {
  const bool tall = A.size1() > A.size2();
  const SX square = tall ? SX(SX::mtimes(A.T(), A)) : A;
  const Velocity& first = description_.velocities[static_cast<std::size_t>(velocities.front())];
  if (A.size1() < A.size2() || casadi::Sparsity::sprank(A.sparsity()) < A.size2() || is_singular(square, equations)) {
    const std::vector<std::string> all = names(velocities);
    diagnostics.add(first.place,
                    "the rates do not determine the " + std::string(all.size() == 1 ? "velocity " : "velocities ") +
                        listed(all),
                    "give as many independent rates below [velocities.rate]");
    return SX(A.size2(), A.size1());
  }
  constexpr casadi_int by_cofactors = 4;
  const SX of_square = square.size1() <= by_cofactors ? SX::inv_minor(SX::densify(square))
                                                      : SX::solve(SX::densify(square), SX::eye(square.size1()));
  return SX::simplify(tall ? SX(SX::mtimes(of_square, A.T())) : of_square);
}

void VelocityComposer::enter(const SX& A, const SX& a, const SX& Y, Translator& translate, Equations& equations) const {
  const Symbols& s = equations.symbols;
  const auto place = [&](const SX& numbers, bool row) {  // from rates that are given to all of v
    SX all = row ? SX(numbers.size1(), s.v.numel()) : SX(s.v.numel(), numbers.size2());
    for (std::size_t i = 0; i < given_.size(); ++i)
      if (row) all(casadi::Slice(), given_[i]) = numbers(casadi::Slice(), static_cast<casadi_int>(i));
      else all(given_[i], casadi::Slice()) = numbers(static_cast<casadi_int>(i), casadi::Slice());
    return SX(SX::sparsify(all));
  };
  const SX slopes = place(Y, true), directions = place(A, false);
  const SX at_rest = SX::densify(SX::mtimes(Y, a));
  for (std::size_t j = 0; j < description_.velocities.size(); ++j) {
    const Velocity& velocity = description_.velocities[j];
    const auto index = static_cast<casadi_int>(j);
    const SX row = slopes(index, casadi::Slice());
    const SX value = SX::densify(SX::mtimes(row, s.v)) - at_rest(index);
    translate.define(velocity.name, value);
    equations.own_velocities.push_back({shown_velocity(velocity), value, row, directions(casadi::Slice(), index)});
    if (velocity.start.fixed)
      equations.start_velocities.push_back({velocity.name, velocity.place, value - starts_[j], velocity.unit});
  }
}

std::vector<std::string> VelocityComposer::names(const std::vector<casadi_int>& velocities) const {
  std::vector<std::string> result;
  for (const casadi_int j : velocities)
    result.push_back(in_quotes(description_.velocities[static_cast<std::size_t>(j)].name));
  return result;
}

}  // namespace mechfmu
