// SPDX-License-Identifier: BSD-3-Clause
#include "report/field_cut.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/vec3.hpp"
#include "report/cuts.hpp"
#include "report/html.hpp"

namespace curlew::report {
namespace {

constexpr std::size_t most_pictures = 8, most_grid_lines = 120;
constexpr double levels = 999;  // of the largest component, as integers

/// Draws one of `cuts`: [{name, columns, rows, width, height, none, fields: {E: {top, re, im}, H}}]; re and
/// im hold three lists of columns times rows numbers, the rows one after the other, the lowest first.
constexpr const char* cut_script = R"js(
function fieldCut(id, cuts) {
  const part = name => document.getElementById(id + name), canvas = part(''), pen = canvas.getContext('2d');
  const small = document.createElement('canvas');
  let running = null;
  const mix = (a, b, t) => a.map((v, k) => v + t * (b[k] - v));
  const signed = t => t < 0 ? mix([247, 247, 247], [33, 102, 172], -t) : mix([247, 247, 247], [178, 24, 43], t);
  const positive = t => t < 0.5 ? mix([0, 0, 30], [190, 50, 90], 2 * t) : mix([190, 50, 90], [252, 250, 170], 2 * t - 1);
  function draw() {
    const cut = cuts[part('-choice').value], [field, axis] = part('-part').value.split(' ');
    const f = cut.fields[field], phase = part('-phase').value * Math.PI / 180;
    const at = (i, k) => f.re[k][i] * Math.cos(phase) - f.im[k][i] * Math.sin(phase);
    const size = i => Math.hypot(...f.re.map(p => p[i]), ...f.im.map(p => p[i]));
    const count = cut.columns * cut.rows, values = [], vector = axis === 'length';
    for (let i = 0; i < count; ++i) values.push(vector ? size(i) : at(i, axis));
    let top = 0;  // of all phases: the colours keep their meaning while the phase runs
    for (let i = 0; i < count; ++i) top = Math.max(top, vector ? values[i] : Math.hypot(f.re[axis][i], f.im[axis][i]));
    small.width = cut.columns;
    small.height = cut.rows;
    const picture = small.getContext('2d').createImageData(cut.columns, cut.rows);
    for (let u = 0; u < cut.columns; ++u)
      for (let v = 0; v < cut.rows; ++v) {
        const i = v * cut.columns + u, s = top > 0 ? values[i] / top : 0;
        const colour = cut.none.includes(i) ? [160, 160, 160] : vector ? positive(s) : signed(s);
        picture.data.set([...colour.map(Math.round), 255], 4 * ((cut.rows - 1 - v) * cut.columns + u));
      }
    small.getContext('2d').putImageData(picture, 0, 0);
    const scale = Math.min(760 / cut.width, 420 / cut.height);
    canvas.width = Math.max(40, cut.width * scale);
    canvas.height = Math.max(40, cut.height * scale);
    // The middles of the outer pixels are the outer points.
    pen.drawImage(small, 0.5, 0.5, cut.columns - 1, cut.rows - 1, 0, 0, canvas.width, canvas.height);
    const unit = field === 'E' ? 'V/m' : 'A/m', most = (top * f.top / 999).toPrecision(4);
    part('-text').textContent = vector ? `dark 0, light ${most} ${unit}` : `red ${most} ${unit}, blue -${most} ${unit}, phase ${part('-phase').value}°`;
  }
  for (const name of ['-choice', '-part', '-phase']) part(name).oninput = draw;
  part('-run').onclick = () => {
    if (running) clearInterval(running), running = null;
    else running = setInterval(() => { part('-phase').value = (+part('-phase').value + 6) % 360; draw(); }, 60);
  };
  draw();
}
)js";

/// Points corner + u du + v dv, u the faster.
struct Grid {
  std::size_t columns, rows;
  Vec3<double> corner, right, up;  ///< its ends [m]
};

std::optional<Grid> grid_of(const std::vector<Vec3<double>>& points) {
  if (points.size() < 4) return std::nullopt;
  const auto du = points[1] - points[0];
  const double extent = norm(points.back() - points.front());
  const auto is_near = [&](const Vec3<double>& a, const Vec3<double>& b) {
    return norm(a - b) < 1e-6 * extent;
  };
  std::size_t columns = 2;
  while (columns < points.size() && is_near(points[columns] - points[columns - 1], du)) ++columns;
  if (columns == points.size() || points.size() % columns != 0) return std::nullopt;
  const auto dv = points[columns] - points[0];
  if (norm(cross(du, dv)) < 1e-6 * norm(du) * norm(dv)) return std::nullopt;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_near(points[i], points[0] + double(i % columns) * du + double(i / columns) * dv))
      return std::nullopt;
  return Grid{columns, points.size() / columns, points[0], points[columns - 1],
              points[points.size() - columns]};
}

