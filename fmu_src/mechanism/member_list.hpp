// Families as lists of their members, and what can be read off such a list.
#pragma once

namespace mechfmu {

template <class... Members>
struct List {};

/// Two lists, one after the other.
template <class... First, class... Second>
List<First..., Second...> joined(List<First...>, List<Second...>);

/// How many members a list has.
template <class>
struct Members;

template <class... All>
struct Members<List<All...>> {
  static constexpr int count = sizeof...(All);
};

}  // namespace mechfmu
