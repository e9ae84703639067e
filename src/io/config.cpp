// SPDX-License-Identifier: BSD-3-Clause
#define TOML_IMPLEMENTATION  // toml++ is compiled in this file only
#include "io/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/config_document.hpp"
#include "io/config_error.hpp"
#include "io/nearest.hpp"
#include "io/toml_advice.hpp"
#include "io/word.hpp"

namespace curlew::io {
namespace {

// The function of io/toml.hpp is the one in use: that of toml++ has no value for these.
static_assert(!toml::impl::is_horizontal_whitespace(U'\u00FC') &&
              !toml::impl::is_horizontal_whitespace(U'\u3042') &&
              toml::impl::is_horizontal_whitespace(U'\u00A0'));

/// "boundary 2", "mesh.parameters", "material 1.model": entries of lists counted from 1.
std::string display_path(std::string_view path) {
  std::string text;
  for (const auto& part : split_path(path)) {
    int index = 0;
    const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (!text.empty() && fault == std::errc() && end == part.data() + part.size()) {
      text += fmt::format(" {}", index + 1);
    } else {
      text += (text.empty() ? "" : ".") + part;
    }
  }
  return text;
}

Config::Kind kind_of(const toml::node& node) {
  if (node.is_boolean()) return Config::Kind::boolean;
  if (node.is_number()) return Config::Kind::number;
  if (node.is_array()) return Config::Kind::array;
  if (node.is_table()) return Config::Kind::table;
  return Config::Kind::string;
}

}  // namespace

std::string join_path(std::string_view path, std::string_view key) {
  if (path.empty()) return std::string(key);
  return fmt::format("{}{}{}", path, path_separator, key);
}

std::vector<std::string> split_path(std::string_view path, char separator) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find(separator), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

const toml::node* find_node(const toml::node& root, std::string_view path) {
  const toml::node* node = &root;
  for (const auto& part : split_path(path)) {
    if (const auto* table = node->as_table()) {
      node = table->get(part);
    } else if (const auto* array = node->as_array()) {
      std::size_t index = array->size();
      std::from_chars(part.data(), part.data() + part.size(), index);
      node = array->get(index);
    } else {
      return nullptr;
    }
    if (node == nullptr) return nullptr;
  }
  return node;
}

bool holds_lowest_integer(const toml::node& node) {
  if (const auto* integer = node.as_integer())
    return integer->get() == std::numeric_limits<std::int64_t>::min();
  if (const auto* array = node.as_array())
    return std::any_of(array->begin(), array->end(), holds_lowest_integer);
  if (const auto* table = node.as_table())
    return std::any_of(table->begin(), table->end(),
                       [](const auto& entry) { return holds_lowest_integer(entry.second); });
  return false;
}

const toml::key* find_empty_key(const toml::node& node) {
  if (const auto* array = node.as_array()) {
    for (const auto& entry : *array)
      if (const auto* found = find_empty_key(entry)) return found;
  } else if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      if (key.str().empty()) return &key;
      if (const auto* found = find_empty_key(value)) return found;
    }
  }
  return nullptr;
}

std::string short_text(const toml::node& node) {
  std::ostringstream out;
  out << toml::toml_formatter(node);
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr std::size_t longest = 60;
  return text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
}

Config::Config() : document_(std::make_shared<Document>()) {}
Config::Config(std::shared_ptr<Document> document, std::string path)
    : document_(std::move(document)), path_(std::move(path)) {}

Config Config::load(const std::string& file) {
  return parse(read_text_file(file), file);
}

Config Config::parse(const std::string& text, const std::string& name) {
  Config config;
  config.document_->file = name;
  config.document_->text = text;
  try {
    config.document_->root = toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    std::string reason(e.description());
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    const auto line = e.source().begin.line;
    throw InputError(
        fmt::format("{}:{}: not valid TOML: {}{}", name, line, reason, toml_advice(text, line, reason)));
  }
  if (holds_lowest_integer(config.document_->root))
    throw InputError(fmt::format("{}: integers must be above -9223372036854775808", name));
  if (const auto* key = find_empty_key(config.document_->root))
    throw InputError(fmt::format("{}:{}: keys must have a name, not \"\"", name, key->source().begin.line));
  return config;
}

