// SPDX-License-Identifier: BSD-3-Clause
// A superconductor by the two-fluid model: σ = σn t⁴ + 1/(jωμ0 λ²), λ = λ0 / sqrt(1 - t⁴), t = T/Tc. Source:
// Van Duzer and Turner (1999), Principles of Superconductive Devices and Circuits, 2nd ed., sections 3.7 and
// 3.8 (two-fluid model, surface impedance).

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/passive_root.hpp"
#include "material/surface_kinds.hpp"

namespace curlew::material {
namespace {

struct TwoFluids {
  double normal = 0;  ///< [S/m] σn t⁴
  double depth = 0;   ///< [m] λ

  Complex operator()(Complex frequency) const {
    return normal + 1.0 / (Complex(0, 2 * pi) * frequency * vacuum_permeability * depth * depth);
  }
};

TwoFluids read_fluids(const io::Config& table) {
  const double critical = table.positive("critical_temperature"), now = table.positive("temperature");
  table.require(
      now < critical, "temperature",
      fmt::format("temperature = {} K must lie below critical_temperature = {} K: above it the metal "
                  "is normal, type = \"impedance\"",
                  now, critical));
  const double t4 = std::pow(now / critical, 4), normal = table.get_or<double>("conductivity", 0.0);
  table.require(normal >= 0, "conductivity", "conductivity must be 0 or positive [S/m]");
  return {normal * t4, table.positive("london_depth") / std::sqrt(1 - t4)};
}

class Superconductor final : public SurfaceLaw {
 public:
  explicit Superconductor(TwoFluids fluids) : fluids_(fluids) {}
  Sides sides(double) const override { return Sides::apart; }
  Complex impedance(Complex frequency) const override {
    // η of the permittivity σ/(jωε0): of the fluids alone that is negative, and η inductive
    return vacuum_impedance /
           passive_root(fluids_(frequency) / (Complex(0, 2 * pi) * frequency * vacuum_permittivity));
  }
  bool is_lossy() const override { return fluids_.normal > 0; }
  bool is_metal() const override { return true; }

 private:
  TwoFluids fluids_;
};

}  // namespace

SurfaceLawPtr read_superconductor(const io::Config& table) {
  const TwoFluids fluids = read_fluids(table);
  if (table.has("thickness")) return make_layer(fluids, table.positive("thickness"), fluids.normal > 0);
  return std::make_shared<Superconductor>(fluids);
}

}  // namespace curlew::material
