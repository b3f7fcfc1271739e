// Finds nominal sizes from what a file gives.
#include "nominal_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

using Numbers = std::vector<double>;

/// Returns the numbers of expressions of coordinates and parameters; without coordinates, those at zero.
Numbers numbers_at(const Equations& equations, const std::vector<SX>& expressions, Numbers q = {}) {
  const Symbols& s = equations.symbols;
  const SX all = SX::vertcat(expressions);
  q.resize(static_cast<std::size_t>(s.q.numel()), 0);
  const casadi::Function function("sizes", {s.q, s.parameters, s.time, s.inputs, s.turns}, {SX::densify(all)});
  return function(std::vector<casadi::DM>{casadi::DM(q), casadi::DM(equations.parameter_values), casadi::DM(0),
                                          casadi::DM(equations.input_values), casadi::DM::zeros(s.turns.numel())})[0]
      .nonzeros();
}

/// Returns the largest of all radii and all distances between known places, m; 0 if none is known.
double length_of(const Equations& equations) {
  Numbers zero(equations.positions.size(), 0);
  for (const Quaternion& one : equations.quaternions) zero[static_cast<std::size_t>(one.position)] = 1;
  double length = 0;
  const auto raise = [&length](double size) {
    if (is_finite(size)) length = std::max(length, size);
  };
  if (!equations.radii.empty())
    for (const double radius : numbers_at(equations, equations.radii, zero)) raise(std::fabs(radius));
  if (equations.places.empty()) return length;
  const Numbers places = numbers_at(equations, equations.places, zero);
  const auto dimension = static_cast<std::size_t>(equations.places[0].numel());
  for (std::size_t a = 0; a < places.size(); a += dimension) {
    for (std::size_t b = 0; b < a; b += dimension) {
      double square = 0;
      for (std::size_t i = 0; i < dimension; ++i)
        square += (places[a + i] - places[b + i]) * (places[a + i] - places[b + i]);
      raise(std::sqrt(square));
    }
  }
  return length;
}

/// Holds sizes of length, mass, time and force, in SI. `of` returns what a dimension comes to, or 0 if a size that it
/// needs is not known.
struct MechanismSizes {
  double length = 0, mass = 0, time = 1, force = 0;

  double of(const Dimension& dimension) const {
    const auto& [of_mass, of_length, of_time, further_0, further_1, further_2, further_3] = dimension.exponents;
    for (const double further : {further_0, further_1, further_2, further_3})
      if (further != 0) return 0;
    const double with_force = of_time + 2 * of_mass;  // exponent of time if masses are forces · time² / length
    const bool by_force = std::fabs(with_force) < std::fabs(of_time);
    return power(by_force ? force : mass, of_mass) * power(length, by_force ? of_length - of_mass : of_length) *
           power(time, by_force ? with_force : of_time);
  }

 private:
  static double power(double size, double exponent) {
    return exponent == 0 ? 1 : size > 0 ? std::pow(size, exponent) : 0;
  }
};

/// Returns what the file says, by the coordinate's name.
std::map<std::string, Nominal> written_sizes(const Description& description) {
  std::map<std::string, Nominal> sizes;
  for (const Coordinate& coordinate : description.coordinates) sizes[coordinate.name] = coordinate.nominal;
  for (const Joint& joint : description.joints) {
    for (const JointCoordinate& coordinate : joint.coordinates)
      sizes[coordinate.name] = sizes[coordinate.name + ".filter"] = coordinate.nominal;
  }
  return sizes;
}

/// Finds the size of a quantity that is no coordinate: what the file says, else its start, else what its unit is in
/// terms of the mechanism's sizes.
template <class Quantity>
void find_size(const std::optional<double>& written, double start, const Unit& unit, const MechanismSizes& sizes,
               Quantity& quantity) {
  const double of_mechanism = sizes.of(unit.dimension), at_start = std::fabs(start);
  const auto take = [&quantity](double size, NominalOrigin origin) {
    quantity.nominal = size;
    quantity.nominal_origin = origin;
  };
  if (written) take(*written, NominalOrigin::file);
  else if (at_start > 0 && is_finite(at_start)) take(at_start, NominalOrigin::own_start);
  else if (of_mechanism > 0 && is_finite(of_mechanism)) take(of_mechanism, NominalOrigin::mechanism_sizes);
  else take(unit.factor, NominalOrigin::own_unit);
}