bool Config::has(std::string_view key) const {
  document_->ask(path_, key);
  return find_node(document_->root, join_path(path_, key)) != nullptr;
}

Config::Kind Config::kind(std::string_view key) const {
  document_->ask(path_, key);
  const auto* node = find_node(document_->root, join_path(path_, key));
  return node == nullptr ? Kind::missing : kind_of(*node);
}

std::string word_of(const Config& table, std::string_view key, const std::vector<std::string>& words) {
  const auto word = table.get<std::string>(key);
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  table.error(key, fmt::format("{} = \"{}\" must be one of {} (nearest: {})", key, word,
                               fmt::join(words, ", "), nearest_word(word, words)));
}

std::string Config::choice(std::string_view key, std::initializer_list<std::string_view> words) const {
  if (schema::is_checking()) schema::check_words(document_->named(path_, key), words);
  return word_of(*this, key, {words.begin(), words.end()});
}

std::string Config::choice_or(std::string_view key, std::initializer_list<std::string_view> words,
                              std::string_view fallback) const {
  if (schema::is_checking()) schema::check_words(document_->named(path_, key), words);
  if (has(key)) return choice(key, words);
  return get_or<std::string>(key, std::string(fallback));
}

double Config::positive(std::string_view key) const {
  const auto value = get<double>(key);
  require(value > 0, key, fmt::format("{} = {} must be greater than 0", key, value));
  return value;
}

double Config::positive_or(std::string_view key, double fallback) const {
  return has(key) ? positive(key) : get_or<double>(key, fallback);
}

int Config::integer_in(std::string_view key, int low, int high) const {
  if (schema::is_checking()) schema::check_limits(document_->named(path_, key), low, high);
  const auto value = get<int>(key);
  require(low <= value && value <= high, key,
          fmt::format("{} = {} must be a whole number from {} to {}", key, value, low, high));
  return value;
}

int Config::integer_in_or(std::string_view key, int low, int high, int fallback) const {
  if (schema::is_checking()) schema::check_limits(document_->named(path_, key), low, high);
  return has(key) ? integer_in(key, low, high) : get_or<int>(key, fallback);
}

Config Config::table(std::string_view key) const {
  document_->ask(path_, key);
  const std::string inner = join_path(path_, key);
  const auto* node = find_node(document_->root, inner);
  if (node != nullptr && !node->is_table()) {
    error(key, fmt::format("{} must be a table, not {}", key, short_text(*node)));
  }
  document_->asked[inner];
  return {document_, inner};
}

std::vector<Config> Config::tables(std::string_view key) const {
  document_->ask(path_, key);
  const std::string inner = join_path(path_, key);
  const auto* node = find_node(document_->root, inner);
  if (node == nullptr) return {};
  if (node->is_table()) return {table(key)};
  const auto* array = node->as_array();
  if (array == nullptr ||
      !std::all_of(array->begin(), array->end(), [](const auto& entry) { return entry.is_table(); })) {
    error(key, fmt::format("{} must be a list of tables, [[{}]], not {}", key, key, short_text(*node)));
  }
  std::vector<Config> entries;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string entry = join_path(inner, std::to_string(i));
    document_->asked[entry];
    entries.push_back({document_, entry});
  }
  return entries;
}

std::vector<std::string> Config::keys() const {
  std::vector<std::string> names;
  const auto* node = find_node(document_->root, path_);
  if (node == nullptr || !node->is_table()) return names;
  for (const auto& [key, value] : *node->as_table()) {
    names.emplace_back(key.str());
    document_->ask(path_, key.str());
  }
  return names;
}

