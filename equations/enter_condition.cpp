#include "enter_condition.hpp"

#include "fmu_src/mechanism/conditions.hpp"

namespace mechfmu {

void enter_condition(ConditionEquation condition, Equations& equations, Diagnostics& diagnostics) {
  if (!condition.number.is_constant() || !condition.bound.is_constant()) {
    equations.conditions.push_back(std::move(condition));
    return;
  }
  Message message;
  if (!condition_holds(condition.condition(), static_cast<double>(condition.number),
                       static_cast<double>(condition.bound), "", message))
    diagnostics.add(condition.place, message.text, condition.repair);
}

}  // namespace mechfmu
