// SPDX-License-Identifier: BSD-3-Clause
#include "report/scattering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/decibel.hpp"
#include "base/group_delay.hpp"
#include "report/between.hpp"
#include "report/chart.hpp"

namespace curlew::report {
namespace {

using nlohmann::ordered_json;
constexpr double small = 1e-4;     // -80 dB: negligible compared to the others
constexpr double alike = 0.02;     // of their greatest magnitude: curves that coincide
constexpr double most_ratio = 10;  // no match above it
constexpr double no_null =
    0.1;  // of the greatest magnitude: beside a null the delay has a spike of any height
constexpr double degree = std::numbers::pi / 180;

double greatest(const Entry& entry) {
  double size = 0;
  for (const Complex s : entry.s) size = std::max(size, std::abs(s));
  return size;
}

/// Reflections and transmissions are never: they may be equal by chance only.
bool are_alike(const Entry& a, const Entry& b) {
  if ((a.to == a.from) != (b.to == b.from)) return false;
  double apart = 0;
  for (std::size_t i = 0; i < std::min(a.s.size(), b.s.size()); ++i)
    apart = std::max(apart, std::abs(std::abs(a.s[i]) - std::abs(b.s[i])));
  return apart <= alike * std::max(greatest(a), greatest(b));
}

double standing_wave_ratio(Complex s) {
  return (1 + std::abs(s)) / std::max(1 - std::abs(s), 1e-3);
}

}  // namespace

Scattering read_scattering(const ordered_json& results) {
  Scattering found;
  if (!results.contains("s_parameters") || !results["s_parameters"].is_array()) return found;
  std::map<std::pair<int, int>, Entry> entries;
  const auto& points = results["s_parameters"];
  for (const auto& point : points) {
    found.frequencies.push_back(point.at("frequency_hz").get<double>());
    for (const auto& [name, value] : point.items()) {
      int to = 0, from = 0, end = 0;
      if (std::sscanf(name.c_str(), "s%d_%d%n", &to, &from, &end) != 2 || name[std::size_t(end)] ||
          !value.is_array())
        continue;
      auto& entry = entries.try_emplace({to, from}, Entry{to, from, {}}).first->second;
      entry.s.resize(points.size(), NAN);
      entry.s[found.frequencies.size() - 1] = {value[0].get<double>(), value[1].get<double>()};
    }
  }
  for (auto& [place, entry] : entries) {
    const auto name = fmt::format("s{}_{}_error", entry.to, entry.from);
    for (const auto& errors : results.contains("errors") ? results["errors"] : ordered_json::array()) {
      const auto at = std::find(found.frequencies.begin(), found.frequencies.end(),
                                errors.at("frequency_hz").get<double>());
      if (at == found.frequencies.end() || !errors.contains(name) || !errors[name].is_number()) continue;
      entry.error.resize(found.frequencies.size(), NAN);
      entry.error[std::size_t(at - found.frequencies.begin())] = errors[name].get<double>();
    }
    found.entries.push_back(std::move(entry));
  }
  return found;
}

std::vector<EntryGroup> group_entries(const Scattering& scattering) {
  std::vector<const Entry*> order;
  int most = 0;
  for (const Entry& entry : scattering.entries)
    order.push_back(&entry), most = std::max({most, entry.to, entry.from});
  const auto rank = [](const Entry* e) {
    return std::tuple(-std::round(1e3 * greatest(*e)), e->to, e->from);
  };
  std::sort(order.begin(), order.end(), [&](const Entry* a, const Entry* b) { return rank(a) < rank(b); });
  std::vector<std::vector<const Entry*>> groups;
  for (const Entry* entry : order) {
    if (greatest(*entry) < small && !groups.empty()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return are_alike(*group[0], *entry); });
    same == groups.end() ? groups.push_back({entry}) : same->push_back(entry);
  }
  groups.resize(std::min(groups.size(), table()["most_curves"].get<std::size_t>()));
  std::vector<EntryGroup> named;
  for (auto& group : groups) {
    std::sort(group.begin(), group.end(), [](const Entry* a, const Entry* b) {
      return std::pair(a->to, a->from) < std::pair(b->to, b->from);
    });
    std::string name;
    for (std::size_t i = 0; i < std::min<std::size_t>(group.size(), 4); ++i)
      name += fmt::format("{}S{}{}{}", i ? " = " : "", group[i]->to, most > 9 ? "," : "", group[i]->from);
    named.push_back({name + (group.size() > 4 ? " = ..." : ""), group[0]});
  }
  return named;
}

