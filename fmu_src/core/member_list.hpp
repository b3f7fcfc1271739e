// Families as lists of their members, and what can be read off such a list.
#pragma once

namespace mechfmu {

template <class... Members>
struct List {};

/// Two lists, one after the other.
template <class... First, class... Second>
List<First..., Second...> joined(List<First...>, List<Second...>);

/// Whether it serves only where B = Cᵀ. A basis alone decides nothing about reactions.
template <class Member>
constexpr auto needs_ideal(int) -> decltype(Member::needs_ideal) {
  return Member::needs_ideal;
}
template <class Member>
constexpr bool needs_ideal(...) {
  return false;
}

/// What the members of a list say of themselves, in its order.
template <class>
struct Members;

template <class... All>
struct Members<List<All...>> {
  static constexpr int count = sizeof...(All);
  static constexpr const char* names[] = {All::name...};
  static constexpr bool needs_regular_M[] = {All::needs_regular_M...};
  static constexpr bool needs_ideal[] = {mechfmu::needs_ideal<All>(0)...};
};

}  // namespace mechfmu
