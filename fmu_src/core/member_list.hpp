// Families as lists of their members, and what can be read off such a list.
#pragma once

namespace mechfmu {

template <class... Members>
struct List {};

/// Two lists, one after the other.
template <class... First, class... Second>
List<First..., Second...> joined(List<First...>, List<Second...>);

/// What the members of a list say of themselves, in its order.
template <class>
struct Members;

template <class... All>
struct Members<List<All...>> {
  static constexpr int count = sizeof...(All);
  static constexpr const char* names[] = {All::name...};
  static constexpr bool needs_regular_M[] = {All::needs_regular_M...};
};

}  // namespace mechfmu
