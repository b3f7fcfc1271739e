// Writes trigonometric polynomials and their quotients as formulas of the mechanism file.
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdio>

#include "modelDescription/formulas/export_tolerances.hpp"
#include "trigonometric.hpp"

namespace mechfmu {
namespace {

using Names = std::vector<std::string>;
using Factors = std::vector<std::pair<Powers, double>>;

/// Is a number as a quotient of small whole numbers, if it is one; otherwise the number itself, above 1.
struct Ratio {
  std::string above, below;  ///< "" means 1
};

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

Ratio ratio_of(double size) {
  constexpr int largest_denominator = 24;  // is enough for a bar's m l²/24
  for (int below = 1; below <= largest_denominator; ++below) {
    const double above = std::round(size * below);
    if (above >= 1 && std::fabs(size * below - above) <= equal_numbers * above)
      return {above == 1 ? "" : shown(above), below == 1 ? "" : std::to_string(below)};
  }
  return {shown(size), ""};
}

/// Is a product that is being written; its divisors are kept apart.
class Product {
 public:
  void times(const std::string& factor) { join(above_, factor); }
  void over(const std::string& factor) {
    join(below_, factor);
    ++count_below_;
  }
  void times(const Ratio& ratio) {
    if (!ratio.above.empty()) times(ratio.above);
    if (!ratio.below.empty()) over(ratio.below);
  }
  void times(const Powers& powers, const Names& names) {
    for (const auto& [symbol, exponent] : powers) {
      const double size = std::fabs(exponent);
      std::string text = names[static_cast<std::size_t>(symbol)];
      if (size != 1) text += "^" + shown(size);
      exponent > 0 ? times(text) : over(text);
    }
  }
  std::string text() const {
    const std::string above = above_.empty() ? "1" : above_;
    return count_below_ == 0 ? above : above + "/" + (count_below_ > 1 ? "(" + below_ + ")" : below_);
  }

 private:
  static void join(std::string& list, const std::string& factor) { list += (list.empty() ? "" : "*") + factor; }
  std::string above_, below_;
  int count_below_ = 0;
};

/// Writes terms with their signs: "a - b + c".
class Sum {
 public:
  void add(bool negative, const std::string& term) {
    text_ += text_.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    text_ += term;
    ++count_;
  }
  std::string text() const { return count_ == 0 ? "0" : text_; }

 private:
  std::string text_;
  int count_ = 0;
};

/// Writes an angle from its last factor to its first: theta2 - theta1.
std::string angle_text(const Angle& angle, const Names& names) {
  Sum sum;
  for (auto part = angle.rbegin(); part != angle.rend(); ++part) {
    Product product;
    product.times(ratio_of(std::fabs(part->second)));
    product.times(part->first, names);
    sum.add(part->second < 0, product.text());
  }
  return sum.text();
}

/// Is a sine or cosine.
struct SineOrCosine {
  bool sine;
  Angle angle;
  auto operator<=>(const SineOrCosine&) const = default;
};

/// Is factors · the product of sines and cosines: a part of a sum as it is written.
struct Part {
  std::vector<SineOrCosine> functions;
  Factors factors;
};

Part part_of(const Trigonometric::Wave& wave) {
  if (wave.angle.empty()) return {{}, wave.factors};
  return {{{wave.sine, wave.angle}}, wave.factors};
}

bool all_negative(const Factors& factors) {
  for (const auto& [powers, number] : factors)
    if (number > 0) return false;
  return true;
}

/// Writes a sum of products of symbols, with opposite signs if `turned` is true.
std::string factors_text(const Factors& factors, bool turned, const Names& names) {
  Sum sum;
  for (const auto& [powers, number] : factors) {
    Product product;
    product.times(ratio_of(std::fabs(number)));
    product.times(powers, names);
    sum.add((number < 0) != turned, product.text());
  }
  return sum.text();
}

/// Returns the polynomial divided by powers that all its terms share.
Trigonometric without(const Trigonometric& polynomial, const Powers& common) {
  Powers inverse;
  for (const auto& [symbol, exponent] : common) inverse[symbol] = -exponent;
  return polynomial.times(1, {inverse, {}});
}

std::vector<std::string> function_texts(const std::vector<SineOrCosine>& functions, const Names& names) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto& [sine, angle] = functions[i];
    const bool square = i + 1 < functions.size() && functions[i + 1] == functions[i];
    texts.push_back((sine ? "sin(" : "cos(") + angle_text(angle, names) + (square ? ")^2" : ")"));
    i += square;
  }
  return texts;
}

