// Lists the solvers without a tangent basis, once: a new one is a file and a line here. Files and FMUs know a member by
// its name.
#pragma once

#include "kkt.hpp"
#include "mechanism/member_list.hpp"
#include "null_space_block.hpp"
#include "range_space.hpp"
#include "udwadia_kalaba.hpp"

namespace mechfmu {

template <class Model>
using SaddleSolvers =
    List<RangeSpaceSolver<Model>, NullSpaceBlockSolver<Model>, UdwadiaKalabaSolver<Model>, KktSolver<Model>>;

}  // namespace mechfmu
