// SPDX-License-Identifier: BSD-3-Clause
#include "io/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "io/schema/schema.hpp"
#include "io/word.hpp"

namespace curlew::io {
namespace {

double number_in(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size())
    throw std::logic_error(fmt::format("\"{}\" is not a limit of a key", text));
  return value;
}

/// Checks limits of the form "> 0", ">= 0", "< 1", "1 to 12" in `range`; other text and "" are no limits.
void check_range(const Config& table, const schema::Key& key, double value) {
  const auto range = key.range;
  const auto name = name_of(key);
  const auto require = [&](bool ok, std::string_view what) {
    table.require(ok, name, fmt::format("{} = {} must be {}", name, value, what));
  };
  if (range.empty() || range.starts_with('(')) return;
  if (range.starts_with(">= ")) return require(value >= number_in(range.substr(3)), range);
  if (range.starts_with("> ")) {
    const auto low = range.substr(2);
    return require(value > number_in(low), fmt::format("greater than {}", low));
  }
  if (range.starts_with("< ")) return require(value < number_in(range.substr(2)), range);
  const auto to = range.find(" to ");
  if (to == std::string_view::npos) throw std::logic_error(fmt::format("\"{}\" is not a range", range));
  const auto low = range.substr(0, to), high = range.substr(to + 4);
  require(
      value >= number_in(low) && value <= number_in(high),
      fmt::format("{}from {} to {}", key.type == schema::Type::integer ? "a whole number " : "", low, high));
}

template <class T>
void check_limits(const Config& table, const Key<T>& key, const T& value) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
    check_range(table, key, value);
  } else if constexpr (std::is_same_v<T, std::vector<double>>) {
    for (const double entry : value) check_range(table, key, entry);
  }
}

/// The default of a key, converted to its type.
template <class T>
T default_of(const schema::Key& key) {
  const auto text = schema::toml_default(key);
  if (text.empty()) throw std::logic_error(fmt::format("key \"{}\" has no default", key.path));
  // In its own table: a value in another table is refused by the check of keys.
  const std::string path = schema::plain_path(key.path);
  Config table = Config::parse(fmt::format("{} = {}", path, text), std::string(key.path));
  std::size_t start = 0;
  for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', start)) {
    table = table.table(path.substr(start, dot - start));
    start = dot + 1;
  }
  return table.get<T>(path.substr(start));
}

}  // namespace

template <class T>
T get(const Config& table, const Key<T>& key) {
  auto value = table.get<T>(name_of(key));
  check_limits(table, key, value);
  return value;
}

template <class T>
T read(const Config& table, const Key<T>& key, const T& fallback) {
  return has(table, key) ? get(table, key) : table.get_or<T>(name_of(key), fallback);
}

template <class T>
T read(const Config& table, const Key<T>& key) {
  return has(table, key) || key.fallback == "required" ? get(table, key)
                                                       : read(table, key, default_of<T>(key));
}

#define CURLEW_KEY_TYPE(...)                                         \
  template __VA_ARGS__ get(const Config&, const Key<__VA_ARGS__>&);  \
  template __VA_ARGS__ read(const Config&, const Key<__VA_ARGS__>&); \
  template __VA_ARGS__ read(const Config&, const Key<__VA_ARGS__>&, const __VA_ARGS__&);
CURLEW_KEY_TYPE(bool)
CURLEW_KEY_TYPE(int)
CURLEW_KEY_TYPE(double)
CURLEW_KEY_TYPE(std::string)
CURLEW_KEY_TYPE(std::vector<double>)
CURLEW_KEY_TYPE(std::vector<std::string>)
CURLEW_KEY_TYPE(std::vector<std::vector<double>>)
#undef CURLEW_KEY_TYPE

std::size_t read_word(const Config& table, const Key<Word>& key, std::string_view fallback) {
  const auto words = schema::words_of(key);
  std::string word;
  if (has(table, key) || key.fallback == "required") {
    word = word_of(table, name_of(key), words);
  } else {
    word = table.get_or<std::string>(name_of(key),
                                     fallback.empty() ? default_of<std::string>(key) : std::string(fallback));
  }
  return std::size_t(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace curlew::io
