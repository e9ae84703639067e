// SPDX-License-Identifier: BSD-3-Clause
#include "io/schema/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>

#include "io/schema/schema.hpp"

namespace curlew::io::schema {
namespace {

[[noreturn]] void fail(const Asked& asked, const std::string& what) {
  throw std::logic_error(fmt::format("key \"{}\"{}{}: {} (tables of keys: src/io/schema)", asked.plain,
                                     asked.program.empty() ? "" : " of ", asked.program, what));
}

/// Numbers by value, all else by text: 1e-5 is 0.00001.
bool agree(std::string_view a, std::string_view b) {
  const auto number = [](std::string_view text, double& value) {
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size();
  };
  const auto strip = [](std::string_view text) {
    std::string plain(text);
    std::erase_if(plain, [](char c) { return c == ' ' || c == '[' || c == ']' || c == '"' || c == '\''; });
    return plain + ",";
  };
  std::string x = strip(a), y = strip(b);
  while (!x.empty() && !y.empty()) {
    const std::string p = x.substr(0, x.find(',')), q = y.substr(0, y.find(','));
    double u = 0, v = 0;
    if (p != q && !(number(p, u) && number(q, v) && u == v)) return false;
    x.erase(0, p.size() + 1), y.erase(0, q.size() + 1);
  }
  return x.empty() && y.empty();
}

}  // namespace

bool is_checking() {
  static const bool checking = std::getenv("CURLEW_CHECK_SCHEMA") != nullptr;
  return checking;
}

void check_asked(const Asked& asked) {
  if (find_key(asked.plain, "") == nullptr && !is_table(asked.plain, "")) fail(asked, "not declared");
}

void check_read(const Asked& asked) {
  if (find_key(asked.plain, asked.program) == nullptr) fail(asked, "not declared for this program");
}

void check_default(const Asked& asked, const std::string& value) {
  check_read(asked);
  const Key& key = *find_key(asked.plain, asked.program);
  if (key.fallback.starts_with('(')) return;
  if (!agree(value, toml_default(key)))
    fail(asked, fmt::format("the default is {}, declared is {}", value, key.fallback));
}

void check_words(const Asked& asked, std::initializer_list<std::string_view> words) {
  check_read(asked);
  const auto known = words_of(*find_key(asked.plain, asked.program));
  for (const auto word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      fail(asked, fmt::format("\"{}\" is not among {}", word, fmt::join(known, " | ")));
}

void check_limits(const Asked& asked, long low, long high) {
  check_read(asked);
  const Key& key = *find_key(asked.plain, asked.program);
  const std::string limits = fmt::format("{} to {}", low, high);
  if (key.range != limits && !key.range.starts_with('('))
    fail(asked, fmt::format("the range is {}, declared is {}", limits, key.range));
}

}  // namespace curlew::io::schema
