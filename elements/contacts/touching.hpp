// Makes rows that come and go of two surfaces that a file's contact names, and places the surfaces.
#pragma once

#include "contact_pair.hpp"

namespace mechfmu {

/// Is one place at which a contact may touch: the whole of two surfaces, or a piece of one with the other.
struct TouchingPlace {
  Touch touch;
  std::vector<casadi::SX> slips;
  std::vector<ConditionEquation> conditions;
};

/// Returns the places of a contact; its surfaces have a pair. `what` is "the contact 'heel' between …".
std::vector<TouchingPlace> touching_places(const Contact&, const std::string& what, const Surroundings&);

/// Returns " between the sphere of 'foot' and the plane of the ground".
std::string surfaces_text(const Contact&, const Description&);

}  // namespace mechfmu
