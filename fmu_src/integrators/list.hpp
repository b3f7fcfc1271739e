// The integrators, once: a new one is a file, a line here and its name in core/families.hpp.
#pragma once

#include "core/member_list.hpp"
#include "dop853.hpp"
#include "dopri5.hpp"
#include "rk4.hpp"
#include "rodas.hpp"

namespace mechfmu {

/// In the order of core/families.hpp.
using Methods = List<Dopri5, Dop853, Rk4, Rodas>;

}  // namespace mechfmu
