// The functions of the Mechanism table, each one call of CasADi's virtual machine with work arrays of its own.
#include "interpret.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "modelDescription/units.hpp"
#include "tapes.hpp"

namespace mechfmu {

namespace {

/// A CasADi function with everything that a call needs.
class Evaluator {
 public:
  explicit Evaluator(const casadi::Function& function)
      : function_(function),
        memory_(static_cast<int>(function.checkout())),
        arguments_(function.sz_arg()),
        results_(function.sz_res()),
        integers_(function.sz_iw()),
        numbers_(function.sz_w()) {}
  ~Evaluator() { function_.release(memory_); }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void operator()(const Point& point, std::initializer_list<double*> results) {
    const double* in[] = {&point.time,        point.q,           point.v,     point.inputs, point.parameters,
                          point.acceleration, point.multipliers, point.angles, point.loads};
    std::copy_n(in, function_.n_in(), arguments_.begin());
    std::copy(results.begin(), results.end(), results_.begin());
    function_(arguments_.data(), results_.data(), integers_.data(), numbers_.data(), memory_);
  }

 private:
  casadi::Function function_;
  int memory_;
  std::vector<const double*> arguments_;
  std::vector<double*> results_;
  std::vector<casadi_int> integers_;
  std::vector<double> numbers_;
};

/// Indices of a pattern's nonzeros.
class PatternStorage {
 public:
  explicit PatternStorage(const casadi::Sparsity& pattern)
      : rows_(static_cast<int>(pattern.size1())), columns_(static_cast<int>(pattern.size2())) {
    for (const casadi_int row : pattern.get_row()) row_.push_back(static_cast<int>(row));
    for (const casadi_int column : pattern.get_col()) column_.push_back(static_cast<int>(column));
  }
  Pattern pattern() const { return {rows_, columns_, static_cast<int>(row_.size()), row_.data(), column_.data()}; }

 private:
  int rows_, columns_;
  std::vector<int> row_, column_;
};

/// Bools with an address (vector<bool> has none).
std::unique_ptr<bool[]> flags(const std::vector<bool>& values) {
  auto result = std::make_unique<bool[]>(values.size());
  std::copy(values.begin(), values.end(), result.get());
  return result;
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> result;
  for (const std::string& name : names) result.push_back(name.c_str());
  return result;
}

std::vector<int> calculated_parameters(const Equations& equations) {
  std::vector<int> result;
  for (const Calculation& calculation : equations.calculations) result.push_back(calculation.parameter);
  return result;
}

}  // namespace

struct InterpretedMechanism::Contents {
  explicit Contents(const Derivation& derivation);

  static const Contents& of(const Point& point) { return *static_cast<const Contents*>(point.context); }

  template <int group>
  static void output_group(const Point& point, double* values) {
    of(point).outputs[group](point, {values});
  }

