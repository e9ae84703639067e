// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of programs: every member of summary.json, column and array, declared once, so that a quantity
// has one name in all programs. The tables feed --results, docs/reference/results.md and the check that
// writers use no other name.

#include <string>
#include <string_view>
#include <vector>

#include "io/schema/key.hpp"

namespace curlew::io::schema {

/// A name in a file. Patterns of names and files: `#` is any number, `*` any text, `(...)` an optional part;
/// in summary.json parts are joined by dots and `[]` marks a list. A column `re|im_x` is the two columns re_x
/// and im_x. An array of phasors `E` is E_re, E_im and E_abs.
struct Result {
  /// "summary.json", a file of columns, or "*.vtkhdf" for arrays.
  std::string_view file;
  std::string_view name;
  /// "V/m", "Hz", ...; "1" for numbers without one; "" for texts and flags.
  std::string_view unit;
  /// One line.
  std::string_view meaning;
  /// Programs that write it, with blanks between; for columns: those of the file.
  std::string_view programs = "";
};

/// A file in the folder of results.
struct ResultFile {
  std::string_view name;  ///< pattern
  std::string_view meaning;
  std::string_view programs;
};

// The tables; private to schema/ except for the functions below.
std::vector<Result> summary_results();
std::vector<Result> column_results();
std::vector<Result> array_results();
std::vector<ResultFile> result_files();

/// Whether a name follows a pattern.
bool matches(std::string_view pattern, std::string_view name);
/// All results of a program, in the order of the tables; all of the suite for "".
std::vector<Result> results_of(std::string_view program);
/// Files of a program; all for "".
std::vector<ResultFile> files_of(std::string_view program);
/// The names of a file's columns in order; empty if they are not fixed ("sweep.csv").
std::vector<std::string> columns_of(std::string_view file);

/// Output of --results: one result per line, its meaning below.
std::string results_as_text(std::string_view program);
/// The same as JSON: lists "files" and "results".
std::string results_as_json(std::string_view program);

// ---- checks of writers, made where is_checking() (check.hpp) ----

/// @param path of a member of `summary.json`, such as "results.modes[].q" or "sizes.cells"
/// @throws std::logic_error, with the line to add, if the program does not declare it; the same for the
/// functions below
void check_summary_name(std::string_view program, std::string_view path);
void check_file_name(std::string_view program, std::string_view name);
/// @param path of the file, its part's ending included
void check_columns(std::string_view path, const std::vector<std::string>& columns);
/// @param name including the suffix of an excitation ("E_scattered_2")
void check_array(std::string_view name, std::string_view unit);

}  // namespace curlew::io::schema
