// Reads velocities that are no rates of coordinates, and the rates that follow from them.
#include <algorithm>

#include "read_sections.hpp"
#include "read_values.hpp"

namespace mechfmu {

namespace {

constexpr const char* write_rate =
    "write below [velocities.rate] the rate of a coordinate as a formula of the velocities";

void read_velocity(const TomlNode::Entry& entry, Reading& reading) {
  const TableReader table(entry.value, entry.place, "the velocity " + in_quotes(entry.key),
                          {"unit", "start", "fixed", "description"}, reading.diagnostics);
  const std::optional<Unit> unit = table.unit();
  Velocity velocity;
  velocity.name = entry.key;
  velocity.place = entry.place;
  velocity.description = table.text("description");
  velocity.unit = unit.value_or(Unit{});
  velocity.acceleration_unit = per_second(velocity.unit);
  velocity.start = read_start(table, "start", "fixed", unit);
  reading.names.declare(entry.key,
                        {NameKind::velocity, reading.description.velocities.size(), entry.place, Measure::of(unit)});
  reading.description.velocities.push_back(std::move(velocity));
}

void read_rate(const TomlNode::Entry& item, Reading& reading) {
  const Name* name = reading.names.find(item.key);
  const std::string what = "the rate of " + in_quotes(item.key);
  Expression formula = read_value(item.value, Unit{}, what, reading.diagnostics).expression;
  if (!name || name->kind != NameKind::coordinate) {
    reading.diagnostics.add(
        item.place,
        in_quotes(item.key) + " is " + (name ? kind_text(name->kind) : "unknown") +
            ", but the keys of [velocities.rate] are coordinates",
        suggestion(item.key, reading.names.of_kinds({NameKind::coordinate}), "write the name of a coordinate"));
    return;
  }
  Coordinate& coordinate = reading.description.coordinates[name->index];
  coordinate.rate = std::move(formula);
  if (coordinate.rate_start.value.written != 0 || coordinate.rate_start.fixed)
    reading.diagnostics.add(coordinate.rate_start.place,
                            "the rate of " + in_quotes(item.key) +
                                " follows from velocities, which have starts themselves",
                            "remove rate_start and rate_fixed, and write start and fixed of the velocities");
}

}  // namespace

void read_velocities(const TomlNode::Entry& section, Reading& reading) {
  const TomlNode::Entry* rates = nullptr;
  for (const TomlNode::Entry& entry : section.value.entries) {
    if (entry.key == "rate") rates = &entry;
    else read_velocity(entry, reading);
  }
  if (rates && rates->value.kind == TomlNode::Kind::table) {
    for (const TomlNode::Entry& item : rates->value.entries) read_rate(item, reading);
    if (reading.description.velocities.empty())
      reading.diagnostics.add(section.place, "[velocities] declares no velocity",
                              "write for example omega_x = { unit = \"rad/s\" } below it");
  } else {
    reading.diagnostics.add(rates ? rates->value.place : section.place,
                            rates
                                ? "'rate' of [velocities] must be a table, not " + std::string(rates->value.kind_text())
                                : "[velocities] does not say which rates follow from them",
                            write_rate);
  }
}

}  // namespace mechfmu
