// SPDX-License-Identifier: BSD-3-Clause
// Impenetrable walls: a good conductor, or an impedance that does not depend on frequency.

#include "material/conductor.hpp"
#include "material/surface_law.hpp"

namespace curlew::material {
namespace {

class MetalWall final : public SurfaceLaw {
 public:
  explicit MetalWall(Conductor conductor) : conductor_(conductor) {}
  Sides sides(double) const override { return Sides::apart; }
  Complex impedance(Complex frequency) const override { return conductor_.impedance(frequency); }
  bool is_lossy() const override { return true; }
  bool is_metal() const override { return true; }

 private:
  Conductor conductor_;
};

class ConstantWall final : public SurfaceLaw {
 public:
  explicit ConstantWall(Complex impedance) : impedance_(impedance) {}
  Sides sides(double) const override { return Sides::apart; }
  Complex impedance(Complex) const override { return impedance_; }
  bool is_lossy() const override { return impedance_.real() > 0; }

 private:
  Complex impedance_;
};

}  // namespace

SurfaceLawPtr make_wall(const Conductor& conductor) {
  return std::make_shared<MetalWall>(conductor);
}

SurfaceLawPtr make_wall(Complex impedance) {
  return std::make_shared<ConstantWall>(impedance);
}

SurfaceLawPtr read_wall(const io::Config& table) {
  const bool by_conductivity = table.has("conductivity");
  table.require(by_conductivity != table.has("surface_impedance"), "type",
                "an impedance boundary needs conductivity [S/m] or surface_impedance [ohm], one of the two");
  if (by_conductivity) return make_wall(read_conductor(table));
  const auto impedance = table.get<Complex>("surface_impedance");
  table.require(impedance.real() >= 0, "surface_impedance",
                "surface_impedance must not have a negative real part: the wall would have gain");
  table.require(impedance != 0.0, "surface_impedance",
                "surface_impedance must not be zero (use type = \"pec\")");
  return make_wall(impedance);
}

}  // namespace curlew::material
