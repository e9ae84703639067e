// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "report/chart.hpp"
#include "report/cuts.hpp"
#include "report/sections.hpp"

namespace curlew::report {
namespace {

using nlohmann::ordered_json;

/// Six digits; nine of frequencies, whose neighbours differ by little. "air 0.3, board 0.7" of shares by
/// name.
std::string text_of(const ordered_json& value, std::string_view name = "") {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) {
    std::string text;
    for (const auto& [part, number] : value.items())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, text_of(number));
    return text;
  }
  if (!value.is_number_float()) return value.dump();
  return fmt::format("{:.{}g}", value.get<double>(), name.ends_with("_hz") ? 9 : 6);
}

/// The numbers in `results`, with units and meaning; those on the quality of the run are folded.
std::string main_numbers(const ordered_json& summary) {
  Table table{"", {"result", "value", "unit", "meaning"}, {}};
  for (const auto& [name, value] : summary.at("results").items()) {
    if (!value.is_number() && !value.is_string() && !value.is_boolean()) continue;
    const auto [unit, meaning] = declared(name);
    table.rows.push_back({name, text_of(value, name), unit, meaning});
  }
  const auto first = std::stable_partition(table.rows.begin(), table.rows.end(),
                                           [](const auto& row) { return !is_judging(row[0]); });
  Table judging{"", table.columns, {first, table.rows.end()}};
  table.rows.erase(first, table.rows.end());
  return (table.rows.empty() ? "" : "<h2>Main numbers</h2>\n" + html_table(table)) +
         (judging.rows.empty() ? "" : folded("Checks, time and memory", html_table(judging)));
}

/// Records of a list in `results` as the rows of a table.
std::string records(const ordered_json& summary, const char* name, const char* title) {
  const auto& results = summary.at("results");
  if (!results.contains(name) || !results[name].is_array() || results[name].empty()) return "";
  Table table{"", {}, {}};
  const auto& first = results[name].front();
  for (const auto& [key, value] : first.items()) table.columns.push_back(key);
  std::erase_if(table.columns, [&](const auto& key) {  // of a lossless resonator q
    return std::all_of(results[name].begin(), results[name].end(),
                       [&](const auto& record) { return !record.contains(key) || record[key].is_null(); });
  });
  std::stable_sort(table.columns.begin(), table.columns.end(), [&](const auto& a, const auto& b) {
    const auto rank = [&](const auto& key) {
      return key == "frequency_hz" ? 0 : first[key].is_string() ? 1 : 2;
    };
    return rank(a) < rank(b);
  });
  for (const auto& record : results[name]) {
    table.rows.emplace_back();
    for (const auto& column : table.columns)
      table.rows.back().push_back(!record.contains(column)   ? ""
                                  : column == "frequency_hz" ? label(column, record[column].dump())
                                                             : text_of(record[column], column));
  }
  return fmt::format("<h2>{}</h2>\n{}", title, html_table(table));
}

std::string warnings(const ordered_json& summary) {
  std::string text;
  if (summary.contains("error"))
    text += fmt::format("<p class=\"warning\">{}</p>\n", escape(text_of(summary["error"])));
  for (const auto& warning : summary.at("warnings"))
    text += fmt::format("<p class=\"warning\">{}</p>\n", escape(text_of(warning)));
  return text.empty() ? "" : "<h2>Warnings</h2>\n" + text;
}

/// A path relative to the page as the value of href: characters with a special meaning in URLs are escaped.
std::string link(const std::string& name, const char* remark = "") {
  std::string url;
  for (const char c : name)
    url += c == '%' || c == '#' || c == '?' ? fmt::format("%{:02X}", int(c)) : std::string(1, c);
  return fmt::format("<li><a href=\"{}\">{}</a>{}</li>\n", escape(url), escape(name), remark);
}

std::string files(const Source& source) {
  std::string list = link("summary.json") + link("run.log");
  for (const auto& file : source.summary.at("files")) {
    const auto name = file.get<std::string>();
    list +=
        link(name, name.ends_with(".csv") && is_too_large(source, name) ? ", too large for curves here" : "");
  }
  return "<h2>Files</h2>\n<ul>\n" + list + "</ul>\n";
}

std::string how_it_ran(const ordered_json& summary) {
  Table table{"", {"what", "value"}, {}};
  for (const char* name : {"program", "version", "status", "started", "device", "threads", "precision",
                           "time_convention", "total_seconds", "peak_memory_bytes"})
    if (summary.contains(name)) table.rows.push_back({name, text_of(summary[name])});
  for (const char* group : {"sizes", "solver", "stages"})
    for (const auto& [name, value] : summary.at(group).items())
      if (!value.is_structured()) table.rows.push_back({fmt::format("{}: {}", group, name), text_of(value)});
  return folded("How it ran", html_table(table));
}

}  // namespace

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
      "<noscript><p>The charts of this page are drawn by its script; the tables stand without "
      "it.</p></noscript>\n",
      title, page_style);
}

std::string page_end() {
  return fmt::format("</main>\n<script>\nconst TABLE = {};\n{}</script>\n</body>\n</html>\n", chart_table,
                     page_script);
}

void write_report(const std::string& folder, const ordered_json& summary, const Content& content) {
  const std::string title = escape(content.title.empty() ? text_of(summary.at("config")) : content.title);
  const Source source{summary, folder};
  std::string page = page_head(title);
  page += warnings(summary) + scattering_parameters(source) + goals(source) + patterns(source) +
          cross_sections(source) + section("Sound pressure", listed(source, "Sound pressure")) +
          near_fields(source) + section("Currents", listed(source, "Currents")) +
          records(summary, "modes", "Modes") + model(source) +
          records(summary, "radiation", "Power balance") + main_numbers(summary);
  if (!content.tables.empty() || !content.lines.empty()) page += "<h2>Tables</h2>\n";
  for (const Table& table : content.tables) page += html_table(table);
  for (const auto& line : content.lines) page += fmt::format("<p>{}</p>\n", escape(line));
  page += convergence(source) + error_bars(source) + how_it_ran(summary);
  if (!content.config.empty())
    page += folded("Config", fmt::format("<pre tabindex=\"0\">{}</pre>\n", escape(content.config)));
  page += files(source) + page_end();
  io::write_text_file((std::filesystem::path(folder) / "report.html").string(), page);
}

}  // namespace curlew::report
