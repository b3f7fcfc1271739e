// Renames on the tree. Every text counts as a formula or a reference ("arm.P", "A.angle") unless its key says
// otherwise. In it, the names that the part declares get the prefix.
#include "expand_prefix.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "expand_text.hpp"

namespace mechfmu {

namespace {

/// Lists keys whose texts hold no declared names.
constexpr const char* plain_keys[] = {"description", "unit", "type", "component", "beyond", "of", "line"};

/// Lists keys whose tables have declared names as keys.
constexpr const char* tables_by_name[] = {"sum", "realised_by"};

template <std::size_t size>
bool is_one_of(const std::string& key, const char* const (&keys)[size]) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Returns "crank" of "crank.B".
std::string first_word(const std::string& text) { return text.substr(0, text.find('.')); }

std::set<std::string> keys_in(const TomlNode& table) {
  std::set<std::string> keys;
  for (const TomlNode::Entry& entry : table.entries) keys.insert(entry.key);
  return keys;
}

/// Returns the names of the points of a body, or of the ground: the origin is always one.
std::set<std::string> points_of(const TomlNode* body) {
  const TomlNode::Entry* points = body ? body->find("points") : nullptr;
  std::set<std::string> names = points ? keys_in(points->value) : std::set<std::string>{};
  names.insert("O");
  return names;
}

class Prefixer {
 public:
  Prefixer(TomlNode& part, const std::string& prefix, const std::set<std::string>& given, const std::string& folder)
      : part_(part), prefix_(prefix), given_(given), folder_(folder) {
    for (const TomlNode::Entry& section : part.entries) {
      if (section.key == "ground") continue;
      names_.merge(keys_in(section.value));
    }
    if (const TomlNode::Entry* ground = part.find("ground")) ground_points_ = points_of(&ground->value);
    if (const TomlNode::Entry* bodies = part.find("bodies"))
      for (const TomlNode::Entry& body : bodies->value.entries) body_points_[body.key] = points_of(&body.value);
    ground_points_.erase("O");
  }

  void apply() {
    for (TomlNode::Entry& section : part_.entries) {
      if (section.key == "ground") {
        rename(section.value, "");
        if (TomlNode::Entry* points = section.value.find("points"))
          for (TomlNode::Entry& point : points->value.entries) point.key = prefix_ + point.key;
        continue;
      }
      for (TomlNode::Entry& entry : section.value.entries) {
        const bool is_given = section.key == "parameters" && given_.contains(entry.key);
        if (section.key == "joints") joint_ = bodies_of_joint(entry.value);
        hidden_ = arguments_of(entry.value);
        if (!is_given) rename(entry.value, "");
        joint_.clear();
        hidden_.clear();
        entry.key = prefix_ + entry.key;
      }
    }
  }

 private:
  /// Renames in a node. `key` is the key before it, or empty if that is a free name.
  void rename(TomlNode& node, const std::string& key) {
    if (is_one_of(key, plain_keys)) return;
    if (key == "mesh" && node.kind == TomlNode::Kind::text) return find_mesh(node);
    if (node.kind == TomlNode::Kind::text) node = renamed(node);
    if ((key == "first" || key == "second") && node.kind == TomlNode::Kind::table) return rename_surface(node);
    const bool direction = key == "axis" || key == "axes" || key == "normal";
    if (direction && rename_points(node)) return;
    for (TomlNode& item : node.items) rename(item, direction ? key : "");
    const bool free_keys = key == "points" || key == "local" || is_one_of(key, tables_by_name);
    for (TomlNode::Entry& entry : node.entries) {
      if (key == "angular_velocity" && entry.key == "frame") continue;  // It is "parent" or "child".
      rename(entry.value, free_keys ? "" : entry.key);
      if (is_one_of(key, tables_by_name)) entry.key = renamed(text_of_key(entry)).text;
    }
  }