Curve level_of(const Entry& entry, const std::vector<double>& frequencies, const std::string& name) {
  const auto [f, s, points] = between(frequencies, entry.s);
  Curve curve{name, f};
  curve.points = points;
  for (const Complex value : s) curve.y.push_back(decibel(std::abs(value)));
  if (entry.error.empty()) return curve;
  for (std::size_t i = 0, next = 0; i < f.size(); ++i) {  // bars between points lie between theirs
    while (next + 1 < frequencies.size() && frequencies[next] < f[i]) ++next;
    const std::size_t last = frequencies[next] > f[i] ? next - 1 : next;
    const double share =
        last == next ? 0 : (f[i] - frequencies[last]) / (frequencies[next] - frequencies[last]);
    const double size = std::abs(s[i]), bar = (1 - share) * entry.error[last] + share * entry.error[next];
    curve.low.push_back(std::isnan(bar) ? NAN : decibel(std::max(size - bar, 0.1 * size)));
    curve.high.push_back(decibel(size + bar));
  }
  return curve;
}

std::string draw_scattering(const Scattering& scattering) {
  const auto groups = group_entries(scattering);
  if (groups.empty()) return "";
  Chart level{"s", "S-parameters", "frequency_hz", "s_db"},
      phase{"s_details", "Phase", "frequency_hz", "phase_deg"},
      delay{"s_details", "Group delay", "frequency_hz", "group_delay_ns"},
      ratio{"s_details", "Standing wave ratio", "frequency_hz", "vswr"},
      smith{"s_details", "Smith chart, each port's own reference; ring: lowest frequency", "frequency_hz",
            ""};
  smith.kind = "smith";
  std::array<double, 2> longest{0, 0};
  for (std::size_t n = 0; n < groups.size(); ++n) {
    const auto& [name, entry] = groups[n];
    const auto [f, s, points] = between(scattering.frequencies, entry->s);
    Curve curve{name, f};
    curve.colour = int(n), curve.points = points;
    Curve degrees = curve, vswr = curve, gamma = curve;
    for (const Complex value : s) {
      degrees.y.push_back(std::arg(value) / degree);
      vswr.y.push_back(standing_wave_ratio(value));
      gamma.y.push_back(value.real()), gamma.im.push_back(value.imag());
    }
    level.curves.push_back(level_of(*entry, scattering.frequencies, name));
    level.curves.back().colour = int(n);
    phase.curves.push_back(degrees);
    if (entry->to == entry->from) {
      smith.curves.push_back(gamma);
      if (*std::min_element(vswr.y.begin(), vswr.y.end()) < most_ratio) ratio.curves.push_back(vswr);
    } else if (f.size() > 2) {
      for (const auto seconds : group_delays(f, s)) curve.y.push_back(1e9 * seconds.value_or(NAN));
      auto range = longest;
      bool is_known = true;  // else the phase turns too fast for these frequencies
      for (std::size_t i = 0; i < s.size(); ++i)
        if (std::abs(s[i]) > no_null * greatest(*entry)) {
          is_known = is_known && !std::isnan(curve.y[i]);
          range[0] = std::min(range[0], curve.y[i]), range[1] = std::max(range[1], curve.y[i]);
        }
      if (is_known) longest = range, delay.curves.push_back(curve);
    }
  }
  if (longest[1] > longest[0]) delay.range = longest;
  return draw(level) + draw(smith) + draw(phase) + draw(delay) + draw(ratio);
}

}  // namespace curlew::report
