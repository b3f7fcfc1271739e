// Finds exactly what the consistent start changes by with parameters and inputs. The start's equations, those of the
// nearest point, are differentiated where they hold (docs/method.md, derivatives of the start). With ′ for the
// derivative along a direction,
//
//   J δ = −f′,  δ as given where fixed,  Nᵀ (K δ + p′) = 0
//
// δ are moves of positions, or changes of velocities. J are the rows that hold, f′ is their explicit change, and N is
// the null space of J. K δ + p′ is the change, by δ and explicitly, of what has to vanish along N; start_changes.hpp
// finds it.
#include "start_slopes.hpp"

#include "start/algebra/decompositions.hpp"
#include "start/search/equilibrium.hpp"
#include "start_changes.hpp"

namespace mechfmu {

namespace {

using Answer = ConsistentStart::Derivative;

class StartSlopes {
 public:
  StartSlopes(RoundedLoops& work, const ConsistentStart::Direction& direction, Message& message)
      : w_(work), m_(work.mechanism), s_(work.s), direction_(direction), message_(message), changes_(work, direction),
        still_(VectorXd::Zero(s_.velocities)) {}

  /// Finds δ of the position that the start found.
  Answer positions(const VectorXd& q, VectorXd& delta) {
    if (m_.equilibrium) return equilibrium(q, delta);
    VectorXd guess, rates;
    if (!w_.guess(guess, rates, message_)) return Answer::none;
    const VectorXd gamma = changes_.guess_moves(guess);
    if (w_.position_rows(StartEquations::at_start) == 0) {
      delta = gamma;
      return Answer::found;
    }
    if (w_.fold.found) return at_dead_point(q, guess, gamma, delta);
    // `force` is what the metric of the guess makes of the way from there.
    const VectorXd d = w_.difference_from(guess, q);
    w_.matrices(guess);
    const Entries G = w_.metric();
    const StartTape of_guess = changes_.at(guess, still_, gamma);
    const VectorXd force = G.times(d), force_change = changes_.metric_change(of_guess.M, d);
    const StartChanges::Guesses guesses = changes_.weigh(w_.missed(guess).slopes, of_guess);
    const StartEquations::Missed missed = w_.missed(q);
    w_.matrices(q);
    const Entries J = w_.position_slopes(q, StartEquations::at_start);
    const MatrixXd N = w_.null_space(J, m_.position_fixed);
    VectorXd slope(s_.velocities);
    pull_back(w_.model, q.data(), guess.data(), force.data(), slope.data());
    const VectorXd spring_forces = forces_of_guesses(missed, guesses.weights, N, slope);
    slope += missed.slopes.transpose() * spring_forces;
    const VectorXd mu = w_.multipliers(J, slope, m_.position_fixed);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      const StartTape parts = explicitly ? changes_.at(q, still_, move) : changes_.slopes_along(q, still_, move);
      VectorXd result = changes_.slope_change(q, guess, move, explicitly ? gamma : still_, G, force,
                                              explicitly ? force_change : still_);
      const MatrixXd bent =
          w_.by_moves(Eigen::Map<const MatrixXd>(parts.missed_slopes, s_.start_guess_rows, s_.velocities));
      result += bent.transpose() * spring_forces;
      return result - changes_.pull_of_positions(parts, mu);
    };
    const StartTape parts = changes_.at(q, still_, still_);
    Rows rows{J, changes_.position_rows_change(parts), G, m_.position_fixed, gamma, false};
    const VectorXd scale = guesses.weights.cwiseSqrt() / insistence;
    rows.pulled = scale.asDiagonal() * missed.slopes;
    rows.pulled_change = scale.cwiseProduct(VectorXd::Map(parts.missed, s_.start_guess_rows));
    for (int i = 0; i < s_.start_guess_rows; ++i) {
      if (scale[i] > 0) {
        rows.pulled_change[i] +=
            scale[i] * guesses.change[i] / (guesses.weights[i] * guesses.weights[i]) * spring_forces[i];
      }
    }
    return solve(rows, N, N, change, delta);
  }

