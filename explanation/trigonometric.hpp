// Polynomials in symbols and in sines and cosines of their linear combinations, in a form in which equal ones look
// equal.
//
// With cos x = (e^{ix} + e^{-ix})/2, sin x = (e^{ix} - e^{-ix})/2i such a polynomial is a sum of terms
// c · symbols · e^{i angle}. Terms multiply by adding exponents and angles, which does by itself what
// sin a cos b = (sin(a+b) + sin(a-b))/2 and its like say; what cancels, such as sin² + cos² - 1, is gone when terms are
// added.
#pragma once

#include <complex>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu {

/// More terms than anybody would read.
struct TooLarge : std::runtime_error {
  TooLarge() : std::runtime_error("an expression is too large to be read") {}
};

/// Product of powers of symbols, by their indices; negative exponents are allowed. Exponents are never 0.
using Powers = std::map<int, double>;

/// A linear combination of products of symbols, of which sines and cosines are taken. Factors are never 0.
using Angle = std::map<Powers, double>;

struct Term {
  Powers powers;
  Angle angle;
};

/// Compares the exponents of the first symbol in which two terms differ, then those of angles: an order that products
/// keep, as the division of polynomials needs it.
struct TermOrder {
  bool operator()(const Term& a, const Term& b) const;
};

class Trigonometric {
 public:
  using Terms = std::map<Term, std::complex<double>, TermOrder>;

  Trigonometric() = default;
  static Trigonometric number(double value);
  static Trigonometric symbol(int index, double exponent = 1);
  /// Of an argument that is linear in products of symbols; none if it is not.
  static std::optional<Trigonometric> sine(const Trigonometric& argument) { return wave(argument, true); }
  static std::optional<Trigonometric> cosine(const Trigonometric& argument) { return wave(argument, false); }

  const Terms& terms() const { return terms_; }
  bool zero() const { return terms_.empty(); }
  /// A number times powers of symbols.
  bool monomial() const { return terms_.size() == 1 && terms_.begin()->first.angle.empty(); }

  Trigonometric& operator+=(const Trigonometric& other);
  Trigonometric operator-() const { return times(-1, {}); }
  Trigonometric operator*(const Trigonometric& other) const;  ///< throws TooLarge
  Trigonometric times(std::complex<double> factor, const Term& shift) const;
  /// The reciprocal of a monomial.
  Trigonometric inverse() const;
  bool operator==(const Trigonometric& other) const;

  /// The polynomial q with q · divisor = this; none if there is no such.
  std::optional<Trigonometric> divided_by(const Trigonometric& divisor) const;

  /// The largest product of powers that divides every term.
  Powers common_powers() const;

  /// This without common_powers() and the number that is written first.
  Trigonometric primitive() const;

  /// factors · sin or cos of an angle: a part of the polynomial as it is written, a sum of such.
  struct Wave {
    Angle angle;  ///< the last factor is positive; empty: no sine or cosine
    bool sine = false;
    std::vector<std::pair<Powers, double>> factors;
  };
  /// In the order in which they are written.
  std::vector<Wave> waves() const;

 private:
  static std::optional<Trigonometric> wave(const Trigonometric& argument, bool sine);
  void add(const Term& term, std::complex<double> coefficient);
  Terms terms_;
};

inline Trigonometric operator+(Trigonometric a, const Trigonometric& b) { return a += b; }

/// numerator / product of the denominators, which are no monomials. What divides exactly is divided out; common factors
/// of which neither is the other's multiple are not looked for.
class Quotient {
 public:
  Quotient(Trigonometric value = {}) : numerator_(std::move(value)) {}

  const Trigonometric& numerator() const { return numerator_; }
  const std::vector<Trigonometric>& denominators() const { return denominators_; }

  Quotient operator+(const Quotient& other) const;
  Quotient operator-() const { return Quotient(-numerator_, denominators_); }
  Quotient operator*(const Quotient& other) const;
  Quotient operator/(const Quotient& other) const;  ///< throws std::domain_error for 0

 private:
  Quotient(Trigonometric numerator, std::vector<Trigonometric> denominators);
  Trigonometric numerator_;
  std::vector<Trigonometric> denominators_;
};

/// As text, a formula of the mechanism file. `names` of symbols by their indices.
std::string text_of(const Quotient& value, const std::vector<std::string>& names);

/// Where a polynomial is zero, but for symbols that are: "sin(theta3 - theta1) = 0".
std::string text_of_zeros(const Trigonometric& value, const std::vector<std::string>& names);

}  // namespace mechfmu
