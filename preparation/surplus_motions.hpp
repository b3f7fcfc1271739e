// Why an assembly fails where motions are prescribed: more of them than there are freedoms.
#pragma once

#include <string>
#include <vector>

#include "equations/equations.hpp"

namespace mechfmu {

/// "The motions of 'A.angle' and 'D.angle' …" if motions ask for more than the mechanism leaves free without them:
/// there each is implied by the others, so that they cannot all be met but by luck. Else, or if it does not close
/// without them either, empty. `q`: where the assembly stopped.
std::string surplus_motions(const Equations& equations, const std::vector<double>& q);

}  // namespace mechfmu
