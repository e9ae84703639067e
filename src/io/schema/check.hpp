// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks that programs read keys as the tables declare them. They find errors of the sources and run if the
// environment variable CURLEW_CHECK_SCHEMA is set, as in tests of programs.

#include <initializer_list>
#include <string>
#include <string_view>

namespace curlew::io::schema {

/// True if the environment asks for the checks.
bool is_checking();

/// A key that a program reads: its path in the document, and the program ("" for any).
struct Asked {
  std::string_view program;
  std::string plain;  ///< plain_path
};

/// @throws std::logic_error, with the line to add, if no program has the key
void check_asked(const Asked& asked);
/// @throws std::logic_error if this program does not have the key
void check_read(const Asked& asked);
/// @param value as TOML on one line
/// @throws std::logic_error if the default in the program and in the tables differ
void check_default(const Asked& asked, const std::string& value);
/// @throws std::logic_error for a word that is not in the tables
void check_words(const Asked& asked, std::initializer_list<std::string_view> words);
/// @throws std::logic_error unless the range in the tables is "low to high"
void check_limits(const Asked& asked, long low, long high);

}  // namespace curlew::io::schema
