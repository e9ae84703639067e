// SPDX-License-Identifier: BSD-3-Clause
#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace curlew::report {

std::string escape(std::string_view text) {
  static const std::map<char, const char*> entities{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
  std::string safe;
  for (const char c : text) {
    const auto entity = entities.find(c);
    safe += entity == entities.end() ? std::string(1, c) : entity->second;
  }
  return safe;
}

namespace {

/// "realized_gain_dbi" as a heading with line breaks allowed after underscores.
std::string breakable(const std::string& head) {
  std::string text;
  for (const char c : head) text += c == '_' ? std::string("_<wbr>") : std::string(1, c);
  return text;
}

}  // namespace

std::string html_table(const Table& table, std::size_t most) {
  std::string text =
      fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>",
                  table.title.empty() ? "table" : escape(table.title));
  if (!table.title.empty()) text += fmt::format("<caption>{}</caption>", escape(table.title));
  const auto add_row = [&](const std::vector<std::string>& cells, const char* tag, auto shown) {
    text += "<tr>";
    for (const auto& cell : cells)
      text += fmt::format("<{0}{2}>{1}</{0}>", tag, shown(escape(cell)),
                          cell.size() > 40 ? " class=\"long\"" : "");
    text += "</tr>\n";
  };
  const auto unchanged = [](const std::string& cell) { return cell; };
  add_row(table.columns, "th", breakable);
  const std::size_t shown = std::min(most, table.rows.size());
  for (std::size_t i = 0; i < shown; ++i) add_row(table.rows[i], "td", unchanged);
  text += "</table></div>\n";
  if (shown < table.rows.size())
    text += fmt::format("<p>The first {} of {} rows.</p>\n", shown, table.rows.size());
  return text;
}

std::string folded(const std::string& title, const std::string& content) {
  return content.empty() ? "" : fmt::format("<details><summary>{}</summary>\n{}</details>\n", title, content);
}

}  // namespace curlew::report
