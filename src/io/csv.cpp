// SPDX-License-Identifier: BSD-3-Clause
#include "io/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/number_text.hpp"
#include "io/schema/check.hpp"
#include "io/schema/result.hpp"

namespace curlew::io {
namespace {

/// Text of a NaN; an equal word is written in quotes.
bool is_lost(std::string_view text) {
  return text == "nan" || text == "-nan";
}

bool is_infinite(std::string_view text) {
  return text == "inf" || text == "-inf";
}

std::string quoted(std::string_view word) {
  if (word.find_first_of(",\"\n") == std::string_view::npos && !is_lost(word) && !is_infinite(word))
    return std::string(word);
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> fields;
  fields.reserve(1 + std::size_t(std::count(line.begin(), line.end(), ',')));
  if (line.find('"') == std::string_view::npos) {
    for (auto end = line.find(','); end != std::string_view::npos; end = line.find(',')) {
      fields.emplace_back(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    fields.emplace_back(line);
    return fields;
  }
  fields.resize(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (inside && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[i++];
      else
        inside = !inside;
    } else if (line[i] == ',' && !inside) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Cell::Cell(double value) {
  append_number(value + 0.0, text_);  // -0 as 0
}
Cell::Cell(int value) : text_(fmt::format("{}", value)) {}
Cell::Cell(long value) : text_(fmt::format("{}", value)) {}
Cell::Cell(std::string_view word) : text_(quoted(word)) {}

CsvWriter::CsvWriter(std::string path, const std::vector<std::string>& comments,
                     const std::vector<std::string>& columns)
    : path_(std::move(path)), num_columns_(columns.size()), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) throw ResourceError(fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
  if (schema::is_checking()) schema::check_columns(path_, columns);
  for (const auto& line : comments) put("# " + line + "\n");
  put(fmt::format("{}\n", fmt::join(columns, ",")));
}

void CsvWriter::put(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size()) return;
  throw ResourceError(fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
}

void CsvWriter::row(std::span<const Cell> cells) {
  assert(cells.size() == num_columns_);
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_lost(cells[i].text()))
      throw NumericalError(fmt::format(
          "{}: column {} of a row is not finite, so the file is not written (\"{}\")", path_, i + 1, line));
    if (i > 0) line += ',';
    if (is_infinite(cells[i].text())) {
      if (num_infinite_++ == 0)
        log::warn("{}: values of column {} are infinite: they are left empty", path_, i + 1);
      continue;
    }
    line += cells[i].text();
  }
  put(line + '\n');
}

void CsvWriter::close() {
  if (!file_) return;
  const bool failed_before = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) != 0 || failed_before) {
    throw ResourceError(fmt::format("{}: cannot be written ({})", path_, std::strerror(errno)));
  }
}

std::vector<double> CsvTable::numbers(const std::string& column) const {
  const auto found = text.find(column);
  if (found == text.end()) {
    throw InputError(
        fmt::format("{}: there is no column \"{}\" (columns: {})", name, column, fmt::join(columns, ", ")));
  }
  std::vector<double> values;
  for (const auto& field : found->second) {
    const auto value = number_of(field);
    if (!value || !std::isfinite(*value)) {
      throw InputError(fmt::format("{}: column \"{}\", row {}: \"{}\" is not a finite number", name, column,
                                   values.size() + 1, field));
    }
    values.push_back(*value);
  }
  return values;
}

CsvTable read_csv(const std::string& path) {
  CsvTable table;
  table.name = path;
  const std::string content = read_text_file(path);
  std::size_t number = 0;
  std::vector<std::vector<std::string>*> into;  // [columns], so that names are not compared for each value
  for (const auto line : split_lines(content)) {
    ++number;
    if (line.empty()) continue;
    if (line.front() == '#') {
      table.comments.emplace_back(line.substr(line.find_first_not_of("# ") == std::string_view::npos
                                                  ? line.size()
                                                  : line.find_first_not_of("# ")));
      continue;
    }
    auto fields = split_fields(line);
    if (table.columns.empty()) {
      table.columns = std::move(fields);
      auto sorted = table.columns;
      std::sort(sorted.begin(), sorted.end());
      if (const auto twin = std::adjacent_find(sorted.begin(), sorted.end()); twin != sorted.end())
        throw InputError(fmt::format("{}:{}: column \"{}\" is there twice", path, number, *twin));
      for (const auto& column : table.columns) into.push_back(&table.text[column]);
      continue;
    }
    if (fields.size() != table.columns.size()) {
      throw InputError(fmt::format("{}:{}: {} fields where the header has {}", path, number, fields.size(),
                                   table.columns.size()));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) into[i]->push_back(std::move(fields[i]));
    ++table.num_rows;
  }
  return table;
}

}  // namespace curlew::io
