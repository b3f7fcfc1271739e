// Expands [parts.left] file = "corner.toml", prefix = "left_", parameters = { side = -1 }: it inserts another file's
// content with new names.
#include <algorithm>

#include "expand_parameters.hpp"
#include "expand_prefix.hpp"
#include "modelDescription/reading/names.hpp"
#include "modelDescription/reading/read_table.hpp"

namespace mechfmu {

namespace {

namespace fs = std::filesystem;

/// Lists the sections that a part brings. It may also repeat, have parts, and be a mechanism of its own.
constexpr const char* sections_of_parts[] = {"parameters",  "inputs",   "states",  "definitions", "functions",
                                             "ground",      "bodies",   "joints",  "forces",      "couplings",
                                             "constraints", "contacts", "sensors", "outputs"};
constexpr const char* replaced_sections[] = {"repeat", "parts"};
constexpr const char* ignored_sections[] = {"mechanism", "solver"};

bool is_table(const TomlNode& node) { return node.kind == TomlNode::Kind::table; }

/// Returns the text of [mechanism] dimension, or null if it is not there.
const TomlNode* dimension_of(const TomlNode& document) {
  const TomlNode::Entry* mechanism = document.find("mechanism");
  const TomlNode::Entry* dimension = mechanism ? mechanism->value.find("dimension") : nullptr;
  return dimension ? &dimension->value : nullptr;
}

class Parts {
 public:
  Parts(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics)
      : document_(document), source_(source), diagnostics_(diagnostics) {}

  void add(const TomlNode::Entry& entry) {
    const std::size_t errors = diagnostics_.size();
    const std::string what = "the part " + in_quotes(entry.key);
    const TableReader table(entry.value, entry.place, what, {"file", "prefix", "parameters"}, diagnostics_);
    const std::string file = table.text("file"), prefix = table.text("prefix");
    for (const auto& [key, repair] : {std::pair{"file", "write file = \"corner.toml\", a path from this file's folder"},
                                      std::pair{"prefix", "write for example prefix = \"left_\""}})
      if (!table.find(key) && is_table(entry.value)) diagnostics_.add(entry.place, what + " has no " + key, repair);
    const TomlNode::Entry* given = table.table("parameters");
    if (diagnostics_.size() > errors) return;
    if (!check_identifier(prefix, table.find("prefix")->value.place, diagnostics_)) return;

    std::optional<TomlNode> part = open(file, table.find("file")->value.place);
    if (!part) return;
    check_sections(*part);
    check_dimension(*part);
    for (const char* section : ignored_sections) part->take(section);
    DocumentSource inner{inner_file_, source_.open, {}};
    inner.open.push_back(fs::weakly_canonical(inner_file_));
    const std::set<std::string> overridden = override_parameters(given, what, *part);
    inner.parameters = known_parameters(*part, overridden, source_.parameters);
    if (diagnostics_.size() == errors) expand_document(*part, inner, diagnostics_);
    if (diagnostics_.size() > errors) return;
    prefix_names(*part, prefix, overridden, fs::path(file).parent_path().string());
    mark_copy(*part, "in part " + in_quotes(entry.key));
    merge(document_, *std::move(part), diagnostics_);
  }

 private:
  /// Reads the part's file, which it seeks from the folder of the file around it. Returns none after an error.
  std::optional<TomlNode> open(const std::string& file, const Place& place) {
    inner_file_ = (fs::path(source_.file).parent_path() / file).lexically_normal().string();
    const auto known = std::find(source_.open.begin(), source_.open.end(), fs::weakly_canonical(inner_file_));
    if (known != source_.open.end()) {
      std::string way;
      for (auto it = known; it != source_.open.end(); ++it) way += it->filename().string() + " → ";
      diagnostics_.add(place, "the file takes itself in: " + way + known->filename().string(),
                       "remove one of these parts");
      return std::nullopt;
    }
    const std::optional<std::string> text = file_content(inner_file_);
    if (!text) {
      diagnostics_.add(place, "the file " + in_quotes(inner_file_) + " cannot be read",
                       "check its name; it is sought from the folder of the file that names it");
      return std::nullopt;
    }
    return parse_toml(*text, inner_file_, diagnostics_);
  }

  void check_sections(const TomlNode& part) {
    std::vector<std::string> names(std::begin(sections_of_parts), std::end(sections_of_parts));
    names.insert(names.end(), std::begin(replaced_sections), std::end(replaced_sections));
    names.insert(names.end(), std::begin(ignored_sections), std::end(ignored_sections));
    const TableReader sections(part, part.place, "a part", names, diagnostics_, "section");
    for (const std::string& name : names) sections.table(name);
  }

  void check_dimension(const TomlNode& part) {
    const TomlNode *inner = dimension_of(part), *outer = dimension_of(document_);
    if (!inner || !outer || inner->text == outer->text) return;
    diagnostics_.add(inner->place,
                     "the part is " + inner->text + ", but the file that takes it in at " + to_text(outer->place) +
                         " is " + outer->text,
                     "give both the same dimension");
  }

  /// Gives the part's parameters the values from the file around it, and returns the names of these parameters.
  std::set<std::string> override_parameters(const TomlNode::Entry* given, const std::string& what, TomlNode& part) {
    std::set<std::string> names;
    if (!given) return names;
    for (const TomlNode::Entry& entry : given->value.entries) {
      names.insert(entry.key);
      if (!override_parameter(part, entry.key, entry.value))
        diagnostics_.add(entry.place, what + " has no parameter " + in_quotes(entry.key),
                         suggestion(entry.key, parameter_names(part), "see [parameters] of " + inner_file_));
    }
    return names;
  }

  TomlNode& document_;
  const DocumentSource& source_;
  Diagnostics& diagnostics_;
  std::string inner_file_;  ///< name in messages of the part's file that is being added
};

}  // namespace

void expand_parts(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics) {
  const std::optional<TomlNode::Entry> section = document.take("parts");
  if (!section) return;
  Parts parts(document, source, diagnostics);
  for (const TomlNode::Entry& entry : section->value.entries) parts.add(entry);
  if (section->value.entries.empty())
    diagnostics.add(section->place, "[parts] names no part",
                    "write [parts.left] and below it file = \"corner.toml\" and prefix = \"left_\"");
}

}  // namespace mechfmu
