// SPDX-License-Identifier: BSD-3-Clause
#include "io/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "io/expression_functions.hpp"
#include "io/nearest.hpp"

namespace curlew::io {
namespace {

constexpr int deepest = 100;  // nested parentheses, signs and powers

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Parser {
 public:
  Parser(const std::string& text, const Names& names) : text_(text), names_(names) {}

  Quantity all() {
    const Quantity value = sum();
    blanks();
    if (at_ < text_.size())
      fail(at_, peek() == ')' ? "this parenthesis was never opened"
                              : fmt::format("\"{}\" is not expected here", rest()));
    if (!std::isfinite(value.value)) fail(0, "the value is not a finite number");
    return value;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw ExpressionError(fmt::format("column {}: {}", at + 1, what));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string rest() const { return text_.substr(at_, 12); }
  bool take(char c) {
    blanks();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  std::string name_here() const {
    std::size_t end = at_;
    if (end < text_.size() && starts_name(text_[end]))
      while (end < text_.size() && continues_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  /// Runs an operation and adds the operator's column to its errors.
  template <class Step>
  Quantity placed(std::size_t at, const Step& step) const {
    try {
      return step();
    } catch (const ArgumentError& e) {
      fail(at, e.what());
    }
  }

  Quantity sum() {
    Quantity value = product();
    for (;;) {
      blanks();
      const std::size_t at = at_;
      const double sign = peek() == '+' ? 1 : -1;
      if (!take('+') && !take('-')) return value;
      const Quantity next = product();
      value = placed(at, [&] { return io::sum(value, next, sign); });
    }
  }

  Quantity product() {
    Quantity value = signed_value();
    for (;;) {
      blanks();
      const std::size_t at = at_;
      const bool divides = peek() == '/';
      if (!take('*') && !take('/')) return value;
      const Quantity next = signed_value();
      value = placed(at, [&] { return divides ? quotient(value, next) : io::product(value, next); });
    }
  }

  Quantity signed_value() {
    const Depth depth(*this);
    if (take('-')) {
      Quantity value = signed_value();
      value.value = -value.value;
      return value;
    }
    if (take('+')) return signed_value();
    return power();
  }

  Quantity power() {
    const Quantity base = primary();
    blanks();
    const std::size_t at = at_;
    if (peek() == '*' && peek(1) == '*') {
      at_ += 2;
    } else if (!take('^')) {
      return base;
    }
    const Quantity exponent = signed_value();
    return placed(at, [&] { return io::power(base, exponent); });
  }

  Quantity primary() {
    blanks();
    if (at_ >= text_.size()) fail(at_, "a value is missing at the end");
    if (peek() == '(') {
      const Quantity value = parenthesis();
      return with_units(value);
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.') return with_units(number());
    if (starts_name(peek())) return named();
    fail(at_, fmt::format("a value is missing before \"{}\"", rest()));
  }

  Quantity parenthesis() {
    const std::size_t opened = at_++;
    const Quantity value = sum();
    if (!take(')')) fail(opened, "this parenthesis is not closed");
    return value;
  }

  Quantity number() {
    double value = 0;
    const auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (fault == std::errc::result_out_of_range) fail(at_, "the number is too large or too small");
    if (fault != std::errc()) fail(at_, fmt::format("\"{}\" is not a number", rest()));
    at_ = std::size_t(end - text_.data());
    return {value, {}, false};
  }

  Quantity named() {
    const std::size_t start = at_;
    const std::string name = name_here();
    at_ += name.size();
    if (holds(function_names(), name)) return function(name, start);
    if (const auto constant = find_constant(name)) return *constant;
    if (const auto value = names_.find(name)) return *value;
    if (const auto unit = find_unit(name))
      fail(start, fmt::format("{} is a unit, which must follow a number: 1 {}", name, name));
    auto known = names_.known;
    known.insert(known.end(), constant_names().begin(), constant_names().end());
    fail(start, fmt::format("there is no variable {} (nearest: {})", name, nearest_word(name, known)));
  }

  Quantity function(const std::string& name, std::size_t start) {
    blanks();
    const std::size_t opened = at_;
    if (!take('(')) fail(start, fmt::format("{} is a function: {}(...)", name, name));
    std::vector<Quantity> arguments;
    do arguments.push_back(sum());
    while (take(','));
    if (!take(')')) fail(opened, "this parenthesis is not closed");
    return placed(start, [&] { return call_function(name, arguments); });
  }

  /// Units behind a number: "5.8e7 S/m", "1 A m", "2 mm^2".
  Quantity with_units(Quantity value) {
    double power = 1;
    for (bool first = true;; first = false) {
      const std::size_t back = at_;
      blanks();
      power = 1;
      if (!first && (peek() == '/' || (peek() == '*' && peek(1) != '*'))) {
        power = peek() == '/' ? -1 : 1;
        ++at_;
        blanks();
        if (!is_unit_here()) {
          at_ = back;
          return value;
        }
        const std::string name = name_here();
        if (holds(names_.known, name))
          fail(at_,
               fmt::format("{} is a unit and a variable: put the number with its unit in parentheses, or "
                           "rename the variable",
                           name));
      } else if (!starts_name(peek())) {
        at_ = back;
        return value;
      }
      value = times_unit(value, power);
    }
  }

  bool is_unit_here() const { return find_unit(name_here()).has_value(); }

  Quantity times_unit(const Quantity& value, double power) {
    const std::string name = name_here();
    const auto unit = find_unit(name);
    if (!unit)
      fail(at_, holds(names_.known, name) || find_constant(name) || holds(function_names(), name)
                    ? fmt::format("an operator is missing before {}", name)
                    : fmt::format("{} is not a unit ({})", name,
                                  name == "j" || name == "i" ? "a complex number is a list, [real, imaginary]"
                                                             : "nearest: " + nearest_unit(name)));
    at_ += name.size();
    if (peek() == '^') {
      ++at_;
      int exponent = 0;
      if (peek() == '+') ++at_;
      const auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), exponent);
      if (fault != std::errc() || exponent < -9 || exponent > 9)  // abs() of the lowest integer is negative
        fail(at_, "the exponent of a unit must be a whole number from -9 to 9");
      at_ = std::size_t(end - text_.data());
      power *= exponent;
    }
    // A division by 1e-3 and a product with 1e3 differ in the last digit.
    const double factor = std::pow(unit->value, std::abs(power));
    return {power < 0 ? value.value / factor : value.value * factor,
            combined(value.dimension, unit->dimension, power), true};
  }

  struct Depth {
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) parser_.fail(parser_.at_, "too many nested parentheses or signs");
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    Parser& parser_;
  };

  const std::string& text_;
  const Names& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_reserved(const std::string& name) {
  return name == "lambda" || find_constant(name).has_value() || holds(function_names(), name);
}

bool is_name(const std::string& text) {
  return !text.empty() && starts_name(text[0]) && std::all_of(text.begin(), text.end(), continues_name);
}

Quantity evaluate(const std::string& text, const Names& names) {
  return Parser(text, names).all();
}

}  // namespace curlew::io
