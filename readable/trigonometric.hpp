// Represents polynomials in symbols and in sines and cosines of their linear combinations, in a form in which equal
// ones look equal.
//
// With cos x = (e^{ix} + e^{-ix})/2, sin x = (e^{ix} - e^{-ix})/2i such a polynomial is a sum of terms
// c · symbols · e^{i angle}. Terms are multiplied by adding exponents and angles. This applies formulas such as
// sin a cos b = (sin(a+b) + sin(a-b))/2 without further work. When terms are added, sin² + cos² - 1 and similar sums
// vanish.
#pragma once

#include <complex>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu {

/// Says that there are more terms than anybody would read.
struct TooLong : std::runtime_error {
  TooLong() : std::runtime_error("an expression is too long to be read") {}
};

/// Is a product of powers of symbols, by their indices. Exponents may be negative, but are never 0.
using Powers = std::map<int, double>;

/// Is a linear combination of products of symbols, as an argument of sines and cosines. Factors are never 0.
using Angle = std::map<Powers, double>;

struct Term {
  Powers powers;
  Angle angle;
};

/// Compares the exponents of the first symbol in which two terms differ, then those of angles. Products keep this
/// order, as the division of polynomials needs it.
struct TermOrder {
  bool operator()(const Term& a, const Term& b) const;
};

class Trigonometric {
 public:
  using Terms = std::map<Term, std::complex<double>, TermOrder>;

  Trigonometric() = default;
  static Trigonometric number(double value);
  static Trigonometric symbol(int index, double exponent = 1);
  /// Returns the sine or cosine of an argument that is linear in products of symbols; none for others.
  static std::optional<Trigonometric> sine(const Trigonometric& argument) { return wave(argument, true); }
  static std::optional<Trigonometric> cosine(const Trigonometric& argument) { return wave(argument, false); }

  const Terms& terms() const { return terms_; }
  bool zero() const { return terms_.empty(); }
  /// Is true for a number times powers of symbols.
  bool monomial() const { return terms_.size() == 1 && terms_.begin()->first.angle.empty(); }

  Trigonometric& operator+=(const Trigonometric& other);
  Trigonometric operator-() const { return times(-1, {}); }
  Trigonometric operator*(const Trigonometric& other) const;  ///< throws TooLong
  Trigonometric times(std::complex<double> factor, const Term& shift) const;
  /// Returns the reciprocal of a monomial.
  Trigonometric inverse() const;
  bool operator==(const Trigonometric& other) const;

  /// Returns the polynomial q with q · divisor = this, or none if there is none.
  std::optional<Trigonometric> divided_by(const Trigonometric& divisor) const;

  /// Returns the largest product of powers that divides every term.
  Powers common_powers() const;

  /// Returns this polynomial without common_powers() and the number that is written first.
  Trigonometric primitive() const;

  /// Is factors · sin or cos of an angle: the polynomial as it is written is a sum of such parts.
  struct Wave {
    Angle angle;  ///< has a positive last factor; empty if there is no sine or cosine
    bool sine = false;
    std::vector<std::pair<Powers, double>> factors;
  };
  /// Returns the parts in the order in which they are written.
  std::vector<Wave> waves() const;

 private:
  static std::optional<Trigonometric> wave(const Trigonometric& argument, bool sine);
  void add(const Term& term, std::complex<double> coefficient);
  Terms terms_;
};

inline Trigonometric operator+(Trigonometric a, const Trigonometric& b) { return a += b; }

/// Is numerator / product of the denominators, which are no monomials. Exact divisors are divided out; the program does
/// not look for common factors if neither part is a multiple of the other.
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

/// Returns a formula of the mechanism file. `names` has the symbols' names by their indices.
std::string text_of(const Quotient& value, const std::vector<std::string>& names);

/// Says where a polynomial is zero, apart from symbols that are zero: "sin(theta3 - theta1) = 0".
std::string text_of_zeros(const Trigonometric& value, const std::vector<std::string>& names);

}  // namespace mechfmu
