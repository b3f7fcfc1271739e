// Puts texts together from pieces.
#include "expand_text.hpp"

namespace mechfmu {

void RewrittenText::keep_until(std::size_t end) {
  text_.append(old_.text, at_, end - at_);
  characters_.insert(characters_.end(), old_.characters.begin() + at_, old_.characters.begin() + end);
  at_ = end;
}

void RewrittenText::insert(const std::string& text) {
  text_ += text;
  characters_.insert(characters_.end(), text.size(), old_.characters[at_]);
}

TomlNode RewrittenText::finish() {
  keep_until(old_.text.size());
  characters_.push_back(old_.characters.back());
  TomlNode node;
  node.kind = TomlNode::Kind::text;
  node.place = old_.place;
  node.text = std::move(text_);
  node.characters = std::move(characters_);
  return node;
}

TomlNode text_of_key(const TomlNode::Entry& entry) {
  TomlNode node;
  node.kind = TomlNode::Kind::text;
  node.place = entry.place;
  node.text = entry.key;
  node.characters.assign(entry.key.size() + 1, entry.place);
  return node;
}

}  // namespace mechfmu
