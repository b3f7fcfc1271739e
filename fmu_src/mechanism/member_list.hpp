// Families are lists of their members.
#pragma once

namespace mechfmu {

template <class... Members>
struct List {};

/// Returns two lists, one after the other.
template <class... First, class... Second>
List<First..., Second...> joined(List<First...>, List<Second...>);

/// Counts the members of a list.
template <class>
struct Members;

template <class... All>
struct Members<List<All...>> {
  static constexpr int count = sizeof...(All);
};

}  // namespace mechfmu
