// Leads a mechanism from its file to all that an export needs: it reads, assembles, derives, finds a consistent start,
// and lists the variables. It needs no compiler.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "derivation/derive.hpp"
#include "fmu_src/mechanism/settings.hpp"
#include "immobile.hpp"
#include "modelDescription/description/description.hpp"
#include "modelDescription/reading/read.hpp"
#include "modelDescription/variables/variables.hpp"
#include "suited_method.hpp"

namespace mechfmu {

/// Says that the mechanism is at fault, with a line for each error: "file:line:column: what is wrong; what to do".
struct MechanismErrors : std::runtime_error {
  explicit MechanismErrors(const std::string& lines, std::string reached = "")
      : std::runtime_error(lines), how_far(std::move(reached)) {}
  /// Shows how far a failed assembly came, as a table for --explain.
  std::string how_far;
};

/// Is the consistent start that the file's values lead to, SI.
struct FoundStart {
  std::vector<double> parameters;
  std::vector<double> q_guess, v_guess;
  std::vector<double> q, v, acceleration, multipliers, outputs;
  double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;
  std::vector<double> gaps, speeds;       ///< are those of contacts and of their rows
  std::vector<int> contact_states;        ///< are 0 while a contact is open, 1 while it slides, 2 while it holds
  double closure_gap = 0;                 ///< position_violation relative to the sizes of rows
  std::vector<std::string> redundant;     ///< constraints that follow from others there
  std::vector<std::string> undetermined;  ///< outputs that redundant constraints share; they have least-norm values
  Decay decay = {};                       ///< is the fastest one at rest
  ImmobileCoordinates immobile = {};
  std::string open_loops = {};      ///< remark about loops that rounded data leave open
  std::string other_assembly = {};  ///< remark about another assembly that is about as near to the start values

  /// Returns remarks that an author would otherwise only see in the results: coordinates that cannot move, open loops,
  /// another assembly.
  std::vector<std::string> remarks() const;
};

/// Holds all that is known of a mechanism before anything is compiled.
struct Prepared {
  std::filesystem::path file;
  Description description;
  Derivation derivation;
  Settings settings;
  std::string basis_reason;  ///< says why the exporter has chosen the tangent basis; empty if the file names it
  FoundStart start;
  VariableFacts facts;
  ModelVariables variables;
};

/// Is called after each part of the work with its name, for readers of the times.
using Progress = std::function<void(const char* part)>;

/// Does all of this work. Throws MechanismErrors and SettingError.
Prepared prepare(const std::filesystem::path& file, const Progress& progress,
                 const std::vector<ParameterSetting>& parameters = {});

}  // namespace mechfmu
