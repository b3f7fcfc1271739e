// Computes with trigonometric polynomials and their quotients.
#include "trigonometric.hpp"

#include <algorithm>
#include <cmath>

#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {
namespace {

constexpr std::size_t largest_count = 200;  ///< Nobody reads more terms.

/// Returns the sign of the first difference of two sorted lists of (key, number), where a missing number is 0.
template <class Map>
int compare(const Map& a, const Map& b) {
  auto i = a.begin(), j = b.begin();
  const auto sign = [](double x) { return x < 0 ? -1 : 1; };
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) return sign(i->second);
    if (i == a.end() || j->first < i->first) return -sign(j->second);
    if (i->second != j->second) return sign(i->second - j->second);
    ++i, ++j;
  }
  return 0;
}

/// Adds numbers of equal keys, and removes those that become 0.
template <class Map>
Map sum(Map a, const Map& b, double factor = 1) {
  for (const auto& [key, number] : b) {
    const auto found = a.emplace(key, 0).first;
    const double before = found->second;
    found->second += factor * number;
    if (std::fabs(found->second) <= equal_numbers * std::fabs(before)) a.erase(found);
  }
  return a;
}

Term product(const Term& a, const Term& b, double factor = 1) {
  return {sum(a.powers, b.powers, factor), sum(a.angle, b.angle, factor)};
}

Term opposite(const Term& a) { return {a.powers, sum(Angle{}, a.angle, -1)}; }

}  // namespace

bool TermOrder::operator()(const Term& a, const Term& b) const {
  const int powers = compare(a.powers, b.powers);
  return powers != 0 ? powers < 0 : compare(a.angle, b.angle) < 0;
}

Trigonometric Trigonometric::number(double value) {
  Trigonometric result;
  if (value != 0) result.terms_[{}] = value;
  return result;
}

Trigonometric Trigonometric::symbol(int index, double exponent) {
  Trigonometric result;
  result.terms_[{{{index, exponent}}, {}}] = 1;
  return result;
}

std::optional<Trigonometric> Trigonometric::wave(const Trigonometric& argument, bool sine) {
  double constant = 0;
  Term term;
  for (const auto& [part, factor] : argument.terms_) {
    if (!part.angle.empty()) return {};
    if (part.powers.empty()) constant = factor.real();
    else term.angle[part.powers] = factor.real();
  }
  if (term.angle.empty()) return number(sine ? std::sin(constant) : std::cos(constant));
  const std::complex<double> half = std::polar(0.5, constant) * (sine ? std::complex<double>(0, -1) : 1.0);
  Trigonometric result;
  result.terms_[term] = half;
  result.terms_[opposite(term)] = std::conj(half);
  return result;
}

void Trigonometric::add(const Term& term, std::complex<double> coefficient) {
  const auto found = terms_.emplace(term, 0).first;
  const double size = std::abs(found->second) + std::abs(coefficient);
  found->second += coefficient;
  if (std::abs(found->second) <= equal_numbers * size) terms_.erase(found);
}

Trigonometric& Trigonometric::operator+=(const Trigonometric& other) {
  for (const auto& [term, coefficient] : other.terms_) add(term, coefficient);
  return *this;
}

Trigonometric Trigonometric::times(std::complex<double> factor, const Term& shift) const {
  Trigonometric result;
  for (const auto& [term, coefficient] : terms_) result.terms_[product(term, shift)] = factor * coefficient;
  return result;
}

Trigonometric Trigonometric::operator*(const Trigonometric& other) const {
  Trigonometric result;
  for (const auto& [term, coefficient] : terms_) {
    for (const auto& [of_other, factor] : other.terms_) result.add(product(term, of_other), coefficient * factor);
    if (result.terms_.size() > largest_count) throw TooLong();
  }
  return result;
}

Trigonometric Trigonometric::inverse() const {
  const auto& [term, coefficient] = *terms_.begin();
  Trigonometric result;
  result.terms_[product({}, term, -1)] = 1.0 / coefficient;
  return result;
}

bool Trigonometric::operator==(const Trigonometric& other) const {
  return terms_.size() == other.terms_.size() && (Trigonometric(*this) += -other).zero();
}

std::optional<Trigonometric> Trigonometric::divided_by(const Trigonometric& divisor) const {
  if (zero()) return *this;
  const auto& [lead, factor] = *divisor.terms_.rbegin();
  // The leading terms of a product are the product of the leading terms, and so are the last ones. No quotient has
  // lower terms.
  const Term last = product(terms_.begin()->first, divisor.terms_.begin()->first, -1);
  Trigonometric rest = *this, result;
  while (!rest.zero()) {
    const auto [term, coefficient] = *rest.terms_.rbegin();
    const Term next = product(term, lead, -1);
    if (TermOrder()(next, last) || result.terms_.size() > largest_count) return {};
    result.terms_[next] = coefficient / factor;
    rest += divisor.times(-coefficient / factor, next);
    rest.terms_.erase(term);
  }
  return result;
}

