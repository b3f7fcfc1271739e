// Rewrites a text of the file. Every byte still knows where it comes from.
#pragma once

#include <string>

#include "modelDescription/reading/toml/toml_document.hpp"

namespace mechfmu {

/// Is a new text, made of pieces of an old one and of inserted ones.
class RewrittenText {
 public:
  /// `old` must live as long as this object.
  explicit RewrittenText(const TomlNode& old) : old_(old) {}

  /// Returns the position of the next byte of the old text.
  std::size_t at() const { return at_; }
  /// Keeps the old text up to this byte.
  void keep_until(std::size_t end);
  /// Inserts a text; its place is that of the next byte of the old one.
  void insert(const std::string& text);
  /// Skips the old text up to this byte.
  void skip_until(std::size_t end) { at_ = end; }
  /// Keeps the rest, and returns the new text.
  TomlNode finish();

 private:
  const TomlNode& old_;
  std::size_t at_ = 0;
  std::string text_;
  std::vector<Place> characters_;
};

/// Returns a key as a text; all its bytes have the key's place.
TomlNode text_of_key(const TomlNode::Entry& entry);

}  // namespace mechfmu
