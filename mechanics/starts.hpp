// Start values of joints: a parameter for each, guesses for the coordinates that the equations have, and equations that
// hold at the start only for what is fixed elsewhere.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "elements/quantities.hpp"
#include "equations/assemble_parameters.hpp"
#include "kinematics.hpp"

namespace mechfmu {

class Starts {
 public:
  /// Enters a start parameter for every coordinate of every joint, and says what positions and velocities are.
  Starts(const Description& description, const std::vector<Quantity>& quantities, const Kinematics& kinematics,
         ParameterAssembly& parameters, Equations& equations);

  /// The start parameter of a coordinate.
  const casadi::SX& symbol(const std::string& coordinate) const { return positions_.at(coordinate); }

  /// Holds a hidden coordinate at the start: at `start`, of time, inputs and parameters, and at rest.
  void hold(const std::string& name, const Place& place, const casadi::SX& coordinate, const casadi::SX& start,
            const casadi::SX& rate);

  /// Guesses, and equations for the starts of joints that are cut. `cut_values`: their coordinates; `turns`: symbols
  /// that these contain.
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
  ParameterAssembly& parameters_;
  Equations& equations_;
  /// By coordinate: start parameters, and guesses of what has none.
  std::map<std::string, casadi::SX> positions_, velocities_;
};

}  // namespace mechfmu
