// Answers questions about the tables of all versions and kinds.
#include "expectations.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace mechfmu::importer {

const StateMachine& state_machine(const Subject& subject) {
  if (subject.exchange()) return subject.fmu.description.fmi3 ? model_exchange3() : model_exchange2();
  return subject.fmu.description.fmi3 ? co_simulation3() : co_simulation2();
}

const Expectation& StateMachine::row(const std::string& function) const {
  for (const Expectation& expectation : rows) {
    if (expectation.function == function) return expectation;
  }
  throw std::runtime_error("no row for " + function);
}

char StateMachine::cell(const Expectation& row, char state) const {
  return *row.cells == '\0' ? '.' : row.cells[std::strchr(states, state) - states];
}

bool StateMachine::lenient(const Expectation& row, char state) const {
  return std::any_of(leniencies.begin(), leniencies.end(), [&](const Leniency& leniency) {
    return std::strcmp(row.function, leniency.function) == 0 && std::strchr(leniency.states, state) != nullptr;
  });
}

}  // namespace mechfmu::importer
