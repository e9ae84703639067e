// SPDX-License-Identifier: BSD-3-Clause
// Materials and conditions on surfaces whose numbers are unlikely.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/hertz.hpp"
#include "io/config.hpp"
#include "lint/rules.hpp"

namespace curlew::lint {
namespace {

/// Permittivity expected from a name. Pozar (2012), Microwave Engineering, 4th ed., appendix G.
struct Promise {
  std::string_view word;
  double low, high;
};
constexpr Promise promises[] = {
    {"air", 0.99, 1.01},     {"vacuum", 0.999, 1.001},  {"teflon", 1.9, 2.3}, {"ptfe", 1.9, 2.3},
    {"fr4", 3.5, 5.0},       {"alumina", 8.5, 10.5},    {"quartz", 3.5, 4.8}, {"foam", 1.0, 3.0},
    {"substrate", 1.2, 100}, {"dielectric", 1.05, 300},
};

bool is_word_of(std::string name, std::string_view word) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.starts_with(word);
}

bool has_poles(const io::Config& material) {
  return material.has("model") || material.has("table");
}

double angular(const Model& model) {
  return 2 * pi * model.frequencies.back();
}

}  // namespace

void material_by_name(const Model& model, Findings& found) {
  if (model.is_sound()) return;
  for (const auto& material : model.config.tables("material")) {
    if (has_poles(material)) continue;
    const auto epsilon = material.has("epsilon_r") ? scalar(material, "epsilon_r") : Complex(1);
    if (!epsilon) continue;
    for (const auto& name : region_names(material))
      for (const Promise& promise : promises)
        if (is_word_of(name, promise.word) &&
            !(promise.low <= epsilon->real() && epsilon->real() <= promise.high))
          found.add(material, "epsilon_r",
                    fmt::format("epsilon_r = {:g} fills \"{}\", where {:g} to {:g} is expected: is the "
                                "material in the right region?",
                                epsilon->real(), name, promise.low, promise.high));
  }
}

void unusual_permittivity(const Model& model, Findings& found) {
  for (const auto& material : model.config.tables("material")) {
    if (has_poles(material)) continue;
    for (const char* key : {"epsilon_r", "mu_r"}) {
      const auto value = scalar(material, key);
      if (!value) continue;
      const double size = value->real();
      if (size > 0 && size < 0.9)
        found.add(
            material, key,
            fmt::format("{} = {:g} is below 1, that of vacuum: the key is a relative value", key, size));
      else if (size > (key[0] == 'e' ? 300 : 1e5))
        found.add(material, key, fmt::format("{} = {:g} is unusually large", key, size));
    }
  }
}

void gain(const Model& model, Findings& found) {
  for (const auto& material : model.config.tables("material"))
    for (const char* key : {"epsilon_r", "mu_r"})
      if (const auto value = scalar(material, key); value && value->imag() > 0)
        found.add(material, key,
                  fmt::format("Im {} = {:g} > 0 is gain; with exp(+jwt) losses have a negative sign", key,
                              value->imag()));
}

void large_loss(const Model& model, Findings& found) {
  for (const auto& material : model.config.tables("material"))
    if (const auto loss = number(material, "loss_tangent"); loss && *loss > 0.5)
      found.add(material, "loss_tangent",
                fmt::format("loss_tangent = {:g} is unusually large: 2 % is 0.02", *loss));
}

void weak_conductor(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  for (const auto& boundary : model.config.tables("boundary")) {
    const auto sigma = number(boundary, "conductivity");
    if (!sigma || text_or(boundary, "type", "") != "impedance") continue;
    const double ratio = *sigma / (angular(model) * vacuum_permittivity);
    if (ratio < 100)
      found.add(
          boundary, "conductivity",
          fmt::format("conductivity = {:g} S/m does not make a good conductor at {} (sigma / omega eps0 = "
                      "{:.2g}), which the impedance assumes; copper has 5.8e7",
                      *sigma, hertz(model.frequencies.back()), ratio));
    else if (*sigma > 1e9)
      found.add(boundary, "conductivity",
                fmt::format("conductivity = {:g} S/m is more than any metal has; copper has 5.8e7", *sigma));
  }
}