/// Every n-th of `count`, the last among them where the steps reach it.
std::vector<std::size_t> every_nth(std::size_t count, std::size_t most) {
  const std::size_t stride = (count + most - 1) / most;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; i += stride) kept.push_back(i);
  return kept;
}

/// One field of a group as a JSON object. @param rows of the table, in the order of the picture
std::string field(const io::CsvTable& table, char name, const std::vector<std::size_t>& rows) {
  std::vector<std::vector<double>> parts;
  double greatest = 0;
  for (const char* kind : {"re", "im"})
    for (const char axis : {'x', 'y', 'z'}) {
      parts.push_back(table.numbers(fmt::format("{}_{}{}", kind, name, axis)));
      for (const auto row : rows) greatest = std::max(greatest, std::abs(parts.back()[row]));
    }
  std::vector<std::string> lists;
  for (const auto& part : parts) {
    std::vector<long> values;
    for (const auto row : rows)
      values.push_back(greatest > 0 ? std::lround(levels * part[row] / greatest) : 0);
    lists.push_back(fmt::format("[{}]", fmt::join(values, ",")));
  }
  return fmt::format("{}:{{top:{:.6g},re:[{}],im:[{}]}}", char(std::toupper(name)), greatest,
                     fmt::join(lists.begin(), lists.begin() + 3, ","),
                     fmt::join(lists.begin() + 3, lists.end(), ","));
}

std::string place(const Vec3<double>& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) mm", 1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
}

}  // namespace

std::string draw_field_cut(const io::CsvTable& table, const std::string& name, const std::string& id) {
  const auto x = table.numbers("x_m"), y = table.numbers("y_m"), z = table.numbers("z_m");
  const auto& origin = table.text.at("origin");
  const auto groups = group_rows(table, {"frequency_hz", "excitation", "field"});
  std::vector<std::string> cuts;
  std::string choices;
  std::optional<Grid> grid;
  for (const auto number : every_nth(groups.size(), most_pictures)) {
    const Group& group = groups[number];
    std::vector<Vec3<double>> points;
    for (const auto row : group.rows) points.push_back({x[row], y[row], z[row]});
    grid = grid_of(points);
    if (!grid) return "";
    const auto columns = every_nth(grid->columns, most_grid_lines),
               lines = every_nth(grid->rows, most_grid_lines);
    std::vector<std::size_t> rows, none;
    for (const auto v : lines)
      for (const auto u : columns) {
        const auto row = group.rows[v * grid->columns + u];
        if (origin[row] == "none") none.push_back(rows.size());
        rows.push_back(row);
      }
    choices += fmt::format("<option value=\"{}\">{}</option>", cuts.size(),
                           group.name.empty() ? "the field" : escape(group.name));
    cuts.push_back(fmt::format("{{columns:{},rows:{},width:{:.6g},height:{:.6g},none:[{}],fields:{{{},{}}}}}",
                               columns.size(), lines.size(), norm(grid->right - grid->corner),
                               norm(grid->up - grid->corner), fmt::join(none, ","), field(table, 'e', rows),
                               field(table, 'h', rows)));
  }
  if (!grid) return "";
  std::string parts;
  for (const char f : {'E', 'H'}) {
    parts += fmt::format("<option value=\"{0} length\">|{0}|</option>", f);
    for (const int axis : {0, 1, 2})
      parts += fmt::format("<option value=\"{0} {1}\">{0}{2}</option>", f, axis, "xyz"[axis]);
  }
  return fmt::format(
      "<figure><figcaption>Field on {1}: from {2} to the right {3}, up {4}</figcaption>\n<p><select "
      "id=\"{0}-choice\">{5}</select> <select id=\"{0}-part\">{6}</select> <label>phase <input "
      "type=\"range\" "
      "id=\"{0}-phase\" min=\"0\" max=\"354\" step=\"6\" value=\"0\"></label> <button "
      "id=\"{0}-run\">run</button> <span id=\"{0}-text\"></span></p>\n<canvas "
      "id=\"{0}\"></canvas></figure>\n<script>\nfieldCut('{0}', [{7}]);\n</script>\n",
      id, escape(name), place(grid->corner), place(grid->right), place(grid->up), choices, parts,
      fmt::join(cuts, ",\n"));
}

std::string field_cut_script() {
  return fmt::format("<script>{}</script>\n", cut_script);
}

}  // namespace curlew::report