  /// Finds δ of the start's velocities, where positions move by δ.
  Answer velocities(const VectorXd& q, const VectorXd& v, const VectorXd& delta, VectorXd& change_of_v) {
    VectorXd guess, ignored;
    if (!w_.guess(ignored, guess, message_)) return Answer::none;
    const StartTape parts = changes_.at(q, v, delta);
    VectorXd guess_change = w_.in_units(VectorXd::Map(parts.v, s_.velocities));
    for (int j = 0; m_.equilibrium && j < s_.velocities; ++j) {  // it is at rest
      if (!(m_.velocity_fixed && m_.velocity_fixed[j])) guess[j] = guess_change[j] = 0;
    }
    w_.matrices(q);
    const Entries G = w_.metric(), J = w_.velocity_slopes(q, v);
    const VectorXd d = w_.in_units(v - guess), nu = w_.multipliers(J, G.times(d), m_.velocity_fixed);
    const VectorXd held =
        changes_.metric_change(parts.M, d) - G.times(guess_change) - changes_.pull_of_velocities(parts, nu);
    const VectorXd open_change = changes_.velocity_rows_change(parts, v);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      VectorXd result = G.times(move);
      if (s_.nonlinear_rows > 0) result -= changes_.pull_of_nonlinear(changes_.by_rates(q, v, move), nu);
      return explicitly ? VectorXd(result + held) : result;
    };
    const MatrixXd N = w_.null_space(J, m_.velocity_fixed);
    return solve({J, open_change, G, m_.velocity_fixed, guess_change, true}, N, N, change, change_of_v);
  }

 private:
  /// Returns w g, the forces with which the guesses pull. If the guesses are met, g is what rounding leaves of it. So
  /// the sum of the forces is made to balance `slope`, the slope of the rest of the distance, along N.
  static VectorXd forces_of_guesses(const StartEquations::Missed& missed, const VectorXd& weights, const MatrixXd& N,
                                    const VectorXd& slope) {
    VectorXd forces = weights.cwiseProduct(missed.by);
    if (forces.size() == 0 || N.cols() == 0) return forces;
    const MatrixXd pulls = (missed.slopes * N).transpose();
    const VectorXd open = N.transpose() * slope + pulls * forces;
    return forces - solve_least_squares(pulls, open);
  }

  /// Holds the rows that hold and what they open by, and what is given where something is fixed.
  struct Rows {
    const Entries& J;
    const VectorXd open_change;
    const Entries& G;  ///< metric that chooses a first δ
    const bool* fixed;
    const VectorXd& given;
    bool of_velocities;
    /// Stiff springs pull these rows towards zero, a δ + a′ = φ′/insistence². Their forces φ, which change(…) does not
    /// contain, are unknowns of their own, since so much stiffness would drown all else.
    MatrixXd pulled = MatrixXd(0, J.columns());
    VectorXd pulled_change = VectorXd(0);
  };
  /// Solves the equations at the top, with L in place of N before the parentheses. change(x, true) = K x + p′, and
  /// change(x, false) = K x.
  template <class Change>
  Answer solve(const Rows& rows, const MatrixXd& N, const MatrixXd& L, Change&& change, VectorXd& delta) {
    delta = VectorXd::Zero(s_.velocities);
    for (int j = 0; rows.fixed && j < s_.velocities; ++j) delta[j] = rows.fixed[j] ? rows.given[j] : 0;
    if (rows.J.rows() > 0)
      delta += w_.smallest_move(rows.J, rows.J.times(delta) + rows.open_change, rows.G, rows.fixed);
    if (!closes(rows, delta)) return Answer::none;
    const int k = static_cast<int>(N.cols()), springs = static_cast<int>(rows.pulled.rows());
    if (k == 0) return Answer::found;
    MatrixXd K = MatrixXd::Zero(k + springs, k + springs);
    VectorXd b(k + springs);
    b << L.transpose() * change(delta, true), rows.pulled * delta + rows.pulled_change;
    for (int j = 0; j < k; ++j) K.col(j).head(k) = L.transpose() * change(N.col(j), false);
    K.bottomLeftCorner(springs, k) = rows.pulled * N;
    K.topRightCorner(k, springs) = (rows.pulled * N).transpose();
    K.bottomRightCorner(springs, springs).diagonal().setConstant(-1 / (insistence * insistence));
    const VectorXd scale = equilibrate(K);
    const LeastSquares solution = solve_least_squares(K, scale.cwiseProduct(b), undetermined_slope);
    if (solution.rank < k + springs) return Answer::path_dependent;
    delta -= N * scale.cwiseProduct(solution.x).head(k);
    return Answer::found;
  }