Powers Trigonometric::common_powers() const {
  Powers common;
  bool first = true;
  const auto at = [](const Powers& powers, int symbol) {
    const auto found = powers.find(symbol);
    return found == powers.end() ? 0 : found->second;
  };
  for (const auto& [term, coefficient] : terms_) {
    Powers least;
    if (first) common = term.powers;
    for (const auto& [symbol, exponent] : common) least[symbol] = std::min(exponent, at(term.powers, symbol));
    for (const auto& [symbol, exponent] : term.powers) least[symbol] = std::min(exponent, at(common, symbol));
    std::erase_if(least, [](const auto& power) { return power.second == 0; });
    common = std::move(least);
    first = false;
  }
  return common;
}

Trigonometric Trigonometric::primitive() const {
  Powers inverse;
  for (const auto& [symbol, exponent] : common_powers()) inverse[symbol] = -exponent;
  return times(1 / waves().front().factors.front().second, {inverse, {}});
}

std::vector<Trigonometric::Wave> Trigonometric::waves() const {
  // Orders terms for writing: of each pair e^{ix}, e^{-ix} it keeps the one whose last factor is positive, by the last
  // symbols. Terms without an angle come last.
  struct Before {
    bool operator()(const Angle& a, const Angle& b) const {
      if (a.empty() || b.empty()) return !a.empty() && b.empty();
      return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    }
  };
  std::map<Angle, std::vector<std::pair<Powers, std::complex<double>>>, Before> pairs;
  for (auto term = terms_.rbegin(); term != terms_.rend(); ++term) {
    const Angle& angle = term->first.angle;
    if (angle.empty() || angle.rbegin()->second > 0) pairs[angle].emplace_back(term->first.powers, term->second);
  }
  std::vector<Wave> result;
  for (const auto& [angle, coefficients] : pairs) {
    Wave cosine{angle, false, {}}, sine{angle, true, {}};
    for (const auto& [powers, c] : coefficients) {
      const double size = equal_numbers * std::abs(c), twice = angle.empty() ? 1 : 2;
      if (std::fabs(c.real()) > size) cosine.factors.emplace_back(powers, twice * c.real());
      if (std::fabs(c.imag()) > size) sine.factors.emplace_back(powers, -twice * c.imag());
    }
    for (Wave* wave : {&cosine, &sine})
      if (!wave->factors.empty()) result.push_back(std::move(*wave));
  }
  return result;
}

Quotient::Quotient(Trigonometric numerator, std::vector<Trigonometric> denominators)
    : numerator_(std::move(numerator)) {
  for (Trigonometric& factor : denominators) {
    if (numerator_.zero()) return;
    if (const auto divided = numerator_.divided_by(factor)) {
      numerator_ = *divided;
      continue;
    }
    // If it is a multiple of the numerator, the rest of it stays.
    if (!numerator_.monomial()) {
      if (auto divided = factor.divided_by(numerator_)) {
        numerator_ = Trigonometric::number(1);
        factor = *std::move(divided);
      }
    }
    // A number and powers that all its terms share are moved to the numerator.
    const Trigonometric rest = factor.primitive();
    numerator_ = numerator_ * factor.divided_by(rest)->inverse();
    factor = rest;
    if (!(factor == Trigonometric::number(1))) denominators_.push_back(std::move(factor));
  }
}

Quotient Quotient::operator+(const Quotient& other) const {
  // The common denominator has each factor as often as the quotient that contains it more often.
  std::vector<Trigonometric> missing = other.denominators_, common = denominators_;
  Trigonometric ours = numerator_, theirs = other.numerator_;
  for (const Trigonometric& factor : denominators_) {
    const auto shared = std::find(missing.begin(), missing.end(), factor);
    if (shared != missing.end()) missing.erase(shared);
    else theirs = theirs * factor;
  }
  for (const Trigonometric& factor : missing) ours = ours * factor;
  common.insert(common.end(), missing.begin(), missing.end());
  return Quotient(ours + theirs, std::move(common));
}

Quotient Quotient::operator*(const Quotient& other) const {
  // Each numerator is divided by the other's denominators before both are multiplied out.
  const Quotient left(numerator_, other.denominators_), right(other.numerator_, denominators_);
  std::vector<Trigonometric> factors = left.denominators_;
  factors.insert(factors.end(), right.denominators_.begin(), right.denominators_.end());
  return Quotient(left.numerator_ * right.numerator_, std::move(factors));
}

Quotient Quotient::operator/(const Quotient& other) const {
  if (other.numerator_.zero()) throw std::domain_error("division by zero");
  Quotient result = *this;
  for (const Trigonometric& factor : other.denominators_) result = result * Quotient(factor);
  if (other.numerator_.monomial()) return result * Quotient(other.numerator_.inverse());
  std::vector<Trigonometric> factors = result.denominators_;
  factors.push_back(other.numerator_);
  return Quotient(result.numerator_, std::move(factors));
}

}  // namespace mechfmu
