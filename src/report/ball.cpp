// SPDX-License-Identifier: BSD-3-Clause
#include "report/ball.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "report/cuts.hpp"
#include "report/html.hpp"

namespace curlew::report {
namespace {

constexpr std::size_t most_patterns = 12, most_lines = 46;
constexpr double fewest_azimuths = 7;

/// Draws `patterns`: [{name, theta[], phi[], db[theta][phi]}]. Quadrilaterals from the farthest to the
/// nearest.
constexpr const char* script = R"js(
(() => {
  const canvas = document.getElementById('ball'), pen = canvas.getContext('2d'), depth = 30;
  const choice = document.getElementById('ball-choice');
  let turn = 0.6, tilt = 0.5, from = null;
  const colour = s => `hsl(${240 * (1 - s)},80%,50%)`;
  function draw() {
    const p = patterns[choice.value], top = Math.max(...p.db.flat()), rad = Math.PI / 180;
    const size = s => Math.max(0, 1 + (s - top) / depth);
    const place = (i, j) => {
      const r = size(p.db[i][j]), t = p.theta[i] * rad, f = p.phi[j] * rad;
      const x = r * Math.sin(t) * Math.cos(f), y = r * Math.sin(t) * Math.sin(f), z = r * Math.cos(t);
      const u = -x * Math.sin(turn) + y * Math.cos(turn), v = x * Math.cos(turn) + y * Math.sin(turn);
      return [220 + 190 * u, 220 - 190 * (z * Math.cos(tilt) - v * Math.sin(tilt)),
              v * Math.cos(tilt) + z * Math.sin(tilt), r];
    };
    const faces = [];
    for (let i = 0; i + 1 < p.theta.length; ++i)
      for (let j = 0; j + 1 < p.phi.length; ++j) {
        const c = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
        faces.push([c, c.reduce((s, q) => s + q[2], 0), c.reduce((s, q) => s + q[3], 0) / 4]);
      }
    faces.sort((a, b) => a[1] - b[1]);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (const [c, , s] of faces) {
      pen.beginPath();
      c.forEach((q, k) => k ? pen.lineTo(q[0], q[1]) : pen.moveTo(q[0], q[1]));
      pen.closePath();
      pen.fillStyle = pen.strokeStyle = colour(s);
      pen.fill();
      pen.stroke();
    }
    pen.fillStyle = '#000';
    pen.fillText(`red ${top.toFixed(2)} dBi, blue ${(top - depth).toFixed(2)} dBi and less`, 8, 432);
  }
  canvas.onpointerdown = e => { from = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); };
  canvas.onpointerup = () => { from = null; };
  canvas.onpointermove = e => {
    if (!from) return;
    turn -= (e.clientX - from[0]) / 100;
    tilt += (e.clientY - from[1]) / 100;
    from = [e.clientX, e.clientY];
    draw();
  };
  choice.onchange = draw;
  draw();
})();
)js";

/// Every n-th of the angles, and the last.
std::vector<double> thinned(const std::map<double, std::size_t>& angles) {
  const std::size_t stride = 1 + (angles.size() - 1) / most_lines;
  std::vector<double> kept;
  std::size_t number = 0;
  for (const auto& [angle, unused] : angles)
    if (number++ % stride == 0 || number == angles.size()) kept.push_back(angle);
  return kept;
}

/// One pattern as a JSON object; empty if its directions are no grid that goes round.
std::string pattern(const Group& group, const std::vector<double>& theta, const std::vector<double>& phi,
                    const std::vector<double>& gain) {
  std::map<double, std::size_t> thetas, phis;
  std::map<std::pair<double, double>, double> values;
  for (const auto row : group.rows) {
    thetas[theta[row]], phis[phi[row]];
    values[{theta[row], phi[row]}] = gain[row];
  }
  if (thetas.size() < 5 || double(phis.size()) < fewest_azimuths ||
      values.size() != thetas.size() * phis.size())
    return "";
  const auto rows = thinned(thetas), columns = thinned(phis);
  std::vector<std::string> lines;
  for (const double t : rows) {
    std::vector<std::string> line;
    for (const double p : columns) {
      const double value = values.at({t, p});
      line.push_back(fmt::format("{:.2f}", std::isfinite(value) ? value : -300.0));
    }
    lines.push_back(fmt::format("[{}]", fmt::join(line, ",")));
  }
  return fmt::format("{{theta:[{}],phi:[{}],db:[{}]}}", fmt::join(rows, ","), fmt::join(columns, ","),
                     fmt::join(lines, ","));
}

}  // namespace

std::string draw_ball(const io::CsvTable& far_field) {
  const auto theta = far_field.numbers("theta_deg"), phi = far_field.numbers("phi_deg"),
             gain = far_field.numbers("realized_gain_dbi");
  std::vector<std::string> patterns;
  std::string choices;
  for (const Group& group : group_rows(far_field, {"frequency_hz", "port"})) {
    if (patterns.size() == most_patterns) break;
    const std::string data = pattern(group, theta, phi, gain);
    if (data.empty()) continue;
    choices += fmt::format("<option value=\"{}\">{}</option>", patterns.size(),
                           group.name.empty() ? "realized gain" : escape(group.name));
    patterns.push_back(data);
  }
  if (patterns.empty()) return "";
  return fmt::format(
      "<figure><p><select id=\"ball-choice\">{}</select> turn with the mouse</p>\n<canvas id=\"ball\" "
      "width=\"440\" height=\"440\"></canvas></figure>\n<script>\nconst patterns = [{}];{}</script>\n",
      choices, fmt::join(patterns, ",\n"), script);
}

}  // namespace curlew::report
