// Looks for the named coordinates among the velocities of the equations.
#include "independent.hpp"

#include <algorithm>

#include "derivation/program/interpret.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/start/start.hpp"
#include "fmu_src/stepping/member_facts.hpp"

namespace mechfmu {

namespace {

/// Returns the index of the velocity that is the rate of this coordinate, or that has this name; −1 if there is none.
int velocity_of(const Equations& equations, const std::string& name) {
  for (std::size_t j = 0; j < equations.velocities.size(); ++j) {
    const std::string& velocity = equations.velocities[j].name;
    if (velocity == "der(" + name + ")" || velocity == name) return static_cast<int>(j);
  }
  return -1;
}

std::vector<int> velocities_of_filters(const Equations& equations) {
  std::vector<int> result;
  for (const std::string& driven : equations.filters) result.push_back(velocity_of(equations, driven + ".filter"));
  return result;
}

bool has_tangent_velocities(int resolution) { return resolution < basis_count; }

int resolution_of(const SolverOptions& solver) {
  return static_cast<int>(
      std::find(tangent_bases.begin(), tangent_bases.end(), solver.tangent_basis) - tangent_bases.begin());
}

/// Returns the names of the resolutions that are such.
std::string resolutions_that(bool (*are_such)(int)) {
  std::vector<std::string> names;
  for (int i = 0; i < static_cast<int>(tangent_bases.size()); ++i)
    if (are_such(i)) names.push_back(in_quotes(tangent_bases[i]));
  return listed(names);
}

/// Adds an error if the motion that the file asks for does not have what a key is about.
void check_motion(const SolverOptions& solver, const std::string& key, const Place& place, bool (*has)(int),
                  const char* lacks, Diagnostics& diagnostics) {
  if (!has(resolution_of(solver)))
    diagnostics.add(place,
                    key + " has no effect with tangent_basis " + in_quotes(solver.tangent_basis) + ", which " + lacks,
                    "remove it, or let tangent_basis be one of " + resolutions_that(has));
  else if (solver.drift_correction == "baumgarte")
    diagnostics.add(
        place,
        key + " has no effect with drift_correction 'baumgarte', which integrates all coordinates and their rates",
        "remove it, or write drift_correction = \"projection\"");
}

}  // namespace

void prefer_coordinates(const Description& description, Equations& equations, Diagnostics& diagnostics) {
  const SolverOptions& solver = description.solver;
  if (description.exposes_solver)
    check_motion(solver, "expose = \"solver\"", description.expose_place, has_tangent_velocities,
                 "has no tangent velocities", diagnostics);
  if (solver.occasional && integrates_independent(resolution_of(solver)))
    diagnostics.add(solver.occasional->place,
                    in_quotes(solver.occasional->name) + " has no effect with tangent_basis " +
                        in_quotes(solver.tangent_basis) + ", which closes the constraints in every evaluation",
                    "remove it, or write tangent_basis = \"partitioned\"");
  if (solver.independent.empty()) return;
  check_motion(solver, "'independent'", solver.independent_place, chooses_coordinates, "chooses no coordinates",
               diagnostics);
  equations.preferred.assign(equations.velocities.size(), false);
  for (const int j : velocities_of_filters(equations)) equations.preferred[static_cast<std::size_t>(j)] = true;
  for (const NamedPlace& named : solver.independent) {
    const int j = velocity_of(equations, named.name);
    if (j >= 0) equations.preferred[static_cast<std::size_t>(j)] = true;
    else if (description.absolute)
      diagnostics.add(named.place,
                      in_quotes(named.name) +
                          " cannot be independent, since coordinates = \"absolute\" moves each "
                          "body by itself",
                      "remove 'independent', or write coordinates = \"relative\"");
    else
      diagnostics.add(named.place,
                      in_quotes(named.name) + " cannot be independent, since its joint is where a loop is closed",
                      "name coordinates of joints in the tree, which --explain shows");
  }
}

void check_preference(const Description& description, const Derivation& derivation, const std::vector<double>& q,
                      Diagnostics& diagnostics) {
  const std::vector<NamedPlace>& named = description.solver.independent;
  if (named.empty()) return;
  const Equations& equations = derivation.equations;
  std::vector<int> columns = velocities_of_filters(equations);
  const std::size_t filters = columns.size(),
                    wanted = static_cast<std::size_t>(derivation.sizes.degrees_of_freedom()) - filters;
  if (named.size() != wanted) {
    const std::string all = std::to_string(equations.velocities.size() - filters);
    diagnostics.add(
        description.solver.independent_place,
        "'independent' names " + std::to_string(named.size()) + (named.size() == 1 ? " coordinate" : " coordinates") +
            ", but " +
            (wanted == 0
                 ? "none of the " + all + " is independent"
                 : std::to_string(wanted) + " of the " + all + (wanted == 1 ? " is independent" : " are independent")),
        wanted == 0 ? "remove it: the constraints determine the motion" : "name exactly " + std::to_string(wanted));
    return;
  }
  for (const NamedPlace& one : named) columns.push_back(velocity_of(equations, one.name));
  const InterpretedMechanism interpreted(derivation);
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  const auto count = static_cast<int>(columns.size());
  const auto free = static_cast<std::size_t>(start.generically_independent(
      0, equations.parameter_values.data(), equations.input_values.data(), q.data(), columns.data(), count));
  if (free == columns.size()) return;
  const NamedPlace& first = named[free - filters];
  std::vector<std::string> others;
  for (std::size_t i = 0; i < free - filters; ++i) others.push_back(in_quotes(named[i].name));
  diagnostics.add(first.place,
                  in_quotes(first.name) + " cannot be independent" + (others.empty() ? "" : " beside ") +
                      (others.empty() ? "" : listed(others)) + ": the constraints determine it",
                  "name another coordinate");
}

}  // namespace mechfmu
