// SPDX-License-Identifier: BSD-3-Clause
// Sheets: a resistance between joined faces, or a conducting layer as a two-port between its faces.

#include <cmath>

#include "base/constants.hpp"
#include "material/surface_law.hpp"

namespace curlew::material {
namespace {

/// Layers below this part of their skin depth have one E on both faces: with x = d/δ the impedance of the
/// whole layer is 1/(σd) to x²/6, and the faces differ by the inductance ωμ0d of the layer's volume, which is
/// not in the mesh.
constexpr double thin = 0.1;

class Resistance final : public SurfaceLaw {
 public:
  explicit Resistance(double resistance) : resistance_(resistance) {}
  Sides sides(double) const override { return Sides::joined; }
  Complex impedance(Complex) const override { return resistance_; }
  bool is_lossy() const override { return true; }

 private:
  double resistance_;
};

class Layer final : public SurfaceLaw {
 public:
  Layer(std::function<Complex(Complex)> conductivity, double thickness, bool lossy)
      : conductivity_(std::move(conductivity)), thickness_(thickness), lossy_(lossy) {}

  Sides sides(double highest) const override {
    if (!(highest > 0)) return Sides::coupled;
    const double depth = 1 / std::sqrt(pi * highest * vacuum_permeability * std::abs(conductivity_(highest)));
    return thickness_ < thin * depth ? Sides::joined : Sides::coupled;
  }
  Complex impedance(Complex frequency) const override { return coupled_impedance(frequency).open; }
  Complex joined_impedance(Complex frequency) const override {
    return 0.5 * coupled_impedance(frequency).even;  // both faces carry the current
  }
  SlabImpedance coupled_impedance(Complex frequency) const override {
    const Complex epsilon = conductivity_(frequency) / (Complex(0, 2 * pi) * frequency * vacuum_permittivity);
    return slab_impedance(epsilon, 1.0, thickness_, frequency);
  }
  bool is_lossy() const override { return lossy_; }

 private:
  std::function<Complex(Complex)> conductivity_;
  double thickness_;
  bool lossy_;
};

}  // namespace

SurfaceLawPtr make_layer(std::function<Complex(Complex)> conductivity, double thickness, bool lossy) {
  return std::make_shared<Layer>(std::move(conductivity), thickness, lossy);
}

SurfaceLawPtr read_sheet(const io::Config& table) {
  const bool by_conductivity = table.has("conductivity");
  table.require(by_conductivity != table.has("surface_impedance"), "type",
                "a sheet needs surface_impedance [ohm], or conductivity [S/m] and thickness [m]");
  if (!by_conductivity) return std::make_shared<Resistance>(table.positive("surface_impedance"));
  const double conductivity = table.positive("conductivity");
  return make_layer([conductivity](Complex) { return Complex(conductivity); }, table.positive("thickness"),
                    true);
}

}  // namespace curlew::material
