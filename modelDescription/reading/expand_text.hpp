// Rewriting a text of the file so that every byte still knows where it comes from.
#pragma once

#include <string>

#include "toml_document.hpp"

namespace mechfmu {

/// A new text, made of pieces of an old one and of inserted ones.
class RewrittenText {
 public:
  /// The old text is used until the end.
  explicit RewrittenText(const TomlNode& old) : old_(old) {}

  /// The next byte of the old text.
  std::size_t at() const { return at_; }
  /// Keeps the old text up to this byte.
  void keep_until(std::size_t end);
  /// Inserts a text that counts as being at the next byte of the old one.
  void insert(const std::string& text);
  /// Leaves out the old text up to this byte.
  void skip_until(std::size_t end) { at_ = end; }
  /// Keeps the rest; the new text.
  TomlNode finish();

 private:
  const TomlNode& old_;
  std::size_t at_ = 0;
  std::string text_;
  std::vector<Place> characters_;
};

/// A key as a text, all at the key's place.
TomlNode text_of_key(const TomlNode::Entry& entry);

}  // namespace mechfmu
