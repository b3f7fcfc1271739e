// Finds the values of an element's own keys.
#include "surroundings.hpp"

namespace mechfmu {

using casadi::SX;

SX Surroundings::number(const std::map<std::string, Expression>& numbers, const std::string& key,
                        double otherwise) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? SX(otherwise) : value(found->second);
}

SX Surroundings::vector(const std::map<std::string, Vector>& vectors, const std::string& key) const {
  const auto found = vectors.find(key);
  if (found == vectors.end()) return SX::zeros(spatial() ? 3 : 2);
  std::vector<SX> components;
  for (const Expression& component : found->second.components) components.push_back(value(component));
  return SX::vertcat(components);
}

}  // namespace mechfmu
