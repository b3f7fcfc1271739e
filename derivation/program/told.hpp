// Makes the tables of Mechanism that tell the core's messages units and the meaning of rows.
#pragma once

#include <string>
#include <vector>

#include "equations/equations.hpp"

namespace mechfmu {

struct ToldTables {
  std::vector<Unit> units;    ///< has each once
  std::vector<int> units_of;  ///< has the order of the core's Told
  struct Rows {
    int first = 0, count = 0;
    ToldRows::Gap gap = ToldRows::Gap::residual;
    int unit = 0;
    std::string text = {};
    int first_length = 0;
  };
  std::vector<Rows> rows;
  std::vector<std::string> driven;  ///< has for each row of C_a what it drives, "A.angle", or ""
};

ToldTables told_tables(const Equations& equations);

/// The lengths that the texts of rows show, one after the other, at most most_told_lengths.
casadi::SX told_lengths(const Equations& equations);

}  // namespace mechfmu
