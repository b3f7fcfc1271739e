// Finds exactly what the consistent start changes by with parameters and inputs. The start's equations, those of the
// nearest point, are differentiated where they hold (docs/method.md, derivatives of the start). With ′ for the
// derivative along a direction,
//
//   J δ = −f′,  δ as given where fixed,  Nᵀ (K δ + p′) = 0
//
// δ are moves of positions, or changes of velocities. J are the rows that hold, f′ is their explicit change, and N is
// the null space of J. K δ + p′ is the change, by δ and explicitly, of what has to vanish along N. All changes come
// from one tape, Mechanism::start, and those of forces from Mechanism::balance. If rounded rows share
// (start_sharing.cpp), J and f are what they share. How they share is held, since a change of it acts on what is left
// open only.
#include "decompositions.hpp"
#include "mechanism/start_tape.hpp"
#include "mechanism/tape.hpp"
#include "start_work.hpp"

namespace mechfmu {

namespace {

using Answer = ConsistentStart::Derivative;

class StartSlopes {
 public:
  using Work = ConsistentStart::Work;

  StartSlopes(Work& work, const ConsistentStart::Direction& direction, Message& message)
      : w_(work), m_(work.mechanism), s_(work.s), direction_(direction), message_(message),
        values_(std::max(m_.start.step_count, m_.balance.step_count)), slopes_(values_.size()),
        turn_(VectorXd::Zero(s_.positions)), results_(m_.start.result_count), still_(VectorXd::Zero(s_.velocities)) {
    dense::raise(seed_, std::fabs(direction.time));
    for (int i = 0; direction.parameters && i < s_.parameters; ++i)
      dense::raise(seed_, std::fabs(direction.parameters[i]));
    for (int i = 0; direction.inputs && i < s_.inputs; ++i) dense::raise(seed_, std::fabs(direction.inputs[i]));
  }

  // Moves, δ of velocities and what acts along them are counted in Work::unit; v is in SI.

  /// Finds δ of the position that the start found.
  Answer positions(const VectorXd& q, VectorXd& delta) {
    if (m_.equilibrium) return equilibrium(q, delta);
    VectorXd guess, rates;
    if (!w_.guess(guess, rates, message_)) return Answer::none;
    const VectorXd gamma = guess_moves(guess);
    if (w_.position_rows(Work::at_start) == 0) {
      delta = gamma;
      return Answer::found;
    }
    if (w_.fold.found) return at_dead_point(q, guess, gamma, delta);
    // `force` is what the metric of the guess makes of the way from there.
    const VectorXd d = w_.difference_from(guess, q);
    w_.matrices(guess);
    const Entries G = w_.metric();
    const StartTape of_guess = at(guess, still_, gamma);
    const VectorXd force = G.times(d), force_change = metric_change(of_guess.M, d);
    const Guesses guesses = weigh(w_.missed(guess).slopes, of_guess);
    const Work::Missed missed = w_.missed(q);
    w_.matrices(q);
    const Entries J = w_.position_slopes(q, Work::at_start);
    const MatrixXd N = w_.null_space(J, m_.position_fixed);
    VectorXd slope(s_.velocities);
    pull_back(w_.model, q.data(), guess.data(), force.data(), slope.data());
    const VectorXd spring_forces = forces_of_guesses(missed, guesses.weights, N, slope);
    slope += missed.slopes.transpose() * spring_forces;
    const VectorXd mu = w_.multipliers(J, slope, m_.position_fixed);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      const StartTape parts = explicitly ? at(q, still_, move) : slopes_along(q, still_, move);
      VectorXd result =
          slope_change(q, guess, move, explicitly ? gamma : still_, G, force, explicitly ? force_change : still_);
      const MatrixXd bent =
          w_.by_moves(Eigen::Map<const MatrixXd>(parts.missed_slopes, s_.start_guess_rows, s_.velocities));
      result += bent.transpose() * spring_forces;
      return result - pull_of_positions(parts, mu);
    };
    const StartTape parts = at(q, still_, still_);
    Rows rows{J, position_rows_change(parts), G, m_.position_fixed, gamma, false};
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
    const StartTape parts = at(q, v, delta);
    VectorXd guess_change = w_.in_units(VectorXd::Map(parts.v, s_.velocities));
    for (int j = 0; m_.equilibrium && j < s_.velocities; ++j) {  // it is at rest
      if (!(m_.velocity_fixed && m_.velocity_fixed[j])) guess[j] = guess_change[j] = 0;
    }
    w_.matrices(q);
    const Entries G = w_.metric(), J = w_.velocity_slopes(q, v);
    const VectorXd d = w_.in_units(v - guess), nu = w_.multipliers(J, G.times(d), m_.velocity_fixed);
    const VectorXd held = metric_change(parts.M, d) - G.times(guess_change) - pull_of_velocities(parts, nu);
    const VectorXd open_change = velocity_rows_change(parts, v);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      VectorXd result = G.times(move);
      if (s_.nonlinear_rows > 0) result -= pull_of_nonlinear(by_rates(q, v, move), nu);
      return explicitly ? VectorXd(result + held) : result;
    };
    const MatrixXd N = w_.null_space(J, m_.velocity_fixed);
    return solve({J, open_change, G, m_.velocity_fixed, guess_change, true}, N, N, change, change_of_v);
  }

