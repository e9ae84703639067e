// SPDX-License-Identifier: BSD-3-Clause
#include "bench/report.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace curlew::bench {
namespace {

std::string text_of(const nlohmann::json& cell) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_number_integer()) return fmt::format("{}", cell.get<long>());
  if (cell.is_number()) return fmt::format("{:.4g}", cell.get<double>());
  return cell.is_null() ? "-" : cell.dump();
}

void print_cells(const std::vector<nlohmann::json>& cells, const nlohmann::json& columns) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto width = i < columns.size() ? columns[i].get<std::string>().size() : 0;
    if (i == 0) fmt::print("{:<{}}", text_of(cells[i]), std::max<std::size_t>(width, 32));
    if (i > 0) fmt::print("  {:>{}}", text_of(cells[i]), std::max<std::size_t>(width, 9));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

void Report::table(const std::string& title, const std::vector<std::string>& columns) {
  json_.push_back({{"title", title}, {"columns", columns}, {"rows", nlohmann::json::array()}});
  fmt::print("\n{}\n", title);
  print_cells({columns.begin(), columns.end()}, json_.back()["columns"]);
}

void Report::row(const std::vector<nlohmann::json>& cells) {
  json_.back()["rows"].push_back(cells);
  print_cells(cells, json_.back()["columns"]);
}

std::string Report::empty_table() const {
  for (const auto& table : json_)
    if (table["rows"].empty()) return table["title"];
  return json_.empty() ? "no table" : "";
}

void Report::note(const std::string& text) {
  if (json_.empty()) return;
  json_.back()["notes"].push_back(text);
  fmt::print("  {}\n", text);
}

}  // namespace curlew::bench