  TomlNode renamed(const TomlNode& node) const {
    const std::string& text = node.text;
    RewrittenText result(node);
    for (std::size_t at = 0; at < text.size();) {
      if (!continues_name(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;  // a number with its exponent, too, is no name: "2e3"
      while (end < text.size() && (continues_name(text[end]) || text[end] == '.')) ++end;
      if (starts_name(text[at]))
        if (const std::optional<std::size_t> where = place_of_prefix(text.substr(at, end - at))) {
          result.keep_until(at + *where);
          result.insert(prefix_);
        }
      at = end;
    }
    return result.finish();
  }

  /// Returns the position of the prefix in a dotted name, or none if the part does not declare the name.
  std::optional<std::size_t> place_of_prefix(const std::string& name) const {
    const std::string first = first_word(name);
    const std::size_t after = first.size() + 1;
    const std::string second = name.size() > after ? first_word(name.substr(after)) : "";
    const bool of_list = first == "constraint" || first == "coupling";
    if (first == "ground" ? ground_points_.contains(second) : of_list && names_.contains(second)) return after;
    if (names_.contains(first) && !hidden_.contains(first)) return 0;
    return std::nullopt;
  }

  /// A direction may be two points of the joint's bodies; only those of the ground need the prefix.
  bool rename_points(TomlNode& node) const {
    if (node.items.size() != 2) return false;
    for (const std::string& body : joint_) {
      const auto known = body_points_.find(body);
      std::set<std::string> points = body == "ground" ? ground_points_ : std::set<std::string>{};
      if (known != body_points_.end()) points = known->second;
      points.insert("O");
      const auto is_point = [&](const TomlNode& item) { return points.contains(item.text); };
      if (!std::all_of(node.items.begin(), node.items.end(), is_point)) continue;
      for (TomlNode& item : node.items)
        if (body == "ground" && item.text != "O") item = with_prefix(item);
      return true;
    }
    return false;
  }

  /// Renames in a surface of a contact: it names points of its body, of which those of the ground need the prefix.
  void rename_surface(TomlNode& surface) {
    const TomlNode::Entry* body = surface.find("body");
    const bool of_ground = body && body->value.text == "ground";
    const auto rename_point = [&](TomlNode& node) {
      if (of_ground && ground_points_.contains(node.text)) node = with_prefix(node);
    };
    for (TomlNode::Entry& entry : surface.entries) {
      TomlNode& node = entry.value;
      const bool capsule = entry.key == "capsule", list = capsule || entry.key == "polygon";
      if (entry.key == "at" || entry.key == "point") rename_point(node);
      else if (!list) rename(node, entry.key);
      for (std::size_t i = 0; list && i < node.items.size(); ++i)
        if (capsule && i == 0) rename(node.items[i], "");
        else rename_point(node.items[i]);
    }
  }

  TomlNode with_prefix(const TomlNode& node) const {
    RewrittenText result(node);
    result.insert(prefix_);
    return result.finish();
  }

  void find_mesh(TomlNode& node) const {
    const std::filesystem::path path = std::filesystem::path(folder_) / node.text;
    RewrittenText result(node);
    result.insert(path.lexically_normal().generic_string());
    result.skip_until(node.text.size());
    node = result.finish();
  }

  static std::vector<std::string> bodies_of_joint(const TomlNode& joint) {
    std::vector<std::string> bodies;
    for (const char* key : {"parent", "child"})
      if (const TomlNode::Entry* body = joint.find(key)) bodies.push_back(first_word(body->value.text));
    return bodies;
  }

  static std::set<std::string> arguments_of(const TomlNode& function) {
    std::set<std::string> arguments;
    if (const TomlNode::Entry* of = function.find("of"))
      for (const TomlNode& item : of->value.items) arguments.insert(item.text);
    return arguments;
  }

  TomlNode& part_;
  const std::string& prefix_;
  const std::set<std::string>& given_;
  const std::string& folder_;
  std::set<std::string> names_, ground_points_;
  std::map<std::string, std::set<std::string>> body_points_;
  std::vector<std::string> joint_;  ///< bodies of the joint that is being renamed
  std::set<std::string> hidden_;    ///< arguments of the function that is being renamed
};

}  // namespace

void prefix_names(TomlNode& part, const std::string& prefix, const std::set<std::string>& given,
                  const std::string& folder) {
  Prefixer(part, prefix, given, folder).apply();
}

}  // namespace mechfmu
