// Tests which variables' names are those of vectors' components, and which vectors become arrays.
#include <catch2/catch.hpp>

#include "modelDescription/variables/variables.hpp"
#include "modelDescription/variables/vectors.hpp"

using namespace mechfmu;

TEST_CASE("components are known by their names") {
  struct Case {
    const char *name, *vector;
    char letter;
  };
  for (const Case& c :
       {Case{"A.reaction.force.x", "A.reaction.force", 'x'}, Case{"tip.z", "tip", 'z'}, Case{"der(S.y)", "der(S)", 'y'},
        Case{"der(S.y,2)", "der(S,2)", 'y'}, Case{"B.orientation.w", "B.orientation", 'w'}, Case{"x", "", '\0'},
        Case{"der(x)", "", '\0'}, Case{"A.x_start", "", '\0'}, Case{"A.v", "", '\0'}, Case{"A.angle", "", '\0'},
        Case{"power", "", '\0'}}) {
    CHECK(component_of(c.name).vector == c.vector);
    CHECK(component_of(c.name).letter == c.letter);
  }
}

TEST_CASE("vectors of one kind and unit become arrays, all others stay scalars") {
  ModelVariables variables;
  const auto add = [&](const char* name, Source source = Source::output, Role role = Role::output,
                       const char* unit = "m") {
    ModelVariable variable;
    variable.name = name;
    variable.source = source;
    variable.role = role;
    variable.unit.text = unit;
    variables.all.push_back(variable);
  };
  for (const char* name : {"a.x", "a.y", "a.z", "b.x", "b.y", "c.w", "c.x", "c.y", "c.z"}) add(name);
  for (const char* name : {"d.y", "e.x", "e.z", "f"}) add(name);
  add("f.x"), add("f.y");  // the array's name is taken
  add("g.x"), add("g.y", Source::output, Role::local);
  add("h.x"), add("h.y", Source::output, Role::output, "mm");
  add("i.x", Source::position), add("i.y", Source::position);
  variables.group_vectors();
  std::string components;
  for (const ModelVariable& variable : variables.all) components += static_cast<char>('0' + variable.components);
  CHECK(components ==
        "300"
        "20"
        "4000"
        "1"
        "11"
        "1"
        "11"
        "11"
        "11"
        "11");
}
