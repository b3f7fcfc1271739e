// Reads the pieces of the sections on bodies, joints and forces: numbers with the unit wanted, vectors, rotations,
// axes, points, motions. When all of the file is read, names and dimensions of their formulas are checked.
#pragma once

#include "elements/number_keys.hpp"
#include "read_sections.hpp"
#include "read_table.hpp"

namespace mechfmu {

/// Reads a number or a formula that is wanted in the unit. `usage` says what it may depend on.
Expression read_number(const TomlNode& node, const Measure& measure, const Usage& usage, Reading& reading);
Expression read_number(const TomlNode& node, const Unit& unit, const Usage& usage, Reading& reading);

/// Reads a number in the declared unit, or a formula.
Value read_number_in(const TomlNode& node, const std::optional<Unit>& unit, const Usage& usage, Reading& reading);

/// Reads a list of `count` numbers; zeros after an error. `example` shows how to write it. If the measure is unknown,
/// all have one measure.
std::vector<Expression> read_numbers(const TomlNode& node, std::size_t count, const Measure& measure,
                                     const Usage& usage, const std::string& example, Reading& reading);

/// Reads components: two in the plane, three in space.
Vector read_vector(const TomlNode& node, const Measure& measure, const Usage& usage, Reading& reading);
Vector read_vector(const TomlNode& node, const Unit& unit, const Usage& usage, Reading& reading);
Vector zero_vector(const Place& place, const Reading& reading);

/// Returns what a number of an element measures, given the coordinates that it acts on, if any.
Measure measure_of(Measures, const JointCoordinate* first, const JointCoordinate* second);

/// Reads the own keys of a joint, a force or a coupling that have numbers; `usage` says what these may depend on.
template <class Element>
void read_own_keys(const TableReader& table, const std::vector<NumberKey>& keys, const std::string& what,
                   Usage (*usage)(std::string), const JointCoordinate* first, const JointCoordinate* second,
                   Element& element, Reading& reading) {
  for (const NumberKey& key : keys) {
    const TomlNode::Entry* entry = table.find(key.name);
    if (!entry && key.required)
      reading.diagnostics.add(table.place(), what + " has no " + key.name,
                              std::string("write ") + key.name +
                                  (key.vector ? " = a list of numbers" : " = a number, or a formula in quotes"));
    if (!entry) continue;
    const Usage key_usage = usage(in_quotes(key.name) + " of " + what);
    const Measure measure = measure_of(key.measures, first, second);
    if (key.vector) element.vectors[key.name] = read_vector(entry->value, measure, key_usage, reading);
    else element.numbers[key.name] = read_number(entry->value, measure, key_usage, reading);
  }
}

/// Reads a rotation, which every section writes in one way.
Rotation read_rotation(const TomlNode& node, const std::string& what, Reading& reading);

/// Reads a direction: components, or from one of the body's points to another.
Axis read_axis(const TomlNode& node, int body, const std::string& what, Reading& reading);

/// Reads "crank" or "crank.B"; none after an error.
std::optional<PointReference> read_point(const TomlNode& node, const std::string& what, Reading& reading);

/// Reads a body and returns its index, 0 for "ground"; none after an error.
std::optional<int> read_body(const TomlNode& node, const std::string& what, Reading& reading);

/// Returns the index of one of the body's points; none after an error.
std::optional<int> read_point_of(const Body& body, const std::string& name, const Place& place, Reading& reading);

/// Returns the name of a joint's coordinate; an empty text after an error.
std::string read_coordinate_name(const std::string& name, const Place& place, Reading& reading);

/// Reads a start value of a coordinate; 0 if it is not there. It is never fixed if `fixed_key` is empty.
Start read_start(const TableReader& table, const std::string& key, const std::string& fixed_key,
                 const std::optional<Unit>& unit);

/// Reads a key that says how large something becomes, in SI; none without the key. `name` is the thing's.
std::optional<double> read_size(const TableReader& table, const std::string& key, const std::string& name,
                                const std::optional<Unit>& unit, Reading& reading);

/// Reads the keys nominal and rate_nominal of a coordinate. `name` is the coordinate's.
Nominal read_nominal(const TableReader& table, const std::string& name, const std::optional<Unit>& unit,
                     const std::optional<Unit>& rate_unit, Reading& reading);

/// Reads the keys limits and restitution of a coordinate; none without the key limits.
std::optional<CoordinateLimits> read_limits(const TableReader& table, const std::string& name,
                                            const std::optional<Unit>& unit, Reading& reading);

/// Lists the keys of a prescribed motion.
constexpr const char* prescribed_motion_keys[] = {"motion", "rate", "acceleration", "filter"};
std::optional<PrescribedMotion> read_prescribed_motion(const TableReader& table, const std::string& name,
                                                       const std::optional<Unit>& unit, Reading& reading);

/// Returns the leaves of nested tables with their dotted keys: A.angle and "A.angle" are equal.
std::vector<TomlNode::Entry> dotted_entries(const TomlNode& table);

/// Reads a text, or adds an error that says how to write it; empty after an error.
std::string read_text(const TomlNode& node, const std::string& what, const std::string& repair, Reading& reading);

/// Reads a condition. Formulas have conditions in if(…, a, b) only, so that it is read as one there.
Expression read_condition(const TomlNode& node, const std::string& what, const std::string& repair, Reading& reading);

/// Returns a number of a key that is positive, or zero if that is allowed; none if the key is missing.
std::optional<double> read_positive(const TableReader& table, const std::string& key, const std::string& what,
                                    bool zero_allowed, Reading& reading);

/// Reads drift_gain_1 and drift_gain_0 of a constraint or a joint.
DriftGains read_drift_gains(const TableReader& table, const std::string& what, Reading& reading);

}  // namespace mechfmu
