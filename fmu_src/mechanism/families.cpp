// Makes lists of the names.
#include "families.hpp"

#include "drift.hpp"
#include "family_names.hpp"

namespace mechfmu {

const MemberNames integration_methods(family_names::methods);
const MemberNames tangent_bases(family_names::resolutions);
const MemberNames drift_corrections(family_names::drifts);

static_assert(sizeof family_names::drifts / sizeof *family_names::drifts == static_cast<std::size_t>(Drift::none) + 1,
              "mechanism/family_names.hpp: drifts are not the members of Drift, mechanism/drift.hpp");

}  // namespace mechfmu
