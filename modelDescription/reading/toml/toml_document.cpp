// Makes a tree of TOML by toml++. It is the only file that includes toml++.
#include "toml_document.hpp"

// toml++ 3.3.0 asserts that a key begins with a letter, and then reports it properly if it does not, as in "[/a]".
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "toml_syntax_error.hpp"

namespace mechfmu {

const TomlNode::Entry* TomlNode::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

TomlNode::Entry* TomlNode::find(std::string_view key) { return const_cast<Entry*>(std::as_const(*this).find(key)); }

std::optional<TomlNode::Entry> TomlNode::take(std::string_view key) {
  Entry* found = find(key);
  if (!found) return std::nullopt;
  Entry taken = std::move(*found);
  entries.erase(entries.begin() + (found - entries.data()));
  return taken;
}

const char* TomlNode::kind_text() const {
  switch (kind) {
    case Kind::text: return "a text";
    case Kind::number: return "a number";
    case Kind::boolean: return "true or false";
    case Kind::array: return "a list";
    case Kind::table: return "a table";
    case Kind::other: return "a date or time";
  }
  return "";
}

namespace {

/// Walks the source of a string value and gives the place of every decoded byte.
class StringPlaces {
 public:
  StringPlaces(const std::string& source, const std::vector<std::size_t>& line_starts, Place start)
      : source_(source), here_(std::move(start)) {
    at_ = line_starts[static_cast<std::size_t>(here_.line) - 1];
    for (int column = 1; column < here_.column; ++column) at_ += code_point_size();
  }

  std::vector<Place> of(std::size_t decoded_size) {
    const char quote = source_[at_];
    const bool multi_line = source_.compare(at_, 3, std::string(3, quote)) == 0;
    const bool escapes = quote == '"';
    for (int i = 0; i < (multi_line ? 3 : 1); ++i) advance();
    if (multi_line) skip_line_end();
    std::vector<Place> places;
    while (places.size() < decoded_size && at_ < source_.size()) {
      if (escapes && source_[at_] == '\\') {
        escape(places);
      } else {
        places.insert(places.end(), code_point_size(), here_);
        advance();
      }
    }
    places.resize(decoded_size, here_);
    places.push_back(here_);
    return places;
  }

 private:
  std::size_t code_point_size() const {
    std::size_t size = 1;
    while (at_ + size < source_.size() && (static_cast<unsigned char>(source_[at_ + size]) & 0xC0) == 0x80) ++size;
    return size;
  }

  void advance() {
    if (source_[at_] == '\n') {
      ++here_.line;
      here_.column = 1;
    } else {
      ++here_.column;
    }
    at_ += code_point_size();
  }

  void skip_line_end() {
    if (at_ < source_.size() && source_[at_] == '\r') advance();
    if (at_ < source_.size() && source_[at_] == '\n') advance();
  }

  void escape(std::vector<Place>& places) {
    const Place start = here_;
    advance();
    const char kind = source_[at_];
    if (kind == '\n' || kind == '\r' || kind == ' ' || kind == '\t') {  // continues a line
      while (at_ < source_.size() && std::string_view(" \t\r\n").find(source_[at_]) != std::string_view::npos)
        advance();
      return;
    }
    const int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    const unsigned long code = digits ? std::stoul(source_.substr(at_ + 1, digits), nullptr, 16) : 0;
    for (int i = 0; i < digits + 1; ++i) advance();
    places.insert(places.end(), code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4, start);
  }

  const std::string& source_;
  std::size_t at_ = 0;
  Place here_;
};

/// Copies toml++'s tree into ours.
class Copier {
 public:
  Copier(const std::string& source, const std::string& file) : source_(source), file_(file) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < source.size(); ++i)
      if (source[i] == '\n') line_starts_.push_back(i + 1);
  }

  TomlNode copy(const toml::node& node) const {
    TomlNode result;
    result.place = place(node.source());
    if (const toml::table* table = node.as_table()) {
      result.kind = TomlNode::Kind::table;
      for (auto&& [key, value] : *table)
        result.entries.push_back({std::string(key.str()), place(key.source()), copy(value)});
      std::stable_sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
      });
    } else if (const toml::array* array = node.as_array()) {
      result.kind = TomlNode::Kind::array;
      for (const toml::node& item : *array) result.items.push_back(copy(item));
    } else if (auto text = node.value_exact<std::string>()) {
      result.kind = TomlNode::Kind::text;
      result.text = *text;
      result.characters = StringPlaces(source_, line_starts_, result.place).of(text->size());
    } else if (node.is_number()) {
      result.kind = TomlNode::Kind::number;
      result.number = *node.value<double>();
    } else if (auto boolean = node.value_exact<bool>()) {
      result.kind = TomlNode::Kind::boolean;
      result.boolean = *boolean;
    } else {
      result.kind = TomlNode::Kind::other;
    }
    return result;
  }

 private:
  Place place(const toml::source_region& region) const {
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  const std::string& source_;
  const std::string& file_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace

std::optional<TomlNode> parse_toml(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  if (add_stray_character(text, file, diagnostics)) return std::nullopt;
  try {
    const toml::table root = toml::parse(std::string_view(text), std::string_view(file));
    TomlNode document = Copier(text, file).copy(root);
    document.place = {file, 1, 1};
    return document;
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    add_syntax_error(text, {file, static_cast<int>(at.line), static_cast<int>(at.column)},
                     std::string(error.description()), diagnostics);
    return std::nullopt;
  }
}

}  // namespace mechfmu
