// Finds D with D Cᵀ = 0 in symbols: Blajer, Bestle, Schiehlen 1994, (17) and (18).
#pragma once

#include <optional>
#include <vector>

#include "readable/trigonometric.hpp"

namespace mechfmu {

/// Holds entries in symbols; an entry is none if it is too large.
using SymbolicMatrix = std::vector<std::vector<std::optional<Quotient>>>;

/// Holds equations of C_d that must be solved together, after those of earlier blocks.
struct ComplementBlock {
  std::vector<int> rows, columns;  ///< rows and columns of C
  std::optional<Quotient> determinant;
};

/// Holds Dᵀ = [ −C_d⁻¹ C_e ; 1 ], with unit columns at the independent coordinates; Cramer's rule gives it block by
/// block of C_d.
struct OrthogonalComplement {
  std::vector<ComplementBlock> blocks;
  SymbolicMatrix entries;  ///< has a row for each independent coordinate, a column for every coordinate
};

/// Returns D. `rows` are independent rows of C, as many as there are coordinates that are not `independent`. Returns
/// none if C_d is singular for all values of the symbols.
std::optional<OrthogonalComplement> orthogonal_complement(const SymbolicMatrix& C, const std::vector<int>& rows,
                                                          const std::vector<int>& independent);

}  // namespace mechfmu
