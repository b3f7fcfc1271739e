// Reading formulas by recursive descent:
//   sum        = product { ("+" | "-") product }
//   product    = sign { ("*" | "/") sign }
//   sign       = { "-" | "+" } power
//   power      = atom [ "^" sign ]                    2^3^2 = 2^(3^2), -x^2 = -(x^2)
//   atom       = number | name | name "(" arguments ")" | "(" sum ")"
// The first argument of if(…) is a condition:
//   condition  = both { "or" both }
//   both       = negation { "and" negation }
//   negation   = { "not" } comparison
//   comparison = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum      there "(" condition ")" is an atom, too
#include <cctype>
#include <charconv>
#include <utility>

#include "expression.hpp"

namespace mechfmu {

namespace {

struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::string text;
  double number = 0;
  std::size_t at = 0;
};

struct SyntaxError {
  std::size_t at;
  std::string problem, repair;
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string shown(const Token& token) { return token.kind == Token::Kind::end ? "the end" : in_quotes(token.text); }

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    Token token;
    token.at = at_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    const bool digit_follows = at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]));
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && digit_follows)) return number(token);
    if (starts_name(c)) return name(token);
    return sign(token);
  }

 private:
  Token number(Token token) {
    // from_chars wants a digit before the point; ".5" is read as "0.5".
    const std::string digits = (text_[at_] == '.' ? "0" : "") + text_.substr(at_);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), token.number);
    const std::size_t length = static_cast<std::size_t>(end - digits.data()) - (text_[at_] == '.' ? 1 : 0);
    token.kind = Token::Kind::number;
    token.text = text_.substr(at_, length);
    if (code == std::errc::result_out_of_range)
      throw SyntaxError{at_, "the number " + in_quotes(token.text) + " is too large or too small",
                        "check its exponent"};
    at_ += length;
    return token;
  }

  Token name(Token token) {
    token.kind = Token::Kind::name;
    std::size_t end = at_;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    while (end + 1 < text_.size() && text_[end] == '.' && starts_name(text_[end + 1]))
      for (++end; end < text_.size() && continues_name(text_[end]);) ++end;
    token.text = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }

  Token sign(Token token) {
    token.kind = Token::Kind::sign;
    const std::string two = text_.substr(at_, 2);
    if (two == "**") throw SyntaxError{at_, "'**' is not an operator", "write ^ for a power"};
    if (two == "&&" || two == "||")
      throw SyntaxError{at_, in_quotes(two) + " is not an operator",
                        std::string("write ") + (two == "&&" ? "and" : "or") + " between two conditions"};
    const bool long_sign = two == "<=" || two == ">=" || two == "==" || two == "!=";
    token.text = long_sign ? two : text_.substr(at_, 1);
    if (token.text == "=")
      throw SyntaxError{at_, "'=' is not an operator",
                        "write a == b to compare, and a - b for what a constraint holds at 0"};
    if (token.text == "!") throw SyntaxError{at_, "'!' is not an operator", "write not before a condition"};
    if (!long_sign && std::string("+-*/^(),<>").find(text_[at_]) == std::string::npos) {
      std::size_t size = 1;  // shows a whole code point
      while (at_ + size < text_.size() && (text_[at_ + size] & 0xC0) == 0x80) ++size;
      throw SyntaxError{at_, in_quotes(text_.substr(at_, size)) + " has no meaning in a formula",
                        "a formula has numbers, names, + - * / ^, parentheses, commas and comparisons"};
    }
    at_ += token.text.size();
    return token;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  Parser(const std::string& text, const std::vector<Place>& characters) : lexer_(text), characters_(characters) {
    token_ = lexer_.next();
  }

  Expression whole() {
    if (token_.kind == Token::Kind::end)
      throw SyntaxError{token_.at, "the formula is empty", "write a number or a formula"};
    Expression result = sum();
    if (token_.kind != Token::Kind::end) unexpected_after_operand();
    return result;
  }

 private:
  bool sees(const char* sign) const { return token_.kind == Token::Kind::sign && token_.text == sign; }

  bool sees_comparison() const {
    return sees("<") || sees("<=") || sees(">") || sees(">=") || sees("==") || sees("!=");
  }

  bool sees_word(const char* word) const { return token_.kind == Token::Kind::name && token_.text == word; }

  Token take() {
    Token taken = token_;
    token_ = lexer_.next();
    return taken;
  }

  Expression operation(const Token& token, std::string name, std::vector<Expression> arguments) const {
    return {Expression::Kind::operation, 0, std::move(name), std::move(arguments), characters_[token.at]};
  }

  static bool is_condition(const Expression& expression) {
    if (expression.kind != Expression::Kind::operation) return false;
    for (const char* name : {"<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})
      if (expression.name == name) return true;
    return false;
  }

  /// Combines two numbers.
  Expression combined(const Token& token, Expression left, Expression right) const {
    if (is_condition(left) || is_condition(right))
      throw SyntaxError{token.at, in_quotes(token.text) + " joins numbers, and a condition is none",
                        "write if(condition, 1, 0) for a number"};
    return joined(token, std::move(left), std::move(right));
  }

  Expression joined(const Token& token, Expression left, Expression right) const {
    std::vector<Expression> sides;
    sides.push_back(std::move(left));
    sides.push_back(std::move(right));
    return operation(token, token.text, std::move(sides));
  }

  [[noreturn]] void unexpected_after_operand() const {
    if (sees_comparison())
      throw SyntaxError{token_.at, "a comparison stands only at the front of if(condition, a, b)",
                        "write if(…, a, b) around it"};
    if (sees_word("and") || sees_word("or"))
      throw SyntaxError{token_.at,
                        in_quotes(token_.text) +
                            " joins conditions, and these stand only at the front of if(condition, a, b)",
                        "write if(… " + token_.text + " …, a, b) around it"};
    if (sees(")")) throw SyntaxError{token_.at, "this ')' closes nothing", "remove it or open a parenthesis before"};
    if (sees(","))
      throw SyntaxError{token_.at, "this ',' is not inside the arguments of a function", "write . in decimals"};
    throw SyntaxError{token_.at, "an operator is missing before " + shown(token_), "write * to multiply"};
  }

  Expression sum() {
    Expression left = product();
    while (sees("+") || sees("-")) {
      const Token token = take();
      left = combined(token, std::move(left), product());
    }
    return left;
  }

  Expression product() {
    Expression left = signed_power();
    while (sees("*") || sees("/")) {
      const Token token = take();
      left = combined(token, std::move(left), signed_power());
    }
    return left;
  }

  Expression signed_power() {
    // No author writes deeper formulas; they would only exhaust the stack.
    constexpr int deepest = 200;
    if (++depth_ > deepest)
      throw SyntaxError{token_.at, "the formula is nested too deeply", "name parts of it in [definitions]"};
    Expression result;
    if (sees("-")) {
      const Token token = take();
      std::vector<Expression> argument;
      argument.push_back(signed_power());
      if (is_condition(argument.front()))
        throw SyntaxError{token.at, "a condition has no sign", "write not before a condition"};
      result = operation(token, "neg", std::move(argument));
    } else if (sees("+")) {
      take();
      result = signed_power();
    } else {
      result = atom();
      if (sees("^")) {
        const Token token = take();
        result = combined(token, std::move(result), signed_power());
      }
    }
    --depth_;
    return result;
  }

  Expression atom() {
    const Token token = token_;
    if (token.kind == Token::Kind::number) {
      take();
      return number_expression(token.number, characters_[token.at]);
    }
    if (token.kind == Token::Kind::name) {
      if (sees_word("not"))
        throw SyntaxError{token.at,
                          "'not' reverses a condition, and these stand only at the front of if(condition, a, b)",
                          "write if(not …, a, b)"};
      if (sees_word("and") || sees_word("or"))
        throw SyntaxError{token.at, "a condition is missing before " + shown(token),
                          "write a < b " + token.text + " c < d"};
      take();
      if (sees("(")) return call(token);
      if (find_language_function(token.text))
        throw SyntaxError{token.at, in_quotes(token.text) + " is a function and lacks its argument",
                          "write " + token.text + "(…)"};
      return {Expression::Kind::symbol, 0, token.text, {}, characters_[token.at]};
    }
    if (sees("(")) {
      take();
      Expression inside = within_condition_ ? condition() : sum();
      close(token);
      return inside;
    }
    throw SyntaxError{token.at, "a number, a name or ( is missing before " + shown(token), "complete the formula"};
  }

  void close(const Token& open) {
    if (sees(")")) {
      take();
      return;
    }
    if (token_.kind == Token::Kind::end) throw SyntaxError{open.at, "this parenthesis is not closed", "add )"};
    unexpected_after_operand();
  }

  Expression call(const Token& name) {
    const Token open = take();
    std::vector<Expression> arguments;
    const bool outside = std::exchange(within_condition_, name.text == "if");
    if (!sees(")")) {
      arguments.push_back(within_condition_ ? checked(condition()) : sum());
      within_condition_ = false;
      while (sees(",")) {
        take();
        arguments.push_back(sum());
      }
    }
    within_condition_ = outside;
    close(open);
    if (const LanguageFunction* function = find_language_function(name.text))
      check_count(name, *function, static_cast<int>(arguments.size()));
    if (name.text == "der" && arguments.size() == 2) return repeated_derivative(name, std::move(arguments));
    return operation(name, name.text, std::move(arguments));
  }

  /// Reads der(x,2), the FMU's name of an acceleration, as der(der(x)).
  Expression repeated_derivative(const Token& name, std::vector<Expression> arguments) {
    const Expression order = arguments.back();
    arguments.pop_back();
    if (order.kind != Expression::Kind::number || (order.number != 1 && order.number != 2))
      throw SyntaxError{name.at, "the second argument of 'der' is how often to differentiate, 1 or 2",
                        "write der(x) or der(x,2)"};
    Expression result = operation(name, "der", std::move(arguments));
    if (order.number == 1) return result;
    std::vector<Expression> inner;
    inner.push_back(std::move(result));
    return operation(name, "der", std::move(inner));
  }

  Expression checked(Expression condition) const {
    if (!is_condition(condition))
      throw SyntaxError{token_.at, "the condition of if(…) lacks a comparison",
                        "write if(a < b, …, …) with one of < <= > >= == !="};
    return condition;
  }

  Expression condition() {
    Expression left = both();
    while (sees_word("or")) {
      left = checked(std::move(left));
      const Token token = take();
      left = joined(token, std::move(left), checked(both()));
    }
    return left;
  }

  Expression both() {
    Expression left = negation();
    while (sees_word("and")) {
      left = checked(std::move(left));
      const Token token = take();
      left = joined(token, std::move(left), checked(negation()));
    }
    return left;
  }

  Expression negation() {
    if (!sees_word("not")) return comparison();
    const Token token = take();
    std::vector<Expression> argument;
    argument.push_back(checked(negation()));
    return operation(token, "not", std::move(argument));
  }

  /// Also reads a number or a condition in parentheses in place of a comparison.
  Expression comparison() {
    Expression left = sum();
    if (!sees_comparison()) return left;
    const Token token = take();
    Expression result = combined(token, std::move(left), sum());
    if (sees_comparison())
      throw SyntaxError{token_.at, "a second comparison in one condition", "write a < b and b < c"};
    return result;
  }

  void check_count(const Token& name, const LanguageFunction& function, int count) const {
    if (count >= function.least && count <= function.most) return;
    constexpr const char* numbers[] = {"no arguments", "one argument", "two arguments", "three arguments"};
    const std::string least = numbers[function.least];
    const std::string wanted =
        function.least == function.most ? least
        : function.most <= 3            ? least + " or " + numbers[function.most]
                                        : "at least " + least;
    throw SyntaxError{name.at, in_quotes(name.text) + " wants " + wanted + ", not " + std::to_string(count),
                      "correct the arguments of " + name.text + "(…)"};
  }

  Lexer lexer_;
  const std::vector<Place>& characters_;
  Token token_;
  bool within_condition_ = false;
  int depth_ = 0;
};

}  // namespace

std::optional<Expression> parse_expression(const std::string& text, const std::vector<Place>& characters,
                                           Diagnostics& diagnostics) {
  // Chains such as a + a + … make trees as deep as they are long.
  constexpr std::size_t longest = 20000;
  if (text.size() > longest) {
    diagnostics.add(characters.front(), "the formula is longer than 20000 characters",
                    "name parts of it in [definitions]");
    return std::nullopt;
  }
  try {
    return Parser(text, characters).whole();
  } catch (const SyntaxError& error) {
    diagnostics.add(characters[error.at], error.problem, error.repair);
    return std::nullopt;
  }
}

}  // namespace mechfmu
