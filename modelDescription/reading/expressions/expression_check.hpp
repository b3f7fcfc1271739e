// Checks formulas: which names they may contain, and whether dimensions agree.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "elements/quantities.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/reading/names.hpp"

namespace mechfmu {

/// Says what a formula may contain at its place in the file.
struct Usage {
  std::string what;  ///< name of the formula in messages: "the position constraint 'guide'"
  bool parameters = true;
  bool time = false, inputs = false, coordinates = false;
  int derivatives = 0;       ///< how many times der() is allowed
  bool results = false;      ///< allows outputs, multipliers, energies
  bool multipliers = false;  ///< allows only multipliers among the results
  bool unknowns = false;
  bool states = false, state_rates = false;  ///< allow states, and their first derivatives where der() is allowed
  bool velocities = false;                   ///< allows velocities of the file though der() is not
  std::string why_no_input = "", instead_of_input = "";      ///< say more in messages than that inputs are excluded
  std::string why_no_unknown = "", instead_of_unknown = "";  ///< say more in messages than that unknowns are excluded
  std::string why_no_state = "", instead_of_state = "";      ///< say more in messages than that states are excluded
  std::string why_no_coordinate = "",
              instead_of_coordinate = "";  ///< say more in messages than that coordinates are excluded
};

// These are the usages of the language; each rule has one place.
Usage parameter_usage(std::string what);
Usage definition_usage(std::string what);
Usage kinetic_usage();
Usage mass_usage(std::string what);
Usage potential_usage();
Usage force_usage(std::string what);
Usage constraint_usage(Level level, std::string what);
Usage local_constraint_usage(std::string what);
Usage gap_usage(std::string what);
Usage slip_usage(std::string what);
Usage contact_force_usage(std::string what);
Usage rate_usage(std::string what);
Usage state_rate_usage(std::string what);
Usage prescribed_motion_usage(std::string what);
Usage output_usage(std::string what);
Usage unknown_usage(std::string what);

/// Returns a usage's limit in words: " may use one derivative at most", " must not use der(…)".
std::string derivatives_text(const Usage& usage);

/// Returns what to do if two measures disagree.
std::string dimension_repair(const Measure& a, const Measure& b);

/// Says what a formula depends on, also through definitions.
struct Content {
  bool time = false;
  int order = -1;                                 ///< highest derivative of a coordinate; -1 without coordinates
  int state_order = -1;                           ///< highest derivative of a state; -1 without states
  std::string input, coordinate, unknown, state;  ///< one name of each kind that it depends on, or empty
  std::set<std::string> parameters;
};

/// Checks formulas of one description. Every name is declared and cycles are marked broken before.
class Checker {
 public:
  Checker(const Description& description, Names& names, Diagnostics& diagnostics);

  /// Checks a formula and finds its measure.
  Measure check(const Expression& expression, const Usage& usage) { return measure(expression, usage, 0); }

  /// Checks a formula that has names of its own beside those of the file.
  Measure check(const Expression& expression, const Usage& usage, const std::map<std::string, Measure>& own);

  /// Checks a formula that must have a dimension. An unknown `wanted` accepts any.
  void expect(const Expression& expression, const Usage& usage, const Measure& wanted);

  /// Checks a function's formula for any dimensions of its arguments.
  void check_function(const Function& function);

  /// Returns what a formula depends on.
  Content content(const Expression& expression);

  /// Returns the measure of a declared name; it checks formulas of definitions and outputs when they are first needed.
  Measure measure_of(const std::string& name, Name& entry);

  /// Sets the measure of `constraint.<name>.multiplier`, `coupling.<name>.multiplier` or of a local reaction.
  void set_reaction(const std::string& variable, const Measure& measure) { variables_.at(variable).measure = measure; }

  /// Sets the measures of a contact's gap, slips and forces; unknown if that of its gap is.
  void set_contact(const std::string& contact, const Measure& gap);

 private:
  Measure measure(const Expression& expression, const Usage& usage, int order);
  Measure symbol(const Expression& expression, const Usage& usage, int order);
  Measure named(const Expression& expression, Name& entry, const Usage& usage, int order);
  /// Checks a state, or a definition with the state at this derivative: `through` says that. Returns false after an
  /// error.
  bool check_state(const Expression& expression, const std::string& state, const std::string& through,
                   const Usage& usage, int order);
  Measure variable(const Expression& expression, const Usage& usage, int order);
  Measure unknown_variable(const Expression& expression);
  Measure operation(const Expression& expression, const Usage& usage, int order);
  Measure power_of(const Expression& expression, const Measure& base, const Measure& exponent);
  Measure derivative(const Expression& expression, const Usage& usage, int order);
  Measure language_call(const Expression& expression, const LanguageFunction& function, const Usage& usage, int order);
  Measure user_call(const Expression& expression, const Usage& usage, int order);
  Measure alike(const Expression& expression, const Measure& first, const Measure& second, const std::string& verb);
  bool pure(const Expression& argument, const Measure& measure, const std::string& function);
  void check_definition_fits(const Expression& expression, const Definition& definition, const Usage& usage, int order);
  void add_content(const Expression& expression, int order, Content& content);
  Measure fail(const Expression& expression, std::string problem, std::string repair);
  std::string suggestion_for(const Expression& expression) const;

  const Description& description_;
  Names& names_;
  Diagnostics& all_;
  Diagnostics* diagnostics_;  ///< receives errors; while a function's formula is tried, it is another one
  const std::map<std::string, Measure>* arguments_ = nullptr;  ///< arguments of the function that is being checked
  /// Is a dotted name.
  struct Variable {
    Quantity::Kind kind;
    Measure measure;
  };
  std::map<std::string, Variable> variables_;
};

}  // namespace mechfmu