void Config::allow(std::initializer_list<std::string_view> known) const {
  for (const auto key : known) document_->allowed.insert(join_path(path_, key));
}

std::string Config::where(std::string_view key) const {
  std::string path = key.empty() ? path_ : join_path(path_, key);
  for (std::string outer = path; !outer.empty();) {
    if (const auto origin = document_->origins.find(outer); origin != document_->origins.end())
      return origin->second;
    const auto end = outer.rfind(path_separator);
    outer = end == std::string::npos ? "" : outer.substr(0, end);
  }
  const auto* node = find_node(document_->root, path);
  if (node == nullptr) node = find_node(document_->root, path = path_);
  if (node == nullptr || node == &document_->root) return document_->file;
  const unsigned line = document_->line_of(path, *node);
  return line == 0 ? document_->file : fmt::format("{}:{}", document_->file, line);
}

std::string Config::path() const {
  return display_path(path_);
}

void Config::error(std::string_view key, const std::string& message) const {
  const std::string place = where(key), table = path();
  const auto written = document_->expressions.find(join_path(path_, key));
  throw ConfigError(fmt::format(
      "{}{}{}{}{}{}", place, place.empty() ? "" : ": ", table, table.empty() ? "" : ": ", message,
      written == document_->expressions.end() ? "" : fmt::format(" ({} = \"{}\")", key, written->second)));
}

void Config::find_unknown(const std::string& path, Unknown& first) const {
  const auto* node = find_node(document_->root, path);
  if (node == nullptr || document_->allowed.count(path) != 0) return;
  if (const auto* array = node->as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) find_unknown(join_path(path, std::to_string(i)), first);
  }
  const auto asked = document_->asked.find(path);
  if (!node->is_table() || asked == document_->asked.end()) return;
  for (const auto& [key, value] : *node->as_table()) {
    const std::string name(key.str()), inner = join_path(path, name);
    if (asked->second.count(name) != 0 || document_->allowed.count(inner) != 0) {
      find_unknown(inner, first);
    } else if (const unsigned line = document_->line_of(inner, value);
               first.key.empty() || line < first.line) {
      first = {path, name, line};
    }
  }
}

std::vector<std::string> Config::known_keys() const {
  const auto& asked = document_->asked[path_];
  std::vector<std::string> known(asked.begin(), asked.end());
  for (const auto& path : document_->allowed) {
    const auto parts = split_path(path);
    if (join_path(path_, parts.back()) == path) known.push_back(parts.back());
  }
  return known;
}

void Config::check_unknown_keys() const {
  Unknown first;
  document_->asked[""];
  find_unknown("", first);
  if (first.key.empty()) return;
  const Config table(document_, first.table);
  const auto named = document_->named(first.table, first.key);
  if (const auto help = declared_help(named); !help.empty())
    table.error(first.key, fmt::format("key \"{}\" has no effect with the other keys of this config; {}: {}",
                                       first.key, first.key, help));
  const std::string near = nearest_word(first.key, table.known_keys());
  table.error(first.key, near.empty()
                             ? fmt::format("unknown key \"{}\"", first.key)
                             : fmt::format("unknown key \"{}\" (nearest known: \"{}\")", first.key, near));
}

const std::string& Config::text() const {
  return document_->text;
}
const std::string& Config::file() const {
  return document_->file;
}

std::string Config::resolve_path(const std::string& path) const {
  const std::filesystem::path inner(path);
  if (inner.is_absolute()) return path;
  return (std::filesystem::path(document_->file).parent_path() / inner).lexically_normal().string();
}

Config Config::clone() const {
  auto copy = std::make_shared<Document>();
  document_->remember_lines();
  copy->lines = document_->lines;
  copy->expressions = document_->expressions;
  copy->root = document_->root;
  copy->file = document_->file;
  copy->text = document_->text;
  copy->program = document_->program;
  copy->origins = document_->origins;
  return {copy, path_};
}

}  // namespace curlew::io
