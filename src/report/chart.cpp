// SPDX-License-Identifier: BSD-3-Clause
#include "report/chart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/html.hpp"
#include "report/page.hpp"

namespace curlew::report {
namespace {

/// Scales frequencies to a suitable unit; returns its name.
std::string scale_frequencies(Chart& chart) {
  double greatest = 0;
  for (const Curve& curve : chart.curves)
    for (const double f : curve.x) greatest = std::max(greatest, f);
  const auto [size, name] = frequency_unit(greatest);
  for (Curve& curve : chart.curves)
    for (double& f : curve.x) f /= size;
  for (Mask& mask : chart.masks) mask.from /= size, mask.to /= size;
  chart.x = fmt::format("frequency ({})", name);
  return name;
}

std::string json_curve(const Curve& curve, bool is_smith) {
  std::string text = fmt::format("{{\"name\":{},\"x\":{},\"{}\":{}", json_text(curve.name),
                                 json_numbers(curve.x, 10), is_smith ? "re" : "y", json_numbers(curve.y));
  if (is_smith) text += ",\"im\":" + json_numbers(curve.im);
  if (!curve.high.empty())
    text += fmt::format(",\"low\":{},\"high\":{}", json_numbers(curve.low), json_numbers(curve.high));
  if (curve.colour >= 0) text += fmt::format(",\"colour\":{}", curve.colour);
  return text + (curve.dash ? ",\"dash\":1}" : "}");
}

}  // namespace

const nlohmann::json& table() {
  static const auto parsed = nlohmann::json::parse(chart_table);
  return parsed;
}

std::string label_of(const std::string& quantity) {
  const auto& known = table()["quantities"];
  return known.contains(quantity) ? known[quantity]["label"].get<std::string>() : quantity;
}

bool is_judging(const std::string& name) {
  const auto& words = table()["judging"];
  return std::any_of(words.begin(), words.end(), [&](const auto& word) {
    return name.find(word.template get<std::string>()) != std::string::npos;
  });
}

std::pair<double, const char*> frequency_unit(double greatest) {
  for (const auto& [size, name] : {std::pair{1e12, "THz"}, {1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}})
    if (greatest >= size) return {size, name};
  return {1, "Hz"};
}

std::string json_numbers(const std::vector<double>& values, int digits) {
  std::vector<std::string> texts;
  for (const double value : values)
    texts.push_back(std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "null");
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string json_text(const std::string& text) {
  std::string safe = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (auto at = safe.find('<'); at != std::string::npos; at = safe.find('<', at))
    safe.replace(at, 1, "\\u003c");
  return safe;
}

std::string figure(const char* kind, const std::string& title, const std::string& data) {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><script type=\"application/json\" "
      "class=\"{}\">{}</script></figure>\n",
      escape(title), kind, data);
}

std::string draw(Chart chart) {
  std::erase_if(chart.curves, [](const Curve& curve) { return curve.x.empty(); });
  if (chart.curves.empty()) return "";
  const auto most = table()["most_curves"].get<std::size_t>();
  if (chart.curves.size() > most && !chart.family) {
    chart.title += fmt::format(" (the first {} of {} curves)", most, chart.curves.size());
    chart.curves.resize(most);
  }
  const auto& known = table()["quantities"];
  const auto about = known.contains(chart.y) ? known[chart.y] : nlohmann::json::object();
  const std::string unit_before = label_of(chart.x);
  const std::string unit =
      chart.x == "frequency_hz" ? scale_frequencies(chart)
      : unit_before.ends_with(')')
          ? unit_before.substr(unit_before.rfind('(') + 1, unit_before.size() - unit_before.rfind('(') - 2)
          : "";
  std::vector<std::string> curves, masks;
  for (const Curve& curve : chart.curves) curves.push_back(json_curve(curve, chart.kind == "smith"));
  for (const Mask& mask : chart.masks)
    masks.push_back(fmt::format("[{:.9g},{:.9g},{:.6g},{}]", mask.from, mask.to, mask.limit, mask.beyond));
  return figure(
      "chart", chart.title,
      fmt::format(
          "{{\"kind\":\"{}\",\"title\":{},\"x\":{},\"y\":{},\"unit\":{},\"depth\":{},\"range\":{},\"log\":{},"
          "\"family\":{},\"masks\":[{}],\"curves\":[{}]}}",
          chart.kind, json_text(chart.title), json_text(label_of(chart.x)), json_text(label_of(chart.y)),
          json_text(unit), about.value("depth", nlohmann::json()).dump(),
          about.value("range", nlohmann::json()).dump(), chart.log, chart.family, fmt::join(masks, ","),
          fmt::join(curves, ",\n")));
}

}  // namespace curlew::report
