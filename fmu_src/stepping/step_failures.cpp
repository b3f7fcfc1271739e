// This file has the messages about steps that fail, or that are doubtful.
#include "step_failures.hpp"

#include <cmath>

#include "linear/tolerances.hpp"

namespace mechfmu {

namespace {

double rounded_down_to_one_digit(double x) {
  const double digit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / digit) * digit;
}

}  // namespace

bool Pace::fail(const Settings& settings, double t, double end, const char* limiting, double order,
                Message& message) const {
  message.fail(
      "At t = %.9g s the integrator takes steps of %.3g s, as '%s' demands: up to %.9g s it would need %.1g of "
      "them, and solver.max_steps allows %.3g. ",
      t, step_, limiting, end, wanted_, settings.max_steps);
  // Steps go with tolerance^(1/p). The message says whether an ordinary tolerance would do.
  const double enough = wanted_ * std::pow(settings.tolerance / ordinary_tolerance, 1.0 / order);
  if (settings.tolerance < finest_tolerance) {
    message.add("The tolerance %.3g is finer than rounding: nothing below %.0e can be held.", settings.tolerance,
                finest_tolerance);
  } else if (settings.tolerance < ordinary_tolerance && enough < settings.max_steps) {
    message.add("The tolerance %.3g asks for so many; with %.0e they would be about %.1g.", settings.tolerance,
                ordinary_tolerance, enough);
  } else {
    message.add(
        "If the motion is meant to be so fast, raise solver.max_steps or take shorter communication steps; "
        "stiff springs and dampers want solver.method = rodas; else a force or a torque is far too large.");
  }
  return false;
}

bool tell_roughness(double error, double rate, double h, int method_order, const char* limiting, State& state,
                    Message& message) {
  // The error goes with h^(order + 1) once the step follows the fastest rate at all.
  const double by_error = 0.8 * std::pow(doubtful_error / error, 1.0 / (method_order + 1));
  const double by_rate = 0.3 / rate;
  const double needed = rounded_down_to_one_digit(h * (by_error < by_rate ? by_error : by_rate));
  if (error > senseless_error) {
    return message.fail(
        "At t = %.9g s a step of %.3g s is too long for '%s': its error there is about %.1g of its size or its "
        "nominal size. A solver.step of %.1g s would do, or a solver.method with error control.",
        *state.time, h, limiting, error, needed);
  }
  if (state.warns_now(Warning::step)) {
    message.warn(
        "At t = %.9g s a step of %.3g s is rough for '%s': its error there is about %.1g of its size or its "
        "nominal size. A solver.step of %.1g s would do.",
        *state.time, h, limiting, error, needed);
  }
  return true;
}

bool fail_count(const Settings& settings, double begin, double end, double count, Message& message) {
  return message.fail(
      "From t = %.9g s to %.9g s there would be %.3g steps of solver.step = %.3g s, and "
      "solver.max_steps allows %.3g. Choose a longer solver.step, shorter communication steps or "
      "more solver.max_steps.",
      begin, end, count, settings.step, settings.max_steps);
}

bool fail_collapse(double t, double h, double tolerance, const char* limiting, Message& message) {
  message.fail(
      "The step size has collapsed at t = %.9g s (h = %.3g s): the error of '%s' cannot be held below the "
      "tolerance %.3g. ",
      t, h, limiting, tolerance);
  if (tolerance < finest_tolerance) {
    message.add("It is finer than rounding: nothing below %.0e can be held.", finest_tolerance);
  } else {
    message.add("The motion is probably singular there.");
  }
  return false;
}

bool fail_evaluation(double t, const Message& trouble, Message& message) {
  if (!trouble.empty()) return message.fail("%s", trouble.text);
  return message.fail(
      "The equations cannot be solved beyond t = %.9g s: the constraints or the mass matrix become singular there.", t);
}

}  // namespace mechfmu
