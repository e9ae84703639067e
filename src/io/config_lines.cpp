// SPDX-License-Identifier: BSD-3-Clause
// Line numbers of values in the file, preserved by copies and replacements.

#include "io/config_document.hpp"

namespace curlew::io {
namespace {

void note_lines(const toml::node& node, const std::string& path, std::map<std::string, unsigned>& lines) {
  if (node.source().begin.line != 0) lines[path] = node.source().begin.line;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) note_lines(value, join_path(path, key.str()), lines);
  } else if (const auto* array = node.as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i)
      note_lines((*array)[i], join_path(path, std::to_string(i)), lines);
  }
}

}  // namespace

unsigned Config::Document::line_of(const std::string& path, const toml::node& node) const {
  if (node.source().begin.line != 0) return node.source().begin.line;
  const auto noted = lines.find(path);
  return noted == lines.end() ? 0 : noted->second;
}

void Config::Document::remember_lines() {
  note_lines(root, "", lines);
}

}  // namespace curlew::io
