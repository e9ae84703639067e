// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables as comma-separated text: comment lines that start with #, one line of column names, rows.

#include <cstdio>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace curlew::io {

/// One field of a row: a number (12 significant digits) or a word.
class Cell {
 public:
  Cell(double value);           // NOLINT: {1.0, "tm", 3} is what a row should look like
  Cell(int value);              // NOLINT
  Cell(long value);             // NOLINT
  Cell(std::string_view word);  // NOLINT
  Cell(const char* word) : Cell(std::string_view(word)) {}         // NOLINT
  Cell(const std::string& word) : Cell(std::string_view(word)) {}  // NOLINT
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Writes row by row. Data may not be on disk before close().
class CsvWriter {
 public:
  /// @param comments lines without the leading #, e.g. provenance_lines(...)
  /// @throws ResourceError if the file cannot be made; row and close throw it when the disk is full
  CsvWriter(std::string path, const std::vector<std::string>& comments,
            const std::vector<std::string>& columns);
  /// Infinite cells are left empty, with a warning for the file's first one. @pre as many cells as columns
  /// @throws NumericalError for NaN
  void row(std::span<const Cell> cells);
  void row(std::initializer_list<Cell> cells) { row(std::span<const Cell>(cells.begin(), cells.size())); }
  void close();

 private:
  void put(const std::string& line);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::size_t num_columns_, num_infinite_ = 0;
  std::unique_ptr<std::FILE, Close> file_;
};

/// A table read back: column name to fields.
struct CsvTable {
  std::string name;                                      ///< the file, for messages
  std::vector<std::string> comments;                     ///< without #
  std::vector<std::string> columns;                      ///< in order
  std::map<std::string, std::vector<std::string>> text;  ///< fields of every column
  std::size_t num_rows = 0;

  /// @throws InputError if there is no such column or a field is no number
  std::vector<double> numbers(const std::string& column) const;
};

/// Fields may be in double quotes. @throws InputError with file and line for a row of another length
CsvTable read_csv(const std::string& path);

}  // namespace curlew::io
