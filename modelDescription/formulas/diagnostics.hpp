// Describes errors in a mechanism file by place, problem and repair, and finds the nearest valid name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formulas.hpp"

namespace mechfmu {

/// Is one error: its place, the problem, and the repair.
struct Diagnostic {
  Place place;
  std::string problem, repair;
  bool operator==(const Diagnostic& other) const;
};

/// Returns one line without its end: "file:line:column: what is wrong (in which copy); what to do".
std::string to_text(const Diagnostic& diagnostic);

/// Returns "file:line:column".
std::string to_text(const Place& place);

/// Collects errors while reading. It keeps equal errors once, and of several copies of a text only the first faulty
/// one.
class Diagnostics {
 public:
  void add(const Place& place, std::string problem, std::string repair);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  const std::vector<Diagnostic>& list() const { return list_; }
  /// Returns all errors in the order of their places.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
};

/// Returns the name between quotes: 'name'.
std::string in_quotes(std::string_view name);

/// Returns a list in words: "a, b and c".
std::string listed(const std::vector<std::string>& names);

/// Returns how many insertions, deletions, replacements and swaps of neighbours turn one text into the other.
int edit_distance(std::string_view a, std::string_view b);

/// Returns the candidate that was probably meant, or an empty text if none is near enough.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// Returns "did you mean 'rho'?" if a candidate is near. Otherwise it returns a list of the candidates or, if there are
/// many, `otherwise`.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise);

}  // namespace mechfmu
