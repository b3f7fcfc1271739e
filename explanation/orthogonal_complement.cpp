// Solves small systems in symbols by determinants.
#include "orthogonal_complement.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace mechfmu {
namespace {

constexpr std::size_t largest_block = 3;  ///< Nobody reads the determinants of more equations.

bool structurally_zero(const std::optional<Quotient>& entry) { return entry && entry->numerator().zero(); }

const Quotient& readable(const std::optional<Quotient>& entry) {
  if (!entry) throw TooLong();
  return *entry;
}

/// Returns a determinant, expanded by its first row. `column(j, i)` is the entry of column j in row i.
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

/// Puts C_d into block triangular form: besides its own columns, each block's equations contain only those of earlier
/// blocks.
class BlockOrder {
 public:
  BlockOrder(const SymbolicMatrix& C, const std::vector<int>& rows, const std::vector<int>& columns)
      : C_(C), rows_(rows), columns_(columns), row_of_(columns.size(), -1), index_(rows.size(), -1),
        lowest_(rows.size(), -1), open_(rows.size(), false) {}

  /// Returns none if no choice of entries makes C_d regular.
  std::optional<std::vector<ComplementBlock>> blocks() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::vector<bool> tried(columns_.size(), false);
      if (!match(row, tried)) return {};
    }
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (index_[row] < 0) visit(row);
    return std::move(blocks_);
  }

 private:
  bool entry(std::size_t row, std::size_t column) const {
    return !structurally_zero(C_[static_cast<std::size_t>(rows_[row])][static_cast<std::size_t>(columns_[column])]);
  }

  /// Gives a row a column of its own; if necessary it moves other rows to other columns.
  bool match(std::size_t row, std::vector<bool>& tried) {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (!entry(row, column) || tried[column]) continue;
      tried[column] = true;
      if (row_of_[column] < 0 || match(static_cast<std::size_t>(row_of_[column]), tried)) {
        row_of_[column] = static_cast<int>(row);
        return true;
      }
    }
    return false;
  }

  /// Finds Tarjan's strongly connected rows. A row needs those whose columns it contains; these are complete before it.
  void visit(std::size_t row) {
    index_[row] = lowest_[row] = count_++;
    stack_.push_back(row);
    open_[row] = true;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (!entry(row, column)) continue;
      const auto next = static_cast<std::size_t>(row_of_[column]);
      if (index_[next] < 0) visit(next);
      if (open_[next]) lowest_[row] = std::min(lowest_[row], lowest_[next]);
    }
    if (lowest_[row] != index_[row]) return;
    ComplementBlock block;
    for (std::size_t last = rows_.size(); last != row;) {
      last = stack_.back();
      stack_.pop_back();
      open_[last] = false;
      block.rows.push_back(rows_[last]);
      const auto column = std::find(row_of_.begin(), row_of_.end(), static_cast<int>(last)) - row_of_.begin();
      block.columns.push_back(columns_[static_cast<std::size_t>(column)]);
    }
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.columns.begin(), block.columns.end());
    blocks_.push_back(std::move(block));
  }

  const SymbolicMatrix& C_;
  const std::vector<int>&rows_, &columns_;
  std::vector<int> row_of_;  ///< row that owns the column, for each column
  std::vector<int> index_, lowest_;
  std::vector<bool> open_;
  std::vector<std::size_t> stack_;
  int count_ = 0;
  std::vector<ComplementBlock> blocks_;
};

/// Returns −(C_e + C_before V) of a block's rows, which its unknowns have to balance.
std::optional<std::vector<Quotient>> right_side(const SymbolicMatrix& C, const ComplementBlock& block,
                                                const std::vector<std::optional<Quotient>>& known) {
  std::vector<Quotient> result;
  try {
    for (const int row : block.rows) {
      Quotient sum;
      for (std::size_t column = 0; column < known.size(); ++column) {
        const auto& entry = C[static_cast<std::size_t>(row)][column];
        const bool own = std::binary_search(block.columns.begin(), block.columns.end(), static_cast<int>(column));
        if (own || structurally_zero(entry) || structurally_zero(known[column])) continue;
        sum = sum + readable(entry) * readable(known[column]);
      }
      result.push_back(-sum);
    }
  } catch (const TooLong&) {
    return {};
  }
  return result;
}

}  // namespace

std::optional<OrthogonalComplement> orthogonal_complement(const SymbolicMatrix& C, const std::vector<int>& rows,
                                                          const std::vector<int>& independent) {
  const std::size_t n = C.front().size();
  std::vector<int> dependent;
  for (int column = 0; column < static_cast<int>(n); ++column)
    if (std::find(independent.begin(), independent.end(), column) == independent.end()) dependent.push_back(column);

  auto blocks = BlockOrder(C, rows, dependent).blocks();
  if (!blocks) return {};
  OrthogonalComplement result{*std::move(blocks), {}};
  for (const int unit : independent) {
    result.entries.emplace_back(n, Quotient());
    result.entries.back()[static_cast<std::size_t>(unit)] = Quotient(Trigonometric::number(1));
  }
  const auto zero = [](const Quotient& value) { return value.numerator().zero(); };
  for (ComplementBlock& block : result.blocks) {
    const std::size_t size = block.rows.size();
    const auto entry = [&](std::size_t j, std::size_t i) {
      return readable(C[static_cast<std::size_t>(block.rows[i])][static_cast<std::size_t>(block.columns[j])]);
    };
    try {
      if (size > largest_block) throw TooLong();
      block.determinant = determinant(entry, size);
      if (block.determinant->numerator().zero()) return {};
    } catch (const TooLong&) {}
    for (auto& row : result.entries) {
      const auto right = right_side(C, block, row);
      for (std::size_t unknown = 0; unknown < size; ++unknown) {
        std::optional<Quotient>& place = row[static_cast<std::size_t>(block.columns[unknown])];
        place.reset();
        if (right && std::all_of(right->begin(), right->end(), zero)) {
          place = Quotient();
          continue;
        }
        if (!right || !block.determinant) continue;
        try {
          const auto replaced = [&](std::size_t j, std::size_t i) { return j == unknown ? (*right)[i] : entry(j, i); };
          place = determinant(replaced, size) / *block.determinant;
        } catch (const TooLong&) {}
      }
    }
  }
  return result;
}

}  // namespace mechfmu
