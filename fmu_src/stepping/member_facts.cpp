// The lists of members tell facts by index here. The compiler also checks that the lists and the names agree.
#include "member_facts.hpp"

#include "constraints/saddle_solvers/list.hpp"
#include "constraints/tangent_bases/list.hpp"
#include "integrators/list.hpp"
#include "mechanism/family_names.hpp"

namespace mechfmu {

namespace {

using Resolutions = decltype(joined(TangentBases<RunTimeModel>{}, SaddleSolvers<RunTimeModel>{}));

constexpr bool same(const char* a, const char* b) { return *a == *b && (*a == '\0' || same(a + 1, b + 1)); }

/// Is true if the list's members have these names, in this order.
template <int count, class... All>
constexpr bool are_named(const char* const (&names)[count], List<All...>) {
  if (sizeof...(All) != count) return false;
  int i = 0;
  return (same(All::name, names[i++]) && ...);
}
static_assert(are_named(family_names::methods, Methods{}),
              "mechanism/family_names.hpp: methods are not the members of integrators/list.hpp");
static_assert(
    are_named(family_names::resolutions, Resolutions{}),
    "mechanism/family_names.hpp: resolutions are not the members of constraints/tangent_bases/list.hpp and of "
    "constraints/saddle_solvers/list.hpp");

/// A solver says whether it serves only where B = Cᵀ. A basis alone decides nothing about reactions.
template <class Member>
constexpr auto asks_for_ideal(int) -> decltype(Member::needs_ideal) {
  return Member::needs_ideal;
}
template <class Member>
constexpr bool asks_for_ideal(...) {
  return false;
}

template <class... All>
bool fixed_step_of(List<All...>, int i) {
  constexpr bool fixed[] = {All::fixed_step...};
  return fixed[i];
}
template <class... All>
bool linear_of(List<All...>, int i) {
  constexpr bool linear[] = {All::template Step<1>::linear...};
  return linear[i];
}
template <class... All>
bool regular_of(List<All...>, int i) {
  constexpr bool regular[] = {All::needs_regular_M...};
  return regular[i];
}
template <class... All>
bool ideal_of(List<All...>, int i) {
  constexpr bool ideal[] = {asks_for_ideal<All>(0)...};
  return ideal[i];
}

template <class... All>
bool unit_vectors_of(List<All...>, int i) {
  constexpr bool chosen[] = {!All::carried...};
  return chosen[i];
}

template <class... All>
bool independent_of(List<All...>, int i) {
  constexpr bool independent[] = {integrates_independent_with<All>...};
  return independent[i];
}

}  // namespace

const int basis_count = Members<TangentBases<RunTimeModel>>::count;

bool has_fixed_step(int method) { return fixed_step_of(Methods{}, method); }
bool serves_stiff(int method) { return linear_of(Methods{}, method); }
bool needs_regular_M(int resolution) { return regular_of(Resolutions{}, resolution); }
bool chooses_coordinates(int resolution) {
  return resolution < basis_count && unit_vectors_of(TangentBases<RunTimeModel>{}, resolution);
}
bool integrates_independent(int resolution) { return independent_of(Resolutions{}, resolution); }
bool needs_ideal_constraints(int resolution) { return ideal_of(Resolutions{}, resolution); }

}  // namespace mechfmu
