#include "random_members.hpp"

#include <cmath>

#include "assembled.hpp"
#include "elements/contacts/list.hpp"
#include "elements/contacts/surface_shape.hpp"
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
std::string surface_of(const std::string& shape) { return "surface '" + shape + "'"; }
std::string constraint_of(const std::string& level, bool ideal) {
  return ideal ? "ideal constraint" : "control of " + level;
}
const char *backlash = "gear with backlash", *limit = "limit of a coordinate", *rope = "contact by a formula";

std::string pair_of(const Pairing& pairing) {
#define MECHFMU_NAME(name) #name,
  static const char* const names[] = {MECHFMU_CONTACT_PAIRS(MECHFMU_NAME)};
#undef MECHFMU_NAME
  return std::string("contact ") + names[pairing.pair];
}

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
  for (const CouplingType& type : coupling_types()) result.insert(coupling_of(type.name));
  for (const SurfaceShape& one : surface_shapes()) {
    if (!one.is_in(spatial)) continue;
    result.insert(surface_of(one.name));
    for (const SurfaceShape& other : surface_shapes())
      if (const auto pairing = pairing_of(one, other); pairing && other.is_in(spatial))
        result.insert(pair_of(*pairing));
  }
  for (const char* level : {"position", "velocity", "acceleration"}) result.insert(constraint_of(level, false));
  result.insert(constraint_of("position", true));
  result.insert({backlash, limit, rope, "states", "unknowns"});
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
  for (const RandomCoupling& coupling : mechanism.couplings)
    result.insert(coupling.numbers.count("backlash") > 0 ? backlash : coupling_of(coupling.type));
  for (const RandomContact& contact : mechanism.contacts) {
    const std::string &one = contact.first.shape, &other = contact.second.shape;
    result.insert({surface_of(one), surface_of(other)});
    result.insert(pair_of(*pairing_of(*find_surface_shape(one), *find_surface_shape(other))));
  }
  if (!mechanism.formula_contacts.empty()) result.insert(rope);
  for (const RandomJoint& joint : mechanism.joints)
    for (const RandomCoordinate& c : joint.coordinates)
      if (c.limited) result.insert(limit);
  for (const RandomConstraint& one : mechanism.constraints) result.insert(constraint_of(one.level, one.ideal));
  for (const RandomQuantity& one : mechanism.quantities) result.insert(one.section);
  return result;
}

std::vector<unsigned> seeds_of_few(bool spatial,
                                   const std::function<bool(const RandomMechanism&, unsigned seed)>& usable) {
  const std::size_t most_bodies = most_bodies_of_fmus(spatial);
  Members missing = all_members(spatial);
  std::set<unsigned> refused;
  std::vector<unsigned> result;
  while (!missing.empty()) {
    unsigned best = 0;
    std::size_t most = 0;
    for (unsigned seed = 0; seed < last_seed; ++seed) {
      const RandomMechanism m = random_mechanism(spatial, seed);
      const bool geared = !m.couplings.empty() && m.couplings.front().type == "mesh";  // They need a carrier.
      if (m.bodies.size() > most_bodies + geared || refused.count(seed) > 0) continue;
      std::size_t found = 0;
      for (const std::string& member : members_of(m)) found += missing.count(member);
      if (found <= most) continue;
      most = found;
      best = seed;
    }
    if (most == 0) break;
    const RandomMechanism m = random_mechanism(spatial, best);
    if (!usable(m, best)) {
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
