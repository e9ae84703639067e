// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/vec3.hpp"
#include "io/number_text.hpp"
#include "report/cuts.hpp"
#include "report/field_cut.hpp"
#include "report/html.hpp"
#include "report/model.hpp"
#include "report/scattering.hpp"

namespace curlew::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::optional<io::CsvTable> read(const Source& source, const std::string& name) {
  const fs::path path = fs::path(source.folder) / name;
  if (!fs::exists(path) || is_too_large(source, name)) return std::nullopt;
  auto table = io::read_csv(path.string());
  if (table.num_rows == 0) return std::nullopt;
  return table;
}

/// The files of the run with this beginning and end of their names.
std::vector<std::string> files_like(const Source& source, std::string_view start, std::string_view end) {
  std::vector<std::string> names;
  for (const auto& file : source.summary.at("files")) {
    const auto name = file.get<std::string>();
    if (name.starts_with(start) && name.ends_with(end)) names.push_back(name);
  }
  return names;
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
    Curve curve{group.name, {}, {}, {}};
    for (const auto row : group.rows) {
      const Vec3<double> step = Vec3<double>{x[row], y[row], z[row]} - start;
      if (norm(cross(step, way)) > 1e-6 * length * length) return "";
      double sum = 0;
      for (const auto& part : parts) sum += part[row] * part[row];
      curve.x.push_back(dot(step, way) / length), curve.y.push_back(std::sqrt(sum));
    }
    curves.push_back(std::move(curve));
  }
  return draw({"Electric field of " + name, "distance from the first point (m)", "abs E (V/m)", curves});
}

/// The pattern as lists over theta and phi; empty if its directions are no grid over the full circle.
std::string json_pattern(const std::string& name, const Sphere& sphere) {
  constexpr std::size_t most_lines = 46, fewest_azimuths = 7;
  std::vector<double> phi;
  for (const auto& [angle, unused] : sphere.begin()->second) phi.push_back(angle);
  if (sphere.size() < 5 || phi.size() < fewest_azimuths) return "";
  if (const double step = phi[1] - phi[0]; std::abs(phi.front() + 360 - phi.back() - step) < 1e-6)
    phi.push_back(phi.front() + 360);
  const auto thinned = [](const std::vector<double>& angles) {  // every n-th, and the last
    const std::size_t stride = 1 + (angles.size() - 1) / most_lines;
    std::vector<double> kept;
    for (std::size_t i = 0; i < angles.size(); ++i)
      if (i % stride == 0 || i + 1 == angles.size()) kept.push_back(angles[i]);
    return kept;
  };
  std::vector<double> theta;
  for (const auto& [angle, around] : sphere) {
    theta.push_back(angle);
    if (around.size() != sphere.begin()->second.size()) return "";
  }
  const auto rows = thinned(theta), columns = thinned(phi);
  std::string lines;
  for (const double t : rows) {
    std::vector<double> line;
    for (const double p : columns) {
      const auto& around = sphere.at(t);
      const auto at = around.contains(p) ? around.find(p) : around.find(p - 360);
      if (at == around.end()) return "";
      line.push_back(std::max(at->second, -300.0));
    }
    lines += (lines.empty() ? "" : ",") + json_numbers(line, 4);
  }
  return fmt::format("{{\"name\":{},\"theta\":{},\"phi\":{},\"db\":[{}]}}", json_text(name),
                     json_numbers(rows), json_numbers(columns), lines);
}

/// Keeps the greatest of the points with the same x.
Curve greatest_of_each(const Curve& curve) {
  std::map<double, double> most;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (std::isfinite(curve.y[i]))
      most[curve.x[i]] = std::max(most.try_emplace(curve.x[i], curve.y[i]).first->second, curve.y[i]);
  Curve greatest{curve.name, {}, {}, {}};
  for (const auto& [x, y] : most) greatest.x.push_back(x), greatest.y.push_back(y);
  return greatest;
}

/// Curves over angles, polar and rectangular.
std::string over_angles(Chart chart) {
  chart.x = "angle (degrees)";
  Chart polar = chart;
  polar.kind = "polar";
  polar.title += ", polar; 0° is up";
  return draw(polar) + draw(chart);
}

/// The curves of a group of rows over the angle that varies; of both the cuts through the maximum.
void add_over_angle(const io::CsvTable& table, const Group& group, const std::string& value, Chart& chart) {
  const auto varies = [&](const char* column) {
    return table.text.contains(column) && !is_constant(table, column);
  };
  if (varies("theta_deg") && varies("phi_deg")) {
    chart.x = "angle (degrees)";
    for (Curve& curve : cuts(sphere_of(table, group.rows, value))) {
      curve.name = group.name + (group.name.empty() ? "" : ", ") + curve.name;
      chart.curves.push_back(std::move(curve));
    }
    return;
  }
  chart.x = varies("theta_deg") ? "theta_deg" : "phi_deg";
  const auto x = table.numbers(chart.x), y = numbers_of(table, value);
  Curve curve{group.name, {}, {}, {}};
  for (const auto row : group.rows) curve.x.push_back(x[row]), curve.y.push_back(y[row]);
  chart.curves.push_back(std::move(curve));
}

}  // namespace