void fluid(const Model& model, Findings& found) {
  if (!model.is_sound()) return;
  for (const auto& material : model.config.tables("material")) {
    if (const auto density = scalar(material, "density"))
      if (const double size = std::abs(*density); size < 0.02 || size > 3e4)
        found.add(material, "density", fmt::format("density = {:g} kg/m3: air has 1.2, water 1000", size));
    if (const auto speed = scalar(material, "speed_of_sound"))
      if (const double size = std::abs(*speed); size < 50 || size > 2e4)
        found.add(material, "speed_of_sound",
                  fmt::format("speed_of_sound = {:g} m/s: air has 343, water 1480", size));
  }
}

void thick_sheet(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  for (const auto& boundary : model.config.tables("boundary")) {
    const auto type = text_or(boundary, "type", "");
    if (type != "sheet" && type != "film" && type != "superconductor") continue;
    if (const auto thickness = number(boundary, "thickness");
        thickness && *thickness > 0.1 * model.wavelength_min())
      found.add(boundary, "thickness",
                fmt::format("thickness = {:g} m is {:.2g} wavelengths, too much for a sheet: the key is in "
                            "metres whatever mesh.unit is",
                            *thickness, *thickness / model.wavelength_min()));
  }
}

void rough_surface(const Model& model, Findings& found) {
  for (const auto& boundary : model.config.tables("boundary")) {
    const auto roughness = boundary.table("roughness");
    for (const char* key : {"rms", "spheres"})
      if (const auto size = numbers_at(roughness, key); !size.empty() && size[0] > 2e-5)
        found.add(roughness, key,
                  fmt::format("{} = {:g} m: copper foils have 0.3e-6 to 10e-6 m", key, size[0]));
  }
}

void lumped_values(const Model& model, Findings& found) {
  if (model.frequencies.empty()) return;
  const double omega = angular(model);
  struct Keys {
    const char *list, *inductance, *capacitance;
  };
  constexpr Keys elements[] = {{"boundary", "inductance", "capacitance"},
                               {"port", "series_inductance", "series_capacitance"},
                               {"port", "parallel_inductance", "parallel_capacitance"}};
  for (const auto& keys : elements) {
    for (const auto& table : model.config.tables(keys.list)) {
      if (const auto l = number(table, keys.inductance); l && omega * *l > 1e6)
        found.add(table, keys.inductance,
                  fmt::format("{} = {:g} H has {:.2g} ohm at {}, almost an open circuit: 1 nH is 1e-9",
                              keys.inductance, *l, omega * *l, hertz(model.frequencies.back())));
      if (const auto c = number(table, keys.capacitance); c && omega * *c > 1e4)
        found.add(table, keys.capacitance,
                  fmt::format("{} = {:g} F has {:.2g} ohm at {}, almost a short circuit: 1 pF is 1e-12",
                              keys.capacitance, *c, 1 / (omega * *c), hertz(model.frequencies.back())));
    }
  }
}

void reference_impedance(const Model& model, Findings& found) {
  const auto check = [&](const io::Config& table, const char* key) {
    const auto z = scalar(table, key);
    if (z && std::abs(*z) > 0 && (std::abs(*z) < 0.5 || std::abs(*z) > 2e4))
      found.add(table, key, fmt::format("{} = {:g} ohm is unusual: 50 is usual", key, std::abs(*z)));
  };
  check(model.config.table("output"), "reference_impedance");
  for (const auto& port : model.config.tables("port"))
    check(port, "reference_impedance"), check(port, "resistance");
}

void unused_material(const Model& model, Findings& found) {
  if (model.program != "mom2d") return;
  for (const auto& material : model.config.tables("material"))
    for (const auto& name : region_names(material)) {
      const auto contours = model.config.tables("contour");
      if (std::none_of(contours.begin(), contours.end(),
                       [&](const auto& contour) { return text_or(contour, "material", "") == name; }))
        found.add(material, "region",
                  fmt::format("\"{}\": no [[contour]] has material = \"{}\", so it has no use", name, name));
    }
}

}  // namespace curlew::lint
