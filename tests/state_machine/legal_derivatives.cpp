// Asks for derivatives in legal runs: answers are finite, linear in the seed, equal forwards and backwards, and agree
// with variables that are derivatives themselves. The run then goes on as if nobody had asked.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "legal_run.hpp"

namespace mechfmu::importer {
namespace {

constexpr double how_often = 0.03;

template <class Item>
std::vector<Item> some(const std::vector<Item>& items, std::size_t most, std::mt19937_64& random) {
  std::vector<Item> result;
  std::sample(items.begin(), items.end(), std::back_inserter(result), most, random);
  return result;
}

std::vector<double> numbers(std::size_t count, std::mt19937_64& random) {
  std::vector<double> result(count);
  for (double& item : result) item = std::uniform_real_distribution<>(-1, 1)(random);
  return result;
}

}  // namespace

void LegalRun::ask_for_derivatives() {
  if (std::uniform_real_distribution<>()(moments_) > how_often || model_->state == 'I') return;
  const bool fmi3 = fmu_.description.fmi3;
  asking_ = true;
  // The first read of a computed value takes in the values set: the questions after it must leave no trace.
  double ignored = 0;
  expect(session_->get(unknowns().front(), ignored), "get");
  if (asks_ && subject_.has(fmi3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative")) {
    ask_for_directions(subject_.has("providesAdjointDerivatives"));
  }
  const bool running = std::strchr("CST", model_->state) != nullptr;
  if (asks_ && subject_.has("maxOutputDerivativeOrder") && running) ask_for_output_derivatives();
  asking_ = false;
}

/// Outputs, and in model exchange the states' derivatives.
std::vector<unsigned> LegalRun::unknowns() const {
  std::vector<unsigned> result;
  for (const Variable& output : fmu_.description.numbers("output")) result.push_back(output.reference);
  if (subject_.exchange()) {
    for (const unsigned reference : fmu_.description.state_derivatives) result.push_back(reference);
  }
  return result;
}

/// Takes time, inputs and parameters, and after the end of initialization also the states.
std::vector<unsigned> LegalRun::knowns() const {
  std::vector<unsigned> result = knowns_;
  if (model_->state == 'N') return result;
  result.insert(result.end(), fmu_.description.states.begin(), fmu_.description.states.end());
  return result;
}

void LegalRun::ask_for_directions(bool adjoint) {
  const std::vector<unsigned> of = some(unknowns(), 4, questions_), by = some(knowns(), 3, questions_);
  const std::vector<double> u = numbers(by.size(), questions_), w = numbers(by.size(), questions_);
  std::vector<double> both(by.size());
  for (std::size_t i = 0; i < by.size(); ++i) both[i] = 0.5 * u[i] - 0.25 * w[i];
  std::vector<double> along_u(of.size(), std::nan("")), along_w = along_u, along_both = along_u;
  expect(session_->directional(of, by, u, along_u), "directional derivative");
  expect(session_->directional(of, by, w, along_w), "directional derivative");
  expect(session_->directional(of, by, both, along_both), "directional derivative");
  const double error = derivative_error();
  for (std::size_t k = 0; k < of.size(); ++k) {
    check(std::isfinite(along_u[k]) && std::isfinite(along_w[k]), "a derivative that is no number");
    const double size = std::abs(along_u[k]) + std::abs(along_w[k]) + std::abs(along_both[k]);
    const double gap = along_both[k] - (0.5 * along_u[k] - 0.25 * along_w[k]);
    check(std::abs(gap) <= error * (1 + size), "derivatives are not linear in the direction");
  }
  if (!adjoint) return;
  const std::vector<double> v = numbers(of.size(), questions_);
  std::vector<double> backwards(by.size(), std::nan(""));
  expect(session_->adjoint(of, by, v, backwards), "adjoint derivative");
  double forwards_sum = 0, backwards_sum = 0, size = 1;
  for (std::size_t k = 0; k < of.size(); ++k) {
    forwards_sum += v[k] * along_u[k];
    size += std::abs(v[k] * along_u[k]);
  }
  for (std::size_t i = 0; i < by.size(); ++i) {
    backwards_sum += u[i] * backwards[i];
    size += std::abs(u[i] * backwards[i]);
  }
  check(std::abs(forwards_sum - backwards_sum) <= error * size, "v^T J u is not u^T J^T v");
}

/// Derivatives by what moves positions are differences, all others are exact.
double LegalRun::derivative_error() const { return model_->state == 'N' ? 1e-5 : 1e-9; }

void LegalRun::ask_for_output_derivatives() {
  const std::vector<Variable> outputs = some(fmu_.description.numbers("output"), 4, questions_);
  std::vector<unsigned> references;
  std::vector<int> orders;
  for (const Variable& output : outputs) {
    references.push_back(output.reference);
    orders.push_back(std::uniform_int_distribution<>(1, 2)(questions_));
  }
  std::vector<double> values(outputs.size(), std::nan(""));
  expect(session_->get_output_derivatives(references, orders, values), "output derivatives");
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    check(std::isfinite(values[k]), "a derivative that is no number");
    if (orders[k] != 1) continue;
    const auto& states = fmu_.description.states;
    const auto state = std::find(states.begin(), states.end(), references[k]);
    if (state == states.end()) continue;
    double rate = std::nan("");
    const unsigned derivative = fmu_.description.state_derivatives[static_cast<std::size_t>(state - states.begin())];
    expect(session_->get(derivative, rate), "get");
    check(std::abs(values[k] - rate) <= 1e-12 * (1 + std::abs(rate)), "a derivative is not the variable called so");
  }
}

}  // namespace mechfmu::importer