/// Writes one product without its sign: a number, powers of symbols, a sum of such products in parentheses, a sine or
/// cosine.
void write(Product& product, const Part& part, const Names& names) {
  if (part.factors.size() == 1) {
    product.times(ratio_of(std::fabs(part.factors.front().second)));
    product.times(part.factors.front().first, names);
  } else {
    Trigonometric plain;
    for (const auto& [powers, number] : part.factors) plain += Trigonometric::number(number).times(1, {powers, {}});
    const Powers common = plain.common_powers();
    const Factors rest = without(plain, common).waves().front().factors;
    product.times(common, names);
    product.times("(" + factors_text(rest, all_negative(rest), names) + ")");
  }
  for (const std::string& text : function_texts(part.functions, names)) product.times(text);
}

/// Returns (a + factor b)/2.
Angle half_sum(const Angle& a, const Angle& b, double factor) {
  Angle result;
  for (const auto& [symbols, number] : a) result[symbols] += number / 2;
  for (const auto& [symbols, number] : b) result[symbols] += factor * number / 2;
  std::erase_if(result, [](const auto& part) { return part.second == 0; });
  return result;
}

/// Changes the sign of an angle if its last factor is negative. Returns true if it did.
bool orient(Angle& angle) {
  if (angle.empty() || angle.rbegin()->second > 0) return false;
  for (auto& [symbols, number] : angle) number = -number;
  return true;
}

/// Returns how far an angle is from being a symbol.
double size(const Angle& angle) {
  double sum = 0;
  for (const auto& [symbols, number] : angle) sum += std::fabs(number);
  return sum;
}

/// Writes sums of two sines or cosines as products, if their angles become simpler: cos(u+v) + cos(u-v) = 2 cos u cos
/// v, cos(u+v) - cos(u-v) = -2 sin u sin v, sin(u+v) + sin(u-v) = 2 sin u cos v, sin(u+v) - sin(u-v) = 2 cos u sin v.
struct Pair {
  std::vector<SineOrCosine> functions;
  double factor = 1;
};

std::optional<Pair> product_of(const Trigonometric::Wave& a, const Trigonometric::Wave& b, bool equal_signs) {
  if (a.sine != b.sine && !b.angle.empty()) return {};
  Angle u = half_sum(a.angle, b.angle, 1), v = half_sum(a.angle, b.angle, -1);
  const auto even = [](const auto& part) { return std::fmod(part.second, 2) == 0; };
  const bool simpler = b.angle.empty() ? !a.sine && std::all_of(a.angle.begin(), a.angle.end(), even)
                                       : size(u) + size(v) < size(a.angle) + size(b.angle);
  if (!simpler) return {};
  const bool first_sine = a.sine == equal_signs, second_sine = !equal_signs;
  double factor = !a.sine && !equal_signs ? -2 : 2;
  if (orient(u) && first_sine) factor = -factor;
  if (orient(v) && second_sine) factor = -factor;
  Pair pair{{{first_sine, u}, {second_sine, v}}, factor};
  std::sort(pair.functions.begin(), pair.functions.end(), [](const SineOrCosine& x, const SineOrCosine& y) {
    return x.angle != y.angle ? x.angle < y.angle : x.sine < y.sine;
  });
  return pair;
}

/// Returns the parts of a polynomial as they are written, with products of two sines or cosines.
std::vector<Part> parts_of(const Trigonometric& polynomial) {
  std::vector<Trigonometric::Wave> waves = polynomial.waves();
  std::vector<Part> parts;
  const auto add = [&](const std::vector<SineOrCosine>& functions, const Powers& powers, double number) {
    auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.functions == functions; });
    if (part == parts.end()) part = parts.insert(part, {functions, {}});
    part->factors.emplace_back(powers, number);
  };
  for (std::size_t i = 0; i < waves.size(); ++i) {
    for (const auto& [powers, number] : waves[i].factors) {
      const auto paired = [&]() {
        for (std::size_t j = i + 1; j < waves.size(); ++j) {
          for (auto other = waves[j].factors.begin(); other != waves[j].factors.end(); ++other) {
            const double difference = std::fabs(std::fabs(other->second) - std::fabs(number));
            if (other->first != powers || difference > equal_numbers * std::fabs(number)) continue;
            const auto pair = product_of(waves[i], waves[j], (other->second < 0) == (number < 0));
            if (!pair) continue;
            add(pair->functions, powers, pair->factor * number);
            waves[j].factors.erase(other);
            return true;
          }
        }
        return false;
      };
      if (!paired()) add(part_of(waves[i]).functions, powers, number);
    }
  }
  std::stable_partition(parts.begin(), parts.end(), [](const Part& part) { return !part.functions.empty(); });
  return parts;
}

