// SPDX-License-Identifier: BSD-3-Clause
#include "io/units.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "io/nearest.hpp"

namespace curlew::io {
namespace {

constexpr Dimension none{}, length{1}, mass{0, 1}, time_{0, 0, 1}, current{0, 0, 0, 1},
    temperature{0, 0, 0, 0, 1}, angle{0, 0, 0, 0, 0, 1}, memory{0, 0, 0, 0, 0, 0, 1}, per_time{0, 0, -1},
    power{2, 1, -3}, voltage{2, 1, -3, -1}, resistance{2, 1, -3, -2}, conductance{-2, -1, 3, 2},
    capacitance{-2, -1, 4, 2}, inductance{2, 1, -2, -2}, pressure{-1, 1, -2}, flux_density{0, 1, -2, -1};

struct Unit {
  std::string_view name;
  double value;
  Dimension dimension;
  bool has_prefixes;
};

// Inch, foot and mil: international yard of 1959, exact.
constexpr Unit units[] = {
    {"m", 1, length, true},
    {"cm", 1e-2, length, false},
    {"inch", 0.0254, length, false},
    {"in", 0.0254, length, false},
    {"ft", 0.3048, length, false},
    {"mil", 2.54e-5, length, false},
    {"g", 1e-3, mass, true},
    {"s", 1, time_, true},
    {"A", 1, current, true},
    {"K", 1, temperature, true},
    {"rad", 1, angle, true},
    {"Hz", 1, per_time, true},
    {"W", 1, power, true},
    {"V", 1, voltage, true},
    {"ohm", 1, resistance, true},
    {"Ohm", 1, resistance, true},
    {"Ω", 1, resistance, true},
    {"S", 1, conductance, true},
    {"F", 1, capacitance, true},
    {"H", 1, inductance, true},
    {"Pa", 1, pressure, true},
    {"T", 1, flux_density, true},
    {"B", 1, memory, false},
    {"KiB", 1024, memory, false},
    {"MiB", 1048576.0, memory, false},
    {"GiB", 1073741824.0, memory, false},
    {"deg", std::numbers::pi / 180, angle, false},
    {"degree", std::numbers::pi / 180, angle, false},
    {"degrees", std::numbers::pi / 180, angle, false},
    {"°", std::numbers::pi / 180, angle, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6},
                               {"µ", 1e-6},  {"μ", 1e-6},  {"m", 1e-3}, {"k", 1e3},
                               {"M", 1e6},   {"G", 1e9},   {"T", 1e12}, {"P", 1e15}};

struct Named {
  std::string_view name;
  Dimension dimension;
};
// Units of keys, for messages.
constexpr Named names[] = {{"a plain number", none},
                           {"m", length},
                           {"m2", {2}},
                           {"1/m", {-1}},
                           {"kg", mass},
                           {"s", time_},
                           {"A", current},
                           {"K", temperature},
                           {"rad", angle},
                           {"B", memory},
                           {"Hz", per_time},
                           {"W", power},
                           {"V", voltage},
                           {"ohm", resistance},
                           {"S", conductance},
                           {"F", capacitance},
                           {"H", inductance},
                           {"Pa", pressure},
                           {"T", flux_density},
                           {"m/s", {1, 0, -1}},
                           {"V/m", {1, 1, -3, -1}},
                           {"S/m", {-3, -1, 3, 2}},
                           {"kg/m3", {-3, 1}},
                           {"A m", {1, 0, 0, 1}},
                           {"A/m2", {-2, 0, 0, 1}},
                           {"F/m", {-3, -1, 4, 2}},
                           {"H/m", {1, 1, -2, -2}}};

std::optional<Quantity> find_exact(std::string_view word) {
  for (const Unit& unit : units)
    if (unit.name == word) return Quantity{unit.value, unit.dimension, true};
  for (const Prefix& prefix : prefixes) {
    if (!word.starts_with(prefix.name)) continue;
    for (const Unit& unit : units)
      if (unit.has_prefixes && unit.name == word.substr(prefix.name.size()))
        return Quantity{prefix.factor * unit.value, unit.dimension, true};
  }
  return std::nullopt;
}

std::string base_units(const Dimension& dimension) {
  constexpr std::array<std::string_view, 7> base{"m", "kg", "s", "A", "K", "rad", "B"};
  std::string text;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (std::abs(dimension[i]) < 1e-9) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " ", base[i]);
    if (std::abs(dimension[i] - 1) > 1e-9) text += fmt::format("^{:.4g}", dimension[i]);
  }
  return text;
}

}  // namespace

bool is_plain(const Dimension& dimension) {
  return same_dimension(dimension, none);
}

bool same_dimension(const Dimension& a, const Dimension& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 1e-9) return false;
  return true;
}

Dimension combined(const Dimension& a, const Dimension& b, double power) {
  Dimension out = a;
  for (std::size_t i = 0; i < a.size(); ++i) out[i] += power * b[i];
  return out;
}

std::optional<Quantity> find_unit(std::string_view word) {
  if (const auto unit = find_exact(word)) return unit;
  if (word.size() < 2 || word.back() < '2' || word.back() > '4') return std::nullopt;
  const auto unit = find_exact(word.substr(0, word.size() - 1));  // m2, m3
  if (!unit) return std::nullopt;
  const int exponent = word.back() - '0';
  return Quantity{std::pow(unit->value, exponent), combined(none, unit->dimension, exponent), true};
}

std::optional<Quantity> parse_unit(std::string_view text) {
  Quantity product{1, none, true};
  double power = 1, root = 1;
  while (!text.empty()) {
    if (text[0] == ' ' || text[0] == '/') {
      if (text[0] == '/') power = -1;
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" /"));
    text.remove_prefix(word.size());
    if (word == "sqrt") {
      root = 0.5;
    } else if (word != "1") {
      const auto unit = find_unit(word);
      if (!unit) return std::nullopt;
      product.value *= std::pow(unit->value, power * root);
      product.dimension = combined(product.dimension, unit->dimension, power * root);
    }
  }
  return product;
}

std::string unit_name(const Dimension& dimension) {
  for (const Named& named : names)
    if (same_dimension(named.dimension, dimension)) return std::string(named.name);
  return base_units(dimension);
}

std::string nearest_unit(const std::string& word) {
  std::vector<std::string> known{"mm", "um", "nm", "km", "kHz", "MHz", "GHz", "THz",
                                 "ns", "ps", "pF", "nH", "mV",  "mA",  "kohm"};
  for (const Unit& unit : units) known.emplace_back(unit.name);
  return nearest_word(word, known);
}

}  // namespace curlew::io