  /// Replaces K by D K D, whose rows and columns have like sizes (Ruiz 2001): guesses that contradict each other pull
  /// with much larger forces than the rest. Returns D.
  static VectorXd equilibrate(MatrixXd& K) {
    VectorXd result = VectorXd::Ones(K.rows());
    for (int pass = 0; pass < 5; ++pass) {
      const VectorXd sizes = K.cwiseAbs().rowwise().maxCoeff();
      const VectorXd scale = sizes.unaryExpr([](double size) { return size > 0 ? 1 / std::sqrt(size) : 1; });
      K = scale.asDiagonal() * K * scale.asDiagonal();
      result = result.cwiseProduct(scale);
    }
    return result;
  }

  /// Returns false if what is fixed leaves some row no freedom to follow.
  bool closes(const Rows& rows, const VectorXd& delta) {
    const VectorXd open = rows.J.times(delta) + rows.open_change, place = VectorXd::Map(w_.point.q, s_.positions);
    VectorXd size = open_slope * rows.open_change.cwiseAbs(), scales = w_.scales(place);
    for (int e = 0; e < rows.J.count(); ++e) {
      const int j = rows.J.column(e);
      size[rows.J.row(e)] +=
          std::fabs(rows.J.value(e)) * (open_slope * std::fabs(delta[j]) + rounded_slope * changes_.seed() * scales[j]);
    }
    const VectorXd weights = rows.J.weights();  // make distances of residuals
    const double largest = size.size() == 0 ? 0 : size.cwiseProduct(weights).maxCoeff();
    const int own = rows.of_velocities ? s_.rate_rows() : s_.position_rows;
    const char* const* further = rows.of_velocities ? m_.start_velocity_names : m_.start_position_names;
    for (int i = 0; i < open.size(); ++i) {
      if (std::fabs(open[i]) * weights[i] <= largest) continue;
      return message_.fail("next to the values that are set there are none that keep '%s'",
                           i < own ? m_.constraint_names[i] : further[i - own]);
    }
    return true;
  }

