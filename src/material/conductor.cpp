// SPDX-License-Identifier: BSD-3-Clause
#include "material/conductor.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "io/config.hpp"

namespace curlew::material {

double Roughness::factor(double skin_depth) const {
  switch (model) {
    case Model::smooth:
      return 1;
    case Model::hammerstad:
      return 1 + 2 / pi * std::atan(1.4 * std::pow(rms / skin_depth, 2));
    case Model::groiss:
      return 1 + std::exp(-std::pow(skin_depth / (2 * rms), 1.6));
    default:
      break;
  }
  const double ratio = skin_depth / radius;
  return 1 + 1.5 * area_ratio / (1 + ratio + ratio * ratio / 2);
}

Roughness read_roughness(const io::Config& table) {
  Roughness roughness;
  if (!table.has("roughness")) return roughness;
  const io::Config r = table.table("roughness");
  const std::string model = r.choice("model", {"hammerstad", "groiss", "huray"});
  if (model == "huray") {
    roughness.model = Roughness::Model::huray;
    const auto spheres = r.get<std::vector<double>>("spheres");
    r.require(spheres.size() == 2 && spheres[0] > 0 && spheres[1] > 0, "spheres",
              "spheres must be [radius in m, their area over the flat area], both > 0");
    roughness.radius = spheres[0], roughness.area_ratio = spheres[1];
    return roughness;
  }
  roughness.model = model == "groiss" ? Roughness::Model::groiss : Roughness::Model::hammerstad;
  roughness.rms = r.positive("rms");
  return roughness;
}

double Conductor::skin_depth(double frequency) const {
  return 1 / std::sqrt(pi * frequency * vacuum_permeability * conductivity);
}

Complex Conductor::impedance(Complex frequency) const {
  return roughness.factor(skin_depth(frequency.real())) * Complex(1, 1) *
         std::sqrt(pi * frequency * vacuum_permeability / conductivity);
}

Conductor read_conductor(const io::Config& table) {
  return {table.positive("conductivity"), read_roughness(table)};
}

}  // namespace curlew::material
