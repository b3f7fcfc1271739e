// Explains a failed assembly if more motions are prescribed than there are degrees of freedom.
#pragma once

#include <string>
#include <vector>

#include "equations/equations.hpp"

namespace mechfmu {

/// Returns "The motions of 'A.angle' and 'D.angle' …" if motions ask for more than the mechanism leaves free without
/// them: there each follows from the others, so that they agree only by chance. Otherwise, or if the mechanism does not
/// close without them either, the text is empty. `q` is the position at which the assembly stopped.
std::string surplus_motions(const Equations& equations, const std::vector<double>& q);

}  // namespace mechfmu
