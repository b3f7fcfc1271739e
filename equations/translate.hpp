// Turns formulas into symbolic expressions of a mechanism's symbols.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <casadi/casadi.hpp>

#include "rates.hpp"

namespace mechfmu {

/// Translates formulas. A name stands for an expression given to it, or for a formula that is translated when the name
/// is first used, so that the order of definitions does not matter.
class Translator {
 public:
  /// `rates` tell how time derivatives are taken; without them everything is constant.
  explicit Translator(const std::vector<Function>& functions, Rates rates = {});

  /// Gives a name its meaning. A formula must outlive the translator.
  void define(const std::string& name, const casadi::SX& value) { known_[name] = value; }
  void define(const std::string& name, const Expression& formula) { formulas_[name] = &formula; }

  /// Lets further symbols move at these rates.
  void let_move(const casadi::SX& of, const casadi::SX& rates) { rates_.set(of, rates); }

  /// Returns the value of a function of one argument.
  casadi::SX call(const std::string& function, const casadi::SX& argument) {
    return call(*functions_.at(function), {argument});
  }

  using Names = std::map<std::string, casadi::SX>;

  /// Returns a checked formula as a scalar expression; it may have names of its own.
  casadi::SX operator()(const Expression& formula);
  casadi::SX operator()(const Expression& formula, const Names& own);

 private:
  casadi::SX translate(const Expression& formula, const Names* arguments);
  casadi::SX symbol(const Expression& node, const Names* arguments);
  casadi::SX call(const Function& function, const std::vector<casadi::SX>& values);
  casadi::SX table(const Function& function, const casadi::SX& argument);

  std::map<std::string, const Function*> functions_;
  Names known_;
  std::map<std::string, const Expression*> formulas_;
  Rates rates_;
};

}  // namespace mechfmu
