// SPDX-License-Identifier: BSD-3-Clause
#include "report/scattering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "report/chart.hpp"
#include "report/html.hpp"

namespace curlew::report {
namespace {

using nlohmann::ordered_json;
constexpr double small = 1e-4;     // -80 dB: negligible compared to the others
constexpr double alike = 0.02;     // of their greatest magnitude: curves that coincide
constexpr double most_ratio = 10;  // no match above it
constexpr double degree = std::numbers::pi / 180;

double greatest(const Entry& entry) {
  double size = 0;
  for (const Complex s : entry.s) size = std::max(size, std::abs(s));
  return size;
}

bool are_alike(const Entry& a, const Entry& b) {
  double apart = 0;
  for (std::size_t i = 0; i < std::min(a.s.size(), b.s.size()); ++i)
    apart = std::max(apart, std::abs(std::abs(a.s[i]) - std::abs(b.s[i])));
  return apart <= alike * std::max(greatest(a), greatest(b));
}

/// Phases without jumps [rad].
std::vector<double> unwrapped(const std::vector<Complex>& s) {
  std::vector<double> phase;
  for (const Complex value : s) {
    const double next = std::arg(value), last = phase.empty() ? next : phase.back();
    phase.push_back(next - 2 * std::numbers::pi * std::round((next - last) / (2 * std::numbers::pi)));
  }
  return phase;
}

/// -d phase/d omega [ns], by neighbours on both sides.
std::vector<double> delays(const std::vector<double>& f, const std::vector<Complex>& s) {
  const auto phase = unwrapped(s);
  std::vector<double> delay;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const std::size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, f.size() - 1);
    delay.push_back(-(phase[b] - phase[a]) / (2 * std::numbers::pi * (f[b] - f[a])) * 1e9);
  }
  return delay;
}

double standing_wave_ratio(Complex s) {
  return (1 + std::abs(s)) / std::max(1 - std::abs(s), 1e-3);
}

std::string at_one_frequency(const Scattering& scattering, const std::vector<EntryGroup>& groups) {
  const auto [size, unit] = frequency_unit(scattering.frequencies[0]);
  Table rows{fmt::format("S at {:.6g} {}", scattering.frequencies[0] / size, unit),
             {"entry", "abs S (dB)", "phase (degrees)", "standing wave ratio"},
             {}};
  for (const auto& [name, entry] : groups) {
    const Complex s = entry->s[0];
    rows.rows.push_back({name, fmt::format("{:.3f}", decibels(std::abs(s))),
                         fmt::format("{:.2f}", std::arg(s) / degree),
                         entry->to == entry->from ? fmt::format("{:.3f}", standing_wave_ratio(s)) : ""});
  }
  return html_table(rows);
}

}  // namespace

double decibels(double magnitude) {
  return 20 * std::log10(std::max(magnitude, 1e-15));
}

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

std::string draw_scattering(const Scattering& scattering) {
  const auto groups = group_entries(scattering);
  if (groups.empty()) return "";
  const auto& f = scattering.frequencies;
  Chart level{"S-parameters", "frequency_hz", "s_db", {}}, phase{"Phase", "frequency_hz", "phase_deg", {}},
      delay{"Group delay", "frequency_hz", "group_delay_ns", {}},
      ratio{"Standing wave ratio", "frequency_hz", "vswr", {}},
      smith{
          "Smith chart, each port's own reference; ring: lowest frequency", "frequency_hz", "", {}, "smith"};
  for (std::size_t n = 0; n < groups.size(); ++n) {
    const auto& [name, entry] = groups[n];
    Curve curve{name, f, {}, {}};
    curve.colour = int(n);
    Curve db = curve, degrees = curve, vswr = curve, gamma = curve;
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double size = std::abs(entry->s[i]);
      db.y.push_back(decibels(size));
      degrees.y.push_back(std::arg(entry->s[i]) / degree);
      vswr.y.push_back(standing_wave_ratio(entry->s[i]));
      gamma.y.push_back(entry->s[i].real()), gamma.im.push_back(entry->s[i].imag());
      if (entry->error.empty()) continue;
      db.low.push_back(decibels(std::max(size - entry->error[i], 0.1 * size)));
      db.high.push_back(decibels(size + entry->error[i]));
      if (std::isnan(entry->error[i])) db.low.back() = db.high.back() = NAN;
    }
    level.curves.push_back(db), phase.curves.push_back(degrees);
    if (entry->to == entry->from) {
      smith.curves.push_back(gamma);
      if (*std::min_element(vswr.y.begin(), vswr.y.end()) < most_ratio) ratio.curves.push_back(vswr);
    } else if (f.size() > 2)
      curve.y = delays(f, entry->s), delay.curves.push_back(curve);
  }
  if (f.size() == 1) return at_one_frequency(scattering, groups) + draw(smith);
  return draw(level) + draw(smith) + draw(phase) + draw(delay) + draw(ratio);
}

}  // namespace curlew::report