  mutable Evaluator position, velocity, violation, acceleration, calculate, angles, loads, load_slopes, load_actions;
  mutable Evaluator load_starts, mass;
  mutable Evaluator guess, start_positions, start_velocities, start_guesses, branches, told_lengths, condition_values;
  mutable std::array<Evaluator, output_group_count> outputs;
  TapeStorage balance, start;
  std::array<TapeStorage, output_group_count> output_tapes;
  PatternStorage M, C, M_rate, C_rate, C_a, B;
  std::string name;
  std::vector<std::string> position_names, velocity_names, constraints, start_position_names, start_velocity_names;
  std::vector<std::string> load_names, branch_names;
  std::vector<const char*> position_pointers, velocity_pointers, constraint_pointers;
  std::vector<const char*> start_position_pointers, start_velocity_pointers, load_pointers, branch_pointers;
  ToldTables told;
  std::vector<const char*> driven_pointers;
  std::vector<ShownUnit> shown_units;
  std::vector<unsigned char> unit_indices;
  std::vector<ToldRows> told_rows;
  std::vector<Quaternion> quaternions;
  std::vector<double> nominal, rate_nominal;
  std::unique_ptr<bool[]> position_fixed, velocity_fixed, realised, bare, drives;
  std::vector<int> calculated, turning, same_unit;
  std::vector<ConditionEquation> condition_texts;
  std::vector<Condition> conditions;
  std::array<OutputGroup, output_group_count> groups;
  Mechanism table;
};

InterpretedMechanism::Contents::Contents(const Derivation& d)
    : position(d.position),
      velocity(d.velocity),
      violation(d.violation),
      acceleration(d.acceleration),
      calculate(d.calculate),
      angles(d.angles),
      loads(d.loads),
      load_slopes(d.load_slopes),
      load_actions(d.load_actions),
      load_starts(d.load_starts),
      mass(d.mass_with_loads),
      guess(d.guess),
      start_positions(d.start_positions),
      start_velocities(d.start_velocities),
      start_guesses(d.start_guesses),
      branches(d.branches),
      told_lengths(d.told_lengths),
      condition_values(d.condition_values),
      outputs{Evaluator(d.outputs[0]), Evaluator(d.outputs[1]), Evaluator(d.outputs[2])},
      balance(tape_of(d.balance)),
      start(tape_of(d.start)),
      output_tapes{tape_of(d.outputs[0]), tape_of(d.outputs[1]), tape_of(d.outputs[2])},
      M(d.M),
      C(d.C),
      M_rate(d.stage_M_rate()),
      C_rate(d.stage_C_rate()),
      C_a(d.C_a),
      B(d.B),
      name(d.equations.name),
      position_names(names_of(d.equations.positions)),
      velocity_names(names_of(d.equations.velocities)),
      constraints(names_of(d.equations.constraints)),
      start_position_names(names_of(d.equations.start_positions)),
      start_velocity_names(names_of(d.equations.start_velocities)),
      load_names(names_of(d.equations.loads)),
      branch_names(names_of(d.equations.branches)),
      position_pointers(pointers(position_names)),
      velocity_pointers(pointers(velocity_names)),
      constraint_pointers(pointers(constraints)),
      start_position_pointers(pointers(start_position_names)),
      start_velocity_pointers(pointers(start_velocity_names)),
      load_pointers(pointers(load_names)),
      branch_pointers(pointers(branch_names)),
      told(d.told),
      driven_pointers(pointers(told.driven)),
      unit_indices(d.told.units_of.begin(), d.told.units_of.end()),
      quaternions(d.equations.quaternions),
      nominal(d.equations.nominal),
      rate_nominal(d.equations.rate_nominal),
      position_fixed(flags(d.equations.position_fixed)),
      velocity_fixed(flags(d.equations.velocity_fixed)),
      realised(flags(d.realised)),
      bare(flags(d.bare)),
      drives(flags(d.drives)),
      calculated(calculated_parameters(d.equations)),
      turning(d.equations.turning),
      same_unit(d.same_unit),
      condition_texts(d.equations.conditions),
      groups{{{d.output_counts[0], false, output_group<0>, output_tapes[0].tape()},
              {d.output_counts[1], true, output_group<1>, output_tapes[1].tape()},
              {d.output_counts[2], false, output_group<2>, output_tapes[2].tape()}}} {
  table.balance = balance.tape();
  table.start = start.tape();
  table.name = name.c_str();
  table.sizes = d.sizes;
  table.character = d.character;
  table.M = M.pattern();
  table.C = C.pattern();
  table.M_rate = M_rate.pattern();
  table.C_rate = C_rate.pattern();
  table.C_a = C_a.pattern();
  table.B = B.pattern();
  table.prepare = [](const Point&) {};
  table.position = [](const Point& point, double* M, double* C, double* c_t) {
    of(point).position(point, {M, C, c_t});
  };
  table.velocity = [](const Point& point, double* g, double* C_rate, double* M_rate) {
    of(point).velocity(point, {g, C_rate, M_rate});
  };
  table.violation = [](const Point& point, double* f) { of(point).violation(point, {f}); };
  table.acceleration = [](const Point& point, double* h, double* gamma, double* C_a, double* B) {
    of(point).acceleration(point, {h, gamma, C_a, B});
  };
  table.calculate = [](const Point& point, double* values) { of(point).calculate(point, {values}); };
  table.quaternions = quaternions.data();
  table.guess = [](const Point& point, double* q, double* v) { of(point).guess(point, {q, v}); };
  table.start_positions = [](const Point& point, double* f, double* F) { of(point).start_positions(point, {f, F}); };
  table.start_velocities = [](const Point& point, double* r, double* R) { of(point).start_velocities(point, {r, R}); };
  table.start_guesses = [](const Point& point, double* g, double* G) { of(point).start_guesses(point, {g, G}); };
  table.branches = [](const Point& point, double* values) { of(point).branches(point, {values}); };
  table.branch_names = branch_pointers.data();
  for (const ConditionEquation& condition : condition_texts) conditions.push_back(condition.condition());
  table.condition_count = static_cast<int>(conditions.size());
  table.conditions = conditions.data();
  table.condition_values = [](const Point& point, double* values) { of(point).condition_values(point, {values}); };
  table.equilibrium = d.equations.equilibrium;
  table.angles = [](const Point& point, double* raw, double* rates, double* guesses) {
    of(point).angles(point, {raw, rates, guesses});
  };
  table.mass = [](const Point& point, double* M) { of(point).mass(point, {M}); };
  table.loads = [](const Point& point, double* residuals) { of(point).loads(point, {residuals}); };
  table.load_slopes = [](const Point& point, double* slopes) { of(point).load_slopes(point, {slopes}); };
  table.load_actions = [](const Point& point, double* actions) { of(point).load_actions(point, {actions}); };
  table.load_starts = [](const Point& point, double* starts) { of(point).load_starts(point, {starts}); };
  table.load_names = load_pointers.data();
  table.input_time = d.equations.input_time;
  table.turning = turning.data();
  table.drives = drives.get();
  table.nominal = nominal.data();
  table.rate_nominal = rate_nominal.data();
  table.duration = d.equations.duration;
  table.nominal_force = d.equations.nominal_force;
  table.calculated_count = static_cast<int>(calculated.size());
  table.calculated = calculated.data();
  table.group_count = output_group_count;
  table.groups = groups.data();
  table.position_fixed = position_fixed.get();
  table.velocity_fixed = velocity_fixed.get();
  table.realised = realised.get();
  table.bare = bare.get();
  table.position_names = position_pointers.data();
  table.velocity_names = velocity_pointers.data();
  table.constraint_names = constraint_pointers.data();
  table.driven = driven_pointers.data();
  table.same_unit = same_unit.data();
  table.start_position_names = start_position_pointers.data();
  table.start_velocity_names = start_velocity_pointers.data();
  for (const Unit& unit : told.units) shown_units.push_back({unit.text.c_str(), unit.factor, unit.offset});
  for (const ToldTables::Rows& rows : told.rows)
    told_rows.push_back({rows.first, rows.count, rows.gap, static_cast<unsigned char>(rows.unit), rows.text.c_str(),
                         rows.first_length});
  table.units = shown_units.data();
  table.units_of = unit_indices.data();
  table.told_count = static_cast<int>(told_rows.size());
  table.told = told_rows.data();
  table.told_lengths = [](const Point& point, double* lengths) { of(point).told_lengths(point, {lengths}); };
}

InterpretedMechanism::InterpretedMechanism(const Derivation& derivation)
    : contents_(std::make_unique<Contents>(derivation)) {
  contents_->table.context = contents_.get();
}
InterpretedMechanism::~InterpretedMechanism() = default;
InterpretedMechanism::InterpretedMechanism(InterpretedMechanism&&) noexcept = default;
InterpretedMechanism& InterpretedMechanism::operator=(InterpretedMechanism&&) noexcept = default;

const Mechanism& InterpretedMechanism::table() const { return contents_->table; }

const void* InterpretedMechanism::context() const { return contents_.get(); }

}  // namespace mechfmu
