// Makes the variables that every coordinate brings with it.
#include "shown.hpp"

namespace mechfmu {

namespace {

ShownParameter start_of(const Shown& variable, const std::string& name, const Start& start, bool rate) {
  ShownParameter result = shown_start(variable, name, start.fixed, rate, start.place);
  result.written = start.value.written;
  result.calculated = start.calculated;
  return result;
}

}  // namespace

std::string impulse_name(const std::string& reaction) {
  const std::string part = ".reaction";
  if (const std::size_t at = reaction.find(part); at != std::string::npos)
    return reaction.substr(0, at) + ".impulse" + reaction.substr(at + part.size());
  for (const std::string kind : {".multiplier", ".tension"})
    if (reaction.ends_with(kind)) return reaction.substr(0, reaction.size() - kind.size()) + ".impulse";
  return reaction.ends_with(".drive") ? reaction + ".impulse" : "";
}

Shown hidden_variable(const std::string& name, const Place& place) {
  Shown result{name, "", Unit{}, place};
  result.hidden = true;
  return result;
}

ShownParameter shown_start(const Shown& variable, const std::string& name, bool fixed, bool rate, const Place& place) {
  ShownParameter result;
  result.name = name;
  result.description =
      "start of " + variable.name + (fixed ? ", held exactly" : ", a guess: the nearest consistent value is taken");
  result.unit = variable.unit;
  result.place = place;
  result.start_of = {variable.name, rate, fixed};
  return result;
}

Shown shown_rate(const Shown& coordinate, const Unit& unit) {
  const std::string& name = coordinate.name;
  return {"der(" + name + ")", "rate of " + name, unit, coordinate.place, false, coordinate.hidden, name};
}

Shown shown_acceleration(const Shown& coordinate, const Unit& unit, bool driven) {
  const std::string& name = coordinate.name;
  Shown result{"der(" + name + ",2)", "acceleration of " + name, unit, coordinate.place, !driven,
               coordinate.hidden,     "der(" + name + ")"};
  result.acceleration = true;
  return result;
}

ShownParameter shown_start(const Shown& coordinate, const Start& start) {
  return start_of(coordinate, coordinate.name + "_start", start, false);
}

ShownParameter shown_velocity_start(const Shown& velocity, const Start& start) {
  return start_of(velocity, velocity.name + "_start", start, true);
}

ShownParameter shown_rate_start(const Shown& coordinate, const Shown& rate, const Start& start) {
  return start_of(rate, coordinate.name + "_rate_start", start, true);
}

}  // namespace mechfmu
