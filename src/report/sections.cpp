// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/vec3.hpp"
#include "report/ball.hpp"
#include "report/cuts.hpp"
#include "report/field_cut.hpp"
#include "report/html.hpp"

namespace curlew::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : fmt::format("<h2>{}</h2>\n{}", title, content);
}

std::optional<io::CsvTable> read(const Source& source, const std::string& name) {
  const fs::path path = fs::path(source.folder) / name;
  if (!fs::exists(path) || is_too_large(source, name)) return std::nullopt;
  auto table = io::read_csv(path.string());
  if (table.num_rows == 0) return std::nullopt;
  return table;
}

/// The files of the run whose names start and end so.
std::vector<std::string> files_like(const Source& source, std::string_view start, std::string_view end) {
  std::vector<std::string> names;
  for (const auto& file : source.summary.at("files")) {
    const auto name = file.get<std::string>();
    if (name.starts_with(start) && name.ends_with(end)) names.push_back(name);
  }
  return names;
}

/// The list `results.name` of the summary; empty where it is not there.
ordered_json results_list(const Source& source, const char* name) {
  const auto& results = source.summary.at("results");
  return results.contains(name) && results[name].is_array() ? results[name] : ordered_json::array();
}

double decibel(double magnitude) {
  return 20 * std::log10(magnitude);
}

/// "s2_1" as "S2,1".
std::string shown_name(const std::string& name) {
  std::string shown = "S" + name.substr(1);
  std::replace(shown.begin(), shown.end(), '_', ',');
  return shown;
}

/// Whether "s2_1" is a reflection, "s1_1".
bool is_reflection(const std::string& name) {
  const auto at = name.find('_');
  return name.substr(1, at - 1) == name.substr(at + 1);
}

struct SCurves {
  std::vector<std::string> names;  ///< "s1_1"
  std::vector<double> frequencies;
  std::map<std::string, std::vector<Complex>> values;
};

SCurves read_s(const ordered_json& points) {
  SCurves curves;
  for (const auto& point : points) {
    curves.frequencies.push_back(point.at("frequency_hz").get<double>());
    for (const auto& [name, value] : point.items()) {
      if (!name.starts_with('s') || name.find('_') == std::string::npos || !value.is_array()) continue;
      if (!curves.values.contains(name)) curves.names.push_back(name);
      curves.values[name].emplace_back(value[0].get<double>(), value[1].get<double>());
    }
  }
  return curves;
}

/// Bars of |S| in decibels, of every frequency that has an estimate.
std::vector<Bar> s_bars(const Source& source, const SCurves& curves) {
  std::vector<Bar> bars;
  for (const auto& errors : results_list(source, "errors")) {
    const double frequency = errors.at("frequency_hz").get<double>();
    const auto at = std::find(curves.frequencies.begin(), curves.frequencies.end(), frequency);
    if (at == curves.frequencies.end()) continue;
    for (const auto& name : curves.names) {
      const auto error = errors.find(name + "_error");
      if (error == errors.end() || !error->is_number()) continue;
      const double size = std::abs(curves.values.at(name)[std::size_t(at - curves.frequencies.begin())]);
      const double bar = error->get<double>();
      bars.push_back({frequency / 1e9, decibel(std::max(size - bar, 1e-15)), decibel(size + bar)});
    }
  }
  return bars;
}

/// |E| along the points of a line; empty for points that lie otherwise.
std::string field_on_line(const io::CsvTable& table, const std::string& name) {
  const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
  std::vector<std::vector<double>> parts;
  for (const char* part : {"re_ex", "im_ex", "re_ey", "im_ey", "re_ez", "im_ez"})
    parts.push_back(table.numbers(part));
  std::vector<Curve> curves;
  for (const Group& group : group_rows(table, {"frequency_hz", "excitation", "field"})) {
    const auto first = group.rows.front(), last = group.rows.back();
    const Vec3<double> start{x[first], y[first], z[first]};
    const Vec3<double> way = Vec3<double>{x[last], y[last], z[last]} - start;
    const double length = norm(way);
    if (group.rows.size() < 3 || !(length > 0)) return "";
    Curve curve{group.name, {}, {}};
    for (const auto row : group.rows) {
      const Vec3<double> step = Vec3<double>{x[row], y[row], z[row]} - start;
      if (norm(cross(step, way)) > 1e-6 * length * length) return "";
      double sum = 0;
      for (const auto& part : parts) sum += part[row] * part[row];
      curve.x.push_back(dot(step, way) / length), curve.y.push_back(std::sqrt(sum));
    }
    curves.push_back(std::move(curve));
  }
  return draw({"Electric field of " + name, "distance from the first point, m", "|E|, V/m", curves});
}

}  // namespace

bool is_too_large(const Source& source, const std::string& name) {
  constexpr std::uintmax_t most_bytes = 16 << 20;  // some hundred thousand rows, a second to read
  std::error_code fault;
  const auto bytes = fs::file_size(fs::path(source.folder) / name, fault);
  return !fault && bytes > most_bytes;
}

