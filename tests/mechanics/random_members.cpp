#include "random_members.hpp"

#include <cmath>

#include "assembled.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"

namespace mechfmu::testing {

namespace {

std::string joint_in(const std::string& type, bool closes) {
  return "joint '" + type + (closes ? "' in a loop" : "' in the tree");
}
std::string force_of(const std::string& type) { return "force '" + type + "'"; }
std::string key_of(const std::string& key, const std::string& type) { return "key '" + key + "' of " + force_of(type); }
std::string coupling_of(const std::string& type) { return "coupling '" + type + "'"; }

}  // namespace

Members all_members(bool spatial) {
  Members result;
  for (const JointType& type : joint_types()) {
    const JointForm* form = spatial ? type.spatial : type.planar;
    if (form == nullptr) continue;
    if (form->move != nullptr) result.insert(joint_in(type.name, false));
    result.insert(joint_in(type.name, true));
  }
  for (const ForceType& type : force_types()) {
    result.insert(force_of(type.name));
    for (const NumberKey& key : type.numbers) result.insert(key_of(key.name, type.name));
  }
  for (const CouplingType& type : coupling_types())
    if (type.equation) result.insert(coupling_of(type.name));  // Rows that come and go cannot be simulated yet.
  return result;
}

Members members_of(const RandomMechanism& mechanism) {
  std::set<std::string> closing;
  for (const RandomJoint& joint : mechanism.joints) {
    if (joint.closes) closing.insert(joint.name);
  }
  return members_of(mechanism, closing);
}

Members members_of(const RandomMechanism& mechanism, const std::set<std::string>& cut) {
  Members result;
  for (const RandomJoint& joint : mechanism.joints) result.insert(joint_in(joint.type, cut.count(joint.name) > 0));
  for (const RandomForce& force : mechanism.forces) {
    result.insert(force_of(force.type));
    for (const auto& [key, number] : force.numbers) result.insert(key_of(key, force.type));
    for (const auto& [key, vector] : force.vectors) result.insert(key_of(key, force.type));
  }
  for (const RandomCoupling& coupling : mechanism.couplings) result.insert(coupling_of(coupling.type));
  return result;
}

std::vector<unsigned> seeds_of_few(bool spatial, const std::function<bool(const RandomMechanism&)>& usable) {
  constexpr std::size_t most_bodies = 5;  // each becomes an FMU, and many bodies take the compiler long
  Members missing = all_members(spatial);
  std::set<unsigned> refused;
  std::vector<unsigned> result;
  while (!missing.empty()) {
    unsigned best = 0;
    std::size_t most = 0;
    for (unsigned seed = 0; seed < (most > 0 ? seeds_of_properties : last_seed); ++seed) {
      const RandomMechanism m = random_mechanism(spatial, seed);
      if (m.bodies.size() > most_bodies || refused.count(seed) > 0) continue;
      std::size_t found = 0;
      for (const std::string& member : members_of(m)) found += missing.count(member);
      if (found <= most) continue;
      most = found;
      best = seed;
    }
    if (most == 0) break;
    const RandomMechanism m = random_mechanism(spatial, best);
    if (!usable(m)) {
      refused.insert(best);
      continue;
    }
    result.push_back(best);
    for (const std::string& member : members_of(m)) missing.erase(member);
  }
  return result;
}

bool drives_what_stands(RandomMechanism mechanism) {
  std::vector<std::string> driven;
  for (RandomJoint& joint : mechanism.joints) {
    joint.length_driven = false;
    for (RandomCoordinate& c : joint.coordinates) {
      if (!c.motion.empty()) driven.push_back(c.name);
      c.motion.clear();
    }
  }
  Assembled free(text_of(mechanism));
  free.start();
  std::vector<double> before;
  for (const std::string& name : driven) before.push_back(free[name]);
  free.advance(0.1);
  for (std::size_t i = 0; i < driven.size(); ++i) {
    if (std::abs(free[driven[i]] - before[i]) <= 1e-9) return true;
  }
  return false;
}

}  // namespace mechfmu::testing
