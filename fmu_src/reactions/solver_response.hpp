// This class finds accelerations by a saddle solver that the user has chosen (constraints/saddle_solvers/).
#pragma once

#include "constraints/saddle_solvers/saddle_solver.hpp"
#include "kept_rows.hpp"

namespace mechfmu {

class SolverResponse final : public KeptRows {
 public:
  /// The solver must outlive this.
  SolverResponse(Arena&, const Mechanism&, SaddleSolver&);
  bool factor(const Matrices&, double time, Message&) override;
  int row(int i) const override { return all_rows_kept_ ? i : KeptRows::row(i); }
  void respond(const double* h, const double* gamma, double* acceleration, double* multipliers) override;

 private:
  void hand_over_kept_rows();

  SaddleSolver& solver_;
  const bool all_rows_kept_;  ///< no row can depend on others, so that the solver is given all of them as they are
  RunTimeColumns mass_, constraints_, directions_;
  Buffer<dynamic> kept_multipliers_;
};

}  // namespace mechfmu
