// SPDX-License-Identifier: BSD-3-Clause
// Expressions in a config: variables, and numeric keys whose value is a text.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/constants.hpp"
#include "io/config.hpp"
#include "io/config_document.hpp"
#include "io/expression.hpp"
#include "io/frequency.hpp"
#include "io/schema/schema.hpp"

namespace curlew::io {
namespace {

using schema::Key;
using schema::Type;

constexpr const char* variables = "variables";

bool is_numeric(Type type) {
  switch (type) {
    case Type::boolean:
    case Type::text:
    case Type::word:
    case Type::texts:
    case Type::words:
      return false;
    default:
      return true;
  }
}

/// True for texts that are words of the key and no expressions. A bare name that is no variable is also a
/// word, perhaps a misspelt one: the reader of the key lists the valid ones.
bool is_word(const Key& key, const std::string& text, const std::vector<std::string>& names) {
  if (key.type != Type::direction && key.type != Type::words_or_numbers) return false;
  const auto words = schema::words_of(key);
  return std::find(words.begin(), words.end(), text) != words.end() ||
         (is_name(text) && std::find(names.begin(), names.end(), text) == names.end());
}

/// Removes the rounding error of products with units and their inverse: 1.6 mm is to be 1.6 in mm.
double without_noise(double value) {
  return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr);
}

/// A unit of a key for a message and for conversion. Empty unit: a plain number.
struct Declared {
  std::string name;
  std::optional<Quantity> unit;
  bool or_number = false;  ///< a plain number is also valid, and so are ratios
};

}  // namespace

/// One pass over a document.
struct Config::Expressions {
  std::shared_ptr<Document> document;
  std::map<std::string, Quantity> values{};  ///< of variables
  std::vector<std::string> trail{};          ///< variables being evaluated
  std::set<std::string> used{};

  void all();

 private:
  Config table(const std::string& path) const { return {document, path}; }
  std::vector<std::string> variable_names() const;
  std::optional<Quantity> variable(const std::string& name);
  Quantity variable_value(const std::string& name, const toml::node& node);
  Quantity wavelength();
  std::vector<std::string> frequency_keys() const;
  Quantity evaluate_text(const std::string& path, const std::string& key, const std::string& text);
  void evaluate_variables();
  void check_use() const;

  Declared declared(std::string_view unit) const;
  std::string text_at(std::string_view path, const std::string& fallback) const;
  double convert(const std::string& path, const std::string& key, const std::string& text, Declared unit);
  void walk(toml::node& node, const std::string& path);
  void walk_value(toml::node& parent, const std::string& path, const std::string& name, const Key& key);
  bool replace_text(toml::node& parent, const std::string& path, const std::string& name, const Key& key);
};

std::vector<std::string> Config::Expressions::variable_names() const {
  std::vector<std::string> names;
  if (const auto* node = find_node(document->root, variables); node != nullptr && node->is_table())
    for (const auto& [name, value] : *node->as_table()) names.emplace_back(name.str());
  return names;
}

Quantity Config::Expressions::evaluate_text(const std::string& path, const std::string& key,
                                            const std::string& text) {
  auto known = variable_names();
  known.emplace_back("lambda");
  const auto find = [this](const std::string& name) {
    used.insert(name);
    return variable(name);
  };
  try {
    return io::evaluate(text, {find, known});
  } catch (const ExpressionError& e) {
    table(path).error(key, fmt::format("{} = \"{}\": {}", key, text, e.what()));
  }
}

std::optional<Quantity> Config::Expressions::variable(const std::string& name) {
  if (const auto known = values.find(name); known != values.end()) return known->second;
  const auto* node = find_node(document->root, join_path(variables, name));
  if (node == nullptr && name != "lambda") return std::nullopt;
  if (const auto at = std::find(trail.begin(), trail.end(), name); at != trail.end())
    table(variables).error(name, fmt::format("{} is defined by itself: {} -> {}", name,
                                             fmt::join(at, trail.end(), " -> "), name));
  trail.push_back(name);
  const Quantity value = node == nullptr ? wavelength() : variable_value(name, *node);
  trail.pop_back();
  return values[name] = value;
}

