// Is the one table of an FMU's variables. It makes modelDescription.xml in both versions, the table that the FMU itself
// reads at run time, the documentation page and the listing of `--explain`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmu_src/fmi/variable_table.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/description/shown.hpp"

namespace mechfmu {

/// Says which variables known to an importer a value depends on: indices of inputs and parameters, ascending.
/// Parameters count as in Sizes::parameters; a calculated one is replaced by those that it is calculated from.
struct Known {
  bool time = false;
  std::vector<int> inputs, parameters;
  std::vector<int> positions = {}, velocities = {};  ///< are states, in model exchange
  /// is true if the list would be too long: the value then counts as dependent on all of them
  bool everything = false;
  static constexpr std::size_t most_listed = 1000;
};

/// Holds these dependencies for all computed values, one for each entry of the lists of VariableFacts.
struct Dependence {
  std::vector<Known> positions, position_rates, velocities, accelerations, multipliers, outputs;
};

/// Holds all facts about the variables that the equations and their derivation give. It contains no symbolic
/// mathematics.
struct VariableFacts {
  struct Constraint {
    std::string name, description;
    Level level = Level::position;
  };
  struct Output : Shown {
    int group = 0, index = 0;
  };
  int degrees_of_freedom = 0;
  int tangent_velocities = 0;        ///< more than these, if velocity constraints are not linear
  std::vector<std::string> filters;  ///< name driven coordinates whose filters are among the degrees of freedom
  std::string remark;                ///< tells what users should know about the results; may be empty
  std::vector<Shown> positions, velocities, accelerations, multipliers;
  std::vector<Shown> state_rates;       ///< rates of the last positions, which are states of the file
  std::vector<Constraint> constraints;  ///< are in the order of the multipliers
  /// Are values of contacts, or of their rows: that of `plus` less that of `minus`, if they are not -1.
  struct Changing : Shown {
    int plus = -1, minus = -1;
  };
  std::vector<Changing> contact_states, impulses, indicators;
  bool has_events = false;      ///< contacts or conditions in formulas change at instants
  std::vector<Output> outputs;  ///< are in the order of the table
  std::vector<ShownParameter> parameters;
  std::vector<double> parameter_values;  ///< SI
  /// has one entry for each parameter; it is empty for those that are not calculated
  std::vector<Known> calculated;
  Dependence in_step;   ///< In it coordinates and velocities are states.
  Dependence at_start;  ///< goes through the assembly
  /// Holds the start as assembled from the parameters' values, SI. It is empty if nothing was assembled.
  std::vector<double> assembled_positions = {}, assembled_velocities = {};

  /// Is true if all coordinates and velocities are variables of the FMU, so that they can be the states of model
  /// exchange.
  bool states_are_shown() const;
  /// Returns "2 degrees of freedom", and says which of them belong to filters: "(one is that of the filter of
  /// A.angle)".
  std::string degrees_of_freedom_text() const;
};

/// Is one variable of the FMU.
struct ModelVariable {
  std::string name, description;
  Source source = Source::time;
  Role role = Role::local;
  int index = 0, group = 0;
  Unit unit;
  double start = 0;  ///< is in `unit`; it is shown if the role has a start. For a choice it is the item's number.
  std::string type;  ///< name of the enumeration for a choice, else empty
  std::optional<double> minimum, maximum, nominal;  ///< have the unit `unit`
  int derivative_of = 0;                            ///< value reference; 0 if it is no derivative
  /// Counts the components of an array of FMI 3: the first component of a vector has their number, the others have 0. A
  /// scalar has 1.
  int components = 1;
  bool tunable = false;  ///< is true for a parameter that may change while stepping, or is calculated from such a one
  Known in_step, at_start;
  bool is_state = false;  ///< is true for a continuous state of model exchange
  int guess_of = 0;       ///< value reference of the state whose start it guesses; 0 if there is none

  bool is_choice() const { return source == Source::solver_choice; }
  const char* causality() const;
  bool changes_at_events_only() const;
  const char* variability() const;
  const char* initial() const;  ///< is nullptr if the XML has none
  bool has_start() const;
  /// Is true if importers may get or set it in an intermediate update: if it is continuous, but not the time.
  bool between_communication_points() const;
  /// Returns the start for readers: for a choice the item's name.
  std::string start_text() const;
};

/// Holds all variables, in the order of their value references, 1, 2, …
struct ModelVariables {
  std::string model, description;
  std::vector<ModelVariable> all;
  std::vector<Unit> units;  ///< has every used unit once
  double stop_time = 0, communication_step = 0, tolerance = 0;
  std::vector<int> input_references, parameter_references;  ///< value references, by index; 0 for a hidden one
  /// They are value references, by index; empty without model exchange.
  std::vector<int> position_references, velocity_references;

  const ModelVariable& of_reference(int reference) const { return all[static_cast<std::size_t>(reference) - 1]; }

  /// Returns the value references of the knowns of an output or of an unknown at the start, ascending.
  std::vector<int> references(const Known& known) const;
  /// Makes arrays of vectors, for FMI 3. It groups computed values with components x, y, z (or x, y, or w, x, y, z),
  /// except coordinates and their rates, which users drive and connect one by one. An array has the reference of its
  /// first component.
  void group_vectors();
  /// Returns value references of the variables' time derivatives; 0 if there is none. An acceleration is the derivative
  /// of the state beside a rate, as the XML says, and of the rate itself: in co-simulation the two are equal.
  std::vector<int> derivatives() const;
  /// Is true if the FMU also serves model exchange.
  bool model_exchange() const { return !position_references.empty(); }
  /// Returns value references of the continuous states' derivatives, in the order of the states; empty without model
  /// exchange.
  std::vector<int> state_derivatives() const;
  /// Is true if a step may end before it was to, where a contact changes.
  bool ends_at_events() const;
  /// Returns value references of event indicators; empty without model exchange.
  std::vector<int> event_indicators() const;
  /// Returns the outputs in order.
  std::vector<int> outputs() const;
  /// Returns FMI's initial unknowns: outputs, calculated parameters, states and their derivatives, in order.
  std::vector<int> initial_unknowns() const;
};

/// Returns the table of a mechanism's variables. It takes only names, inputs and solver options from the description.
ModelVariables list_variables(const Description& description, const VariableFacts& facts);

/// Returns a name for this content, which changes if anything in it changes: FMI 2 guid and FMI 3 instantiationToken.
/// `program` stands for all else that decides what the FMU computes: the generated equations and the exporter's
/// version.
std::string content_token(const ModelVariables& variables, const std::string& program);

/// Returns a number as text that gives this number when it is read.
std::string to_text(double number);

}  // namespace mechfmu
