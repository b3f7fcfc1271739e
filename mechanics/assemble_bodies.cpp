// Bodies to equations, step by step: parameters, poses, names, forces, constraints, reactions, what is shown.
#include "assemble_bodies.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "couplings.hpp"
#include "exporter/assemble_parameters.hpp"
#include "exporter/translate.hpp"
#include "forces/force_law.hpp"
#include "kinematics.hpp"
#include "modelDescription/quantities.hpp"
#include "modelDescription/units.hpp"
#include "rotations.hpp"
#include "sensors.hpp"
#include "starts.hpp"
#include "tree.hpp"
#include "virtual_power.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

namespace {

SX column(const std::vector<SX>& entries) { return entries.empty() ? SX(0, 1) : SX::vertcat(entries); }

/// A constraint before its multiplier is numbered.
struct Row {
  ConstraintEquation equation;  ///< residual: with openings and readings
  /// Realised: what the multiplier acts on, as efforts on rates.
  std::vector<std::pair<SX, SX>> realised;
  SX multiplier = {};
};

class BodyAssembly {
 public:
  BodyAssembly(const Description& description, Diagnostics& diagnostics)
      : d_(description),
        diagnostics_(diagnostics),
        parameters_(description, equations_),
        tree_(description.absolute ? absolute_tree(description) : spanning_tree(description)),
        geometry_{[this](const Expression& e) { return (*translate_)(e); },
                  [this](const SX& e) { return parameters_.numbers(e); }},
        kinematics_(description, tree_, geometry_),
        quantities_(quantities(description)) {}

  std::optional<Equations> run() {
    const std::size_t errors = diagnostics_.size();
    equations_.name = d_.name;
    equations_.energy_place = d_.bodies.size() > 1 ? d_.bodies[1].place : d_.place;
    starts_ = std::make_unique<Starts>(d_, quantities_, kinematics_, parameters_, equations_);
    parameters_.finish(diagnostics_);
    if (diagnostics_.size() > errors) return std::nullopt;
    make_symbols();
    translate_ = std::make_unique<Translator>(d_.functions, kinematics_.symbols);
    const Motions& motions = *kinematics_.motions;
    for (const Moving* moving : {&motions.openings, &motions.readings}) {
      translate_->set_rates(moving->at, moving->rate);
      translate_->set_rates(moving->rate, moving->acceleration);
    }
    translate_->define("time", kinematics_.symbols.time);
    for (std::size_t i = 0; i < d_.parameters.size(); ++i)
      translate_->define(d_.parameters[i].name, parameters_.symbol(i));
    for (std::size_t i = 0; i < d_.inputs.size(); ++i)
      translate_->define(d_.inputs[i].name, kinematics_.symbols.inputs(static_cast<casadi_int>(i)));
    for (const Definition& definition : d_.definitions) translate_->define(definition.name, definition.value);
    kinematics_.build([this](const std::string& coordinate) { return starts_->symbol(coordinate); },
                      [this](const Motion& motion) { return value_of(motion); });
    power_ = std::make_unique<VirtualPower>(kinematics_, mass_properties(), kinematics_.vector(d_.gravity));
    define_coordinates();
    define_places();
    for (const Force& force : d_.forces) apply(force);
    add_rows();
    add_equations();
    add_reactions();
    starts_->finish(cut_values_, turns_);
    add_outputs();
    finish();
    if (diagnostics_.size() > errors) return std::nullopt;
    return std::move(equations_);
  }

 private:
  SX value(const Expression& expression) { return (*translate_)(expression); }
  SX rate(const SX& expression) const { return kinematics_.motions->rate(expression); }
  SX named(const std::string& name) {
    Expression symbol;
    symbol.kind = Expression::Kind::symbol;
    symbol.name = name;
    return value(symbol);
  }

  /// Makes a dotted name known to formulas, and as a variable.
  void show(const std::string& name, const SX& value) {
    translate_->define(name, value);
    shown_[name] = value;
  }

