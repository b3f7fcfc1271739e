// Any member of the saddle solvers' list, chosen at run time.
#pragma once

#include <new>

#include "list.hpp"

namespace mechfmu {

class AnySolver final : public SaddleSolver {
 public:
  /// `member`: its place in the list; −1: whichever serves for any M that the motion is determined by.
  AnySolver(const RunTimeModel& model, int member)
      : solver_(member < 0 ? new(std::nothrow) NullSpaceBlockSolver<RunTimeModel>(model)
                           : make(member, SaddleSolvers<RunTimeModel>{}, model)) {}
  AnySolver(const AnySolver&) = delete;
  AnySolver& operator=(const AnySolver&) = delete;
  ~AnySolver() override { delete solver_; }
  bool ok() const override { return solver_ != nullptr && solver_->ok(); }

  bool factor(int r, const double* M, const double* A, const double* B) override { return solver_->factor(r, M, A, B); }
  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    solver_->solve(h, gamma, acceleration, multipliers);
  }

 private:
  template <class First, class... Others>
  static SaddleSolver* make(int member, List<First, Others...>, const RunTimeModel& model) {
    if (member == 0) return new (std::nothrow) First(model);
    if constexpr (sizeof...(Others) > 0) return make(member - 1, List<Others...>{}, model);
    else return nullptr;
  }

  SaddleSolver* solver_;
};

}  // namespace mechfmu