std::string section(const std::string& title, const std::string& charts) {
  return charts.empty() ? ""
                        : fmt::format("<section><h2>{}</h2>\n<div class=\"charts\">\n{}</div></section>\n",
                                      title, charts);
}

bool is_too_large(const Source& source, const std::string& name) {
  constexpr std::uintmax_t most_bytes = 16 << 20;  // some hundred thousand rows, a second to read
  std::error_code fault;
  const auto bytes = fs::file_size(fs::path(source.folder) / name, fault);
  return !fault && bytes > most_bytes;
}

std::string scattering_parameters(const Source& source) {
  return section("S-parameters", draw_scattering(read_scattering(source.summary.at("results"))));
}

std::string goals(const Source& source) {
  const auto table = read(source, "goals.csv");
  if (!table) return "";
  const auto f = table->numbers("frequency_hz"), start = numbers_of(*table, "start"),
             best = numbers_of(*table, "best");
  std::string content;
  for (const Group& group : group_rows(*table, {"quantity", "unit"})) {
    const auto row = group.rows.front();
    Chart chart{"Before and after: " + table->text.at("quantity")[row],
                "frequency_hz",
                fmt::format("{} ({})", table->text.at("quantity")[row], table->text.at("unit")[row]),
                {}};
    Curve before{"start", {}, {}, {}}, after{"best", {}, {}, {}};
    before.colour = 1, before.dash = true, after.colour = 0;
    std::map<std::string, Mask> masks;
    auto rows = group.rows;
    std::sort(rows.begin(), rows.end(), [&](auto a, auto b) { return f[a] < f[b]; });
    for (const auto i : rows) {
      before.x.push_back(f[i]), before.y.push_back(start[i]);
      after.x.push_back(f[i]), after.y.push_back(best[i]);
      for (const auto& [column, beyond] : {std::pair{"below", 1}, {"above", -1}}) {
        const auto& limit = table->text.at(column)[i];
        if (limit.empty()) continue;
        auto& mask =
            masks.try_emplace(table->text.at("goal")[i] + column, Mask{f[i], f[i], std::stod(limit), beyond})
                .first->second;
        mask.to = f[i];
      }
    }
    chart.curves = {before, after};
    for (const auto& [name, mask] : masks) chart.masks.push_back(mask);
    content += draw(chart);
  }
  return section("Goals", content);
}

std::string patterns(const Source& source) {
  const auto table = read(source, "farfield.csv");
  if (!table) return "";
  std::string value;
  for (const auto& name : report::table()["pattern"])
    if (value.empty() && table->text.contains(name)) value = name;
  if (value.empty()) return "";
  const auto values = numbers_of(*table, value);
  const auto& ports = table->text.at("port");
  const auto& frequencies = table->text.at("frequency_hz");
  const bool combined = std::find(ports.begin(), ports.end(), "combined") != ports.end();
  const auto counts = [&](std::size_t row) {
    return std::isfinite(values[row]) && (!combined || ports[row] == "combined");
  };
  std::size_t best = table->num_rows;
  for (std::size_t row = 0; row < table->num_rows; ++row)
    if (counts(row) && (best == table->num_rows || values[row] > values[best])) best = row;
  if (best == table->num_rows) return "";
  std::vector<std::size_t>
      shown;  // of the frequency with the greatest value; only all ports combined if they are
  for (std::size_t row = 0; row < table->num_rows; ++row)
    if (frequencies[row] == frequencies[best] && (!combined || ports[row] == "combined"))
      shown.push_back(row);
  Chart chart{fmt::format("{} at {}, greatest {:.2f} dBi", combined ? "Combined" : ports[best],
                          label("frequency_hz", frequencies[best]), values[best]),
              "",
              value,
              {}};
  for (const Group& group : group_rows(*table, {"port"}, &shown))
    for (Curve& curve : cuts(sphere_of(*table, group.rows, value))) {
      if (!combined && !group.name.empty()) curve.name = group.name + ", " + curve.name;
      chart.curves.push_back(std::move(curve));
    }
  std::vector<std::string> bodies;
  for (const Group& group : group_rows(*table, {"frequency_hz", "port"})) {
    if (bodies.size() == 8) break;
    auto body =
        json_pattern(group.name.empty() ? label_of(value) : group.name, sphere_of(*table, group.rows, value));
    if (body.empty()) continue;
    const bool first = std::find(group.rows.begin(), group.rows.end(), best) != group.rows.end();
    bodies.insert(first ? bodies.begin() : bodies.end(), std::move(body));
  }
  std::string content = over_angles(chart);
  if (!bodies.empty())
    content += figure("body", "Pattern",
                      fmt::format("{{\"title\":\"Pattern\",\"unit\":\"dBi\",\"patterns\":[{}]}}",
                                  fmt::join(bodies, ",\n")));
  return section("Far field", content);
}