  /// Finds δ if values that are fixed hold the start at a dead point. There x in J x = −f′ loses those of its parts
  /// that the slopes of Yᵀf have lost. These slopes have to stay lost, (yᵀJ n)′ = 0, and this decides those parts
  /// instead, as where the dead point was found (dead_points.cpp). The directions that keep the start at dead
  /// points are the only ones that have a derivative: along all others Yᵀf opens, at once or to second order, and what
  /// closes it goes with the root of that.
  Answer at_dead_point(const VectorXd& q, const VectorXd& guess, const VectorXd& gamma, VectorXd& delta) {
    delta = VectorXd::Zero(s_.velocities);
    const bool moves = changes_.occur(guess) || changes_.occur(q);
    for (int j = 0; m_.position_fixed && j < s_.velocities; ++j) delta[j] = m_.position_fixed[j] ? gamma[j] : 0;
    const VectorXd apart = w_.dimensionless(changes_.position_rows_change(changes_.at(q, still_, still_))),
                   open = w_.dimensionless(changes_.position_rows_change(changes_.at(q, still_, delta)));
    w_.matrices(q);
    const LevelSplit cut = w_.split_at(w_.dimensionless(w_.position_slopes(q, StartEquations::at_start)), open,
                                       m_.position_fixed, vanishing);
    const VectorXd reach = w_.dimensionless(w_.reach), terms = apart.cwiseAbs() + (open - apart).cwiseAbs();
    const VectorXd allowed =
        cut.Y.cwiseAbs().transpose() * (open_dead_point * terms + rounded_slope * changes_.seed() * reach);
    if (!moves) return stays(q, delta, cut.Y, apart) ? Answer::found : leaves(cut.Y);
    if (((cut.Y.transpose() * open).cwiseAbs().array() > allowed.array()).any()) return leaves(cut.Y);

    delta += cut.particular.cwiseQuotient(w_.widths);
    const int p = static_cast<int>(cut.N.cols()), c = static_cast<int>(cut.Y.cols());
    double curvature = 0;
    const auto lost = [&](const VectorXd& move, bool explicitly) {  // (yᵀJ n)′
      const Entries bent = w_.dimensionless(w_.slope_changes(changes_.evaluate(q, still_, move, explicitly)));
      if (!explicitly) dense::raise(curvature, bent.largest());
      VectorXd result(c * p);
      for (int i = 0; i < c; ++i) result.segment(i * p, p) = cut.N.transpose() * bent.transposed_times(cut.Y.col(i));
      return result;
    };
    MatrixXd H(c * p, p);
    for (int k = 0; k < p; ++k) H.col(k) = lost(cut.N.col(k).cwiseQuotient(w_.widths), false);
    const VectorXd b = lost(delta, true);
    const SingularValues svd(H, SingularValues::thin);
    const int rank = svd.rank(vanishing * curvature / std::max(svd.values[0], tiny));
    const VectorXd z = svd.solve(b, rank);
    if ((H * z - b).norm() > vanishing * (b.norm() + changes_.seed())) return leaves(cut.Y);
    delta -= (cut.N * z).cwiseQuotient(w_.widths);
    if (!stays(q, delta, cut.Y, apart)) return leaves(cut.Y);
    return rank < p ? Answer::path_dependent : Answer::found;
  }

  /// Is true if Yᵀf stays closed to second order along a move and the direction. It looks a little way along both ways.
  bool stays(const VectorXd& q, const VectorXd& delta, const MatrixXd& Y, const VectorXd& apart) {
    const VectorXd reach = w_.dimensionless(w_.reach);
    double size = w_.size_of(delta, q);
    dense::raise(size, apart.cwiseAbs().cwiseQuotient(reach.cwiseMax(tiny)).maxCoeff());
    const double h = little_way / (size > 0 ? size : changes_.seed());
    const Point here = w_.point;
    VectorXd sum = VectorXd::Zero(Y.cols()), parameters(s_.parameters), inputs(s_.inputs),
             calculated(m_.calculated_count);
    for (const double x : {h, -h}) {
      for (int i = 0; i < s_.parameters; ++i)
        parameters[i] = here.parameters[i] + (direction_.parameters ? x * direction_.parameters[i] : 0);
      for (int i = 0; i < s_.inputs; ++i)
        inputs[i] = here.inputs[i] + (direction_.inputs ? x * direction_.inputs[i] : 0);
      Point beside = here;
      beside.parameters = parameters.data();
      if (calculated.size() > 0) m_.calculate(beside, calculated.data());
      for (int i = 0; i < calculated.size(); ++i) parameters[m_.calculated[i]] = calculated[i];
      w_.locate(here.time + x * direction_.time, parameters.data(), inputs.data());
      VectorXd guess, rates, place = w_.moved(q, x * delta);
      if (!w_.guess(guess, rates, message_)) return false;
      for_positions(
          w_.model,
          [&](int i, int j) {
            if (is_fixed(j)) place[i] = guess[i];
          },
          [&](int i, int j) {
            if (is_fixed(j)) place.segment<4>(i) = guess.segment<4>(i);
          });
      sum += Y.transpose() * w_.dimensionless(w_.violation(place, StartEquations::at_start));
    }
    w_.locate(here.time, here.parameters, here.inputs);
    return (sum.cwiseAbs().array() <=
            little_opening * little_way * little_way * (Y.cwiseAbs().transpose() * reach).array())
        .all();
  }
  bool is_fixed(int j) const { return m_.position_fixed != nullptr && m_.position_fixed[j]; }