Quantity Config::Expressions::variable_value(const std::string& name, const toml::node& node) {
  const Config here = table(variables);
  if (!is_name(name))
    here.error(name,
               fmt::format("\"{}\" is not a name: use letters, digits and _, beginning with a letter", name));
  if (is_reserved(name))
    here.error(name, fmt::format("{} is reserved: give the variable another name", name));
  if (const auto* text = node.as_string()) return evaluate_text(variables, name, text->get());
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number))
    here.error(name, fmt::format("{} = {} must be a finite number or an expression in quotes", name,
                                 short_text(node)));
  return {*number, {}, false};
}

/// Keys of the valid frequencies: an option replaces the other form in the file.
std::vector<std::string> Config::Expressions::frequency_keys() const {
  const auto is_set = [&](const char* key) {
    return document->origins.count(join_path("frequency", key)) != 0;
  };
  const bool values_set = is_set("values"), range_set = is_set("start") || is_set("stop") || is_set("points");
  if (values_set && !range_set) return {"values"};
  if (range_set && !values_set) return {"start", "stop"};
  return {"values", "start", "stop"};
}

/// In vacuum, at the highest frequency of the config.
Quantity Config::Expressions::wavelength() {
  const Declared hertz{"Hz", find_unit("Hz")};
  double highest = -1;
  const auto look = [&](const std::string& path, const std::string& key, const toml::node& node) {
    if (const auto* text = node.as_string()) {
      highest = std::max(highest, convert(path, key, text->get(), hertz));
    } else if (const auto number = node.value<double>(); node.is_number() && std::isfinite(*number)) {
      highest = std::max(highest, *number);
    }
  };
  const auto look_at = [&](const std::string& path, const std::string& key) {
    const auto* node = find_node(document->root, join_path(path, key));
    if (node == nullptr) return;
    look(path, key, *node);
    if (const auto* array = node->as_array())
      for (const auto& entry : *array) look(path, key, entry);
  };
  for (const auto& key : frequency_keys()) look_at("frequency", key);
  if (highest < 0) look_at("analysis", "target");
  if (has_sound(table("")))
    table("").error(
        "",
        "lambda is the electromagnetic wavelength: in acoustics write the speed of sound over a frequency");
  if (!(highest > 0))
    table("").error("",
                    fmt::format("lambda is c0 over the highest frequency: {}",
                                highest == 0 ? "0 Hz has none" : "[frequency] or analysis.target is needed"));
  return {speed_of_light / highest, {1}, true};
}

std::string Config::Expressions::text_at(std::string_view path, const std::string& fallback) const {
  const auto* node = find_node(document->root, path);
  return node != nullptr && node->is_string() ? node->as_string()->get() : fallback;
}

Declared Config::Expressions::declared(std::string_view unit) const {
  Declared out;
  if (const auto suffix = unit.find(" or none"); suffix != std::string_view::npos) {
    out.or_number = true;
    unit = unit.substr(0, suffix);
  }
  out.name = unit;
  if (unit == "mesh.unit") out.name = text_at(join_path("mesh", "unit"), "m");
  if (unit == "wavelengths" || out.name == "wavelength") return {"wavelengths (a plain number)", {}, true};
  if (!unit.empty()) out.unit = parse_unit(out.name);
  return out;
}

double Config::Expressions::convert(const std::string& path, const std::string& key, const std::string& text,
                                    Declared unit) {
  const Quantity q = evaluate_text(path, key, text);
  const bool is_ratio = is_plain(q.dimension) && q.has_unit;
  if (is_plain(q.dimension) && (!is_ratio || !unit.unit || unit.or_number)) return q.value;
  Dimension found = q.dimension, wanted = unit.unit ? unit.unit->dimension : Dimension{};
  const bool is_angle = is_plain(combined(wanted, {0, 0, 0, 0, 0, 1}, -1));
  if (!is_angle && unit.unit) found[5] = wanted[5] = 0;  // rad/m is 1/m
  if (!unit.unit || !same_dimension(found, wanted))
    table(path).error(
        key, fmt::format("{} = \"{}\" is {}{}, must be {}{}", key, text, is_ratio ? "" : "in ",
                         is_ratio ? "a ratio without unit" : unit_name(q.dimension), unit.unit ? "in " : "",
                         unit.name.empty() ? "a plain number" : unit.name));
  return without_noise(q.value / unit.unit->value);
}