 private:
  /// Returns the changes of everything that the start is made of, along the direction with positions moved, or by the
  /// move alone. The result holds until the next call.
  StartTape at(const VectorXd& q, const VectorXd& v, const VectorXd& move) { return evaluate(q, v, move, true); }
  StartTape slopes_along(const VectorXd& q, const VectorXd& v, const VectorXd& move) {
    return evaluate(q, v, move, false);
  }
  StartTape evaluate(const VectorXd& q, const VectorXd& v, const VectorXd& move, bool explicitly) {
    Point here = w_.point;
    here.q = q.data();
    here.v = v.data();
    run(m_.start, here, move, explicitly, results_);
    return StartTape(m_, results_.data());
  }
  /// Returns the changes by rates that change.
  StartTape by_rates(const VectorXd& q, const VectorXd& v, const VectorXd& change_of_v) {
    Point here = w_.point, change;
    here.q = q.data();
    here.v = v.data();
    const VectorXd in_SI = w_.in_SI(change_of_v);
    change.v = in_SI.data();
    differentiate(m_.start, here, change, values_.data(), slopes_.data(), results_.data());
    return StartTape(m_, results_.data());
  }
  void run(const Tape& tape, const Point& here, const VectorXd& move, bool explicitly, VectorXd& results) {
    Point change;
    rates(w_.model, here.q, w_.in_SI(move).data(), turn_.data());
    change.q = turn_.data();
    if (explicitly) {
      change.time = direction_.time;
      change.parameters = direction_.parameters;
      change.inputs = direction_.inputs;
    }
    differentiate(tape, here, change, values_.data(), slopes_.data(), results.data());
  }

  /// Returns how the guess moves, from q′ of a quaternion as a rotation, before it is normalised.
  VectorXd guess_moves(const VectorXd& guess) {
    const StartTape parts = at(guess, still_, still_);
    VectorXd raw(s_.positions), ignored(s_.velocities), result(s_.velocities);
    m_.guess(w_.point, raw.data(), ignored.data());
    for_positions(
        w_.model, [&](int i, int j) { result[j] = parts.q[i]; },
        [&](int i, int j) {
          double p[4];
          quotient(&raw[i], parts.q + i, p);
          const double square = raw.segment<4>(i).squaredNorm();
          for (int c = 0; c < 3; ++c) result[j + c] = 2 * p[c + 1] / square;
        });
    return w_.in_units(result);
  }

  /// Returns G′ x for Work::metric(), after matrices(). This is M′ x, and if M alone is no metric, that of what was
  /// added, too.
  VectorXd metric_change(const double* M_change, const VectorXd& x) const {
    VectorXd result(s_.velocities);
    times_symmetric(m_.M, M_change, w_.in_SI(x).data(), result.data());
    result = w_.in_SI(result);
    if (w_.mass_is_definite()) return result;
    return result + share_of_diagonal * diagonal_change(M_change).cwiseProduct(x);
  }
  /// Returns the change of Work::metric_diagonal(). Coordinates without inertia have the smallest of the others
  /// (column_metric).
  VectorXd diagonal_change(const double* M_change) const {
    VectorXd diagonal = VectorXd::Zero(s_.velocities), change = diagonal;
    for (int e = 0; e < m_.M.nonzeros; ++e) {
      const int j = m_.M.column[e];
      if (m_.M.row[e] != j) continue;
      diagonal[j] = w_.M_values[e] * w_.unit[j] * w_.unit[j];
      change[j] = M_change[e] * w_.unit[j] * w_.unit[j];
    }
    int smallest = -1;
    for (int j = 0; j < s_.velocities; ++j) {
      const auto size = [&](int i) { return diagonal[i] * w_.nominal_square(i); };
      if (diagonal[j] > 0 && (smallest < 0 || size(j) < size(smallest))) smallest = j;
    }
    for (int j = 0; j < s_.velocities; ++j) {
      if (diagonal[j] > 0) continue;
      change[j] = smallest < 0 ? 0 : change[smallest] * w_.nominal_square(smallest) / w_.nominal_square(j);
    }
    return change;
  }

