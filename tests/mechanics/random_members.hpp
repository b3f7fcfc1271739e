// Tells which joints, forces and couplings of the families' lists random mechanisms have, so that suites need no luck:
// they take further seeds until each member has occurred.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "random.hpp"

namespace mechfmu::testing {

/// A member is named as "joint 'screw' in the tree", "joint 'screw' in a loop", "force 'friction'", "key 'viscous' of
/// force 'friction'" or "coupling 'mesh'".
using Members = std::set<std::string>;

/// Returns everything that a file may name in the plane or in space.
Members all_members(bool spatial);

/// Returns what the mechanism has, with the joints in loops that close them.
Members members_of(const RandomMechanism& mechanism);
/// Likewise, with the joints in loops that are cut.
Members members_of(const RandomMechanism& mechanism, const std::set<std::string>& cut);

/// No search for a member goes on beyond this seed.
inline constexpr unsigned last_seed = 4000;

/// Calls check(seed, mechanism) for the properties' seeds, and then for those later ones that may have a member which
/// has not occurred yet. `check` returns the members that were checked. Returns those that never were.
template <class Check>
Members check_until_all_occurred(bool spatial, Check&& check) {
  Members missing = all_members(spatial);
  for (unsigned seed = 0; seed < seeds_of_properties(spatial) || (seed < last_seed && !missing.empty()); ++seed) {
    const RandomMechanism m = random_mechanism(spatial, seed);
    const Members here = members_of(m);
    bool has_missing = false;
    for (const std::string& member : here) has_missing = has_missing || missing.count(member) > 0;
    if (seed >= seeds_of_properties(spatial) && !has_missing) continue;
    for (const std::string& member : check(seed, m)) missing.erase(member);
  }
  return missing;
}

/// Mechanisms that become FMUs have so many bodies at most, with the ground, and gears one more: many take long.
constexpr std::size_t most_bodies_of_fmus(bool spatial) { return spatial ? 3 : 4; }

/// Returns seeds of few mechanisms that have all members together, and are usable.
std::vector<unsigned> seeds_of_few(
    bool spatial, const std::function<bool(const RandomMechanism&, unsigned seed)>& usable =
                      [](const RandomMechanism&, unsigned) { return true; });

/// Is true if a motion drives a coordinate that stands still when nothing drives it: its loop leaves it no freedom,
/// which counting freedoms does not see. Such a mechanism contradicts itself.
bool drives_what_stands(RandomMechanism mechanism);

}  // namespace mechfmu::testing
