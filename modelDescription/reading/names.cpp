// Declares and finds names.
#include "names.hpp"

#include <algorithm>
#include <cctype>

#include "modelDescription/formulas/expression.hpp"

namespace mechfmu {

namespace {

constexpr const char* reserved_names[] = {"time",   "der", "solver", "energy", "constraint", "coupling",
                                          "ground", "pi",  "and",    "or",     "not"};

/// Lists the endings of variables that the FMU makes for a coordinate. A velocity, a state and an unknown have the
/// first one, too.
constexpr const char* own_suffixes[] = {"_start", "_rate", "_rate_start"};

bool is_reserved(const std::string& name) {
  const auto same = [&](const char* reserved) { return name == reserved; };
  return std::any_of(std::begin(reserved_names), std::end(reserved_names), same) || find_language_function(name);
}

}  // namespace

const char* kind_text(NameKind kind) {
  switch (kind) {
    case NameKind::parameter: return "a parameter";
    case NameKind::input: return "an input";
    case NameKind::coordinate: return "a coordinate";
    case NameKind::velocity: return "a velocity";
    case NameKind::state: return "a state";
    case NameKind::unknown: return "an unknown";
    case NameKind::definition: return "a definition";
    case NameKind::function: return "a function";
    case NameKind::body: return "a body";
    case NameKind::joint: return "a joint";
    case NameKind::force: return "a force";
    case NameKind::coupling: return "a coupling";
    case NameKind::constraint: return "a constraint";
    case NameKind::contact: return "a contact";
    case NameKind::sensor: return "a sensor";
    case NameKind::output: return "an output";
  }
  return "";
}

bool check_identifier(const std::string& name, const Place& place, Diagnostics& diagnostics) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  const auto later = [&](unsigned char c) { return letter(c) || std::isdigit(c); };
  if (!name.empty() && letter(static_cast<unsigned char>(name[0])) && std::all_of(name.begin(), name.end(), later))
    return true;
  diagnostics.add(place, in_quotes(name) + " is not a name", "use letters, digits and _, and no digit at the front");
  return false;
}

void Names::declare(const std::string& name, Name entry) {
  const bool identifier = check_identifier(name, entry.place, diagnostics_);
  const bool reserved = identifier && is_reserved(name);
  if (reserved)
    diagnostics_.add(entry.place, in_quotes(name) + " is a word of the language, not a free name",
                     "choose another name, for example '" + name + "_1'");
  // A faulty name is entered, too, so that its uses are not errors as well.
  entry.broken = entry.broken || !identifier || reserved;
  const auto [known, fresh] = names_.try_emplace(name, entry);
  if (!fresh)
    diagnostics_.add(entry.place,
                     in_quotes(name) + " is already " + kind_text(known->second.kind) + " at " +
                         to_text(known->second.place),
                     "rename one of them: all names of a file are different");
}

Name* Names::find(const std::string& name) {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

void Names::check_generated_names() {
  for (const auto& [name, entry] : names_) {
    const bool coordinate = entry.kind == NameKind::coordinate;
    if (!coordinate && entry.kind != NameKind::velocity && entry.kind != NameKind::state &&
        entry.kind != NameKind::unknown)
      continue;
    const std::string kind = kind_text(entry.kind), word = kind.substr(kind.find(' ') + 1);
    for (const char* suffix : own_suffixes) {
      const Name* other = find(name + suffix);
      if (!other || (!coordinate && suffix != own_suffixes[0])) continue;
      diagnostics_.add(other->place,
                       in_quotes(name + suffix) + " is also the name of a variable of the " + word + " " +
                           in_quotes(name) + " at " + to_text(entry.place),
                       "rename it or the " + word);
    }
  }
}

std::vector<std::string> Names::of_kinds(std::initializer_list<NameKind> kinds) const {
  std::vector<std::string> result;
  for (const auto& [name, entry] : names_)
    if (std::find(kinds.begin(), kinds.end(), entry.kind) != kinds.end()) result.push_back(name);
  return result;
}

}  // namespace mechfmu
