// Finds names that depend on themselves.
#include <algorithm>
#include <map>
#include <set>

#include "modelDescription/formulas/expression.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

/// Searches in depth through the names of each formula; a name that it meets again on its own path closes a cycle.
class CycleSearch {
 public:
  explicit CycleSearch(Reading& reading) : reading_(reading) {}

  void visit(const std::string& name) {
    Name* entry = reading_.names.find(name);
    if (!entry || done_.count(name)) return;
    const auto on_path = std::find(path_.begin(), path_.end(), name);
    if (on_path != path_.end()) {
      report({on_path, path_.end()});
      return;
    }
    const Expression* formula = formula_of(*entry);
    if (!formula) return;
    path_.push_back(name);
    for (const Expression* used : names_used(*formula)) visit(used->name);
    path_.pop_back();
    done_.insert(name);
  }

 private:
  const Expression* formula_of(const Name& entry) const {
    const Description& description = reading_.description;
    switch (entry.kind) {
      case NameKind::parameter: return &description.parameters[entry.index].value.expression;
      case NameKind::definition: return &description.definitions[entry.index].value;
      case NameKind::output: return &description.outputs[entry.index].value;
      case NameKind::function: {
        const Function& function = description.functions[entry.index];
        return function.formula ? &*function.formula : nullptr;
      }
      default: return nullptr;
    }
  }

  void report(std::vector<std::string> cycle) {
    for (const std::string& name : cycle)
      if (reading_.names.find(name)->broken) return;  // One cycle through a name is enough to report.
    // The message begins with the first name in the file, in whatever order the names were met.
    const auto earlier = [&](const std::string& a, const std::string& b) {
      const Place& p = reading_.names.find(a)->place;
      const Place& q = reading_.names.find(b)->place;
      return std::pair(p.line, p.column) < std::pair(q.line, q.column);
    };
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), earlier), cycle.end());
    std::string text;
    for (const std::string& name : cycle) {
      reading_.names.find(name)->broken = true;
      text += name + " → ";
    }
    reading_.diagnostics.add(reading_.names.find(cycle.front())->place,
                             in_quotes(cycle.front()) + " depends on itself: " + text + cycle.front(),
                             "give one of them a value without the others");
  }

  Reading& reading_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

}  // namespace

void check_cycles(Reading& reading) {
  CycleSearch search(reading);
  for (const auto& [name, entry] : reading.names.all()) search.visit(name);
}

}  // namespace mechfmu
