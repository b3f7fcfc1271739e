// The way of a mechanism from its file to what can be exported: read, assemble, derive, find a consistent start, list
// the variables. No compiler is needed for any of it.
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

namespace mechfmu {

/// The mechanism is at fault: a line for each error, "file:line:column: what is wrong; what to do".
struct MechanismErrors : std::runtime_error {
  explicit MechanismErrors(const std::string& lines, std::string reached = "")
      : std::runtime_error(lines), how_far(std::move(reached)) {}
  /// Where an assembly that failed came to: a table for those who ask for explanations.
  std::string how_far;
};

/// The consistent start that the file's values lead to, SI.
struct FoundStart {
  std::vector<double> parameters;
  std::vector<double> q_guess, v_guess;
  std::vector<double> q, v, acceleration, multipliers, outputs;
  double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;
  double closure_gap = 0;                 ///< position_violation, of the sizes of rows
  std::vector<std::string> redundant;     ///< constraints that others imply there
  std::vector<std::string> undetermined;  ///< outputs that redundant constraints share: least-norm values
  ImmobileCoordinates immobile = {};
  std::string open_loops = {};      ///< what to know of loops that rounded data leave open
  std::string other_assembly = {};  ///< what to know of another that is about as near to the start values

  /// What an author would otherwise see in the results only: coordinates that cannot move, open loops, another
  /// assembly.
  std::vector<std::string> remarks() const;
};

/// All that is known of a mechanism before anything is compiled.
struct Prepared {
  std::filesystem::path file;
  Description description;
  Derivation derivation;
  Settings settings;
  std::string basis_reason;  ///< why the exporter has chosen the tangent basis; empty: the file has
  FoundStart start;
  VariableFacts facts;
  ModelVariables variables;
};

/// Called after each part of the work with its name, for those who want to know how long it takes.
using Progress = std::function<void(const char* part)>;

/// Does all of it. Throws MechanismErrors and SettingError.
Prepared prepare(const std::filesystem::path& file, const Progress& progress,
                 const std::vector<ParameterSetting>& parameters = {});

}  // namespace mechfmu