  Answer leaves(const MatrixXd& Y) {
    message_.fail("the start is a dead point of");
    name(Y.rowwise().norm());
    message_.add(
        ": beside the values that are set there is no start, or one that moves with the root of their change, "
        "which has no derivative");
    return Answer::none;
  }
  void name(const VectorXd& y) {
    int named = 0;
    for (int i = 0; i < s_.position_rows + s_.start_position_rows; ++i) {
      if (!(y[i] > vanishing)) continue;
      const bool own = i < s_.position_rows;
      message_.add("%s '%s'", named++ > 0 ? "," : "",
                   own ? m_.constraint_names[i] : m_.start_position_names[i - s_.position_rows]);
    }
  }

  /// Finds δ where forces at rest balance: Lᵀ (h + A μ) = 0 (equilibrium.cpp).
  Answer equilibrium(const VectorXd& q, VectorXd& delta) {
    if (s_.velocity_rows > 0) return Answer::path_dependent;  // rolling: how far depends on where it was assembled
    VectorXd guess, rates;
    if (!w_.guess(guess, rates, message_)) return Answer::none;
    const VectorXd gamma = changes_.guess_moves(guess);
    if (w_.fold.found) return at_dead_point(q, guess, gamma, delta);
    const VectorXd open = changes_.position_rows_change(changes_.at(q, still_, still_));
    w_.matrices(q);
    const Entries G = w_.metric(), J = w_.position_slopes(q, StartEquations::at_start);
    MatrixXd N, L;
    VectorXd mu;
    equilibrium_at(w_, q, N, L, mu);
    VectorXd reactions = VectorXd::Zero(s_.all_rows()), balance(m_.balance.result_count);
    reactions.head(s_.rows()) = changes_.of_all_rows(mu.head(s_.rows()));
    VectorXd all = VectorXd::Zero(s_.position_rows + s_.start_position_rows);
    all.tail(s_.start_position_rows) = mu.tail(s_.start_position_rows);
    const VectorXd none = VectorXd::Zero(s_.loads);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      VectorXd result = changes_.pull_of_positions(changes_.evaluate(q, still_, move, explicitly), all);
      Point rest = w_.point;
      rest.q = q.data();
      rest.v = rest.acceleration = rest.preimage = still_.data();
      rest.multipliers = reactions.data();
      rest.loads = none.data();
      changes_.run(m_.balance, rest, move, explicitly, balance);
      return result + w_.in_SI(balance.head(s_.velocities));
    };
    return solve({J, open, G, m_.position_fixed, gamma, false}, N, L, change, delta);
  }

  RoundedLoops& w_;
  const Mechanism& m_;
  const Sizes& s_;
  const ConsistentStart::Direction& direction_;
  Message& message_;
  StartChanges changes_;
  VectorXd still_;
};

}  // namespace

ConsistentStart::Derivative differentiate_start(RoundedLoops& w, const VectorXd& q, const VectorXd& v,
                                                const ConsistentStart::Direction& direction, VectorXd& moves,
                                                VectorXd& v_change, Message& message) {
  VectorXd guess, rates;
  if (!w.guess(guess, rates, message)) return Answer::none;
  w.recall(guess, q);
  StartSlopes slopes(w, direction, message);
  const Answer answer = slopes.positions(q, moves);
  return answer == Answer::found ? slopes.velocities(q, v, moves, v_change) : answer;
}

}  // namespace mechfmu
