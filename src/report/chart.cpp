// SPDX-License-Identifier: BSD-3-Clause
#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/schema/result.hpp"
#include "report/html.hpp"

namespace curlew::report {
namespace {

using nlohmann::json;

/// Frequencies in the unit that suits them. @return its size [Hz]
double scale_frequencies(Chart& chart) {
  double greatest = 0;
  for (const Curve& curve : chart.curves)
    for (const double f : curve.x) greatest = std::max(greatest, f);
  const auto [size, name] = frequency_unit(greatest);
  for (Curve& curve : chart.curves)
    for (double& f : curve.x) f /= size;
  for (Mask& mask : chart.masks) mask.from /= size, mask.to /= size;
  chart.x = fmt::format("frequency ({})", name);
  return size;
}

/// Curves of one common point side by side. @return their names as ticks, empty where there are others
std::vector<std::string> put_side_by_side(Chart& chart) {
  const auto is_alone = [&](const Curve& curve) {
    return curve.x.size() == 1 && curve.x == chart.curves[0].x;
  };
  if (chart.kind != "line" || chart.curves.size() < 2 || !chart.masks.empty() ||
      !std::all_of(chart.curves.begin(), chart.curves.end(), is_alone))
    return {};
  std::vector<std::string> names;
  chart.x = fmt::format("{}: {:.9g}", label_of(chart.x), chart.curves[0].x[0]);
  for (Curve& curve : chart.curves) {
    names.push_back(curve.name.substr(0, curve.name.find(" = ")));
    curve.x[0] = double(names.size());
  }
  return names;
}

json as_json(const Curve& curve, bool is_smith) {
  json made{{"name", curve.name}, {"x", rounded(curve.x, 10)}, {is_smith ? "re" : "y", rounded(curve.y)}};
  if (is_smith) made["im"] = rounded(curve.im);
  if (!curve.high.empty()) made["low"] = rounded(curve.low), made["high"] = rounded(curve.high);
  if (curve.colour >= 0) made["colour"] = curve.colour;
  if (curve.dash) made["dash"] = true;
  if (!curve.points.empty()) made["points"] = curve.points;
  return made;
}

}  // namespace

const json& table() {
  static const auto parsed = json::parse(chart_table);
  return parsed;
}

std::pair<std::string, std::string> declared(const std::string& name) {
  static const auto all = io::schema::results_of("");
  for (const auto& result : all) {
    if (!io::schema::matches(result.name, "results." + name)) continue;
    std::string meaning(result.meaning);
    const auto place = meaning.find('#'), first = name.find_first_of("0123456789");
    if (place != std::string::npos && first != std::string::npos)
      meaning.replace(place, 1, name.substr(first, name.find_first_not_of("0123456789", first) - first));
    return {std::string(result.unit), meaning};
  }
  return {};
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

json rounded(const std::vector<double>& values, int digits) {
  json list = json::array();
  for (const double value : values)
    list.push_back(std::isfinite(value) ? json(std::stod(fmt::format("{:.{}g}", value, digits))) : json());
  return list;
}

std::string figure(const char* kind, const std::string& title, const json& data) {
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  for (auto at = text.find('<'); at != std::string::npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  return fmt::format(
      "<figure><figcaption>{}</figcaption><script type=\"application/json\" "
      "class=\"{}\">{}</script></figure>\n",
      escape(title), kind, text);
}

std::string draw(Chart chart) {
  std::erase_if(chart.curves, [](const Curve& curve) { return curve.x.empty(); });
  if (chart.curves.empty()) return "";
  const auto most = table()["most_curves"].get<std::size_t>();
  if (chart.curves.size() > most && !chart.family) {
    chart.title += fmt::format(" (the first {} of {} curves)", most, chart.curves.size());
    chart.curves.resize(most);
  }
  const auto about = table()["quantities"].value(chart.y, json::object());
  const double size = chart.x == "frequency_hz" ? scale_frequencies(chart) : 1;
  const auto names = put_side_by_side(chart);
  json data{{"picture", chart.picture},
            {"kind", chart.kind},
            {"title", chart.title},
            {"x", label_of(chart.x)},
            {"x_size", size},
            {"y", label_of(chart.y)},
            {"depth", about.value("depth", json())},
            {"top_of_bars", about.value("top_of_bars", json())},
            {"range", chart.range ? json(*chart.range) : about.value("range", json())},
            {"log", chart.log},
            {"family", chart.family},
            {"masks", json::array()},
            {"curves", json::array()}};
  if (!names.empty()) data["names"] = names;
  if (chart.frequency) data["frequency_hz"] = *chart.frequency;
  for (const Curve& curve : chart.curves) data["curves"].push_back(as_json(curve, chart.kind == "smith"));
  for (const Mask& mask : chart.masks) data["masks"].push_back({mask.from, mask.to, mask.limit, mask.beyond});
  return figure("chart", chart.title, data);
}

}  // namespace curlew::report
