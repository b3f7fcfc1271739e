// D with D Cᵀ = 0 in symbols: Blajer, Bestle, Schiehlen 1994, (17) and (18).
#pragma once

#include <optional>
#include <vector>

#include "trigonometric.hpp"

namespace mechfmu {

/// Entries in symbols; none where one is too large.
using SymbolicMatrix = std::vector<std::vector<std::optional<Quotient>>>;

/// Equations of C_d that must be solved together, after those of the blocks before.
struct ComplementBlock {
  std::vector<int> rows, columns;  ///< of C
  std::optional<Quotient> determinant;
};

/// With unit columns at the independent coordinates, Dᵀ = [ −C_d⁻¹ C_e ; 1 ], block by block of C_d by Cramer's rule.
struct OrthogonalComplement {
  std::vector<ComplementBlock> blocks;
  SymbolicMatrix entries;  ///< a row for each independent coordinate, a column for every one
};

/// `rows` of C that are independent, as many as there are coordinates that are not `independent`. None where C_d is
/// singular whatever the symbols are.
std::optional<OrthogonalComplement> orthogonal_complement(const SymbolicMatrix& C, const std::vector<int>& rows,
                                                          const std::vector<int>& independent);

}  // namespace mechfmu
