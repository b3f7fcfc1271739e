// Finds the consistent start by its parts: the positions (search/assembly_search.hpp, equilibrium.hpp), then the
// velocities (start_velocities.hpp).
#include "start.hpp"

#include "changes/start_slopes.hpp"
#include "checks/immobile_velocities.hpp"
#include "checks/start_mass.hpp"
#include "checks/start_ranks.hpp"
#include "messages/contradictions.hpp"
#include "search/assembly_search.hpp"
#include "search/equilibrium.hpp"
#include "search/start_velocities.hpp"

namespace mechfmu {

struct ConsistentStart::Work {
  Work(Arena& arena, const Mechanism& mechanism) : rows(arena, mechanism), ranks(arena, rows) {}
  VectorXd position(const double* q) const { return VectorXd::Map(q, rows.s.positions); }

  RoundedLoops rows;
  StartRanks ranks;
};

ConsistentStart::ConsistentStart(Arena& arena, const Mechanism& mechanism)
    : work_(arena.make<Work, Arena::Destroyed::by_caller>(arena, mechanism)) {}
ConsistentStart::~ConsistentStart() {
  if (work_ != nullptr) work_->~Work();
}

bool ConsistentStart::solve(double time, const double* parameters, const double* inputs, double* q, double* v,
                            Message& message) {
  return solve_positions(time, parameters, inputs, q, message) &&
         solve_velocities(time, parameters, inputs, q, v, message);
}

bool ConsistentStart::solve_positions(double time, const double* parameters, const double* inputs, double* q_found,
                                      Message& message) {
  RoundedLoops& w = work_->rows;
  AssemblySearch search(w);
  w.locate(time, parameters, inputs);
  VectorXd guess, rates;
  const bool told = w.guess(guess, rates, message);
  VectorXd q = guess;
  if (told && w.s.start_guess_rows > 0) search.follow_guesses(q);
  const auto keep = [&] { VectorXd::Map(q_found, w.s.positions) = q; };
  keep();
  if (!told || !w.has_values(q, false, message)) return false;
  if (w.position_rows(StartEquations::at_start) > 0) {
    const bool found = search.approach(guess, q, message);
    keep();
    if (!found) {
      tell_contradiction(w, q, nullptr, message);
      return false;
    }
  }
  search.unwind(guess, q);
  if (w.mechanism.equilibrium && !move_to_equilibrium(w, guess, q, message)) return false;
  keep();
  return w.has_values(q, true, message) && search.check_branches(q, message) && w.conditions_hold(q, message);
}

bool ConsistentStart::solve_velocities(double time, const double* parameters, const double* inputs, const double* q,
                                       double* v_found, Message& message) {
  RoundedLoops& w = work_->rows;
  w.locate(time, parameters, inputs);
  VectorXd v;
  const bool found = find_start_velocities(w, work_->position(q), v, message);
  if (v.size() > 0) VectorXd::Map(v_found, w.s.velocities) = v;
  return found;
}

ConsistentStart::Derivative ConsistentStart::differentiate(double time, const double* parameters, const double* inputs,
                                                           const double* q, const double* v, const Direction& direction,
                                                           double* moves, double* v_change, Message& message) {
  RoundedLoops& w = work_->rows;
  w.locate(time, parameters, inputs);
  VectorXd of_positions, of_velocities;
  const Derivative answer = differentiate_start(w, work_->position(q), VectorXd::Map(v, w.s.velocities), direction,
                                                of_positions, of_velocities, message);
  if (answer != Derivative::found) return answer;
  VectorXd::Map(moves, w.s.velocities) = w.in_SI(of_positions);
  VectorXd::Map(v_change, w.s.velocities) = w.in_SI(of_velocities);
  return answer;
}

void ConsistentStart::accept_gaps(double closure_tolerance) { work_->rows.closure_tolerance = closure_tolerance; }

ConsistentStart::Ranks ConsistentStart::ranks(double time, const double* parameters, const double* inputs,
                                              const double* q) {
  work_->rows.locate(time, parameters, inputs);
  return work_->ranks.at(q);
}

ConsistentStart::Ranks ConsistentStart::generic_ranks(double time, const double* parameters, const double* inputs,
                                                      const double* q) {
  work_->rows.locate(time, parameters, inputs);
  return work_->ranks.generic(q);
}

ConsistentStart::Ranks ConsistentStart::strong_ranks(double time, const double* parameters, const double* inputs,
                                                     const double* q) {
  work_->rows.locate(time, parameters, inputs);
  return work_->ranks.strong(q);
}

int ConsistentStart::generic_nonlinear_rank(double time, const double* parameters, const double* inputs,
                                            const double* q) {
  work_->rows.locate(time, parameters, inputs);
  return work_->ranks.generic_nonlinear(q);
}

bool ConsistentStart::redundant(int row) const { return work_->ranks.redundant(row); }

void ConsistentStart::immobile(double time, const double* parameters, const double* inputs, const double* q,
                               const bool* counted, bool* velocities, bool* rows) {
  work_->rows.locate(time, parameters, inputs);
  find_immobile(work_->rows, q, counted, velocities, rows);
}

int ConsistentStart::generically_independent(double time, const double* parameters, const double* inputs,
                                             const double* q, const int* velocities, int count) {
  work_->rows.locate(time, parameters, inputs);
  return mechfmu::generically_independent(work_->rows, q, velocities, count);
}

bool ConsistentStart::check_mass(double time, const double* parameters, const double* inputs, const double* q,
                                 const char* needs_regular_M, Message& message) {
  work_->rows.locate(time, parameters, inputs);
  return mechfmu::check_mass(work_->rows, q, needs_regular_M, message);
}

}  // namespace mechfmu