std::string scattering_parameters(const Source& source) {
  const SCurves s = read_s(results_list(source, "s_parameters"));
  if (s.names.empty()) return "";
  const bool is_curve = s.frequencies.size() > 1;  // one frequency: the tables and the Smith chart say it
  Chart chart{"S-parameters", "frequency, GHz", "|S|, dB", {}};
  chart.depth = 80;
  chart.bars = s_bars(source, s);
  std::vector<ReflectionCurve> reflections;
  for (const auto& name : s.names) {
    const auto& values = s.values.at(name);
    Curve curve{shown_name(name), {}, {}};
    for (std::size_t i = 0; i < std::min(values.size(), s.frequencies.size()); ++i)
      curve.x.push_back(s.frequencies[i] / 1e9), curve.y.push_back(decibel(std::abs(values[i])));
    chart.curves.push_back(std::move(curve));
    if (is_reflection(name)) reflections.push_back({shown_name(name), values});
  }
  return section("S-parameters", (is_curve ? draw(chart) : "") + draw_smith(reflections));
}

std::string patterns(const Source& source) {
  const auto table = read(source, "farfield.csv");
  if (!table) return "";
  Chart chart{"Realized gain", "", "dBi", {}};
  chart.depth = 60;
  chart.curves = pattern_cuts(*table, {{"frequency_hz", "port"}, "realized_gain_dbi"}, chart.x_label);
  return section("Far field", draw(chart) + draw_ball(*table));
}

std::string cross_sections(const Source& source) {
  std::string content;
  const auto add = [&](const char* file, const char* title, const char* label, const char* value) {
    const auto table = read(source, file);
    if (!table) return;
    // Monostatic: the direction is that of the wave, which then names no cut.
    const auto same = [&](const char* a, const char* b) {
      return !table->text.contains(a) || table->numbers(a) == table->numbers(b);
    };
    const bool is_monostatic = same("theta_inc_deg", "theta_deg") && same("phi_inc_deg", "phi_deg");
    CutColumns columns{{"frequency_hz", "polarization"}, value};
    if (!is_monostatic) columns.by.insert(columns.by.end(), {"theta_inc_deg", "phi_inc_deg"});
    Chart chart{title, "", label, {}};
    chart.depth = 60;
    chart.curves = pattern_cuts(*table, columns, chart.x_label);
    content += draw(chart);
  };
  add("rcs.csv", "Radar cross-section", "dBsm", "rcs_dbsm");
  add("echo_width.csv", "Bistatic echo width", "dB of a metre", "width_dbm");
  add("monostatic.csv", "Monostatic echo width", "dB of a metre", "width_dbm");
  return section("Scattering", content);
}

std::string near_fields(const Source& source) {
  std::string lines, cuts;
  int num_cuts = 0;
  for (const auto& name : files_like(source, "near_", ".csv"))
    if (const auto table = read(source, name)) {
      const auto shown = name.substr(5, name.size() - 9);
      lines += field_on_line(*table, shown);
      cuts += draw_field_cut(*table, shown, fmt::format("cut{}", ++num_cuts));
    }
  if (!cuts.empty()) cuts = field_cut_script() + cuts;
  return section("Fields on lines", lines) + section("Fields on cuts", cuts);
}

std::string surface_currents(const Source& source) {
  std::string content;
  for (const auto& name : files_like(source, "current", ".csv"))
    if (const auto table = read(source, name))  // a file for each frequency
      content += draw({"Surface current, " + label("frequency_hz", table->text.at("frequency_hz").front()),
                       "arc length, m", "A/m",
                       curves_of(*table, {"phi_inc_deg", "contour"}, "s_m", "abs_j_a_per_m")});
  return section("Currents", content);
}

std::string sound_pressures(const Source& source) {
  const auto table = read(source, "probes.csv");
  if (!table) return "";
  return section("Sound pressure", draw({"Level at the probes", "frequency, Hz", "dB re 20 uPa",
                                         curves_of(*table, {"probe"}, "frequency_hz", "level_db")}));
}

std::string convergence(const Source& source) {
  std::string content;
  const auto& solver = source.summary.at("solver");
  if (solver.contains("history") && solver["history"].size() > 1) {
    Curve curve{"", {}, {}};
    for (const auto& residual : solver["history"]) {
      curve.x.push_back(double(curve.x.size() + 1));
      curve.y.push_back(residual.is_number() ? residual.get<double>() : NAN);
    }
    content += draw({"Iteration of the last solution", "iteration", "relative residual", {curve}, {}, true});
  }
  if (const auto table = read(source, "history.csv"))
    content += draw({"Iteration between finite elements and exterior",
                     "iteration",
                     "relative error",
                     curves_of(*table, {"frequency_hz"}, "iteration", "relative_error"),
                     {},
                     true});
  return section("Convergence", content);
}

std::string error_bars(const Source& source) {
  const auto table = read(source, "errors.csv");
  if (!table) return "";
  Table rows{"", table->columns, {}};
  for (std::size_t i = 0; i < table->num_rows; ++i) {
    rows.rows.emplace_back();
    for (const auto& column : table->columns) rows.rows.back().push_back(table->text.at(column)[i]);
  }
  return section("Error bars", html_table(rows, 40));
}

}  // namespace curlew::report
