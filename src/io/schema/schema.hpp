// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Questions to the tables of keys: which keys a program has, what one of them means.

#include <string>
#include <string_view>
#include <vector>

#include "io/schema/key.hpp"

namespace curlew::io::schema {

/// Path of a key as messages and this room write it: "[]" and the numbers of list entries left out, parts
/// joined by dots. "port[].modes" and "port.1.modes" are "port.modes".
std::string plain_path(std::string_view path, char separator = '.');

/// All keys of a program in the order of the tables; all keys of the suite for "".
std::vector<const Key*> keys_of(std::string_view program);
/// True if the tables know the program: others (tests) are not checked.
bool knows_program(std::string_view program);
/// The key at a plain path, or null. "" stands for any program.
const Key* find_key(std::string_view plain, std::string_view program);
/// True if keys lie below the plain path.
bool is_table(std::string_view plain, std::string_view program);
/// True if names below the plain path are the user's ("mesh.parameters").
bool has_free_names(std::string_view plain, std::string_view program);
/// Names that may stand in a table, each once; "" for the whole document.
std::vector<std::string> names_in(std::string_view plain, std::string_view program);
/// Programs that accept a key or table, in the order of all_programs.
std::vector<std::string> programs_of(std::string_view plain);
/// "edge length of the cells [mesh.unit]"; empty for tables.
std::string help_text(std::string_view plain, std::string_view program);

/// The default as it can be compared and written: empty if the key has none, or prose.
std::string_view toml_default(const Key& key);
/// The words of `a | b | c`; empty for other ranges.
std::vector<std::string> words_of(const Key& key);
/// "number", "list of texts", ...
std::string_view name_of(Type type);

/// What --keys prints: one key on a line, its help below.
std::string as_text(std::string_view program);
/// JSON Schema (2020-12) of a program's configs, for editors and docs/reference/keys.md.
std::string as_json_schema(std::string_view program);

}  // namespace curlew::io::schema
