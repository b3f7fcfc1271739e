// Assembles a mechanism of bodies from its text, ready to run without a compiler, with all of its variables by name.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "fmu_src/simulation/simulation.hpp"

namespace mechfmu {
struct Description;
}

namespace mechfmu::testing {

class Assembled {
 public:
  /// Returns the settings that it has at first.
  static Settings settings();
  /// Reads, derives, finds the ranks. Throws std::runtime_error, like everything here, where something does not work.
  /// Files that the text names are looked for beside `file_name`.
  explicit Assembled(const std::string& text, const std::string& file_name = "random.toml");
  ~Assembled();

  int degrees_of_freedom() const;
  /// Some constraints follow from others.
  bool redundant() const;
  /// Those that are no part of the tree.
  std::set<std::string> cut_joints() const;
  Simulation& simulation() { return *simulation_; }
  const Mechanism& table() const;
  const Description& description() const;
  /// Assembles the mechanism at time 0.
  void start();
  /// Goes back to before the start, with these settings, and with the parameters and inputs that were set.
  void begin_anew(const Settings&);
  void advance(double end);
  double time() const { return simulation_->time(); }

  bool has(const std::string& name) const { return places_.count(name) > 0; }
  double operator[](const std::string& name) const;
  /// Name.x, name.y and, in space, name.z; in the plane the third is zero.
  Eigen::Vector3d vector(const std::string& name) const;
  /// Time derivative along the motion of a variable that needs no accelerations.
  double rate_of(const std::string& name);
  void set_parameter(const std::string& name, double value);
  /// Returns the rows that come and go and act now.
  std::vector<int> acting_rows() const;
  /// Is true if no reaction is left open.
  bool is_determined() const;
  /// Outputs that redundant constraints leave undetermined here.
  std::set<std::string> undetermined() const;

 private:
  enum class Kind { position, velocity, acceleration, multiplier, output };
  struct Place {
    Kind kind;
    int index, group;
  };
  struct Contents;
  void set_all();
  std::unique_ptr<Contents> contents_;
  std::unique_ptr<StandaloneSimulation> simulation_;
  std::map<std::string, Place> places_;
  std::map<int, double> set_parameters_;
};

}  // namespace mechfmu::testing
