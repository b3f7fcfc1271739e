// Tests that the documents tell every member of the families: it compares each list of the program with the table that
// documents it, and a failure shows the row to add.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "elements/contacts/surface_shape.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "elements/quantities.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/unit_names.hpp"
#include "modelDescription/reading/asked_outputs.hpp"

using namespace mechfmu;

namespace {

std::string text_of(const std::string& document) {
  std::ifstream file(std::string(MECHFMU_SOURCE_DIR) + "/" + document);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The words of a Markdown text that stand between backticks: `sin cos` and `min(a, b)` have "sin", "cos", "min", ….
std::set<std::string> words_of_code(const std::string& markdown) {
  std::set<std::string> words;
  std::string word;
  bool code = false;
  for (const char c : markdown + " ") {
    if (code && (std::isalnum(static_cast<unsigned char>(c)) || c == '_')) {
      word += c;
      continue;
    }
    if (!word.empty()) words.insert(word);
    word.clear();
    if (c == '`') code = !code;
  }
  return words;
}

/// Is a table of a document, found by the line that heads it.
struct Table {
  Table(const std::string& document, const std::string& heading) : document(document), heading(heading) {
    std::istringstream text(text_of(document));
    std::string line;
    while (std::getline(text, line) && line != heading) {}
    INFO(document << " has a table headed " << heading);
    REQUIRE(std::getline(text, line));  // |---|
    while (std::getline(text, line) && line.rfind("|", 0) == 0) rows.push_back(line);
    REQUIRE(!rows.empty());
  }

  /// The words of all rows whose first cell tells this member.
  std::set<std::string> words_about(const std::string& member) const {
    std::string about;
    for (const std::string& row : rows) {
      if (words_of_code(row.substr(0, row.find('|', 1))).count(member) > 0) about += row;
    }
    return words_of_code(about);
  }

  /// There is a row for the member, and it tells all of these.
  void tells(const std::string& family, const std::string& member, const std::vector<std::string>& told) const {
    const std::set<std::string> words = words_about(member);
    INFO(document << ": the table \"" << heading << "\" has no row that begins with the " << family << " `" << member
                  << "`; add one");
    CHECK(!words.empty());
    if (words.empty()) return;
    for (const std::string& word : told) {
      INFO(document << ": the row of the " << family << " `" << member << "` in the table \"" << heading
                    << "\" does not tell `" << word << "`; add it there");
      CHECK(words.count(word) == 1);
    }
  }

  std::string document, heading;
  std::vector<std::string> rows;
};

const char* const mechanism_file = "docs/mechanism-file.md";

}  // namespace

TEST_CASE("every joint is documented with its keys and coordinates", "[documents]") {
  for (const bool spatial : {false, true}) {
    const Table table(mechanism_file,
                      spatial ? "| in space | keys | coordinates |" : "| in the plane | keys | coordinates |");
    for (const JointType& type : joint_types()) {
      const JointForm* form = spatial ? type.spatial : type.planar;
      if (form == nullptr) continue;
      std::vector<std::string> told = form->all_keys();
      for (const CoordinateFacts& coordinate : form->coordinates) told.push_back(coordinate.name);
      if (form->orientation) told.insert(told.end(), {"orientation", "angular_velocity"});
      table.tells("joint", type.name, told);
    }
  }
}

TEST_CASE("every force is documented with its keys", "[documents]") {
  const Table table(mechanism_file, "| type | keys | variables, besides `power` |");
  for (const ForceType& type : force_types()) {
    std::vector<std::string> told;
    if (type.has_value) told.push_back("value");
    switch (type.acts) {
      case Acts::at_point: told.push_back("at"); break;
      case Acts::on_body: told.push_back("on"); break;
      case Acts::along_line: told.insert(told.end(), {"from", "to", "length"}); break;
      case Acts::on_coordinate: told.push_back("coordinate"); break;
    }
    for (const NumberKey& key : type.numbers) told.push_back(key.name);
    if (type.normal_force) told.push_back("normal_force");
    table.tells("force", type.name, told);
  }
}

TEST_CASE("every coupling is documented with its keys", "[documents]") {
  const Table table(mechanism_file, "| type | keys | holds |");
  for (const CouplingType& type : coupling_types()) {
    std::vector<std::string> told = type.couples == CouplingType::sum ? std::vector<std::string>{"sum"}
                                                                      : std::vector<std::string>{"first", "second"};
    for (const NumberKey& key : type.numbers) told.push_back(key.name);
    table.tells("coupling", type.name, told);
  }
}

TEST_CASE("every shape of a surface is documented with what it touches", "[documents]") {
  const Table table(mechanism_file, "| shape | in | | touches |");
  for (const SurfaceShape& shape : surface_shapes()) {
    std::vector<std::string> told;
    for (const bool spatial : {false, true})
      if (shape.is_in(spatial))
        for (const std::string& other : shapes_touching(shape, spatial)) told.push_back(other);
    table.tells("shape", shape.name, told);
    for (const std::string& row : table.rows) {
      if (words_of_code(row.substr(0, row.find('|', 1))).count(shape.name) == 0) continue;
      const std::set<std::string> touched = words_of_code(row.substr(row.rfind('|', row.size() - 2)));
      for (const std::string& other : touched) {
        INFO("the row of the shape " << shape.name << " tells " << other << ", for which there is no pair");
        CHECK(std::find(told.begin(), told.end(), other) != told.end());
      }
      const std::size_t begin = row.find('|', 1) + 2;
      CHECK(row.substr(begin, row.find(' ', begin) - begin) ==
            (shape.in_plane && shape.in_space ? "both"
             : shape.in_plane                 ? "plane"
                                              : "space"));
    }
  }
}

TEST_CASE("every quantity that an output may ask for is documented, and every one that a sensor measures",
          "[documents]") {
  const std::string page = text_of(mechanism_file);
  const auto paragraph = [&](const std::string& beginning) {
    const std::size_t begin = page.find("\n" + beginning);
    INFO(mechanism_file << " has a paragraph that begins with \"" << beginning << "\"");
    REQUIRE(begin != std::string::npos);
    return page.substr(begin, page.find("\n\n", begin + 1) - begin);
  };
  const auto check = [&](const std::string& beginning, const std::string& member) {
    INFO(mechanism_file << ": the paragraph \"" << beginning << " …\" does not tell `" << member << "`; add it there");
    CHECK(words_of_code(paragraph(beginning)).count(member) == 1);
  };
  for (const AskedOutput& asked : asked_outputs()) check("Besides `value`, an output", asked.key);
  for (const bool spatial : {false, true}) {
    Description description;
    description.spatial = spatial;
    description.bodies.resize(1);
    description.sensors.resize(1);
    description.sensors[0].name = "S";
    for (const Quantity& quantity : quantities(description)) {
      if (!quantity.name.starts_with("S.")) continue;
      const std::string measured = quantity.name.substr(2);
      check("A sensor constrains nothing", measured.substr(0, measured.find('.')));
    }
  }
}

TEST_CASE("every function of formulas is documented", "[documents]") {
  const Table table(mechanism_file, "| function | meaning |");
  for (const LanguageFunction& function : language_functions()) table.tells("function", function.name, {});
}

TEST_CASE("every unit is documented", "[documents]") {
  const Table table(mechanism_file, "| kind | names |");
  std::string names;
  for (const std::string& row : table.rows) names += row.substr(row.find('|', 1));
  const std::set<std::string> documented = words_of_code(names);
  for (const std::string& unit : unit_names()) {
    INFO(mechanism_file << ": the table of units does not tell `" << unit << "`; add it there");
    CHECK(documented.count(unit) == 1);
  }
}

TEST_CASE("the solver's choices are documented", "[documents]") {
  struct Family {
    const char* key;
    const MemberNames& names;
    const char* explained;  ///< a document that says what each member does
  };
  const Family families[] = {{"method", integration_methods, "docs/method.md"},
                             {"tangent_basis", tangent_bases, "docs/method.md"},
                             {"drift_correction", drift_corrections, "docs/method.md"}};
  const Table keys(mechanism_file, "| key | default | |"), items("docs/fmi.md", "| variable | items |");
  const std::string fmi = text_of("docs/fmi.md"), page = text_of(mechanism_file);
  for (const Family& family : families) {
    // The mechanism file's key: its row is that of [solver], whose table has the same head as others.
    const std::size_t row = page.find(std::string("| `") + family.key + "` | ");
    REQUIRE(row != std::string::npos);
    const std::string key_row = page.substr(row, page.find('\n', row) - row);
    const std::set<std::string> explained = words_of_code(text_of(family.explained));
    // Numbers in the order of the list, as the FMU counts them.
    std::string counted = std::string("| `solver.") + family.key + "` | ";
    for (std::size_t i = 0; i < family.names.size(); ++i) {
      const char* name = family.names[i];
      counted += (i > 0 ? ", " : "") + std::to_string(i + 1) + " `" + name + "`";
      INFO(mechanism_file << ": the row of the key `" << family.key << "` in [solver] does not tell `\"" << name
                          << "\"`; add it there");
      CHECK(key_row.find(std::string("`\"") + name + "\"`") != std::string::npos);
      INFO(family.explained << " does not say what the " << family.key << " `" << name << "` does; explain it there");
      CHECK(explained.count(name) == 1);
    }
    INFO("docs/fmi.md: the table \"" << items.heading << "\" of the solver's choices should have the row\n"
                                     << counted << " |");
    CHECK(fmi.find(counted + " |\n") != std::string::npos);
  }
}
