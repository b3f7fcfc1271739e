// toml++ says what it expected; this file says what the author should do.
#include "toml_syntax_error.hpp"

#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

#include "toml_document.hpp"

namespace mechfmu {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the position of a whole word in a line at or after `from`, npos if there is none.
std::size_t find_word(const std::string& line, const std::string& word, std::size_t from) {
  const auto letter = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
  };
  for (std::size_t at = line.find(word, from); at != std::string::npos; at = line.find(word, at + 1))
    if (!letter(at + word.size()) && (at == 0 || !letter(at - 1))) return at;
  return std::string::npos;
}

/// Splits "a.b.c".
std::vector<std::string> path_of(const std::string& dotted) {
  std::vector<std::string> path;
  std::istringstream stream(dotted);
  for (std::string part; std::getline(stream, part, '.');) {
    const std::size_t first = part.find_first_not_of(" \t\"'[");
    const std::size_t last = part.find_last_not_of(" \t\"']");
    if (first != std::string::npos) path.push_back(part.substr(first, last - first + 1));
  }
  return path;
}

/// Finds a key given twice: the place of the second one and, if possible, of the first.
class Redefinition {
 public:
  Redefinition(const std::string& text, Place error, std::string name, bool header)
      : lines_(lines_of(text)), second_(std::move(error)), name_(std::move(name)) {
    const std::string& line = lines_[static_cast<std::size_t>(second_.line) - 1];
    if (header) {
      find_in_text_before(path_of(name_));
      second_.column = static_cast<int>(line.rfind('[')) + 2;
      return;
    }
    const std::size_t brace = line.rfind('{', static_cast<std::size_t>(second_.column) - 1);
    std::size_t found = find_word(line, name_, brace == std::string::npos ? 0 : brace);
    if (brace != std::string::npos && found != std::string::npos && static_cast<int>(found) + 1 < second_.column) {
      first_ = Place{second_.file, second_.line, static_cast<int>(found) + 1};
      found = find_word(line, name_, found + 1);
    } else {
      std::vector<std::string> path = path_of(header_before());
      path.push_back(name_);
      find_in_text_before(path);
    }
    if (found != std::string::npos) second_.column = static_cast<int>(found) + 1;
  }

  const Place& second() const { return second_; }
  const std::optional<Place>& first() const { return first_; }

 private:
  std::string header_before() const {
    for (int i = second_.line - 2; i >= 0; --i) {
      const std::string& line = lines_[static_cast<std::size_t>(i)];
      const std::size_t start = line.find_first_not_of(" \t");
      if (start != std::string::npos && line[start] == '[') return line.substr(start, line.find(']') - start);
    }
    return "";
  }

  void find_in_text_before(const std::vector<std::string>& path) {
    std::string before;
    for (int i = 0; i + 1 < second_.line; ++i) before += lines_[static_cast<std::size_t>(i)] + "\n";
    Diagnostics unused;
    const std::optional<TomlNode> document = parse_toml(before, second_.file, unused);
    const TomlNode* node = document ? &*document : nullptr;
    for (const std::string& key : path) {
      const TomlNode::Entry* entry = node ? node->find(key) : nullptr;
      node = entry ? &entry->value : nullptr;
      first_ = entry ? std::optional(entry->place) : std::nullopt;
    }
  }

  std::vector<std::string> lines_;
  Place second_;
  std::string name_;
  std::optional<Place> first_;
};

/// Lists what to do about a message that contains a text; the first that fits counts.
constexpr std::pair<const char*, const char*> repairs[] = {
    {"unknown escape sequence", "write \\\\ for a backslash, or put the text in single quotes"},
    {"unescaped control characters", "close the text with its quote on the same line"},
    {"parsing string: encountered end-of-file", "close the text with its quote"},
    {"parsing literal string: encountered end-of-file", "close the text with its quote"},
    {"parsing key-value pair: encountered end-of-file", "write a value after ="},
    {"could not determine value type", "a text and a formula stand in quotes, as in name = \"2*m\""},
    {"expected a comment or whitespace", "one key a line; a text and a formula stand in quotes, as in name = \"2*m\""},
    {"parsing boolean", "write true or false; a text and a formula stand in quotes, as in name = \"2*m\""},
    {"parsing inline table", "an inline table is one line, { key = value, key = value }; longer ones need a [header]"},
    {"parsing array", "items of a list are separated by commas and closed by ]"},
    {"expected bare key", "a key has letters, digits and _"},
    {"parsing table header", "write [section] or [section.name] alone on its line"},
    {"expected '='", "write key = value"},
    {"parsing root table", "a line is key = value, [section] or a comment; a key has letters, digits and _"},
    {"leading zeroes", "remove the zeros at the front"},
    {"utf-8", "save the file as UTF-8"},
    {"", "write it as TOML wants it: numbers as 1.5 or 1e-3, texts and formulas in quotes"},
};

}  // namespace

void add_syntax_error(const std::string& text, Place place, const std::string& message, Diagnostics& diagnostics) {
  const std::string introduction = "Error while parsing ";
  const std::size_t redefined = message.find("cannot redefine existing ");
  const std::size_t open = message.find('\'', redefined), close = message.find('\'', open + 1);
  if (redefined != std::string::npos && close != std::string::npos) {
    const std::string name = message.substr(open + 1, close - open - 1);
    const Redefinition twice(text, place, name, message.find("table header") != std::string::npos);
    diagnostics.add(twice.second(),
                    in_quotes(name) + " is given twice" +
                        (twice.first() ? ", first at " + to_text(*twice.first()) : ""),
                    "remove or rename one of them");
    return;
  }
  const std::size_t colon = message.find(": ");
  const bool introduced = message.starts_with(introduction) && colon != std::string::npos;
  const std::string what =
      introduced ? "this " + message.substr(introduction.size(), colon - introduction.size()) +
                       " is not TOML: " + message.substr(colon + 2)
                 : "this is not TOML: " + message;
  for (const auto& [part, repair] : repairs)
    if (message.find(part) != std::string::npos) {
      diagnostics.add(place, what, repair);
      return;
    }
}

bool add_stray_character(const std::string& text, const std::string& file, Diagnostics& diagnostics) {
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  std::string quote;  // opened the present text: ", ', \"\"\" or '''; # in a comment
  Place place{file, 1, 0};
  for (std::size_t i = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c & 0xC0) == 0x80) continue;  // is inside a character
    ++place.column;
    if (c == '\n') {
      ++place.line;
      place.column = 0;
      if (quote.size() == 1) quote.clear();
    } else if (quote.empty() && (c & 0x80)) {
      std::size_t size = 1;
      while (i + size < text.size() && (text[i + size] & 0xC0) == 0x80) ++size;
      diagnostics.add(place, in_quotes(text.substr(i, size)) + " stands outside of a text",
                      "keys and names have ASCII letters, digits and _; other characters belong in quotes");
      return true;
    } else if (quote.empty() && c == '#') {
      quote = "#";
    } else if (quote.empty() && (c == '"' || c == '\'')) {
      quote = text.compare(i, 3, std::string(3, c)) == 0 ? std::string(3, c) : std::string(1, c);
      i += quote.size() - 1;
      place.column += static_cast<int>(quote.size()) - 1;
    } else if (quote[0] == '"' && c == '\\' && i + 1 < text.size() && text[i + 1] != '\n') {
      ++i;
      ++place.column;
    } else if (!quote.empty() && quote != "#" && text.compare(i, quote.size(), quote) == 0) {
      i += quote.size() - 1;
      place.column += static_cast<int>(quote.size()) - 1;
      quote.clear();
    }
  }
  return false;
}

}  // namespace mechfmu
