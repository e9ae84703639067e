// SPDX-License-Identifier: BSD-3-Clause
// Checks a config against the tables of keys in schema/.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "io/config.hpp"
#include "io/config_document.hpp"
#include "io/nearest.hpp"
#include "io/schema/schema.hpp"

namespace curlew::io {

schema::Asked Config::Document::named(const std::string& path, std::string_view key) const {
  return {program, schema::plain_path(join_path(path, key), path_separator)};
}

std::string one_line(const toml::node& node) {
  std::ostringstream out;
  out << toml::toml_formatter(node);
  return out.str();
}

std::string declared_help(const schema::Asked& asked) {
  return asked.program.empty() ? "" : schema::help_text(asked.plain, asked.program);
}

void Config::find_undeclared(const std::string& path, Unknown& first) const {
  const auto* node = find_node(document_->root, path);
  if (const auto* array = node->as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      if ((*array)[i].is_table()) find_undeclared(join_path(path, std::to_string(i)), first);
    }
  }
  if (!node->is_table()) return;
  for (const auto& [key, value] : *node->as_table()) {
    const std::string name(key.str());
    const auto asked = document_->named(path, name);
    if (schema::is_table(asked.plain, asked.program)) {
      find_undeclared(join_path(path, name), first);
    } else if (const unsigned line = document_->line_of(join_path(path, name), value);
               schema::find_key(asked.plain, asked.program) == nullptr &&
               (first.key.empty() || line < first.line)) {
      first = {path, name, line};
    }
  }
}

void Config::check_schema(const std::string& program) const {
  if (!schema::knows_program(program)) return;
  document_->program = program;
  Document::use_new_spellings(document_);
  Unknown first;
  find_undeclared("", first);
  if (first.key.empty()) return;
  const Config table(document_, first.table);
  const auto asked = document_->named(first.table, first.key);
  if (const auto others = schema::programs_of(asked.plain); !others.empty())
    table.error(first.key, fmt::format("key \"{}\" is not for {} but for {}", first.key, program,
                                       fmt::join(others, ", ")));
  const std::string place = schema::plain_path(first.table, path_separator);
  const std::string near = nearest_word(first.key, schema::names_in(place, program));
  const bool is_slip = edit_distance(first.key, near) == 1;  // parameter for parameters
  if (const auto places = schema::places_of(first.key, program);
      !is_slip && !places.empty() && places.size() <= 3)
    table.error(first.key, fmt::format("key \"{}\" does not belong here but in {}", first.key,
                                       fmt::join(places, " or ")));
  const std::string help = schema::help_text(place.empty() ? near : place + "." + near, program);
  table.error(first.key, fmt::format("unknown key \"{}\" (nearest known: \"{}\"){}", first.key, near,
                                     help.empty() ? "" : fmt::format("; {}: {}", near, help)));
}

}  // namespace curlew::io