/// Replaces the text by its number. False if it is no expression.
bool Config::Expressions::replace_text(toml::node& parent, const std::string& path, const std::string& name,
                                       const Key& key) {
  auto* table = parent.as_table();
  auto* array = parent.as_array();
  const auto* node = table != nullptr ? table->get(name) : array->get(std::size_t(std::atoi(name.c_str())));
  if (node == nullptr || !node->is_string()) return false;
  const std::string text = node->as_string()->get();
  if (is_word(key, text, variable_names())) return true;
  const bool is_count = key.type == Type::range && array != nullptr && name == "2";
  // Entries of lists are named by their list, which has the line.
  const auto parts = split_path(path);
  const std::string owner = array == nullptr ? path : path.substr(0, path.rfind(path_separator));
  const std::string shown = array == nullptr ? name : parts.back();
  const double value = convert(owner, shown, text, declared(is_count ? "" : key.unit));
  const bool whole = key.type == Type::integer || key.type == Type::integers || is_count;
  const double rounded = std::round(value);
  const bool as_integer =
      whole && std::abs(value - rounded) <= 1e-9 * std::max(1.0, std::abs(value)) && std::abs(rounded) < 9e15;
  const auto put = [&](auto number) {
    if (table != nullptr) {
      table->insert_or_assign(name, number);
    } else {
      array->replace(array->cbegin() + std::atoi(name.c_str()), number);
    }
  };
  if (as_integer) {
    put(std::int64_t(rounded));
  } else {
    put(value);
  }
  document->expressions[join_path(path, name)] = text;
  return true;
}

void Config::Expressions::walk_value(toml::node& parent, const std::string& path, const std::string& name,
                                     const Key& key) {
  if (replace_text(parent, path, name, key)) return;
  auto* node = parent.is_table() ? parent.as_table()->get(name)
                                 : parent.as_array()->get(std::size_t(std::atoi(name.c_str())));
  if (auto* array = node->as_array())
    for (std::size_t i = 0; i < array->size(); ++i)
      walk_value(*node, join_path(path, name), std::to_string(i), key);
}

void Config::Expressions::walk(toml::node& node, const std::string& path) {
  if (auto* array = node.as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      if ((*array)[i].is_table()) walk((*array)[i], join_path(path, std::to_string(i)));
  }
  auto* table = node.as_table();
  if (table == nullptr) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : *table) names.emplace_back(name.str());
  for (const auto& name : names) {
    const auto named = document->named(path, name);
    if (named.plain == variables) continue;
    auto& value = *table->get(name);
    const bool holds_tables = value.is_table() || (value.is_array() && value.as_array()->size() > 0 &&
                                                   value.as_array()->get(0)->is_table());
    if (holds_tables) {
      walk(value, join_path(path, name));
    } else if (const Key* key = schema::find_key(named.plain, named.program);
               key != nullptr && is_numeric(key->type)) {
      walk_value(node, path, name, *key);
    }
  }
}

/// Variables as numbers with SI units, so that resolved.toml reads back without the expressions.
void Config::Expressions::evaluate_variables() {
  const auto* node = find_node(document->root, variables);
  if (node == nullptr) return;
  if (!node->is_table()) table("").error(variables, "variables must be a table, [variables]");
  auto& own = *document->root.get(variables)->as_table();
  for (const auto& name : variable_names()) static_cast<void>(variable(name));
  for (const auto& name : variable_names()) {
    const Quantity value = values.at(name);
    const std::string unit = unit_name(value.dimension);
    if (!own.get(name)->is_string() || unit.find('.') != std::string::npos) continue;
    if (is_plain(value.dimension)) {
      own.insert_or_assign(name, value.value);
    } else {
      own.insert_or_assign(name, fmt::format("{} {}", without_noise(value.value), unit));
    }
  }
}

/// Refuses misspelt names after --set or --sweep, which would change nothing.
void Config::Expressions::check_use() const {
  const auto* node = find_node(document->root, variables);
  if (node == nullptr) return;
  for (const auto& [key, value] : *node->as_table()) {
    const std::string name(key.str());
    if (used.count(name) != 0 || document->origins.count(join_path(variables, name)) == 0) continue;
    auto others = variable_names();
    std::erase_if(others, [&](const auto& other) { return used.count(other) == 0; });
    table(variables).error(name,
                           fmt::format("no expression uses {} (used: {})", name,
                                       others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", "))));
  }
}

void Config::Expressions::all() {
  document->remember_lines();
  evaluate_variables();
  walk(document->root, "");
  check_use();
}

void Config::evaluate(const std::string& program) {
  if (!schema::knows_program(program)) return;
  document_->program = program;
  document_->allowed.insert(variables);
  Expressions{document_}.all();
}

}  // namespace curlew::io
