// SPDX-License-Identifier: BSD-3-Clause
// Sets values from the command line in a config, and writes the config as TOML.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/error.hpp"
#include "io/config.hpp"
#include "io/config_document.hpp"
#include "io/number_text.hpp"

namespace curlew::io {
namespace {

/// Whether a text can only have been meant as TOML: a list, a table, a quoted string.
bool is_structured(const std::string& text) {
  return !text.empty() && std::string("[{\"'").find(text[0]) != std::string::npos;
}

/// {value = ...}: a TOML value, else a number as C reads it (.5, 007), else the text itself.
toml::table parse_value(const std::string& text, const std::string& option) {
  try {
    toml::table holder = toml::parse("value = " + text);
    if (holds_lowest_integer(holder))
      throw InputError(fmt::format("{}: integers must be above -9223372036854775808", option));
    if (find_empty_key(holder)) throw InputError(fmt::format("{}: keys must have a name, not \"\"", option));
    const bool plain = holder.size() == 1 && !holder.get("value")->is_date() &&
                       !holder.get("value")->is_time() && !holder.get("value")->is_date_time();
    if (plain) return holder;
  } catch (const toml::parse_error& e) {
    if (is_structured(text))
      throw InputError(fmt::format("{}: not a TOML value: {}", option, e.description()));
  }
  toml::table holder;
  if (const auto number = number_of(text)) {
    holder.insert("value", *number);
  } else {
    holder.insert("value", text);
  }
  return holder;
}

std::optional<std::size_t> as_index(const std::string& part) {
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (fault != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return index;
}

/// The table or list entry that `part` names below `node`; tables are made where they are missing.
toml::node& descend(toml::node& node, const std::string& part, const std::string& option,
                    const std::string& so_far) {
  if (auto* table = node.as_table()) {
    if (table->get(part) == nullptr) table->insert(part, toml::table{});
    return *table->get(part);
  }
  auto* array = node.as_array();
  if (array == nullptr)
    throw InputError(fmt::format("{}: {} is a value, it has no \"{}\"", option, so_far, part));
  const auto index = as_index(part);
  if (!index || *index >= array->size()) {
    throw InputError(fmt::format("{}: {} is a list of {}, counted from 0: it has no entry \"{}\"", option,
                                 so_far, array->size(), part));
  }
  return (*array)[*index];
}

void assign(toml::node& parent, const std::string& part, const toml::node& value, const std::string& option,
            const std::string& so_far) {
  value.visit([&](const auto& concrete) {
    if (auto* table = parent.as_table()) {
      table->insert_or_assign(part, concrete);
    } else {
      descend(parent, part, option, so_far);  // reports the wrong index
      auto& array = *parent.as_array();
      array.replace(array.cbegin() + std::ptrdiff_t(*as_index(part)), concrete);
    }
  });
}

std::string to_text(const toml::table& table) {
  std::ostringstream out;
  out << table << "\n";
  return out.str();
}

}  // namespace

void Config::set(const std::string& path, const std::string& value, const std::string& option) {
  const std::string name = fmt::format("{} {}={}", option, path, value);
  const auto parts = split_path(path, '.');
  const bool empty_part =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); });
  if (parts.empty() || empty_part || path.back() == '.') {
    throw InputError(fmt::format("{}: the path must be like mesh.size or material.0.epsilon_r", name));
  }
  const toml::table holder = parse_value(value, name);
  toml::node* node = &document_->root;
  std::string so_far, inner;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    node = &descend(*node, parts[i], name, so_far);
    so_far += (so_far.empty() ? "" : ".") + parts[i];
  }
  if (!node->is_table() && !node->is_array()) {
    throw InputError(fmt::format("{}: {} is a value, it has no \"{}\"", name, so_far, parts.back()));
  }
  assign(*node, parts.back(), *holder.get("value"), name, so_far);
  for (const auto& part : parts) inner = join_path(inner, part);
  std::erase_if(document_->origins,
                [&](const auto& entry) { return entry.first.starts_with(inner + path_separator); });
  document_->origins[inner] = name;
  document_->expressions.erase(inner);
}

void Config::fill(std::string_view key, const std::string& toml, const std::string& origin) {
  const toml::table holder = parse_value(toml, origin);
  toml::node* node = &document_->root;
  for (const auto& part : split_path(path_)) node = &descend(*node, part, origin, part);
  assign(*node, std::string(key), *holder.get("value"), origin, std::string(key));
  document_->origins[join_path(path_, key)] = origin;
}

std::string Config::to_toml() const {
  toml::table root = document_->root;
  for (const auto& [path, holder] : document_->defaults) {
    if (find_node(root, path) != nullptr) continue;
    const auto parts = split_path(path);
    toml::node* node = &root;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      node = &descend(*node, parts[i], "resolved config", parts[i]);
    assign(*node, parts.back(), *holder.get("value"), "resolved config", path);
  }
  return to_text(root);
}

std::string Config::inputs_toml() const {
  return to_text(document_->root);
}

}  // namespace curlew::io
