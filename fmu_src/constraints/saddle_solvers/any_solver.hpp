// Is any member of the saddle solvers' list, chosen at run time.
#pragma once

#include "list.hpp"

namespace mechfmu {

class AnySolver final : public SaddleSolver {
 public:
  /// Makes the solver at place `member` of the list. For −1 it is the solver that serves for any M which determines the
  /// motion.
  AnySolver(Arena& arena, const RunTimeModel& model, int member)
      : solver_(member < 0 ? static_cast<SaddleSolver*>(arena.make<NullSpaceBlockSolver<RunTimeModel>>(arena, model))
                           : make(arena, member, SaddleSolvers<RunTimeModel>{}, model)) {}

  bool factor(int r, const double* M, const double* A, const double* B) override { return solver_->factor(r, M, A, B); }
  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    solver_->solve(h, gamma, acceleration, multipliers);
  }

 private:
  template <class First, class... Others>
  static SaddleSolver* make(Arena& arena, int member, List<First, Others...>, const RunTimeModel& model) {
    if (member == 0) return arena.make<First>(arena, model);
    if constexpr (sizeof...(Others) > 0) return make(arena, member - 1, List<Others...>{}, model);
    else return nullptr;
  }

  SaddleSolver* solver_;
};

}  // namespace mechfmu