/// Finds nominal sizes of frictions, then of unknowns.
void find_load_sizes(const Description& description, const MechanismSizes& sizes, Equations& equations) {
  const std::size_t frictions = equations.loads.size() - description.unknowns.size();
  for (std::size_t i = 0; i < equations.loads.size(); ++i) {
    LoadEquation& load = equations.loads[i];
    if (i < frictions) {
      load.nominal = equations.nominal_force;
      continue;
    }
    const double start = numbers_at(equations, {*load.start}).front();
    find_size(description.unknowns[i - frictions].nominal, start, load.unit, sizes, load);
  }
}

/// Finds nominal sizes of states; `starts` are the start values of all positions.
void find_state_sizes(const Description& description, const MechanismSizes& sizes, const Numbers& starts,
                      Equations& equations) {
  const std::size_t first = equations.positions.size() - equations.states.size();
  for (std::size_t i = 0; i < equations.states.size(); ++i) {
    Shown& shown = equations.positions[first + i];
    find_size(description.states[i].nominal, starts[first + i], shown.unit, sizes, equations.states[i]);
    shown.nominal = equations.states[i].nominal;
  }
}

}  // namespace

void find_nominal_sizes(const Description& description, Equations& equations) {
  const std::map<std::string, Nominal> written = written_sizes(description);
  const Dimension angle{}, length = known_unit("m").dimension;
  const double known_length = length_of(equations);
  const Numbers starts = numbers_at(equations, {equations.position_guess});
  const std::size_t coordinates = equations.positions.size() - equations.states.size();
  const auto largest_start = [&](const Dimension& dimension) {
    double largest = 0;
    for (std::size_t i = 0; i < coordinates; ++i) {
      if (equations.positions[i].unit.dimension == dimension && is_finite(starts[i]))
        largest = std::max(largest, std::fabs(starts[i]));
    }
    return largest;
  };
  struct Size {
    double value;
    NominalOrigin origin;
  };
  const auto guessed = [&](const Shown& position) -> Size {
    const Dimension& dimension = position.unit.dimension;
    if (dimension == angle) return {1, NominalOrigin::angle};
    if (dimension == length && known_length > 0) return {known_length, NominalOrigin::mechanism_length};
    if (const double largest = largest_start(dimension); largest > 0) return {largest, NominalOrigin::largest_start};
    return {1, NominalOrigin::nothing};
  };
  equations.duration = description.solver.stop_time;
  const auto add = [&](const Size& size, const std::optional<double>& given_rate) {
    const double rate = given_rate.value_or(size.value / equations.duration);
    equations.velocities[equations.nominal.size()].nominal = rate;
    equations.nominal.push_back(size.value);
    equations.rate_nominal.push_back(rate);
    equations.nominal_origins.push_back(size.origin);
  };
  MechanismSizes sizes;
  sizes.length = known_length;
  sizes.time = equations.duration;
  if (!description.bodies.empty()) {
    const Numbers weight = numbers_at(equations, {equations.total_mass, equations.gravity});
    const double inertia = (known_length > 0 ? known_length : 1) / (equations.duration * equations.duration);
    const double force = weight[0] * (weight[1] + inertia);
    if (force > 0 && is_finite(force)) {
      equations.nominal_force = sizes.force = force;
      sizes.mass = weight[0];
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < coordinates; ++i) {
    const bool turned =
        next < equations.quaternions.size() && equations.quaternions[next].position == static_cast<int>(i);
    if (turned) {
      for (int component = 0; component < 3; ++component) add({1, NominalOrigin::angle}, {});
      for (std::size_t component = i; component < i + 4; ++component) equations.positions[component].nominal = 1;
      i += 3, ++next;
      continue;
    }
    Shown& position = equations.positions[i];
    const auto known = written.find(position.name);
    const Nominal given = known == written.end() ? Nominal{} : known->second;
    add(given.size ? Size{*given.size, NominalOrigin::file} : guessed(position), given.rate);
    position.nominal = equations.nominal.back();
    if (position.unit.dimension == length && !(known_length > 0) &&
        equations.nominal_origins.back() != NominalOrigin::nothing)
      sizes.length = std::max(sizes.length, position.nominal);
  }
  find_load_sizes(description, sizes, equations);
  find_state_sizes(description, sizes, starts, equations);
}

}  // namespace mechfmu
