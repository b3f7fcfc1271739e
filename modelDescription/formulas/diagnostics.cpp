// Collects errors and puts them into words.
#include "diagnostics.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace mechfmu {

namespace {

bool is_same(const Place& a, const Place& b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

}  // namespace

bool Diagnostic::operator==(const Diagnostic& other) const {
  return is_same(place, other.place) && problem == other.problem && repair == other.repair;
}

std::string to_text(const Place& place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string to_text(const Diagnostic& diagnostic) {
  const std::string& within = diagnostic.place.within;
  return to_text(diagnostic.place) + ": " + diagnostic.problem + (within.empty() ? "" : " (" + within + ")") + "; " +
         diagnostic.repair;
}

namespace {

/// Quoted pieces of a file may hold line ends; a message is one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

}  // namespace

void Diagnostics::add(const Place& place, std::string problem, std::string repair) {
  Diagnostic diagnostic{place, one_line(std::move(problem)), one_line(std::move(repair))};
  const auto told = [&](const Diagnostic& known) {
    const bool in_another_copy = !known.place.within.empty() && known.place.within != place.within;
    return known == diagnostic || (in_another_copy && is_same(known.place, place));
  };
  if (std::none_of(list_.begin(), list_.end(), told)) list_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = list_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) < std::tie(b.place.file, b.place.line, b.place.column);
  });
  return result;
}

std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  // A third of the letters may be wrong, but never all of them: "q" is not nearly "r".
  const int allowed =
      std::min<int>(std::max<int>(1, static_cast<int>(name.size()) / 3), static_cast<int>(name.size()) - 1);
  std::string best;
  int best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(lower_case(name), lower_case(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, std::string otherwise) {
  const std::string best = nearest(name, candidates);
  if (!best.empty()) return "did you mean " + in_quotes(best) + "?";
  constexpr std::size_t readable = 12;
  if (candidates.empty() || candidates.size() > readable) return otherwise;
  std::vector<std::string> names;
  for (const std::string& candidate : candidates) names.push_back(in_quotes(candidate));
  return (names.size() == 1 ? "known is " : "known are ") + listed(names);
}

}  // namespace mechfmu
