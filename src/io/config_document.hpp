// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parsed document behind a Config and a record of the keys that were read. Private to the config*.cpp
// files, as it brings toml++ with it.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/config.hpp"
#include "io/schema/check.hpp"
#include "io/toml.hpp"

namespace curlew::io {

/// Between the parts of a path inside this code: keys may hold dots, but no line ends.
inline constexpr char path_separator = '\n';

std::string join_path(std::string_view path, std::string_view key);
std::vector<std::string> split_path(std::string_view path, char separator = path_separator);
/// The node at a path, or null.
const toml::node* find_node(const toml::node& root, std::string_view path);
/// A value as TOML.
std::string one_line(const toml::node& node);
/// True for -2^63, which toml++ negates to count its digits, and for what holds it.
bool holds_lowest_integer(const toml::node& node);
/// A key with empty name, "", which paths cannot represent; null: none.
const toml::key* find_empty_key(const toml::node& node);
/// Help text of a key in the schema for the reading program; empty for other keys and programs.
std::string declared_help(const schema::Asked& asked);
/// A value as TOML on one line, cut to a readable length.
std::string short_text(const toml::node& node);

struct Config::Document {
  toml::table root;
  std::string file, text;
  std::string program;                             // program whose schema is used; empty: any
  std::map<std::string, std::string> origins;      // path: the option that set it
  std::map<std::string, std::string> expressions;  // path: text that stood where the number is now
  std::map<std::string, unsigned> lines;           // path: line of nodes that were copied or replaced
  mutable std::map<std::string, std::set<std::string>> asked;  // table path: keys asked for
  mutable std::set<std::string> allowed;                       // paths whose content is not checked
  mutable std::map<std::string, toml::table> defaults;         // path: {value = default}

  void ask(const std::string& path, std::string_view key) const {
    asked[path].insert(std::string(key));
    if (schema::is_checking()) schema::check_asked(named(path, key));
  }
  /// The line of a node in the file, 0 if not from the file.
  unsigned line_of(const std::string& path, const toml::node& node) const;
  /// Records all lines, which toml++ loses in copies.
  void remember_lines();
  /// A key in the form used by the schema.
  schema::Asked named(const std::string& path, std::string_view key) const;
  /// Old spellings of keys become the new ones, each with a warning (io/schema/old_spellings.hpp).
  static void use_new_spellings(const std::shared_ptr<Document>& document);
  class Spellings;
};

/// A key that is not known: the first one in the file.
struct Config::Unknown {
  std::string table, key;
  unsigned line = 0;
};

}  // namespace curlew::io