  /// Holds what the guesses count that are not among the positions, and its change with the guess.
  struct Guesses {
    VectorXd weights, change;
  };
  /// Finds w = c / Σ s_j²/D_j after matrices() at the guess, with D the diagonal of the metric.
  Guesses weigh(const MatrixXd& slopes, const StartTape& of_guess) const {
    const VectorXd D = w_.metric_diagonal(), D_change = diagonal_change(of_guess.M);
    const MatrixXd change =
        w_.by_moves(Eigen::Map<const MatrixXd>(of_guess.missed_slopes, s_.start_guess_rows, s_.velocities));
    Guesses result{Work::guess_weights(slopes, D), VectorXd(s_.start_guess_rows)};
    for (int i = 0; i < s_.start_guess_rows; ++i) {
      double sum = 0, sum_change = 0;
      for (int j = 0; j < s_.velocities; ++j) {
        const double part = slopes(i, j) / D[j];
        sum += slopes(i, j) * part;
        sum_change += part * (2 * change(i, j) - part * D_change[j]);
      }
      result.change[i] = sum > 0 ? -result.weights[i] * sum_change / sum : 0;
    }
    return result;
  }

  /// Returns w g, the forces with which the guesses pull. If the guesses are met, g is what rounding leaves of it. So
  /// the sum of the forces is made to balance `slope`, the slope of the rest of the distance, along N.
  static VectorXd forces_of_guesses(const Work::Missed& missed, const VectorXd& weights, const MatrixXd& N,
                                    const VectorXd& slope) {
    VectorXd forces = weights.cwiseProduct(missed.by);
    if (forces.size() == 0 || N.cols() == 0) return forces;
    const MatrixXd pulls = (missed.slopes * N).transpose();
    const VectorXd open = N.transpose() * slope + pulls * forces;
    return forces - solve_least_squares(pulls, open);
  }

  /// Returns the change of the distance's slope (∂d/∂q)ᵀ x, x = G d, for moves of q and of the guess: x′ = G d′ + G′ d.
  VectorXd slope_change(const VectorXd& q, const VectorXd& guess, const VectorXd& move, const VectorXd& gamma,
                        const Entries& G, const VectorXd& force, const VectorXd& force_change) const {
    VectorXd difference_change(s_.velocities), result(s_.velocities), turned(4 * s_.quaternions);
    double* p_change = turned.data();
    for_positions(
        w_.model, [&](int, int j) { difference_change[j] = move[j] - gamma[j]; },
        [&](int i, int j) {  // p = g⁻¹ q: p′ = ½ p (0, δ) − ½ (0, γ) p
          double p[4], by_move[4];
          rotation_between(&guess[i], &q[i], p);
          half_product(p, &move[j], by_move);
          const double* w = &gamma[j];
          const double by_guess[4] = {-w[0] * p[1] - w[1] * p[2] - w[2] * p[3], w[0] * p[0] + w[1] * p[3] - w[2] * p[2],
                                      w[1] * p[0] + w[2] * p[1] - w[0] * p[3], w[2] * p[0] + w[0] * p[2] - w[1] * p[1]};
          for (int c = 0; c < 4; ++c) p_change[c] = by_move[c] - 0.5 * by_guess[c];
          for (int c = 0; c < 3; ++c) difference_change[j + c] = 2 * p_change[c + 1];
          p_change += 4;
        });
    const VectorXd x_change = G.times(difference_change) + force_change;
    pull_back(w_.model, q.data(), guess.data(), x_change.data(), result.data());
    p_change = turned.data();
    for_positions(
        w_.model, [](int, int) {},
        [&](int, int j) {
          double y[3];
          pull_back_turned(p_change, &force[j], y);
          dense::add(3, 1, y, &result[j]);
          p_change += 4;
        });
    return result;
  }