  void make_symbols() {
    Symbols& s = kinematics_.symbols;
    for (const Input& input : d_.inputs) {
      equations_.input_names.push_back(input.name);
      equations_.input_values.push_back(to_si(input.start, input.unit));
    }
    if (has_motion_by_input()) {
      equations_.input_time = static_cast<int>(equations_.input_names.size());
      equations_.input_names.push_back("time of the inputs");
      equations_.input_values.push_back(0);
    }
    std::vector<SX> inputs;
    for (const std::string& name : equations_.input_names) inputs.push_back(SX::sym(name));
    s.inputs = column(inputs);
    s.parameters = equations_.symbols.parameters;
  }

  bool has_motion_by_input() const {
    const auto by_input = [](const std::optional<Motion>& motion) { return motion && motion->rate; };
    return std::any_of(d_.joints.begin(), d_.joints.end(), [&](const Joint& joint) {
      return by_input(joint.length_motion) ||
             std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                         [&](const JointCoordinate& coordinate) { return by_input(coordinate.motion); });
    });
  }

  std::vector<MassProperties> mass_properties() {
    std::vector<MassProperties> result;
    for (const Body& body : d_.bodies) {
      std::vector<SX> I;
      for (const Expression& number : body.inertia) I.push_back(value(number));
      if (!d_.spatial)
        result.push_back({value(body.mass), I.empty() ? SX(0) : I[0]});
      else if (I.empty())
        result.push_back({value(body.mass), SX::zeros(3, 3)});
      else
        result.push_back({value(body.mass), SX::vertcat({SX::horzcat({I[0], I[3], I[4]}), SX::horzcat({I[3], I[1], I[5]}),
                                                         SX::horzcat({I[4], I[5], I[2]})})});
    }
    return result;
  }

