// Checks constraints: their formulas, their local coordinates, and what realises them.
#include <algorithm>

#include "modelDescription/formulas/expression.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

class ConstraintCheck {
 public:
  ConstraintCheck(Constraint& constraint, Reading& reading, Checker& checker)
      : constraint_(constraint), reading_(reading), checker_(checker), diagnostics_(reading.diagnostics) {
    const Name* name = reading.names.find(constraint.name);
    broken_ = !name || name->kind != NameKind::constraint || name->broken;
  }

  void run() {
    const int level = static_cast<int>(constraint_.level);
    what_ = "the " + std::string(level_names[level]) + " constraint " + in_quotes(constraint_.name);
    const std::size_t errors = diagnostics_.size();
    const Measure residual = constraint_.local.empty() ? of_coordinates() : of_local_coordinates();
    const bool known = residual.kind != Measure::Kind::unknown;
    constraint_.dimension = residual.dimension;

    // λ times ∂f/∂(the level's derivative of q_i) is a force on q_i, J/[q_i]; that derivative has [f] s^level/[q_i].
    Measure multiplier = Measure::quantity(energy_dimension() * power(time_dimension(), -level) / residual.dimension);
    if (!constraint_.realised_by.empty()) multiplier = check_realisation();
    // The multiplier of a faulty constraint stays unknown; otherwise outputs that use it would be errors as well.
    if (broken_ || !known || diagnostics_.size() > errors || !multiplier.is_quantity()) return;
    constraint_.multiplier_unit = si_unit_of(multiplier.dimension);
    checker_.set_reaction("constraint." + constraint_.name + ".multiplier", multiplier);
    for (const LocalCoordinate& local : constraint_.local)
      checker_.set_reaction("constraint." + constraint_.name + ".reaction." + local.name,
                            Measure::quantity(local.reaction_unit.dimension));
  }

 private:
  static constexpr const char* level_names[] = {"position", "velocity", "acceleration"};

  Measure of_coordinates() {
    constexpr const char* wanted[] = {"a coordinate", "der(…) of a coordinate", "der(der(…)) of a coordinate"};
    const int level = static_cast<int>(constraint_.level);
    const Measure residual = checker_.check(constraint_.residual, constraint_usage(constraint_.level, what_));
    const int order = checker_.content(constraint_.residual).order;
    // A number alone takes the place of a formula that could not be read.
    const bool unreadable = broken_ && constraint_.residual.kind == Expression::Kind::number;
    if (order < level && residual.kind != Measure::Kind::unknown && !unreadable)
      diagnostics_.add(constraint_.residual.place, what_ + " does not contain " + wanted[level],
                       order < 0 ? "write a formula of the coordinates that is held at 0"
                                 : "write it as " + std::string(level_names[order]) + " = \"…\"");
    return residual;
  }

  /// Checks the local coordinates, and the formula of them.
  Measure of_local_coordinates() {
    const Place& place = constraint_.local.front().place;
    if (constraint_.level != Level::position) {
      diagnostics_.add(place, what_ + " has local coordinates, which belong to positions",
                       "write it as position = \"…\", or remove 'local'");
      return {};
    }
    if (!constraint_.realised_by.empty())
      diagnostics_.add(place, what_ + " has both local coordinates and realised_by",
                       "remove one of them: reactions along local coordinates are those of an ideal constraint");
    std::map<std::string, Measure> own;
    for (LocalCoordinate& local : constraint_.local) {
      const std::string one = "the local coordinate " + in_quotes(local.name) + " of " + in_quotes(constraint_.name);
      if (const Name* other = reading_.names.find(local.name))
        diagnostics_.add(local.place, one + " is also " + kind_text(other->kind) + " at " + to_text(other->place),
                         "rename the local coordinate");
      Measure measure = checker_.check(local.value, constraint_usage(Level::position, one));
      if (measure.kind != Measure::Kind::unknown && checker_.content(local.value).order < 0)
        diagnostics_.add(local.value.place, one + " does not contain a coordinate",
                         "write a formula of the coordinates, or put it into the position itself");
      // A bare number beside coordinates fits any dimension; the reaction then is in J.
      local.reaction_unit = si_unit_of(energy_dimension() / measure.dimension);
      own.emplace(local.name, measure);
    }
    if (broken_) return {};
    const std::size_t errors = diagnostics_.size();
    const Measure residual = checker_.check(constraint_.residual, local_constraint_usage(what_), own);
    if (diagnostics_.size() > errors) return residual;
    const std::vector<const Expression*> used = names_used(constraint_.residual);
    for (const LocalCoordinate& local : constraint_.local) {
      const auto names_it = [&](const Expression* name) { return name->name == local.name; };
      if (std::none_of(used.begin(), used.end(), names_it))
        diagnostics_.add(local.place, "the local coordinate " + in_quotes(local.name) + " is not in " + what_,
                         "use it there, or remove it");
    }
    return residual;
  }

  /// B_i λ is the force on q_i, so each coefficient that has a dimension tells that of λ; bare numbers fit any.
  Measure check_realisation() {
    const auto& columns = constraint_.realised_by;
    const auto is_zero = [](const auto& column) { return evaluate(column.second) == 0; };
    if (!broken_ && std::all_of(columns.begin(), columns.end(), is_zero))
      diagnostics_.add(columns.front().second.place,
                       "the control of the constraint " + in_quotes(constraint_.name) +
                           " acts on nothing: no coefficient in realised_by differs from 0",
                       "write realised_by = { coordinate = 1 }, or leave it out for an ideal constraint");
    Measure multiplier;
    for (const auto& [coordinate, coefficient] : columns) {
      const std::string what = "the coefficient of " + in_quotes(coordinate) + " in realised_by";
      const Measure measure = checker_.check(coefficient, force_usage(what));
      const Measure force = energy_per(reading_, {coordinate});
      if (!measure.is_quantity() || !force.is_quantity()) continue;
      const Measure found = Measure::quantity(force.dimension / measure.dimension);
      if (multiplier.is_quantity() && multiplier.dimension != found.dimension)
        diagnostics_.add(coefficient.place,
                         what + " makes the control a quantity in " + readable(found.dimension) +
                             ", the others make it " + readable(multiplier.dimension),
                         "coefficient times control must be a force on its coordinate");
      multiplier = found;
    }
    return multiplier.is_quantity() ? multiplier : energy_per(reading_, {columns.front().first});
  }

  Constraint& constraint_;
  Reading& reading_;
  Checker& checker_;
  Diagnostics& diagnostics_;
  std::string what_;
  bool broken_ = false;
};

}  // namespace

void check_constraint(Constraint& constraint, Reading& reading, Checker& checker) {
  ConstraintCheck(constraint, reading, checker).run();
}

}  // namespace mechfmu