  /// Returns J′ᵀ μ of the rows of positions; the next function has those of velocities.
  VectorXd pull_of_positions(const StartTape& parts, const VectorXd& mu) const {
    return pull(parts.C, s_.position_rows, parts.F, s_.start_position_rows, mu);
  }
  VectorXd pull_of_velocities(const StartTape& parts, const VectorXd& nu) const {
    const VectorXd result = pull(parts.C, s_.rows(), parts.R, s_.start_velocity_rows, nu);
    return s_.nonlinear_rows > 0 ? VectorXd(result + pull_of_nonlinear(parts, nu)) : result;
  }
  VectorXd pull_of_nonlinear(const StartTape& parts, const VectorXd& nu) const {
    const Eigen::Map<const MatrixXd> change(parts.F_v, s_.velocities, s_.nonlinear_rows);
    return w_.in_SI(change * nu.segment(s_.rows(), s_.nonlinear_rows));
  }
  VectorXd pull(const double* C_change, int own, const double* further_change, int further, const VectorXd& mu) const {
    VectorXd result = Eigen::Map<const MatrixXd>(further_change, further, s_.velocities).transpose() * mu.tail(further);
    const VectorXd of_all = of_all_rows(mu.head(own));
    for (int e = 0; e < m_.C.nonzeros; ++e) {
      if (m_.C.row[e] < own) result[m_.C.column[e]] += C_change[e] * of_all[m_.C.row[e]];
    }
    return w_.in_SI(result);
  }

  /// Returns what rows that share make of residuals f. The next function does this for what acts along the rows: if
  /// rows share, Sᵀ μ acts along those that are shared.
  VectorXd shared(VectorXd f) const {
    if (w_.shares()) f.head(s_.position_rows) = w_.sharing * f.head(s_.position_rows);
    return f;
  }
  VectorXd of_all_rows(VectorXd mu) const {
    if (w_.shares()) mu.head(s_.position_rows) = w_.sharing.transpose() * mu.head(s_.position_rows);
    return mu;
  }

