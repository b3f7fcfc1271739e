// This is the one list of the integrators: a new one is a file, a line here and its name in mechanism/family_names.hpp.
#pragma once

#include "dop853.hpp"
#include "dopri5.hpp"
#include "mechanism/member_list.hpp"
#include "rk4.hpp"
#include "rodas.hpp"

namespace mechfmu {

/// The methods have the order of mechanism/family_names.hpp.
using Methods = List<Dopri5, Dop853, Rk4, Rodas>;

}  // namespace mechfmu
