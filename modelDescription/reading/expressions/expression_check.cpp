// Checks dimensions of formulas, and finds names that are not allowed in them.
#include "expression_check.hpp"

#include <algorithm>
#include <utility>

#include "elements/couplings/coupling_type.hpp"

namespace mechfmu {

namespace {

/// Returns "numbers, parameters, time and coordinates".
std::string allowed_text(const Usage& usage) {
  std::vector<std::string> parts = {"numbers"};
  if (usage.parameters) parts.push_back("parameters");
  if (usage.time) parts.push_back("time");
  if (usage.inputs) parts.push_back("inputs");
  if (usage.coordinates) parts.push_back("coordinates");
  if (usage.states) parts.push_back("states");
  if (usage.unknowns) parts.push_back("unknowns");
  if (usage.velocities) parts.push_back("velocities");
  if (usage.derivatives > 0) parts.push_back("derivatives");
  return "use " + listed(parts) + " only";
}

std::string why_no_input(const Usage& usage) { return usage.why_no_input.empty() ? "" : ": " + usage.why_no_input; }

std::string instead_of_input(const Usage& usage) {
  return usage.instead_of_input.empty() ? allowed_text(usage) : usage.instead_of_input;
}

std::string why_no_unknown(const Usage& usage) {
  return usage.why_no_unknown.empty() ? "" : ": " + usage.why_no_unknown;
}

std::string instead_of_unknown(const Usage& usage) {
  return usage.instead_of_unknown.empty() ? allowed_text(usage) : usage.instead_of_unknown;
}

std::string why_no_state(const Usage& usage) { return usage.why_no_state.empty() ? "" : ": " + usage.why_no_state; }

std::string instead_of_state(const Usage& usage) {
  return usage.instead_of_state.empty() ? allowed_text(usage) : usage.instead_of_state;
}

std::string why_no_coordinate(const Usage& usage) {
  return usage.why_no_coordinate.empty() ? "" : ": " + usage.why_no_coordinate;
}

std::string instead_of_coordinate(const Usage& usage) {
  return usage.instead_of_coordinate.empty() ? allowed_text(usage) : usage.instead_of_coordinate;
}

constexpr const char* instead_of_rate = "make it a coordinate without inertia, with its equation as a constraint";

/// Returns "der(x)" if the unknown name is what other programs and papers call a derivative of x ("xdot", "dx"), else
/// an empty text.
std::string derivative_meant(const std::string& unknown, const std::vector<std::string>& names) {
  for (const std::string& x : names) {
    for (const std::string& rate :
         {x + "dot", x + "_dot", "d" + x, "d" + x + "dt", "d" + x + "_dt", "v" + x, "v_" + x, x + "_rate", x + ".rate"})
      if (unknown == rate) return "der(" + x + ")";
    for (const std::string& second : {x + "ddot", x + "_ddot", "dd" + x})
      if (unknown == second) return "der(der(" + x + "))";
  }
  return "";
}

}  // namespace

std::string dimension_repair(const Measure& a, const Measure& b) {
  const auto plain = [](const Measure& measure) { return measure.is_quantity() && measure.dimension == Dimension{}; };
  // A plain number beside a quantity is often a parameter that lost its unit.
  if (plain(a) || plain(b))
    return "give the parameters in it their units (without a unit a parameter is a plain number), or correct the "
           "formula";
  return "correct the formula or the units of what it uses";
}

std::string derivatives_text(const Usage& usage) {
  if (usage.derivatives == 0) return " must not use der(…)";
  return usage.derivatives == 1 ? " may use one derivative at most" : " may use two derivatives at most";
}

Checker::Checker(const Description& description, Names& names, Diagnostics& diagnostics)
    : description_(description), names_(names), all_(diagnostics), diagnostics_(&diagnostics) {
  for (const Quantity& quantity : quantities(description))
    variables_[quantity.name] = {quantity.kind, Measure::quantity(quantity.unit.dimension)};
  // Units of multipliers follow from formulas that are checked later; until then, or if these are faulty, they are
  // unknown.
  for (const Constraint& constraint : description.constraints) {
    set_reaction("constraint." + constraint.name + ".multiplier", {});
    for (const LocalCoordinate& local : constraint.local)
      set_reaction("constraint." + constraint.name + ".reaction." + local.name, {});
  }
  for (const Coupling& coupling : description.couplings) set_reaction("coupling." + coupling.name + ".multiplier", {});
  for (const Contact& contact : description.contacts) set_contact(contact.name, {});
  for (const Output& output : description.outputs)
    if (output.name.find('.') != std::string::npos)
      variables_[output.name] = {Quantity::Kind::result, Measure::quantity(output.unit.dimension)};
}

void Checker::set_contact(const std::string& contact, const Measure& gap) {
  for (auto& [name, variable] : variables_) {
    if (!name.starts_with(contact + ".")) continue;
    const std::string what = name.substr(contact.size() + 1);
    variable.measure =
        !gap.is_quantity()         ? gap
        : what == "gap"            ? gap
        : what.starts_with("slip") ? Measure::quantity(gap.dimension / time_dimension())
                                   : Measure::quantity(energy_dimension() / gap.dimension);
  }
}

Measure Checker::fail(const Expression& expression, std::string problem, std::string repair) {
  diagnostics_->add(expression.place, std::move(problem), std::move(repair));
  return {};
}

void Checker::expect(const Expression& expression, const Usage& usage, const Measure& wanted) {
  const Measure found = check(expression, usage);
  if (!found.is_quantity() || !wanted.is_quantity() || found.dimension == wanted.dimension) return;
  fail(expression, usage.what + " is in " + readable(found.dimension) + " but must be in " + readable(wanted.dimension),
       dimension_repair(found, wanted));
}

void Checker::check_function(const Function& function) {
  if (!function.formula) return;
  std::map<std::string, Measure> arguments;
  for (const std::string& argument : function.arguments) arguments[argument] = {};
  arguments_ = &arguments;
  const std::size_t before = diagnostics_->size();
  check(*function.formula, parameter_usage("the function " + in_quotes(function.name)));
  arguments_ = nullptr;
  if (diagnostics_->size() > before) names_.find(function.name)->broken = true;
}

Measure Checker::check(const Expression& expression, const Usage& usage, const std::map<std::string, Measure>& own) {
  arguments_ = &own;
  const Measure measure = check(expression, usage);
  arguments_ = nullptr;
  return measure;
}

Measure Checker::measure_of(const std::string& name, Name& entry) {
  if (entry.broken) return {};
  if (entry.measure) return *entry.measure;
  const auto* arguments = std::exchange(arguments_, nullptr);
  Diagnostics* diagnostics = std::exchange(diagnostics_, &all_);
  if (entry.kind == NameKind::definition)
    entry.measure =
        check(description_.definitions[entry.index].value, definition_usage("the definition " + in_quotes(name)));
  else entry.measure = check(description_.outputs[entry.index].value, output_usage("the output " + in_quotes(name)));
  arguments_ = arguments;
  diagnostics_ = diagnostics;
  return *entry.measure;
}

Measure Checker::measure(const Expression& expression, const Usage& usage, int order) {
  switch (expression.kind) {
    case Expression::Kind::number: return Measure::number();
    case Expression::Kind::symbol: return symbol(expression, usage, order);
    case Expression::Kind::operation: return operation(expression, usage, order);
  }
  return {};
}

Measure Checker::symbol(const Expression& expression, const Usage& usage, int order) {
  if (arguments_) {
    const auto argument = arguments_->find(expression.name);
    if (argument != arguments_->end()) return argument->second;
  }
  if (expression.name == "pi") return Measure::number();
  if (expression.name == "time") {
    if (!usage.time) return fail(expression, usage.what + " must not depend on time", allowed_text(usage));
    return Measure::quantity(time_dimension());
  }
  if (expression.name.find('.') != std::string::npos) return variable(expression, usage, order);
  if (Name* entry = names_.find(expression.name)) return named(expression, *entry, usage, order);
  return fail(expression, "unknown name " + in_quotes(expression.name), suggestion_for(expression));
}

Measure Checker::named(const Expression& expression, Name& entry, const Usage& usage, int order) {
  const std::string& name = expression.name;
  switch (entry.kind) {
    case NameKind::parameter: break;
    case NameKind::input:
      if (!usage.inputs)
        return fail(expression, usage.what + " must not depend on the input " + in_quotes(name) + why_no_input(usage),
                    instead_of_input(usage));
      if (order > 0)
        return fail(expression, "the derivative of the input " + in_quotes(name) + " is not known",
                    "declare another input for it and use that");
      break;
    case NameKind::coordinate:
      if (!usage.coordinates)
        return fail(expression,
                    usage.what + " must not depend on the coordinate " + in_quotes(name) + why_no_coordinate(usage),
                    instead_of_coordinate(usage));
      break;
    case NameKind::velocity:
      if (!usage.coordinates)
        return fail(expression,
                    usage.what + " must not depend on the velocity " + in_quotes(name) + why_no_coordinate(usage),
                    allowed_text(usage));
      if (order + 1 > usage.derivatives + usage.velocities)
        return fail(expression,
                    usage.what + derivatives_text(usage) + ", and " + in_quotes(name) + " is a velocity already",
                    order > 0 ? "remove a der(…)" : allowed_text(usage));
      break;
    case NameKind::state:
      if (!check_state(expression, name, "", usage, order)) return {};
      break;
    case NameKind::unknown:
      if (!usage.unknowns)
        return fail(expression,
                    usage.what + " must not depend on the unknown " + in_quotes(name) + why_no_unknown(usage),
                    instead_of_unknown(usage));
      if (order > 0)
        return fail(expression, "the derivative of the unknown " + in_quotes(name) + " is not known", instead_of_rate);
      break;
    case NameKind::definition: {
      const Measure measure = measure_of(name, entry);
      if (measure.kind != Measure::Kind::unknown)
        check_definition_fits(expression, description_.definitions[entry.index], usage, order);
      return measure;
    }
    case NameKind::function:
      return fail(expression, in_quotes(name) + " is a function and lacks its argument", "write " + name + "(…)");
    case NameKind::constraint:
    case NameKind::coupling: {
      const bool constraint = entry.kind == NameKind::constraint;
      return fail(expression, in_quotes(name) + " is " + kind_text(entry.kind) + " and has no value of its own",
                  "its reaction is '" + std::string(constraint ? "constraint." : "coupling.") + name +
                      ".multiplier', in [outputs]");
    }
    case NameKind::contact:
      if (!usage.results)
        return fail(expression, in_quotes(name) + " is a contact and has no value of its own",
                    "name the formula of its gap in [definitions] and use it in both places");
      [[fallthrough]];
    case NameKind::body:
    case NameKind::joint:
    case NameKind::force:
    case NameKind::sensor: {
      if (entry.broken) return {};
      std::vector<std::string> own;
      for (const auto& [known, variable] : variables_)
        if (known.starts_with(name + ".")) own.push_back(in_quotes(known));
      return fail(expression, in_quotes(name) + " is " + kind_text(entry.kind) + " and has no value of its own",
                  "use one of its variables: " + listed(own));
    }
    case NameKind::output:
      if (const std::string& first = description_.outputs[entry.index].name; first != name)
        return fail(expression, "the output " + in_quotes(name) + " has components",
                    "write " + in_quotes(first) + " for one of them");
      if (!usage.results)
        return fail(expression, usage.what + " must not use the output " + in_quotes(name),
                    "name the formula in [definitions] and use it in both places");
      if (order > 0)
        return fail(expression, "the derivative of the output " + in_quotes(name) + " is not known",
                    "take der(…) of a definition with its formula");
      break;
  }
  return measure_of(name, entry);
}

bool Checker::check_state(const Expression& expression, const std::string& state, const std::string& through,
                          const Usage& usage, int order) {
  if (!usage.states)
    fail(expression, usage.what + " must not depend on the state " + in_quotes(state) + through + why_no_state(usage),
         instead_of_state(usage));
  else if (order > 0 && !usage.state_rates)
    fail(expression, usage.what + " must not contain the derivative of the state " + in_quotes(state) + through,
         "write the formula of its rate in place of it");
  else if (order > 1)
    fail(expression,
         "the second derivative of the state " + in_quotes(state) + through + (through.empty() ? "" : ",") +
             " is not known",
         "remove a der(…), or write the derivative of its rate out");
  else return true;
  return false;
}

void Checker::check_definition_fits(const Expression& expression, const Definition& definition, const Usage& usage,
                                    int order) {
  const Content inside = content(definition.value);
  const std::string through = ", which the definition " + in_quotes(definition.name) + " contains";
  if (inside.time && !usage.time)
    fail(expression, usage.what + " must not depend on time" + through, allowed_text(usage));
  if (!inside.input.empty() && !usage.inputs)
    fail(expression,
         usage.what + " must not depend on the input " + in_quotes(inside.input) + through + why_no_input(usage),
         instead_of_input(usage));
  else if (!inside.input.empty() && order > 0)
    fail(expression, "the derivative of the input " + in_quotes(inside.input) + through + ", is not known",
         "declare another input for it and write the derivative out");
  if (!inside.unknown.empty() && !usage.unknowns)
    fail(expression,
         usage.what + " must not depend on the unknown " + in_quotes(inside.unknown) + through + why_no_unknown(usage),
         instead_of_unknown(usage));
  else if (!inside.unknown.empty() && order > 0)
    fail(expression, "the derivative of the unknown " + in_quotes(inside.unknown) + through + ", is not known",
         instead_of_rate);
  if (!inside.state.empty()) check_state(expression, inside.state, through, usage, inside.state_order + order);
  if (!inside.coordinate.empty() && !usage.coordinates)
    fail(expression,
         usage.what + " must not depend on the coordinate " + in_quotes(inside.coordinate) + through +
             why_no_coordinate(usage),
         instead_of_coordinate(usage));
  else if (inside.order + (inside.order >= 0 ? order : 0) > usage.derivatives)
    fail(expression,
         usage.what + derivatives_text(usage) + ", but the definition " + in_quotes(definition.name) +
             " brings in more",
         "use a formula with fewer derivatives");
}

Measure Checker::variable(const Expression& expression, const Usage& usage, int order) {
  const std::string& name = expression.name;
  const auto found = variables_.find(name);
  if (found == variables_.end()) return unknown_variable(expression);
  const Variable& variable = found->second;
  switch (variable.kind) {
    case Quantity::Kind::coordinate:
    case Quantity::Kind::rate:
      if (!usage.coordinates)
        return fail(expression,
                    usage.what + " must not depend on the variable " + in_quotes(name) + why_no_coordinate(usage),
                    instead_of_coordinate(usage));
      if (variable.kind == Quantity::Kind::rate && order + 1 > usage.derivatives)
        return fail(expression,
                    usage.what + derivatives_text(usage) + ", and " + in_quotes(name) + " is a velocity already",
                    order > 0 ? "remove a der(…)" : allowed_text(usage));
      break;
    case Quantity::Kind::force:
    case Quantity::Kind::result:
      if (!usage.results && !(usage.multipliers && name.ends_with(".multiplier")))
        return fail(expression,
                    usage.what + " must not use " + in_quotes(name) + ", which is known after the motion only",
                    "use it in [outputs]");
      if (order > 0)
        return fail(expression, "the derivative of " + in_quotes(name) + " is not known", "leave der(…) away");
      break;
  }
  return variable.measure;
}

Measure Checker::unknown_variable(const Expression& expression) {
  const std::string& name = expression.name;
  const std::string front = name.substr(0, name.find('.'));
  const Name* owner = names_.find(front);
  if (owner && owner->broken) return {};
  if (name == "energy.potential" || name == "energy.total")
    return fail(expression, in_quotes(name) + " needs a potential energy", "write potential_energy in [dynamics]");
  std::vector<std::string> all, own, coordinates;
  for (const auto& [known, variable] : variables_) {
    all.push_back(known);
    if (known.starts_with(front + ".")) own.push_back(known);
    if (variable.kind == Quantity::Kind::coordinate) coordinates.push_back(known);
  }
  const std::string derivative = derivative_meant(name, coordinates);
  if (!derivative.empty())
    return fail(expression, "unknown name " + in_quotes(name), "did you mean " + derivative + "?");
  return fail(expression, "unknown name " + in_quotes(name),
              suggestion(name, own.empty() ? all : own,
                         description_.bodies.empty() ? "see the list of variables"
                                                     : "no joint, body, force or sensor has this variable"));
}

std::string Checker::suggestion_for(const Expression& expression) const {
  const std::string derivative =
      derivative_meant(expression.name, names_.of_kinds({NameKind::coordinate, NameKind::state, NameKind::definition}));
  if (!derivative.empty() && !arguments_) return "did you mean " + derivative + "?";
  std::vector<std::string> candidates = {"time", "pi"};
  for (const auto& [name, entry] : names_.all()) candidates.push_back(name);
  if (arguments_)
    for (const auto& [name, measure] : *arguments_) candidates.push_back(name);
  const std::string best = nearest(expression.name, candidates);
  return best.empty() ? "declare it, for example in [parameters]" : "did you mean " + in_quotes(best) + "?";
}

}  // namespace mechfmu
