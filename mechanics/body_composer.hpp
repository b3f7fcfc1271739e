// Holds what the steps from a description of bodies to equations share. The steps are in compose_bodies.cpp (symbols
// and names), compose_rows.cpp (constraints and equations of motion) and compose_outputs.cpp (reactions and variables).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elements/quantities.hpp"
#include "elements/surroundings.hpp"
#include "equations/columns.hpp"
#include "equations/compose_states.hpp"
#include "equations/compose_unknowns.hpp"
#include "equations/translate.hpp"
#include "kinematics.hpp"
#include "modelDescription/description/own_units.hpp"
#include "row_meanings.hpp"
#include "starts.hpp"
#include "tree.hpp"
#include "virtual_power.hpp"

namespace mechfmu {

/// Is a constraint before its multiplier is numbered.
struct Row {
  ConstraintEquation equation;  ///< Its residual contains openings and readings.
  /// If the constraint is realised, its multiplier acts on these, as efforts on rates.
  std::vector<std::pair<casadi::SX, casadi::SX>> realised;
  casadi::SX multiplier = {};
};

/// Is one mechanism on its way to equations. Call run() once.
class BodyComposer {
  /// Shows the mechanism to the formulas of elements.
  class Around final : public Surroundings {
   public:
    explicit Around(BodyComposer& composer) : composer_(composer), kinematics_(composer.kinematics_) {}
    bool spatial() const override { return composer_.d_.spatial; }
    casadi::SX value(const Expression& expression) const override { return composer_.value(expression); }
    casadi::SX named(const std::string& name) const override { return composer_.named(name); }
    casadi::SX call(const std::string& function, const casadi::SX& argument) const override {
      return composer_.translate_->call(function, argument);
    }
    casadi::SX rate(const casadi::SX& expression) const override { return composer_.rate(expression); }
    casadi::SX point(const PointReference& reference) const override { return kinematics_.point(reference); }
    casadi::SX point_of_body(const PointReference& reference) const override {
      return kinematics_.point_of_body(reference.body, reference.point);
    }
    casadi::SX frame(const PointReference& reference) const override { return kinematics_.frame(reference).R_GF; }
    casadi::SX rotation(int body) const override { return moving(body).frame.R_GF; }
    casadi::SX angular_velocity(int body) const override { return moving(body).w_GB_B; }
    PlacedJoint joint(const std::string& name) const override { return placed(kinematics_.joint(name)); }
    std::pair<PlacedJoint, std::size_t> coordinate(const std::string& name) const override {
      const auto [joint, i] = kinematics_.coordinate(name);
      return {placed(*joint), i};
    }
    Unit length_unit() const override { return own_length_unit(composer_.d_); }
    Unit unit_of(const Expression& expression, const Unit& otherwise) const override {
      return unit_of_formula(composer_.d_, expression, otherwise);
    }

   private:
    const MovingBody& moving(int body) const { return kinematics_.bodies[static_cast<std::size_t>(body)]; }
    BodyComposer& composer_;
    const Kinematics& kinematics_;
  };

 public:
  BodyComposer(const Description& description, Diagnostics& diagnostics)
      : d_(description), diagnostics_(diagnostics), parameters_(description, equations_),
        tree_(description.absolute ? absolute_tree(description) : spanning_tree(description)),
        geometry_{[this](const Expression& e) { return (*translate_)(e); },
                  [this](const casadi::SX& e) { return parameters_.numbers(e); }},
        kinematics_(description, tree_, geometry_), surroundings_(*this), quantities_(quantities(description)) {}

  std::optional<Equations> run();

  /// Returns the virtual power of the bodies; valid after run().
  const VirtualPower& power() const { return *power_; }

 private:
  casadi::SX value(const Expression& expression) { return (*translate_)(expression); }
  casadi::SX rate(const casadi::SX& expression) const { return kinematics_.motions->rate(expression); }
  casadi::SX named(const std::string& name);
  void show(const std::string& name, const casadi::SX& value);
  void make_symbols();
  bool has_prescribed_motion_by_input() const;
  std::vector<MassProperties> mass_properties();
  void define_coordinates();
  casadi::SX with_turns(const std::string& name, const ClosureCoordinate& coordinate);
  void define_orientation(const MovingJoint& joint);
  void define_places();
  void find_state_rates();
  static PlacedJoint placed(const MovingJoint& joint) {
    return {*joint.joint, *joint.form, joint.geometry, joint.R_PJ, joint.R_CK};
  }
  class Entered;
  void apply(const Force& force);
  void make_contacts();
  std::vector<ContactEquation> touching_groups(const Contact& contact);
  Row& add_row(const std::string& name, const Place& place, Level level, const casadi::SX& residual, const Unit& unit,
               Shown multiplier);
  void add_rows();
  void add_joint_rows(const MovingJoint& joint);
  void check_gains(const MovingJoint& joint, std::span<const Row> rows);
  casadi::SX value_of(const PrescribedMotion& motion);
  casadi::SX filtered(const PrescribedMotion& motion, const casadi::SX& u);
  void finish_filters(ConstraintEquation& equation) const;
  void add_conditions();
  void add_condition(ConditionEquation condition);
  void limit_numbers();
  void limit_inertia(const Body& body);
  void add_equations();
  void add_reactions();
  casadi::SX normal_force(const Force& friction) const;
  void add_outputs();
  void add_derivatives(const Quantity& quantity, std::vector<std::pair<Shown, casadi::SX>>& outputs) const;
  bool is_of_cut(const std::string& name) const;
  static bool is_reaction(const Quantity& quantity);
  casadi::SX multipliers() const;
  std::vector<casadi::SX> load_symbols() const;
  void finish();

  const Description& d_;
  Diagnostics& diagnostics_;
  Equations equations_;
  ParameterComposer parameters_;
  const Tree tree_;
  const Geometry geometry_;
  Kinematics kinematics_;
  const Around surroundings_;
  const std::vector<Quantity> quantities_;
  std::unique_ptr<Translator> translate_;
  std::unique_ptr<Starts> starts_;
  std::unique_ptr<StateComposer> states_;
  std::unique_ptr<UnknownComposer> unknowns_;
  casadi::SX state_rates_;  ///< contain openings and readings
  std::unique_ptr<VirtualPower> power_;
  std::map<std::string, casadi::SX> shown_;       ///< variables that are expressions, by name
  std::map<std::string, casadi::SX> cut_values_;  ///< coordinates of cut joints, by name
  std::vector<const MovingJoint*> cut_orientations_;
  std::vector<casadi::SX> turns_;
  std::map<const MovingJoint*, casadi::SX> reaction_forces_;  ///< act on the child, in the parent's frame, N
  std::vector<std::pair<const Force*, casadi::SX>> loads_;
  std::vector<Row> rows_;
  std::vector<ContactEquation> contacts_;   ///< contain openings and readings
  std::vector<ContactEquation> frictions_;  ///< frictions of joints that stick, until contacts_ has them
  std::unique_ptr<RowMeanings> row_meanings_;
  std::vector<std::pair<int, casadi::SX>> filter_forces_;  ///< forces of filters by velocity
  casadi::SX potential_energy_;
  std::string masses_;  ///< says how the mass matrix is made, for the author
};

}  // namespace mechfmu
