// Makes start values of joints: a parameter for each, guesses for the coordinates of the equations, and equations that
// hold only at the start for values that are fixed elsewhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elements/quantities.hpp"
#include "equations/compose_parameters.hpp"
#include "kinematics.hpp"

namespace mechfmu {

class Starts {
 public:
  /// Enters a start parameter for every coordinate of every joint, and lists positions and velocities.
  Starts(const Description& description, const std::vector<Quantity>& quantities, const Kinematics& kinematics,
         ParameterComposer& parameters, Equations& equations);

  /// Returns the start parameter of a coordinate.
  const casadi::SX& symbol(const std::string& coordinate) const { return positions_.at(coordinate); }

  /// Holds a hidden coordinate at rest at the start, at `start`, a formula of time, inputs and parameters.
  void hold(const std::string& name, const Place& place, const casadi::SX& coordinate, const casadi::SX& start,
            const casadi::SX& rate);

  /// Adds guesses, and equations for the starts of joints that are cut. `cut_values` holds their coordinates; `turns`
  /// lists symbols that these contain.
  void finish(const std::map<std::string, casadi::SX>& cut_values, const std::vector<casadi::SX>& turns);

 private:
  Unit hidden_unit(const std::string& name) const;
  void enter(const MovingJoint& joint);
  void enter_orientation(const MovingJoint& joint);
  void enter_hidden();
  void guess();
  void guess_free_bodies();
  void hold_orientation(const MovingJoint& joint);

  const Description& description_;
  const std::vector<Quantity>& quantities_;
  const Kinematics& kinematics_;
  ParameterComposer& parameters_;
  Equations& equations_;
  /// Hold start parameters, and guesses of coordinates that have none, by the coordinate's name.
  std::map<std::string, casadi::SX> positions_, velocities_;
};

}  // namespace mechfmu
