// Finds vectors among the variables, for the arrays of FMI 3.
#include "vectors.hpp"

#include <algorithm>

#include "variables.hpp"

namespace mechfmu {

Component component_of(const std::string& name) {
  const std::size_t end = name.rfind("der(", 0) == 0 ? name.find_first_of(",)") : name.size();
  if (end < 3 || end > name.size() || name[end - 2] != '.') return {};
  const char letter = name[end - 1];
  if (letter < 'w' || letter > 'z') return {};
  return {name.substr(0, end - 2) + name.substr(end), letter};
}

std::string array_name(const ModelVariable& first) {
  return first.components > 1 ? component_of(first.name).vector : first.name;
}

std::string array_description(const ModelVariable& first) {
  const std::string& text = first.description;
  const bool array = first.components > 1 && text.size() > 1;
  if (!array || text[0] != component_of(first.name).letter || text[1] != ' ') return text;
  const char* letters = first.components == 4 ? "w, x, y, z" : first.components == 3 ? "x, y, z" : "x, y";
  return letters + text.substr(1);
}

void ModelVariables::group_vectors() {
  const auto named = [this](const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const ModelVariable& variable) { return variable.name == name; });
  };
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (all[first].source != Source::output && all[first].source != Source::impulse) continue;
    const std::string vector = component_of(all[first].name).vector;
    std::string letters;
    for (std::size_t i = first; i < all.size(); ++i) {
      const Component component = component_of(all[i].name);
      if (component.vector != vector || all[i].source != all[first].source || all[i].role != all[first].role ||
          all[i].unit.text != all[first].unit.text)
        break;
      letters += component.letter;
    }
    if (letters != "xy" && letters != "xyz" && letters != "wxyz") continue;
    if (named(vector)) continue;
    for (std::size_t i = first; i < first + letters.size(); ++i) all[i].components = 0;
    all[first].components = static_cast<int>(letters.size());
    first += letters.size() - 1;
  }
}

}  // namespace mechfmu