  VectorXd position_rows_change(const StartTape& parts) const {
    return shared(VectorXd::Map(parts.f, s_.position_rows + s_.start_position_rows));  // f_start follows f
  }
  /// Returns the change of C v + c_t and of r while v stays as it is.
  VectorXd velocity_rows_change(const StartTape& parts, const VectorXd& v) const {
    VectorXd result(s_.rate_rows() + s_.start_velocity_rows);
    times(m_.C, parts.C, v.data(), result.data());
    result.head(s_.rows()) += VectorXd::Map(parts.c_t, s_.rows());
    result.segment(s_.rows(), s_.nonlinear_rows) = VectorXd::Map(parts.f_v, s_.nonlinear_rows);
    result.tail(s_.start_velocity_rows) = VectorXd::Map(parts.r, s_.start_velocity_rows);
    return shared(result);
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
          std::fabs(rows.J.value(e)) * (open_slope * std::fabs(delta[j]) + rounded_slope * seed_ * scales[j]);
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
  /// instead, as where the dead point was found (start_dead_points.cpp). The directions that keep the start at dead
  /// points are the only ones that have a derivative: along all others Yᵀf opens, at once or to second order, and what
  /// closes it goes with the root of that.
  Answer at_dead_point(const VectorXd& q, const VectorXd& guess, const VectorXd& gamma, VectorXd& delta) {
    delta = VectorXd::Zero(s_.velocities);
    const bool moves = changes(guess) || changes(q);
    for (int j = 0; m_.position_fixed && j < s_.velocities; ++j) delta[j] = m_.position_fixed[j] ? gamma[j] : 0;
    const VectorXd apart = w_.dimensionless(position_rows_change(at(q, still_, still_))),
                   open = w_.dimensionless(position_rows_change(at(q, still_, delta)));
    w_.matrices(q);
    const Work::Cut cut =
        w_.cut(w_.dimensionless(w_.position_slopes(q, Work::at_start)), open, m_.position_fixed, vanishing);
    const VectorXd reach = w_.dimensionless(w_.reach), terms = apart.cwiseAbs() + (open - apart).cwiseAbs();
    const VectorXd allowed = cut.Y.cwiseAbs().transpose() * (open_dead_point * terms + rounded_slope * seed_ * reach);
    if (!moves) return stays(q, delta, cut.Y, apart) ? Answer::found : leaves(cut.Y);
    if (((cut.Y.transpose() * open).cwiseAbs().array() > allowed.array()).any()) return leaves(cut.Y);

    delta += cut.particular.cwiseQuotient(w_.widths);
    const int p = static_cast<int>(cut.N.cols()), c = static_cast<int>(cut.Y.cols());
    double curvature = 0;
    const auto lost = [&](const VectorXd& move, bool explicitly) {  // (yᵀJ n)′
      const Entries bent = w_.dimensionless(w_.slope_changes(evaluate(q, still_, move, explicitly)));
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
    if ((H * z - b).norm() > vanishing * (b.norm() + seed_)) return leaves(cut.Y);
    delta -= (cut.N * z).cwiseQuotient(w_.widths);
    if (!stays(q, delta, cut.Y, apart)) return leaves(cut.Y);
    return rank < p ? Answer::path_dependent : Answer::found;
  }

  /// Is true if rows of positions, or what chooses among positions, depend on the direction.
  bool changes(const VectorXd& q) {
    const StartTape parts = at(q, still_, still_);
    const auto any = [](const double* first, const double* end) {
      return !VectorXd::Map(first, end - first).isZero(0);
    };
    return any(parts.M, parts.c_t) || any(parts.f, parts.r) || any(parts.missed, parts.v);
  }

  /// Is true if Yᵀf stays closed to second order along a move and the direction. It looks a little way along both ways.
  bool stays(const VectorXd& q, const VectorXd& delta, const MatrixXd& Y, const VectorXd& apart) {
    const VectorXd reach = w_.dimensionless(w_.reach);
    double size = w_.size_of(delta, q);
    dense::raise(size, apart.cwiseAbs().cwiseQuotient(reach.cwiseMax(tiny)).maxCoeff());
    const double h = little_way / (size > 0 ? size : seed_);
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
      sum += Y.transpose() * w_.dimensionless(w_.violation(place, Work::at_start));
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
    const VectorXd gamma = guess_moves(guess);
    if (w_.fold.found) return at_dead_point(q, guess, gamma, delta);
    const VectorXd open = position_rows_change(at(q, still_, still_));
    w_.matrices(q);
    const Entries G = w_.metric(), J = w_.position_slopes(q, Work::at_start);
    MatrixXd N, L;
    VectorXd mu;
    w_.equilibrium_at(q, N, L, mu);
    VectorXd reactions = VectorXd::Zero(s_.all_rows()), balance(m_.balance.result_count);
    reactions.head(s_.rows()) = of_all_rows(mu.head(s_.rows()));
    VectorXd all = VectorXd::Zero(s_.position_rows + s_.start_position_rows);
    all.tail(s_.start_position_rows) = mu.tail(s_.start_position_rows);
    const VectorXd none = VectorXd::Zero(s_.loads);
    const auto change = [&](const VectorXd& move, bool explicitly) -> VectorXd {
      VectorXd result = pull_of_positions(evaluate(q, still_, move, explicitly), all);
      Point rest = w_.point;
      rest.q = q.data();
      rest.v = rest.acceleration = rest.preimage = still_.data();
      rest.multipliers = reactions.data();
      rest.loads = none.data();
      run(m_.balance, rest, move, explicitly, balance);
      return result + w_.in_SI(balance.head(s_.velocities));
    };
    return solve({J, open, G, m_.position_fixed, gamma, false}, N, L, change, delta);
  }

  Work& w_;
  const Mechanism& m_;
  const Sizes& s_;
  const ConsistentStart::Direction& direction_;
  Message& message_;
  VectorXd values_, slopes_;  ///< values and slopes of a tape's steps
  VectorXd turn_, results_;
  VectorXd still_;
  double seed_ = 0;  ///< largest number of the direction
};

}  // namespace

ConsistentStart::Derivative ConsistentStart::differentiate(
    double time, const double* parameters, const double* inputs, const double* q_found, const double* v_found,
    const Direction& direction, double* delta, double* v_change, Message& message) {
  Work& w = *work_;
  w.locate(time, parameters, inputs);
  const VectorXd q = VectorXd::Map(q_found, w.s.positions), v = VectorXd::Map(v_found, w.s.velocities);
  VectorXd guess, rates;
  if (!w.guess(guess, rates, message)) return Derivative::none;
  w.recall(guess, q);
  StartSlopes slopes(w, direction, message);
  VectorXd moves, changes;
  Derivative answer = slopes.positions(q, moves);
  if (answer == Derivative::found) answer = slopes.velocities(q, v, moves, changes);
  if (answer != Derivative::found) return answer;
  VectorXd::Map(delta, w.s.velocities) = w.in_SI(moves);
  VectorXd::Map(v_change, w.s.velocities) = w.in_SI(changes);
  return answer;
}

}  // namespace mechfmu
