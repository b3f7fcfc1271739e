// Lists the tangent bases, once: a new one is a file and a line here. Files and FMUs know a member by its name.
#pragma once

#include "coordinate_partitioning.hpp"
#include "gram_schmidt.hpp"
#include "local_frames.hpp"
#include "lu.hpp"
#include "mechanism/member_list.hpp"
#include "partitioned.hpp"
#include "putd.hpp"
#include "qr.hpp"
#include "qtz.hpp"
#include "schur.hpp"
#include "successive_orthogonal.hpp"
#include "svd.hpp"
#include "zero_eigenvalue.hpp"

namespace mechfmu {

template <class Model>
using TangentBases =
    List<PartitionedBasis<Model>, GramSchmidtBasis<Model>, QrBasis<Model>, LuBasis<Model>, SvdBasis<Model>,
         ZeroEigenvalueBasis<Model>, SchurBasis<Model>, PutdBasis<Model>, QtzBasis<Model>, LocalFramesBasis<Model>,
         SuccessiveOrthogonalBasis<Model>, CoordinatePartitioningBasis<Model>>;

}  // namespace mechfmu
