// Any member of the saddle solvers' list, chosen at run time.
#pragma once

#include <new>

#include "list.hpp"

namespace mechfmu {

class AnySolver {
 public:
  /// `member`: its place in the list; −1: whichever serves for any M that the motion is determined by.
  AnySolver(int n, int rows, int member)
      : solver_(member < 0 ? new (std::nothrow) NullSpaceBlockSolver(n, rows)
                           : make(member, SaddleSolvers{}, n, rows)) {}
  AnySolver(const AnySolver&) = delete;
  AnySolver& operator=(const AnySolver&) = delete;
  ~AnySolver() { delete solver_; }
  bool ok() const { return solver_ != nullptr && solver_->ok(); }
  SaddleSolver* get() const { return solver_; }

 private:
  template <class First, class... Others>
  static SaddleSolver* make(int member, List<First, Others...>, int n, int rows) {
    if (member == 0) return new (std::nothrow) First(n, rows);
    if constexpr (sizeof...(Others) > 0) return make(member - 1, List<Others...>{}, n, rows);
    else return nullptr;
  }

  SaddleSolver* solver_;
};

}  // namespace mechfmu