  /// Joints' coordinates as formulas read them: symbols of their own in the tree, told from the relative pose at cuts.
  void define_coordinates() {
    const Motions& motions = *kinematics_.motions;
    for (const MovingJoint& joint : kinematics_.joints) {
      const std::vector<JointCoordinate>& coordinates = joint.joint->coordinates;
      JointClosure closure;
      if (joint.cut && joint.form->close) closure = joint.form->close(joint.geometry, joint.relative);
      for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const std::string& name = coordinates[i].name;
        if (!joint.cut) {
          translate_->define(name, motions.readings.at(joint.reading + static_cast<casadi_int>(i)));
          continue;
        }
        const SX at = with_turns(name, closure.coordinates[i]);
        cut_values_[name] = at;
        show(name, at);
        shown_["der(" + name + ")"] = rate(at);
        shown_["der(" + name + ",2)"] = rate(rate(at));
      }
      if (joint.joint->orientation) define_orientation(joint);
    }
  }

  SX with_turns(const std::string& name, const ClosureCoordinate& coordinate) {
    if (!coordinate.wraps) return coordinate.value;
    const SX turns = SX::sym("turns of " + name);
    turns_.push_back(turns);
    equations_.angles.push_back({name, kinematics_.motions->real(coordinate.value), starts_->symbol(name)});
    return coordinate.value + 2 * casadi::pi * turns;
  }

  void define_orientation(const MovingJoint& joint) {
    const std::string front = joint.joint->name;
    const auto count = static_cast<casadi_int>(joint.joint->coordinates.size());
    const Symbols& s = kinematics_.symbols;
    SX quaternion, omega;
    if (joint.cut) {
      quaternion = quaternion_of(joint.relative.R);
      omega = joint.relative.rotation_rate;
      cut_orientations_.push_back(&joint);
    } else {
      quaternion = s.q(Slice(joint.position + count, joint.position + count + 4));
      omega = s.v(Slice(joint.velocity + count, joint.velocity + count + 3));
    }
    const char* components[] = {"w", "x", "y", "z"};
    for (casadi_int i = 0; i < 4; ++i) {
      const std::string name = front + ".orientation." + components[i];
      translate_->define(name, quaternion(i));
      if (joint.cut) shown_[name] = quaternion(i);
    }
    for (casadi_int i = 0; i < 3; ++i) {
      const std::string name = front + ".angular_velocity." + components[i + 1];
      translate_->define(name, omega(i));
      if (!joint.cut) continue;
      shown_[name] = omega(i);
      shown_["der(" + name + ")"] = rate(omega(i));
    }
  }

  void define_places() {
    const auto define = [this](const std::string& name, const SX& value) { show(name, value); };
    for (std::size_t i = 1; i < kinematics_.bodies.size(); ++i) show_body(kinematics_.bodies[i], kinematics_, define);
    for (const Sensor& sensor : d_.sensors) show_sensor(sensor, kinematics_, define);
  }

  void apply(const Force& force) {
    const ForceBuilder builder{
        force,
        kinematics_,
        *power_,
        [this](const Expression& e) { return value(e); },
        [this](const std::string& name) { return named(name); },
        [this, &force](const std::string& variable, const SX& value) { show(force.name + "." + variable, value); },
        [this, &force] {
          const SX load = SX::sym("normal force of " + force.name);
          loads_.push_back({&force, load});
          return load;
        },
        [this](const SX& e) {
          const Symbols& s = kinematics_.symbols;
          const Motions& m = *kinematics_.motions;
          return !SX::depends_on(e, SX::vertcat({s.time, s.q, s.v, s.inputs, m.readings.at, m.readings.rate}));
        }};
    find_force_law(force.type).apply(builder);
  }

  Row& add_row(const std::string& name, const Place& place, Level level, const SX& residual, Shown multiplier) {
    Row row;
    row.equation.name = name;
    row.equation.place = place;
    row.equation.level = level;
    row.equation.residual = residual;
    row.equation.multiplier = std::move(multiplier);
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  /// What the variable list says of a name.
  Shown shown_of(const std::string& name) const {
    for (const Quantity& quantity : quantities_)
      if (quantity.name == name) return {quantity.name, quantity.description, quantity.unit, quantity.place};
    throw std::logic_error("no quantity " + name);
  }

  static Shown hidden(const std::string& name, const Place& place) {
    Shown shown{name, "", Unit{}, place};
    shown.hidden = true;
    return shown;
  }

  void add_rows() {
    for (const MovingJoint& joint : kinematics_.joints) add_joint_rows(joint);
    for (const Coupling& coupling : d_.couplings) {
      const CouplingEquation equation = coupling_equation(
          coupling, kinematics_, [this](const Expression& e) { return value(e); },
          [this](const std::string& name) { return named(name); });
      add_row(coupling.name, coupling.place, equation.level, equation.residual,
              shown_of("coupling." + coupling.name + ".multiplier"))
          .equation.description = coupling.description;
    }
    for (const Constraint& constraint : d_.constraints) {
      Row& row = add_row(constraint.name, constraint.place, constraint.level, value(constraint.residual),
                         shown_of("constraint." + constraint.name + ".multiplier"));
      row.equation.description = constraint.description;
      for (const auto& [coordinate, coefficient] : constraint.realised_by)
        row.realised.emplace_back(value(coefficient), rate(named(coordinate)));
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.equation.level < b.equation.level; });
    for (Row& row : rows_) row.multiplier = SX::sym(row.equation.multiplier.name);
  }

  void add_joint_rows(const MovingJoint& joint) {
    const std::string& name = joint.joint->name;
    const Place& place = joint.joint->place;
    const auto add = [&](const JointRows& rows, Level level) {
      for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const std::string row = rows.rows.size() == 1 ? name : name + "." + rows.names[i];
        add_row(row, place, level, rows.rows[i], hidden(name + "." + rows.names[i], place)).equation.of_joint = true;
      }
    };
    add(joint.motion.rows, Level::position);
    add(joint.closure.rows, Level::position);
    add(joint.roll, Level::velocity);
    for (const SX& condition : joint.closure.branch)
      equations_.branches.push_back({name, place, kinematics_.motions->real(condition)});
    for (std::size_t i = 0; i < joint.joint->coordinates.size(); ++i) {
      const JointCoordinate& coordinate = joint.joint->coordinates[i];
      if (!coordinate.motion) continue;
      // The motion acts on the coordinate itself, not on what forces read: its effort belongs to the reaction.
      const SX at = joint.cut ? with_known_turns(coordinate.name, joint.closure.coordinates[i])
                              : SX(kinematics_.symbols.q(joint.position + static_cast<casadi_int>(i)));
      add_row(coordinate.name + ".drive", coordinate.motion->place, Level::position, at - value_of(*coordinate.motion),
              shown_of(coordinate.name + ".drive"));
    }
  }

  SX with_known_turns(const std::string& name, const ClosureCoordinate& coordinate) const {
    if (!coordinate.wraps) return coordinate.value;
    for (std::size_t i = 0; i < equations_.angles.size(); ++i)
      if (equations_.angles[i].name == name) return coordinate.value + 2 * casadi::pi * turns_[i];
    return coordinate.value;
  }

  /// A prescribed motion. By an input: its Taylor polynomial from the time at which inputs were last taken over, or what a
  /// filter makes of it.
  SX value_of(const Motion& motion) {
    const SX at = value(motion.value);
    if (motion.filter) return filtered(motion, at);
    if (!motion.rate) return at;
    const SX since = kinematics_.symbols.time - kinematics_.symbols.inputs(equations_.input_time);
    return at + value(*motion.rate) * since + value(*motion.acceleration) * SX::sq(since) / 2;
  }

  /// The filter's state s, T² s̈ + 2T ṡ + s = u: an inertia of one that nothing pushes back (finish_filters).
  SX filtered(const Motion& motion, const SX& u) {
    const Filter& filter = kinematics_.filter_of(motion);
    const Symbols& s = kinematics_.symbols;
    const SX at = s.q(filter.position), rate = s.v(filter.velocity), T = value(*motion.filter);
    filter_forces_.emplace_back(filter.velocity, (u - at - 2 * T * rate) / SX::sq(T));
    starts_->hold(s.q(filter.position).name(), motion.place, at - u, rate);
    return at;
  }

  /// What a constraint behind a filter does acts on the mechanism alone.
  void finish_filters(ConstraintEquation& equation) const {
    const Symbols& s = kinematics_.symbols;
    SX B = SX::jtimes(equation.residual, s.q, SX::jacobian(s.q_rate, s.v)).T();
    bool behind = false;
    for (const Filter& filter : kinematics_.filters) {
      behind |= SX::depends_on(equation.residual, s.q(filter.position));
      B(filter.velocity) = 0;
    }
    if (behind) equation.realised_by = SX::sparsify(B);
  }

  void add_equations() {
    const BodyEquations bodies = power_->equations();
    equations_.mass_matrix = bodies.mass_matrix;
    equations_.inertia_forces = bodies.inertia_forces;
    equations_.forces = bodies.forces;
    for (const auto& [velocity, force] : filter_forces_) {
      (*equations_.mass_matrix)(velocity, velocity) = 1;
      equations_.forces(velocity) = force;
    }
    equations_.kinetic_energy = bodies.kinetic_energy;
    potential_energy_ = bodies.potential_energy;
    for (const Row& row : rows_) {
      ConstraintEquation equation = row.equation;
      equation.residual = SX::densify(kinematics_.motions->real(equation.residual));
      if (!row.realised.empty()) {
        SX B = SX::zeros(kinematics_.symbols.v.numel());
        for (const auto& [coefficient, rate] : row.realised)
          B += SX::jtimes(kinematics_.motions->real(rate), kinematics_.symbols.v,
                          kinematics_.motions->real(coefficient), true);
        equation.realised_by = SX::sparsify(B);
      }
      if (equation.level == Level::position && !kinematics_.filters.empty()) finish_filters(equation);
      equations_.constraints.push_back(std::move(equation));
    }
  }

  /// The wrench of every joint on its child, in the parent's frame.
  void add_reactions() {
    std::vector<ConstraintPower> constraints;
    std::vector<std::pair<SX, SX>> further;
    for (const Row& row : rows_) {
      if (row.realised.empty())
        constraints.push_back({row.equation.level, row.equation.residual, row.multiplier});
      else
        for (const auto& [coefficient, rate] : row.realised) further.emplace_back(coefficient * row.multiplier, rate);
    }
    const VirtualPower::Transmitted transmitted = power_->transmitted(constraints, further);
    const casadi_int space = kinematics_.space(), all = kinematics_.openings_of_a_joint();
    for (const MovingJoint& joint : kinematics_.joints) {
      const std::string& name = joint.joint->name;
      if (joint.joint->type == "distance") {
        for (const Row& row : rows_)
          if (row.equation.name == name) show(name + ".tension", -row.multiplier);
        continue;
      }
      SX wrench = transmitted.openings(Slice(joint.opening, joint.opening + all));
      SX force = wrench(Slice(0, space)), torque = wrench(Slice(space, all));
      if (joint.cut) {
        force = -force;
        torque = -torque;
      }
      for (std::size_t i = 0; i < joint.motion.efforts.size(); ++i) {
        const SX effort = transmitted.readings(joint.reading + static_cast<casadi_int>(i));
        force -= effort * joint.motion.efforts[i].force;
        torque -= effort * joint.motion.efforts[i].torque;
      }
      force = SX::mtimes(joint.parent_frame, force);
      if (space == 3) torque = SX::mtimes(joint.parent_frame, torque);
      const char* components[] = {".x", ".y", ".z"};
      for (casadi_int i = 0; i < space; ++i) show(name + ".reaction.force" + components[i], force(i));
      for (casadi_int i = 0; i < torque.numel(); ++i)
        show(name + ".reaction.torque" + (space == 3 ? components[i] : ""), torque(i));
      for (const auto& [friction, load] : loads_) add_load(*friction, joint, force);
    }
    for (const Row& row : rows_)
      if (!row.equation.multiplier.hidden) translate_->define(row.equation.multiplier.name, row.multiplier);
  }

  /// The normal force of a friction: the reaction across the direction that its coordinate leaves free.
  void add_load(const Force& friction, const MovingJoint& joint, const SX& force) {
    const std::vector<JointCoordinate>& coordinates = joint.joint->coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (coordinates[i].name != friction.coordinate) continue;
      SX across = force;
      if (!joint.form->coordinates[i].angle) {
        const SX axis = SX::mtimes(joint.parent_frame, kinematics_.space() == 3 ? third(joint.geometry) : joint.geometry.axis);
        across = force - SX::dot(axis, force) * axis;
      }
      equations_.loads.push_back({friction.name, friction.place, SX::norm_2(across)});
    }
  }

  void add_outputs() {
    Symbols& s = kinematics_.symbols;
    show("energy.kinetic", equations_.kinetic_energy);
    show("energy.potential", potential_energy_);
    show("energy.total", equations_.kinetic_energy + potential_energy_);
    s.multipliers = multipliers();
    // A cut joint's coordinates first, with their derivatives.
    std::vector<std::pair<Shown, SX>> outputs;
    for (const Quantity& quantity : quantities_) {
      const auto found = shown_.find(quantity.name);
      if (found == shown_.end()) continue;  // a position, a velocity or a multiplier
      Shown shown{quantity.name, quantity.description, quantity.unit, quantity.place};
      const bool of_joint = cut_values_.count(quantity.name) > 0 || is_orientation_of_cut(quantity.name);
      shown.local = !of_joint && !is_reaction(quantity);
      outputs.emplace_back(shown, found->second);
      add_derivatives(quantity, outputs);
    }
    for (const Output& output : d_.outputs) {
      const SX at = output.kind == Output::Kind::value ? value(output.value) : declared_output(output, kinematics_);
      translate_->define(output.name, at);
      outputs.emplace_back(Shown{output.name, output.description, output.unit, output.place}, at);
    }
    const SX late = SX::vertcat({s.acceleration, s.multipliers, column(load_symbols())});
    std::vector<SX> values;
    for (const auto& [shown, value] : outputs) values.push_back(SX::densify(value));
    values = kinematics_.motions->real(values);
    std::map<int, int> counts;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool read_late = SX::depends_on(values[i], late);
      const int group = read_late ? reaction_outputs : outputs[i].first.local ? energy_outputs : motion_outputs;
      equations_.outputs.push_back({outputs[i].first, SX::densify(values[i]), group, counts[group]++});
    }
  }

  void add_derivatives(const Quantity& quantity, std::vector<std::pair<Shown, SX>>& outputs) const {
    const std::string front = "der(" + quantity.name;
    std::string before = quantity.name;
    Unit unit = quantity.unit;
    for (const char* back : {")", ",2)"}) {
      const auto found = shown_.find(front + back);
      if (found == shown_.end()) return;
      unit = per_second(unit);
      Shown shown{front + back, (back[0] == ')' ? "rate of " : "acceleration of ") + quantity.name, unit, quantity.place};
      shown.local = true;
      shown.derivative_of = before;
      before = shown.name;
      outputs.emplace_back(shown, found->second);
    }
  }

  bool is_orientation_of_cut(const std::string& name) const {
    return std::any_of(cut_orientations_.begin(), cut_orientations_.end(), [&](const MovingJoint* joint) {
      return name.starts_with(joint->joint->name + ".orientation.");
    });
  }

  static bool is_reaction(const Quantity& quantity) {
    return quantity.kind == Quantity::Kind::result && !quantity.name.starts_with("energy.");
  }

  SX multipliers() const {
    std::vector<SX> all;
    for (const Row& row : rows_) all.push_back(row.multiplier);
    return column(all);
  }

  std::vector<SX> load_symbols() const {
    std::vector<SX> symbols;
    for (const auto& [force, load] : loads_) symbols.push_back(load);
    return symbols;
  }

  void finish() {
    Symbols& s = kinematics_.symbols;
    s.turns = column(turns_);
    s.loads = column(load_symbols());
    equations_.symbols = s;
    equations_.quaternions = kinematics_.quaternions;
    for (LoadEquation& load : equations_.loads) load.value = SX::densify(kinematics_.motions->real(load.value));
    // In the order of their symbols.
    std::vector<LoadEquation> ordered;
    for (const auto& [force, symbol] : loads_)
      for (const LoadEquation& load : equations_.loads)
        if (load.name == force->name) ordered.push_back(load);
    equations_.loads = std::move(ordered);
    equations_.structure = tree_text(d_, tree_);
    equations_.equilibrium = d_.equilibrium;
  }

  const Description& d_;
  Diagnostics& diagnostics_;
  Equations equations_;
  ParameterAssembly parameters_;
  const Tree tree_;
  const Geometry geometry_;
  Kinematics kinematics_;
  const std::vector<Quantity> quantities_;
  std::unique_ptr<Translator> translate_;
  std::unique_ptr<Starts> starts_;
  std::unique_ptr<VirtualPower> power_;
  std::map<std::string, SX> shown_;       ///< variables that are expressions
  std::map<std::string, SX> cut_values_;  ///< coordinates of cut joints
  std::vector<const MovingJoint*> cut_orientations_;
  std::vector<SX> turns_;
  std::vector<std::pair<const Force*, SX>> loads_;
  std::vector<Row> rows_;
  std::vector<std::pair<int, SX>> filter_forces_;  ///< by velocity
  SX potential_energy_;
};

}  // namespace

std::optional<Equations> assemble_bodies(const Description& description, Diagnostics& diagnostics) {
  return BodyAssembly(description, diagnostics).run();
}

}  // namespace mechfmu