std::string cross_sections(const Source& source) {
  std::string content;
  for (const auto& [file, title, value] : {std::tuple{"rcs.csv", "Radar cross-section", "rcs_dbsm"},
                                           {"echo_width.csv", "Bistatic echo width", "width_dbm"},
                                           {"monostatic.csv", "Monostatic echo width", "width_dbm"}}) {
    const auto table = read(source, file);
    if (!table) continue;
    // Monostatic: the direction is that of the wave, which is then not in the curve's name.
    const auto same = [&](const char* a, const char* b) {
      return !table->text.contains(a) || table->numbers(a) == table->numbers(b);
    };
    const bool is_monostatic = same("theta_inc_deg", "theta_deg") && same("phi_inc_deg", "phi_deg");
    std::vector<std::string> by{"frequency_hz", "polarization"};
    if (!is_monostatic) by.insert(by.end(), {"theta_inc_deg", "phi_inc_deg"});
    Chart chart{title, "", value, {}};
    for (const Group& group : group_rows(*table, by)) add_over_angle(*table, group, value, chart);
    if (is_monostatic && chart.x.ends_with("_deg")) chart.x.insert(chart.x.size() - 4, "_inc");
    content += std::string(value) == "width_dbm" ? over_angles(chart) : draw(chart);
  }
  return section("Scattering", content);
}

std::string near_fields(const Source& source) {
  std::string lines, cuts;
  for (const auto& name : files_like(source, "near_", ".csv"))
    if (const auto table = read(source, name)) {
      const auto shown = name.substr(5, name.size() - 9);
      lines += field_on_line(*table, shown);
      cuts += draw_field_cut(*table, shown);
    }
  return section("Fields on lines", lines) + section("Fields on cuts", cuts);
}

std::string model(const Source& source) {
  return section("Model", draw_model(source.folder));
}

std::string listed(const Source& source, const std::string& wanted) {
  std::string content;
  for (const auto& about : table()["charts"]) {
    if (about["section"] != wanted) continue;
    const auto pattern = about["file"].get<std::string>();
    const auto star = pattern.find('*');
    const auto names = star == std::string::npos
                           ? std::vector{pattern}
                           : files_like(source, pattern.substr(0, star), pattern.substr(star + 1));
    for (const auto& name : names) {
      const auto table = read(source, name);
      if (!table) continue;
      Chart chart{about["title"].get<std::string>(), about["x"].get<std::string>(), "", {}};
      const auto values = about["y"].get<std::vector<std::string>>();
      chart.y = values.size() == 1 ? values[0] : about["y_label"].get<std::string>();
      chart.log = about.value("log", false);
      for (const auto& value : values)
        for (Curve& curve : curves_of(*table, about["by"].get<std::vector<std::string>>(), chart.x, value)) {
          if (about.contains("greatest")) curve = greatest_of_each(curve);
          if (values.size() > 1) curve.name = label_of(value);
          chart.curves.push_back(std::move(curve));
        }
      content += draw(chart);
    }
  }
  return content;
}

std::string convergence(const Source& source) {
  std::string content = listed(source, "Convergence");
  const auto& solver = source.summary.at("solver");
  if (solver.contains("history") && solver["history"].size() > 1) {
    Curve curve{"", {}, {}, {}};
    for (const auto& residual : solver["history"]) {
      curve.x.push_back(double(curve.x.size() + 1));
      curve.y.push_back(residual.is_number() ? residual.get<double>() : NAN);
    }
    Chart chart{"Iteration of the last solution", "iteration", "residual", {curve}};
    chart.log = true;
    content += draw(chart);
  }
  return section("Convergence", content);
}

std::string error_bars(const Source& source) {
  const auto table = read(source, "errors.csv");
  if (!table) return "";
  Table rows{"", table->columns, {}};
  for (std::size_t i = 0; i < table->num_rows; ++i) {
    rows.rows.emplace_back();
    for (const auto& column : table->columns) {
      const auto& cell = table->text.at(column)[i];
      const auto number = io::number_of(cell);
      rows.rows.back().push_back(column == "frequency_hz" ? label(column, cell)
                                 : number                 ? fmt::format("{:.4g}", *number)
                                                          : cell);
    }
  }
  return folded("Error bars", html_table(rows, 40));
}

}  // namespace curlew::report
