// Lists the integrators as tests choose among them: all of the list, or those of a kind.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "fmu_src/integrators/explicit_runge_kutta.hpp"
#include "fmu_src/integrators/list.hpp"

namespace mechfmu::testing {

template <template <class> class Keeps, class... All>
auto those(List<All...>)
    -> decltype(std::tuple_cat(std::conditional_t<Keeps<All>::value, std::tuple<All>, std::tuple<>>()...));

template <class Method>
using IsExplicit = std::is_same<typename Method::template Step<1>, ExplicitRungeKutta<Method, 1>>;
template <class Method>
using IsStiff = std::negation<IsExplicit<Method>>;
using ExplicitMethods = decltype(those<IsExplicit>(Methods{}));
using StiffMethods = decltype(those<IsStiff>(Methods{}));

/// Says what an integrator tells about itself, by name.
struct MethodFacts {
  std::string name;
  int evaluations;  ///< evaluations of a step, without derivatives
  int order;
  bool fixed_step, is_explicit;
};

template <class Method>
MethodFacts facts() {
  int evaluations = Method::stages;
  if constexpr (IsExplicit<Method>::value) {  // some estimates need the rates at the result, too
    bool at_result = false;
    for (const auto& weights : Method::embedded) at_result = at_result || weights[Method::stages] != 0;
    evaluations += at_result;
  }
  return {Method::name, evaluations, Method::order, Method::fixed_step, IsExplicit<Method>::value};
}
template <class... All>
std::vector<MethodFacts> facts(List<All...>) {
  return {facts<All>()...};
}

/// Those of which `keeps` is true.
template <class Keeps>
std::vector<MethodFacts> methods_that(const Keeps& keeps) {
  std::vector<MethodFacts> result;
  for (const MethodFacts& one : facts(Methods{})) {
    if (keeps(one)) result.push_back(one);
  }
  return result;
}

inline std::vector<MethodFacts> all_methods() { return facts(Methods{}); }
/// Returns those that control their steps.
inline std::vector<MethodFacts> adaptive_methods() {
  return methods_that([](const MethodFacts& one) { return !one.fixed_step; });
}
/// Returns those of them that a stiff mechanism keeps at short steps.
inline std::vector<MethodFacts> adaptive_explicit_methods() {
  return methods_that([](const MethodFacts& one) { return !one.fixed_step && one.is_explicit; });
}
inline std::vector<MethodFacts> explicit_methods() {
  return methods_that([](const MethodFacts& one) { return one.is_explicit; });
}
inline std::vector<MethodFacts> stiff_methods() {
  return methods_that([](const MethodFacts& one) { return !one.is_explicit; });
}
inline std::vector<MethodFacts> fixed_step_methods() {
  return methods_that([](const MethodFacts& one) { return one.fixed_step; });
}

}  // namespace mechfmu::testing
