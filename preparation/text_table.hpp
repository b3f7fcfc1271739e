// Aligns columns of text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace mechfmu {

class TextTable {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void add(const TextTable& more) { rows_.insert(rows_.end(), more.rows_.begin(), more.rows_.end()); }
  bool empty() const { return rows_.empty(); }

  /// Returns the rows. Each column is as wide as its widest cell, and every line starts with `indent`.
  std::string text(const std::string& indent = "") const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()), 0);
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], length(row[i]));
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line = indent;
      for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - length(row[i]) + 2, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
    return text;
  }

 private:
  /// Counts characters, not bytes: continuation bytes of UTF-8 do not count.
  static std::size_t length(const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  }

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mechfmu
