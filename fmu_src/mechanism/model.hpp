// Two kinds of models have one face: generated ones, whose sizes and functions the compiler sees, and any Mechanism
// table at run time. Templates of the core take either.
#pragma once

#include "linear/columns.hpp"
#include "mechanism.hpp"

namespace mechfmu {

/// Makes a model of a Mechanism table. (A generated model has these members, too, static and constexpr.)
struct RunTimeModel {
  explicit RunTimeModel(const Mechanism& m) : table(&m), character(m.character) {}

  static constexpr bool generated = false;
  static constexpr Sizes fixed{dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic,
                               dynamic, dynamic, dynamic, dynamic, dynamic, dynamic, dynamic};
  const Mechanism* table;
  Character character;

  const Sizes& sizes() const { return table->sizes; }
  const Pattern& M() const { return table->M; }
  const Pattern& C() const { return table->C; }
  const Pattern& M_rate() const { return table->M_rate; }
  const Pattern& C_rate() const { return table->C_rate; }
  const Quaternion* quaternions() const { return table->quaternions; }
  const double* nominal() const { return table->nominal; }
  const double* rate_nominal() const { return table->rate_nominal; }
  void position(const Point& p, double* M, double* C, double* c_t) const { table->position(p, M, C, c_t); }
  void velocity(const Point& p, double* g, double* C_rate, double* M_rate) const {
    table->velocity(p, g, C_rate, M_rate);
  }
  void violation(const Point& p, double* f) const { table->violation(p, f); }
  void local_frames(const Point& p, double* J, double* C_hat) const { table->local_frames(p, J, C_hat); }
  const int* local_points() const { return table->local_points; }
  const int* row_points() const { return table->row_points; }
};

/// Tells the lengths of a model's arrays; they are dynamic for a RunTimeModel.
template <class Model>
struct Fixed {
  static constexpr const Sizes& sizes = Model::fixed;
  static constexpr int nq = sizes.positions;
  static constexpr int n = sizes.velocities;
  static constexpr int r = sizes.rank;
  static constexpr int k = Model::generated ? sizes.velocities - sizes.rank : dynamic;
  static constexpr int rows = Model::generated ? sizes.rows() : dynamic;
  static constexpr int all_rows = Model::generated ? sizes.all_rows() : dynamic;
  static constexpr int position_rows = sizes.position_rows;
  static constexpr int M = sizes.M_nonzeros, C = sizes.C_nonzeros;
  static constexpr int M_rate = sizes.M_rate_nonzeros, C_rate = sizes.C_rate_nonzeros;
};

}  // namespace mechfmu
