// SPDX-License-Identifier: BSD-3-Clause
#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace curlew::report {

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string html_table(const Table& table, std::size_t most) {
  std::string text = "<table>";
  if (!table.title.empty()) text += fmt::format("<caption>{}</caption>", escape(table.title));
  const auto add_row = [&](const std::vector<std::string>& cells, const char* tag) {
    text += "<tr>";
    for (const auto& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escape(cell));
    text += "</tr>\n";
  };
  add_row(table.columns, "th");
  const std::size_t shown = std::min(most, table.rows.size());
  for (std::size_t i = 0; i < shown; ++i) add_row(table.rows[i], "td");
  text += "</table>\n";
  if (shown < table.rows.size())
    text += fmt::format("<p>The first {} of {} rows.</p>\n", shown, table.rows.size());
  return text;
}

}  // namespace curlew::report
