// What is said about a faulty mechanism file: place, problem, repair; and how the nearest valid name is found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formulas.hpp"

namespace mechfmu {

/// One error: where it is, what is wrong, what to do.
struct Diagnostic {
  Place place;
  std::string problem, repair;
  bool operator==(const Diagnostic& other) const;
};

/// "file:line:column: what is wrong (in which copy); what to do", one line without its end.
std::string to_text(const Diagnostic& diagnostic);

/// "file:line:column"
std::string to_text(const Place& place);

/// Collects errors while reading; the same error is kept once, and of the copies of a text only the first faulty one.
class Diagnostics {
 public:
  void add(const Place& place, std::string problem, std::string repair);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  const std::vector<Diagnostic>& list() const { return list_; }
  /// All errors in the order of their places.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
};

/// 'name'
std::string quoted(std::string_view name);

/// "a, b and c"
std::string listed(const std::vector<std::string>& names);

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that was probably meant, or an empty text if none is near enough.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "did you mean 'rho'?", or otherwise a list of the candidates, or, if these are many, `otherwise`.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise);

}  // namespace mechfmu
