// Holds the present state of a motion.
#include "present.hpp"

#include "linear/dense.hpp"

namespace mechfmu {

Present::Present(Arena& arena, const Mechanism& m)
    : mechanism_(m), memory_(arena), state_(arena, m.sizes), work_(arena, m.sizes.work),
      calculated_(arena, m.calculated_count), laws_(arena, m.sizes.contacts), M_(arena, m.sizes.M_nonzeros),
      C_(arena, m.sizes.C_nonzeros), c_t_(arena, m.sizes.rows()) {}

const double* Present::parameters() {
  if (!known_.calculated) {
    Point p;
    p.parameters = state_.parameters;
    p.context = mechanism_.context;
    if (mechanism_.calculated_count > 0) mechanism_.calculate(p, calculated_.data());
    for (int i = 0; i < mechanism_.calculated_count; ++i) {
      state_.parameters[mechanism_.calculated[i]] = calculated_[i];
    }
    known_.calculated = true;
  }
  return state_.parameters;
}

void Present::set_input(int index, double value) {
  state_.inputs[index] = value;
  if (outside_ == nullptr) state_.clear_sides();
  if (mechanism_.input_time >= 0) state_.inputs[mechanism_.input_time] = *state_.time;
  moved();
}

void Present::set_input_derivative(int index, int order, double value) {
  if (mechanism_.drives != nullptr && mechanism_.drives[index]) return;
  state_.input_derivatives[(order - 1) * mechanism_.sizes.inputs + index] = value;
  if (*state_.input_order < order) *state_.input_order = order;
}

Point Present::here() {
  Point p = at_state();
  if (outside_ != nullptr && fits()) p.v = outside_->velocity();
  return p;
}

Point Present::at_state() {
  Point p;
  p.time = *state_.time;
  p.q = state_.q;
  p.v = state_.v;
  p.inputs = state_.inputs;
  p.parameters = parameters();
  p.angles = state_.angles;
  p.loads = state_.loads;
  state_.give_contacts(p);
  p.work = work_.data();
  p.context = mechanism_.context;
  if (!known_.prepared) mechanism_.prepare(p);
  known_.prepared = true;
  return p;
}

void Present::find_gaps(double* gaps, double* speeds) {
  const Point p = at_state();
  mechanism_.gaps(p, gaps);
  mechanism_.contact_speeds(p, speeds);
}

int Present::contact_state(int group) {
  if (mechanism_.gives_way[group]) {
    static_assert(sizeof(ContactLaw) == contact_law_numbers * sizeof(double));
    mechanism_.contact_laws(at_state(), &laws_.data()->friction);
    if (!(laws_[group].capacity > 0)) return 0;
  }
  int first = 0;
  for (int i = 0; i < group; ++i) first += mechanism_.contacts[i].rows();
  bool holds = false;
  for (int i = first; i < first + mechanism_.contacts[group].rows(); ++i) {
    if (state_.slide[i] != 0) return 1;
    holds = holds || state_.held[i] != 0;
  }
  return holds ? 2 : 0;
}

int Present::contact_state(int upper, int lower) {
  if (lower == no_side) return contact_state(upper);
  const auto holds = [this](int group) { return group >= 0 && contact_state(group) > 0 ? 1 : 0; };
  return holds(upper) - holds(lower);
}

bool Present::make_fitting() {
  if (fitting_ == nullptr) fitting_ = memory_.make<Fitting>(memory_, mechanism_);
  return memory_.ok();
}

bool Present::fits() {
  if (outside_ == nullptr) return true;
  if (!known_.fitted) {
    known_.fitted = true;
    fitting_->share_rows(*state_.rounded != 0);
    known_.fits = fitting_->fit(at_state(), settings().drift_gain_1, message_);
  }
  return known_.fits;
}

}  // namespace mechfmu
