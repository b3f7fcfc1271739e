// Names along the axes of what the core asks for.
#include "derivation/program/core_table.hpp"

namespace mechfmu {

namespace {

std::vector<std::string> joined(std::vector<std::string> names, const std::vector<std::string>& further) {
  names.insert(names.end(), further.begin(), further.end());
  return names;
}

}  // namespace

std::vector<std::string> names_along(Along axis, const Derivation& derivation) {
  const Equations& e = derivation.equations;
  const auto first_rows = [&](int count) {
    std::vector<std::string> names = names_of(e.constraints);
    names.resize(static_cast<std::size_t>(count));
    return names;
  };
  switch (axis) {
    case Along::positions: return names_of(e.positions);
    case Along::velocities: return names_of(e.velocities);
    case Along::moves: return names_of(e.quaternions.empty() ? e.positions : e.velocities);
    case Along::position_rows: return first_rows(derivation.sizes.position_rows);
    case Along::rows: return first_rows(derivation.sizes.rows());
    case Along::local_coordinates: return derivation.frames.names;
    case Along::nonlinear_rows: {
      const std::vector<std::string> names = first_rows(derivation.sizes.rate_rows());
      return {names.begin() + derivation.sizes.rows(), names.end()};
    }
    case Along::all_rows: return names_of(e.all_rows());
    case Along::start_positions: return names_of(e.start_positions);
    case Along::start_velocities: return names_of(e.start_velocities);
    case Along::start_guesses: return names_of(e.start_guesses);
    case Along::branches: return names_of(e.branches);
    case Along::angles: return names_of(e.angles);
    case Along::loads: return names_of(e.loads);
    case Along::contacts: return names_of(e.contacts);
    case Along::changing_rows: return names_of(e.changing);
    case Along::reaction_impulses: return names_of(e.reaction_impulses);
    case Along::switches: {
      std::vector<std::string> names;
      for (const SwitchEquation& one : e.switches) names.push_back(one.what);
      return names;
    }
    case Along::resets: {
      std::vector<std::string> names;
      for (const ResetEquation& one : e.resets) names.push_back(e.states[static_cast<std::size_t>(one.state)].name);
      return names;
    }
    case Along::contact_laws: {
      std::vector<std::string> names;
      for (const ContactEquation& one : e.contacts)
        for (const char* number : {"friction", "rest", "restitution", "capacity", "holds"})
          names.push_back(one.name + ", " + number);
      return names;
    }
    case Along::told_lengths:
      return std::vector<std::string>(static_cast<std::size_t>(derivation.told_lengths.nnz_out()));
    case Along::balanced: return joined(names_of(e.velocities), names_of(e.all_rows()));
    case Along::unknown: return joined(names_along(Along::balanced, derivation), names_of(e.loads));
    case Along::conditions: {
      std::vector<std::string> names;
      for (const ConditionEquation& one : e.conditions) names.insert(names.end(), {one.what, one.other});
      return names;
    }
    case Along::calculated: {
      std::vector<std::string> names;
      for (const Calculation& one : e.calculations)
        names.push_back(e.parameters[static_cast<std::size_t>(one.parameter)].name);
      return names;
    }
  }
  return {};
}

}  // namespace mechfmu
