// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Queries of the tables of keys: keys of a program and their meaning.

#include <string>
#include <string_view>
#include <vector>

#include "io/schema/key.hpp"

namespace curlew::io::schema {

/// Path of a key in messages and in this module: without "[]" and indices of list entries, parts joined by
/// dots. "port[].modes" and "port.1.modes" are "port.modes".
std::string plain_path(std::string_view path, char separator = '.');

/// All keys of a program in the order of the tables; all keys of the suite for "".
std::vector<const Key*> keys_of(std::string_view program);
/// True if the program is in the tables: others (tests) are not checked.
bool knows_program(std::string_view program);
/// The key at a plain path, or null. "" means any program.
const Key* find_key(std::string_view plain, std::string_view program);
/// True if there are keys below the plain path.
bool is_table(std::string_view plain, std::string_view program);
/// True if names below the plain path are chosen by the user ("mesh.parameters").
bool has_free_names(std::string_view plain, std::string_view program);
/// Names that a table may contain, each once; "" for the whole document.
std::vector<std::string> names_in(std::string_view plain, std::string_view program);
/// Plain paths of the keys and tables of this name, wherever they stand.
std::vector<std::string> places_of(std::string_view name, std::string_view program);
/// Programs that accept a key or table, in the order of all_programs.
std::vector<std::string> programs_of(std::string_view plain);
/// "edge length of the cells [mesh.unit]"; empty for tables.
std::string help_text(std::string_view plain, std::string_view program);

/// The default as TOML: empty if the key has none, or prose.
std::string_view toml_default(const Key& key);
/// The words of `a | b | c`; empty for other ranges.
std::vector<std::string> words_of(const Key& key);
/// "number", "list of texts", ...
std::string_view name_of(Type type);

/// Output of --keys: one key per line, its help below.
std::string as_text(std::string_view program);
/// JSON Schema (2020-12) of a program's configs, for editors and docs/reference/keys.md.
std::string as_json_schema(std::string_view program);

}  // namespace curlew::io::schema