/// Returns a factor of all terms. Without it the terms have small whole numbers if the formula of the file had them.
double content(const std::vector<Part>& parts) {
  double least = 0;
  for (const Part& part : parts)
    for (const auto& [powers, number] : part.factors)
      least = least == 0 ? std::fabs(number) : std::min(least, std::fabs(number));
  bool equal = true, multiples = least >= 1;
  for (const Part& part : parts)
    for (const auto& [powers, number] : part.factors) {
      const double ratio = std::fabs(number) / least;
      equal = equal && std::fabs(ratio - 1) <= equal_numbers;
      multiples = multiples && std::fabs(ratio - std::round(ratio)) <= equal_numbers * ratio;
    }
  return equal || multiples ? least : 1;
}

/// Divides by content(), and returns it; it is negative if all terms are.
double take_content(std::vector<Part>& parts) {
  const bool negative =
      std::all_of(parts.begin(), parts.end(), [](const Part& part) { return all_negative(part.factors); });
  const double factor = negative ? -content(parts) : content(parts);
  for (Part& part : parts)
    for (auto& [powers, number] : part.factors) number /= factor;
  return factor;
}

/// Takes the sines and cosines that all parts have out of them.
std::vector<SineOrCosine> take_functions(std::vector<Part>& parts) {
  std::vector<SineOrCosine> common;
  for (const SineOrCosine& function : std::vector<SineOrCosine>(parts.empty() ? common : parts.front().functions)) {
    const auto find = [&](Part& part) { return std::find(part.functions.begin(), part.functions.end(), function); };
    const auto has = [&](Part& part) { return find(part) != part.functions.end(); };
    if (!std::all_of(parts.begin(), parts.end(), has)) continue;
    for (Part& part : parts) part.functions.erase(find(part));
    common.push_back(function);
  }
  return common;
}

/// Removes what both lists contain.
void cancel(std::vector<SineOrCosine>& above, std::vector<SineOrCosine>& below) {
  for (auto function = above.begin(); function != above.end();) {
    const auto other = std::find(below.begin(), below.end(), *function);
    if (other == below.end()) {
      ++function;
      continue;
    }
    below.erase(other);
    function = above.erase(function);
  }
}

std::string sum_text(const std::vector<Part>& parts, const Names& names) {
  Sum sum;
  const auto add = [&](const Part& part) {
    Product product;
    write(product, part, names);
    sum.add(all_negative(part.factors), product.text());
  };
  for (const Part& part : parts) {
    if (!part.functions.empty()) add(part);
    else
      for (const auto& factor : part.factors) add({{}, {factor}});
  }
  return sum.text();
}

/// Is true if the rest is 1 after numbers and functions are taken out.
bool is_one(const std::vector<Part>& parts) {
  return parts.size() == 1 && parts.front().functions.empty() && parts.front().factors.size() == 1 &&
         parts.front().factors.front().first.empty();
}

}  // namespace

std::string text_of(const Quotient& value, const Names& names) {
  const Trigonometric& numerator = value.numerator();
  if (numerator.zero()) return "0";
  std::vector<Part> parts = parts_of(numerator);
  const Powers common = numerator.common_powers();
  const bool sum = parts.size() > 1 || (parts.front().functions.empty() && parts.front().factors.size() > 1);

  std::vector<Part> rest = sum ? parts_of(without(numerator, common)) : parts;
  double number = take_content(rest);
  std::vector<SineOrCosine> above = take_functions(rest), below;
  if (sum && common.empty() && above.empty() && value.denominators().empty()) return sum_text(parts, names);
  std::vector<std::string> sums_below;
  for (const Trigonometric& factor : value.denominators()) {
    std::vector<Part> under = parts_of(factor);
    number /= take_content(under);
    const std::vector<SineOrCosine> functions = take_functions(under);
    below.insert(below.end(), functions.begin(), functions.end());
    if (!is_one(under)) sums_below.push_back("(" + sum_text(under, names) + ")");
  }
  cancel(above, below);

  Product product;
  product.times(ratio_of(std::fabs(number)));
  if (sum) {
    product.times(common, names);
    product.times("(" + sum_text(rest, names) + ")");
  } else {
    write(product, rest.front(), names);
  }
  for (const std::string& text : function_texts(above, names)) product.times(text);
  for (const std::string& text : function_texts(below, names)) product.over(text);
  for (const std::string& text : sums_below) product.over(text);
  return (number < 0 ? "-" : "") + product.text();
}

std::string text_of_zeros(const Trigonometric& value, const Names& names) {
  std::vector<Part> parts = parts_of(without(value, value.common_powers()));
  take_content(parts);
  Product product;
  for (const std::string& text : function_texts(take_functions(parts), names)) product.times(text);
  if (product.text() == "1") return sum_text(parts, names) + " = 0";
  if (!is_one(parts)) product.times("(" + sum_text(parts, names) + ")");
  return product.text() + " = 0";
}

}  // namespace mechfmu
