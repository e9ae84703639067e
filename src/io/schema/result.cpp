// SPDX-License-Identifier: BSD-3-Clause
#include "io/schema/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "io/schema/json_text.hpp"

namespace curlew::io::schema {
namespace {

constexpr std::string_view both_parts = "re|im_";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool has_program(std::string_view programs, std::string_view program) {
  if (program.empty()) return true;
  std::istringstream names{std::string(programs)};
  for (std::string name; names >> name;)
    if (name == program) return true;
  return false;
}

/// "rcs.csv" of "out/rcs.csv.part-123".
std::string_view file_of(std::string_view path) {
  if (const auto slash = path.rfind('/'); slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.substr(0, path.find(".part-"));
}

[[noreturn]] void fail(const std::string& what) {
  throw std::logic_error(what + " (tables of results: src/io/schema/*_results.cpp)");
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  const std::string_view rest = pattern.substr(1);
  if (pattern.front() == '(') {
    const auto end = pattern.find(')');
    const std::string with = std::string(pattern.substr(1, end - 1)) + std::string(pattern.substr(end + 1));
    return matches(with, name) || matches(pattern.substr(end + 1), name);
  }
  if (pattern.front() == '#' || pattern.front() == '*') {
    const bool any = pattern.front() == '*';
    for (std::size_t n = 1; n <= name.size() && (any || is_digit(name[n - 1])); ++n)
      if (matches(rest, name.substr(n))) return true;
    return false;
  }
  return !name.empty() && name.front() == pattern.front() && matches(rest, name.substr(1));
}

std::vector<ResultFile> files_of(std::string_view program) {
  auto files = result_files();
  std::erase_if(files, [&](const ResultFile& file) { return !has_program(file.programs, program); });
  return files;
}

std::vector<Result> results_of(std::string_view program) {
  std::vector<Result> all = summary_results(), columns = column_results(), arrays = array_results();
  for (Result& column : columns)
    for (const auto& file : result_files())
      if (file.name == column.file) column.programs = file.programs;
  all.insert(all.end(), columns.begin(), columns.end());
  all.insert(all.end(), arrays.begin(), arrays.end());
  std::erase_if(all, [&](const Result& result) { return !has_program(result.programs, program); });
  return all;
}

std::vector<std::string> columns_of(std::string_view file) {
  std::vector<std::string> names;
  for (const Result& column : column_results()) {
    if (!matches(column.file, file)) continue;
    if (!column.name.starts_with(both_parts)) {
      names.emplace_back(column.name);
      continue;
    }
    const std::string rest(column.name.substr(both_parts.size()));
    names.insert(names.end(), {"re_" + rest, "im_" + rest});
  }
  return names;
}

std::string results_as_text(std::string_view program) {
  std::string text;
  for (const auto& file : files_of(program)) text += fmt::format("{}\n    {}\n", file.name, file.meaning);
  for (const auto& result : results_of(program))
    text += fmt::format("{}: {}{}\n    {}\n", result.file, result.name,
                        result.unit.empty() ? "" : fmt::format(" [{}]", result.unit), result.meaning);
  return text;
}

std::string results_as_json(std::string_view program) {
  std::vector<std::string> files, results;
  for (const auto& f : files_of(program))
    files.push_back(
        fmt::format("{{\"name\": {}, \"meaning\": {}}}", json_text(f.name), json_text(f.meaning)));
  for (const auto& r : results_of(program))
    results.push_back(fmt::format("{{\"file\": {}, \"name\": {}, \"unit\": {}, \"meaning\": {}}}",
                                  json_text(r.file), json_text(r.name), json_text(r.unit),
                                  json_text(r.meaning)));
  return fmt::format("{{\"files\": [\n{}\n], \"results\": [\n{}\n]}}\n", fmt::join(files, ",\n"),
                     fmt::join(results, ",\n"));
}

void check_summary_name(std::string_view program, std::string_view path) {
  for (const Result& result : summary_results())
    if (matches(result.name, path) && has_program(result.programs, program)) return;
  fail(fmt::format("summary.json of {}: \"{}\" is not declared", program, path));
}

void check_file_name(std::string_view program, std::string_view name) {
  for (const auto& file : files_of(program))
    if (matches(file.name, name)) return;
  fail(fmt::format("{}: the file \"{}\" is not declared", program, name));
}

void check_columns(std::string_view path, const std::vector<std::string>& columns) {
  const std::string_view file = file_of(path);
  const auto files = files_of("");
  if (std::none_of(files.begin(), files.end(), [&](const auto& f) { return matches(f.name, file); }))
    fail(fmt::format("the file \"{}\" is not declared", file));
  const auto declared = columns_of(file);
  if (!declared.empty() && declared != columns)
    fail(fmt::format("columns of {} are {}, declared are {}", file, fmt::join(columns, ","),
                     fmt::join(declared, ",")));
}

void check_array(std::string_view name, std::string_view unit) {
  for (const Result& result : array_results())
    if (result.unit == unit && (name == result.name || name.starts_with(std::string(result.name) + "_")))
      return;
  fail(fmt::format("the array \"{}\" [{}] is not declared", name, unit));
}

}  // namespace curlew::io::schema
