// The one table of an FMU's variables. From it come modelDescription.xml in both versions, the table that the FMU
// itself reads at run time, the documentation page and the listing of `--explain`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fmu_src/fmi/variable_table.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/description/shown.hpp"

namespace mechfmu {

/// What a value depends on, as far as an importer knows it: indices of inputs and parameters, ascending. Parameters
/// are counted as in Sizes::parameters, calculated ones replaced by what they are calculated from.
struct Known {
  bool time = false;
  std::vector<int> inputs, parameters;
  std::vector<int> positions = {}, velocities = {};  ///< as states, in model exchange
  bool everything = false;  ///< on too much to be listed: it is taken to depend on all there is
  static constexpr std::size_t most_listed = 1000;
};

/// The same for everything that is computed, one for each of VariableFacts' lists.
struct Dependence {
  std::vector<Known> positions, position_rates, velocities, accelerations, multipliers, outputs;
};

/// What the equations say of the variables and what deriving them found out; no symbolic mathematics is left in it.
struct VariableFacts {
  struct Constraint {
    std::string name, description;
    Level level = Level::position;
  };
  struct Output : Shown {
    int group = 0, index = 0;
  };
  int degrees_of_freedom = 0;
  std::vector<std::string> filters;  ///< driven coordinates whose filters are among them
  std::string remark;                ///< what to know about the results, or empty
  std::vector<Shown> positions, velocities, accelerations, multipliers;
  std::vector<Constraint> constraints;  ///< in the order of the multipliers
  std::vector<Output> outputs;          ///< in the order of the table
  std::vector<ShownParameter> parameters;
  std::vector<double> parameter_values;  ///< SI
  std::vector<Known> calculated;         ///< one for each parameter; empty for those that are not calculated
  Dependence in_step;                    ///< coordinates and velocities are states then
  Dependence at_start;                   ///< through the assembly
  /// As assembled from the parameters' values, SI. Empty: nothing was assembled.
  std::vector<double> assembled_positions = {}, assembled_velocities = {};

  /// Whether all coordinates and velocities are variables of the FMU, so that they can be the states of model exchange.
  bool states_are_shown() const;
  /// "2 degrees of freedom", and which of them are no mechanism's: "(one is that of the filter of A.angle)".
  std::string degrees_of_freedom_text() const;
};

/// One variable of the FMU.
struct ModelVariable {
  std::string name, description;
  Source source = Source::time;
  Role role = Role::local;
  int index = 0, group = 0;
  Unit unit;
  double start = 0;  ///< in `unit`; shown where the role asks for one. Of a choice: its item's number
  std::string type;  ///< of a choice: the name of its enumeration, else empty
  std::optional<double> minimum, maximum, nominal;  ///< in `unit`
  int derivative_of = 0;                            ///< value reference, 0: of none
  /// Of FMI 3's arrays: at a vector's first component how many there are, at its others 0; 1 is a scalar.
  int components = 1;
  bool tunable = false;  ///< a parameter that may change while stepping, or is calculated from one
  Known in_step, at_start;
  bool is_state = false;  ///< continuous state of model exchange
  int guess_of = 0;       ///< of a start that is a guess: value reference of the state that has it, 0: of none

  bool is_choice() const { return source == Source::solver_choice; }
  const char* causality() const;
  const char* variability() const;
  const char* initial() const;  ///< nullptr: none is written
  bool has_start() const;
  /// Whether it can be asked for or set in an intermediate update: what is continuous, but for the time.
  bool between_communication_points() const;
  /// For people: of a choice its item's name.
  std::string start_text() const;
};

/// All of them, in the order of their value references, 1, 2, …
struct ModelVariables {
  std::string model, description;
  std::vector<ModelVariable> all;
  std::vector<Unit> units;  ///< every unit used, once
  double stop_time = 0, communication_step = 0, tolerance = 0;
  std::vector<int> input_references, parameter_references;    ///< value references, by index; 0: a hidden one
  std::vector<int> position_references, velocity_references;  ///< the same; empty: there is no model exchange

  const ModelVariable& of_reference(int reference) const { return all[static_cast<std::size_t>(reference) - 1]; }

  /// Value references of the knowns of an output or of an unknown at the start, ascending.
  std::vector<int> references(const Known& known) const;
  /// Makes arrays of vectors, for FMI 3: of what is computed and has components x, y, z (or x, y, or w, x, y, z), all
  /// but coordinates and their rates, which are driven and connected one by one. An array has its first component's
  /// reference.
  void group_vectors();
  /// Value references of the variables' time derivatives; 0: there is none. An acceleration is that of the state beside
  /// a rate, as the XML says, and of the rate itself: in co-simulation both are the same.
  std::vector<int> derivatives() const;
  /// Whether the FMU is one for model exchange too.
  bool model_exchange() const { return !position_references.empty(); }
  /// Value references of the continuous states' derivatives, in the order of the states; empty without model exchange.
  std::vector<int> state_derivatives() const;
  /// Outputs, in order.
  std::vector<int> outputs() const;
  /// What FMI calls initial unknowns: outputs, calculated parameters, states and their derivatives, in order.
  std::vector<int> initial_unknowns() const;
};

/// The table of a mechanism's variables: of the description only its names, inputs and options of the solver.
ModelVariables list_variables(const Description& description, const VariableFacts& facts);

/// A name for this content that changes whenever anything in it changes: FMI 2 guid and FMI 3 instantiationToken.
/// `program` is whatever else decides what the FMU computes: the generated equations, the exporter's version.
std::string content_token(const ModelVariables& variables, const std::string& program);

/// A number as text, exact when read again.
std::string to_text(double number);

}  // namespace mechfmu
