// The one namespace of a mechanism file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

/// What is known of a formula's dimension.
struct Measure {
  enum class Kind {
    unknown,  ///< after an error: nothing more is said about it
    number,   ///< a bare number: fits any dimension
    scaled,  ///< a quantity times a bare number, which carries what dimension is missing: `dimension` if none is wanted
    quantity,  ///< has `dimension`
  };
  Kind kind = Kind::unknown;
  Dimension dimension;

  static Measure number() { return {Kind::number, {}}; }
  static Measure quantity(const Dimension& dimension) { return {Kind::quantity, dimension}; }
  /// The dimension of the unit; unknown if the unit could not be read.
  static Measure of(const std::optional<Unit>& unit) { return unit ? quantity(unit->dimension) : Measure{}; }
  static Measure scaled(const Dimension& dimension) { return {Kind::scaled, dimension}; }
  bool is_quantity() const { return kind == Kind::quantity; }
  /// A dimension of its own, be it wanted or not.
  bool has_dimension() const { return kind == Kind::quantity || kind == Kind::scaled; }
  /// The same kind with another dimension; a bare number stays one.
  Measure with(const Dimension& other) const { return has_dimension() ? Measure{kind, other} : *this; }
};

enum class NameKind {
  parameter,
  input,
  coordinate,
  unknown,
  definition,
  function,
  body,
  joint,
  force,
  coupling,
  constraint,
  sensor,
  output,
};

/// "a parameter", "an input", …
const char* kind_text(NameKind kind);

/// A declared name.
struct Name {
  NameKind kind;
  std::size_t index;  ///< in the description's list of that kind
  Place place;
  std::optional<Measure> measure;  ///< declared; none: to be found from its formula
  bool broken = false;             ///< part of a cycle or faulty: its measure is unknown
};

/// All declared names; says what is wrong with one.
class Names {
 public:
  explicit Names(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Enters a name; errors if it is no identifier, reserved or taken.
  void declare(const std::string& name, Name entry);
  Name* find(const std::string& name);
  const std::map<std::string, Name>& all() const { return names_; }
  /// Errors where a declared name is also one of the variables made for a coordinate.
  void check_generated_names();
  /// Names of the kinds given, for suggestions.
  std::vector<std::string> of_kinds(std::initializer_list<NameKind> kinds) const;

 private:
  Diagnostics& diagnostics_;
  std::map<std::string, Name> names_;
};

/// Errors if a text is not a C identifier.
bool check_identifier(const std::string& name, const Place& place, Diagnostics& diagnostics);

}  // namespace mechfmu
