// "coordinate_partitioning" is the method of Wehage and Haug 1982 (Pennestrì and Valentini 2007, (35)–(47)). Only the
// independent coordinates and their rates are integrated with it, and the dependent ones follow in every evaluation
// (stepping/independent_motion.hpp). The basis is that of "partitioned", W_d = V U^{-T} with V = [−Ψ_u⁻¹ Ψ_v ; I],
// since M̂ of (46) is VᵀMV = U Uᵀ.
#pragma once

#include "partitioned.hpp"

namespace mechfmu {

template <class Model>
class CoordinatePartitioningBasis : public PartitionedBasis<Model> {
 public:
  static constexpr const char* name = "coordinate_partitioning";
  static constexpr bool integrates_independent = true;
  using PartitionedBasis<Model>::PartitionedBasis;
};

}  // namespace mechfmu
