// Finds the ranks of the constraints. ConsistentStart says what each function returns.
#pragma once

#include "linear/pivoting.hpp"
#include "start/rows/rounded_loops.hpp"
#include "start/start.hpp"

namespace mechfmu {

class StartRanks {
 public:
  StartRanks(Arena&, RoundedLoops&);

  ConsistentStart::Ranks at(const double* q);
  ConsistentStart::Ranks generic(const double* q);
  ConsistentStart::Ranks strong(const double* q);
  int generic_nonlinear(const double* q);
  bool redundant(int row) const { return redundant_[row] != 0; }

 private:
  RoundedLoops& w_;     ///< has the rows and the ways onto them
  HeldVector squares_;  ///< memory of at(), which must not allocate
  Pivoting pivoting_;
  Eigen::Map<Eigen::VectorXi> redundant_;
};

}  // namespace mechfmu
