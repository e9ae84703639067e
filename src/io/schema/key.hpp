// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Keys of configs: every key of every program, declared once. One table per topic; the tables feed
// --keys, the JSON Schema for editors, docs/reference/keys.md, error messages and the check that programs
// read only declared keys.

#include <string_view>

namespace curlew::io::schema {

/// Kinds of values, as Config::get reads them. A list may be given as a single value too.
enum class Type {
  boolean,
  integer,
  number,
  complex,          ///< number or [re, im]
  tensor,           ///< number, [re, im], three diagonal entries or three rows
  text,             ///< any text in quotes
  word,             ///< one of the words in `range`
  vector,           ///< [x, y, z]
  direction,        ///< one of the words in `range`, or [x, y, z]
  integers,         ///< list
  numbers,          ///< list
  complexes,        ///< list
  texts,            ///< list
  words,            ///< list of the words in `range`
  vectors,          ///< list of [x, y, z]
  rows,             ///< list of lists of numbers
  range,            ///< [start, stop, points]
  words_or_numbers  ///< list of the words in `range`, or of numbers
};

/// One key.
struct Key {
  /// Full path: "mesh.file"; "port[].modes" in a list of tables; "mesh.parameters.*" for names of the user.
  std::string_view path;
  Type type;
  /// "m", "Hz", "mesh.unit" (the unit set in [mesh]), "" for numbers without one.
  std::string_view unit;
  /// "> 0", ">= 0", "1 to 20", "< 1", "a | b | c", or "" if any value of the type is allowed. In parentheses:
  /// prose.
  std::string_view range;
  /// The default as TOML; "required"; "" if nothing happens without the key; in parentheses: prose.
  std::string_view fallback;
  /// One line: meaning of the key.
  std::string_view help;
  /// Programs that accept the key, with blanks between.
  std::string_view programs;
};

/// Sets of programs.
inline constexpr std::string_view all_programs = "fem-solve fem-assemble fe-iiee ie-solve mom2d em-optimize";
inline constexpr std::string_view solver_programs = "fem-solve fem-assemble fe-iiee ie-solve mom2d";
inline constexpr std::string_view meshed = "fem-solve fem-assemble fe-iiee ie-solve";
inline constexpr std::string_view fem = "fem-solve fem-assemble fe-iiee";
inline constexpr std::string_view fem_pair = "fem-solve fem-assemble";

}  // namespace curlew::io::schema
