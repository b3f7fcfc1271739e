// What the standards expect of every function in every state, as tables of their own: they are written from the texts
// (FMI 2.0.5: co-simulation, figure 11 and the table below it; FMI 3.0.2: sections 2.3 and 4.2 and their figure), not
// from the program's tables, so that each can find the other's mistakes.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "session.hpp"

namespace mechfmu::importer {

/// What calls are made with: variables of the FMU, and a state saved in initialization mode.
struct Arguments {
  unsigned input = 0, output = 0;
  unsigned readable = 0;  ///< one that has a value even if nothing could be computed before an error
  void* state = nullptr;
  std::string bytes;
};

/// The leading state, of `after_success`, for a call that leaves the state as it is.
constexpr char same = '=', gone = '-';

struct Expectation {
  const char* function;
  /// For each state, in the standard's order of columns: x allowed; d allowed, values for debugging only; g, s allowed
  /// for some variables; e allowed if eventModeUsed was true; . an error.
  const char* cells;
  std::function<int(Session&, const Arguments&, const char* function)> call;
  char after_success = same;
  const char* capability = nullptr;  ///< without it, every cell is an error
  int answer = ok;                   ///< where it is allowed
};

struct StateMachine {
  const char* version;
  const char* header;  ///< declares all functions
  const char* states;  ///< the columns
  char after_error;
  std::vector<Expectation> rows;
  std::vector<std::string> instantiating;  ///< functions of the header without a row, since they need no instance

  const Expectation& row(const std::string& function) const;
};

/// States of FMI 2: I instantiated, N initialization mode, C step complete, P step in progress, F step failed,
/// X step canceled, T terminated, E error.
const StateMachine& state_machine2();

/// States of FMI 3: I instantiated, K configuration mode, N initialization mode, S step mode, V event mode,
/// R reconfiguration mode, U intermediate update mode, T terminated, also after an error.
const StateMachine& state_machine3();

const StateMachine& state_machine(const Fmu&);

/// Capability of functions that a co-simulation FMU of a mechanism never has: no clocks, no structural parameters, and
/// what belongs to other kinds of instances.
inline constexpr const char* never = "never";

/// Where the FMU deliberately allows what the strict text forbids, since an importer needs it; docs/fmi.md
/// lists the same.
struct Leniency {
  const char* function;
  char state;
};
inline constexpr Leniency leniencies[] = {
    {"fmi3EnterConfigurationMode", 'I'},
    {"fmi3EnterConfigurationMode", 'S'},
    {"fmi3ExitConfigurationMode", 'I'},
    {"fmi3ExitConfigurationMode", 'S'},
};

/// Calls a function of the library with these arguments behind the instance.
template <class Function, class... Values>
auto with(Values... values) {
  return [=](Session& session, const Arguments&, const char* name) {
    return static_cast<int>(session.fmu.function<Function>(name)(session.instance, values...));
  };
}

/// A state is saved, or made from bytes, and freed again.
inline int get_state(Session& session, const Arguments&, const char*) {
  void* state = nullptr;
  const int status = session.save(&state);
  if (status == ok) session.free_state(&state);
  return status;
}

inline int deserialize(Session& session, const Arguments& arguments, const char*) {
  void* state = nullptr;
  const int status = session.deserialize(arguments.bytes.data(), arguments.bytes.size(), &state);
  if (status == ok) session.free_state(&state);
  return status;
}

}  // namespace mechfmu::importer
