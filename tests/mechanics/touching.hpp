// Computes where and along what surfaces touch, from poses of bodies alone, for the balance of each body.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "free_body.hpp"

namespace mechfmu::testing {

/// Is one place at which a contact may act. Its variables have the names <name>.normal.force, ….
struct Touch {
  std::string name;
  Eigen::Vector3d place;
  Eigen::Vector3d normal;         ///< pushes the contact's first body
  Eigen::Vector3d along, across;  ///< directions of the slips and of friction on the first body
};

std::vector<Touch> touches(const RandomContact&, const std::vector<BodyPose>&, bool spatial);

}  // namespace mechfmu::testing
