// Is the one namespace of a mechanism file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

/// Says what is known of a formula's dimension.
struct Measure {
  enum class Kind {
    unknown,  ///< there was an error: messages say nothing more about it
    number,   ///< is a bare number: it fits any dimension
    scaled,   ///< is a quantity times a bare number, which carries the missing dimension: `dimension` if none is wanted
    quantity,  ///< has `dimension`
  };
  Kind kind = Kind::unknown;
  Dimension dimension;

  static Measure number() { return {Kind::number, {}}; }
  static Measure quantity(const Dimension& dimension) { return {Kind::quantity, dimension}; }
  /// Returns the dimension of the unit; unknown if the unit could not be read.
  static Measure of(const std::optional<Unit>& unit) { return unit ? quantity(unit->dimension) : Measure{}; }
  static Measure scaled(const Dimension& dimension) { return {Kind::scaled, dimension}; }
  bool is_quantity() const { return kind == Kind::quantity; }
  /// Is true if it has a dimension of its own, wanted or not.
  bool has_dimension() const { return kind == Kind::quantity || kind == Kind::scaled; }
  /// Returns this kind with another dimension; a bare number stays one.
  Measure with(const Dimension& other) const { return has_dimension() ? Measure{kind, other} : *this; }
};

enum class NameKind {
  parameter,
  input,
  coordinate,
  velocity,
  state,
  unknown,
  definition,
  function,
  body,
  joint,
  force,
  coupling,
  constraint,
  contact,
  sensor,
  output,
};

/// Returns "a parameter", "an input", …
const char* kind_text(NameKind kind);

/// Is a declared name.
struct Name {
  NameKind kind;
  std::size_t index;  ///< index in the description's list of that kind
  Place place;
  std::optional<Measure> measure;  ///< declared measure; none if the formula gives it
  bool broken = false;             ///< is true in a cycle or if it is faulty: its measure is unknown
};

/// Holds all declared names, and reports errors of a name.
class Names {
 public:
  explicit Names(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Enters a name. It is an error if it is no identifier, reserved or taken.
  void declare(const std::string& name, Name entry);
  Name* find(const std::string& name);
  const std::map<std::string, Name>& all() const { return names_; }
  /// Adds an error if a declared name is also one of the variables made for a coordinate.
  void check_generated_names();
  /// Returns the names of the kinds given, for suggestions.
  std::vector<std::string> of_kinds(std::initializer_list<NameKind> kinds) const;

 private:
  Diagnostics& diagnostics_;
  std::map<std::string, Name> names_;
};

/// Returns false, with an error, if a text is not a C identifier.
bool check_identifier(const std::string& name, const Place& place, Diagnostics& diagnostics);

}  // namespace mechfmu
