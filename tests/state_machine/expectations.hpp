// Has what the standards expect of every function in every state, as tables of their own. They are written from the
// texts (FMI 2.0.5: figures 6 and 11 and the tables below them; FMI 3.0.2: sections 2.3, 3.2 and 4.2 and their
// figures), not from the program's tables, so that each can find the other's mistakes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "session.hpp"

namespace mechfmu::importer {

/// Holds arguments of calls: variables of the FMU, and a state saved in initialization mode.
struct Arguments {
  unsigned input = 0, output = 0;
  unsigned readable = 0;  ///< one that has a value even if nothing could be computed before an error
  void* state = nullptr;
  std::string bytes;
  std::vector<double> states;  ///< continuous ones, of model exchange
  std::size_t indicators = 0;  ///< their number
};

/// Calls a function of the library in a way that succeeds where it is allowed.
using Call = std::function<int(Session&, const Arguments&, const char* function)>;

/// Returns the calls of all functions of a version that need an instance; calls2.cpp and calls3.cpp have them.
const std::map<std::string, Call>& calls2();
const std::map<std::string, Call>& calls3();

/// The leading state, of `after_success`, for a call that leaves the state as it is.
constexpr char same = '=', gone = '-';

struct Expectation {
  const char* function;
  /// For each state, in the standard's order of columns: x allowed; d allowed, values for debugging only; g, s allowed
  /// for some variables; e allowed if eventModeUsed was true; . an error. Empty: an error in all of them, since the
  /// function belongs to another kind of instance, or to what a mechanism has not (clocks, structural parameters).
  const char* cells;
  char after_success = same;
  const char* capability = nullptr;  ///< without it, every cell is an error
  int answer = ok;                   ///< status of the call if it is allowed
};

/// Is a case in which the FMU deliberately allows what the strict text forbids, since an importer needs it; docs/fmi.md
/// lists these cases, too.
struct Leniency {
  const char* function;
  const char* states;
};

struct StateMachine {
  const char* header;  ///< declares all functions
  const std::map<std::string, Call>& calls;
  const char* states;  ///< the columns
  char after_error;
  std::vector<const char*> probes;  ///< functions that together tell the states apart by what they allow
  std::vector<Expectation> rows;
  std::vector<Leniency> leniencies;

  const Expectation& row(const std::string& function) const;
  /// The cell of a row, '.' where it has none.
  char cell(const Expectation&, char state) const;
  bool lenient(const Expectation&, char state) const;
  int call(Session& session, const Arguments& arguments, const char* function) const {
    return calls.at(function)(session, arguments, function);
  }
};

const StateMachine& co_simulation2();
const StateMachine& co_simulation3();
const StateMachine& model_exchange2();
const StateMachine& model_exchange3();
const StateMachine& state_machine(const Subject&);

/// Calls a function of the library with these arguments behind the instance.
template <class Function, class... Values>
auto with(Values... values) {
  return [=](Session& session, const Arguments&, const char* name) {
    return static_cast<int>(session.fmu.function<Function>(name)(session.instance, values...));
  };
}

}  // namespace mechfmu::importer
