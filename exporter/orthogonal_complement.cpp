// Small systems in symbols, by determinants.
#include "exporter/orthogonal_complement.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace mechfmu {
namespace {

constexpr std::size_t largest_block = 3;  ///< of equations: determinants of larger ones are not read

bool structurally_zero(const std::optional<Quotient>& entry) { return entry && entry->numerator().zero(); }

const Quotient& readable(const std::optional<Quotient>& entry) {
  if (!entry) throw TooLarge();
  return *entry;
}

/// By its first row. `column(j, i)`: the entry of column j in row i.
template <class Column>
Quotient determinant(const Column& entry, std::size_t first_row, std::vector<std::size_t> columns) {
  if (columns.empty()) return Trigonometric::number(1);
  Quotient sum;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    std::vector<std::size_t> rest = columns;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
    const Quotient part = entry(columns[j], first_row) * determinant(entry, first_row + 1, rest);
    sum = sum + (j % 2 == 0 ? part : -part);
  }
  return sum;
}

template <class Column>
Quotient determinant(const Column& entry, std::size_t size) {
  std::vector<std::size_t> columns(size);
  std::iota(columns.begin(), columns.end(), 0);
  return determinant(entry, 0, columns);
}

/// Rows and dependent columns that common entries tie together.
std::vector<ComplementBlock> blocks_of(const SymbolicMatrix& C, const std::vector<int>& rows,
                                       const std::vector<int>& dependent) {
  std::vector<ComplementBlock> blocks;
  for (const int row : rows) {
    ComplementBlock block{{row}, {}, {}};
    for (const int column : dependent)
      if (!structurally_zero(C[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]))
        block.columns.push_back(column);
    for (auto other = blocks.begin(); other != blocks.end();) {
      const bool tied = std::find_first_of(other->columns.begin(), other->columns.end(), block.columns.begin(),
                                           block.columns.end()) != other->columns.end();
      if (!tied) {
        ++other;
        continue;
      }
      block.rows.insert(block.rows.end(), other->rows.begin(), other->rows.end());
      block.columns.insert(block.columns.end(), other->columns.begin(), other->columns.end());
      other = blocks.erase(other);
    }
    for (std::vector<int>* list : {&block.rows, &block.columns}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

std::optional<OrthogonalComplement> orthogonal_complement(const SymbolicMatrix& C, const std::vector<int>& rows,
                                                          const std::vector<int>& independent) {
  const std::size_t n = C.front().size();
  std::vector<int> dependent;
  for (int column = 0; column < static_cast<int>(n); ++column)
    if (std::find(independent.begin(), independent.end(), column) == independent.end()) dependent.push_back(column);

  OrthogonalComplement result{blocks_of(C, rows, dependent), {}};
  for (const int unit : independent) {
    result.entries.emplace_back(n, Quotient());
    result.entries.back()[static_cast<std::size_t>(unit)] = Quotient(Trigonometric::number(1));
  }
  for (ComplementBlock& block : result.blocks) {
    const std::size_t size = block.rows.size();
    if (block.columns.size() != size) return {};
    const auto entry = [&](int column, std::size_t i) {
      return readable(C[static_cast<std::size_t>(block.rows[i])][static_cast<std::size_t>(column)]);
    };
    try {
      if (size > largest_block) throw TooLarge();
      block.determinant = determinant([&](std::size_t j, std::size_t i) { return entry(block.columns[j], i); }, size);
      if (block.determinant->numerator().zero()) return {};
    } catch (const TooLarge&) {
    }
    for (std::size_t e = 0; e < independent.size(); ++e) {
      const bool zero = std::all_of(block.rows.begin(), block.rows.end(), [&](int row) {
        return structurally_zero(C[static_cast<std::size_t>(row)][static_cast<std::size_t>(independent[e])]);
      });
      if (zero) continue;
      for (std::size_t unknown = 0; unknown < size; ++unknown) {
        std::optional<Quotient>& place = result.entries[e][static_cast<std::size_t>(block.columns[unknown])];
        place.reset();
        if (!block.determinant) continue;
        try {
          const auto replaced = [&](std::size_t j, std::size_t i) {
            return j == unknown ? -entry(independent[e], i) : entry(block.columns[j], i);
          };
          place = determinant(replaced, size) / *block.determinant;
        } catch (const TooLarge&) {
        }
      }
    }
  }
  return result;
}

}  // namespace mechfmu
