// SPDX-License-Identifier: BSD-3-Clause
// Resistors, coils and capacitors as sheets between two conductors: with length l along the current and width
// w, an element of impedance Z is a sheet of Z w/l ohm per square that carries current along one direction,
// jωμ0/Z (l/w) ∫ (W·d)(E·d) dS (ports/lumped_port.hpp). Each surface is an element of its own.

#include <fmt/format.h>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/conditions/kinds.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/model/read_port.hpp"
#include "fem/ports/lumped_port.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

/// R, L and C one after another or side by side; 0 for what is not there.
struct Circuit {
  double resistance = 0;   ///< [ohm]
  double inductance = 0;   ///< [H]
  double capacitance = 0;  ///< [F]
  bool parallel = false;

  /// [S] at a frequency [Hz]. @throws InputError where a lossless series circuit is a short
  Complex admittance(Complex frequency) const {
    const Complex s = Complex(0, 2 * pi) * frequency;
    const auto add = [](bool there, Complex value) { return there ? value : Complex(0); };
    if (parallel)
      return add(resistance > 0, 1 / resistance) + s * capacitance +
             add(inductance > 0, 1.0 / (s * inductance));
    const Complex z = resistance + s * inductance + add(capacitance > 0, 1.0 / (s * capacitance));
    if (z == 0.0)
      throw InputError(
          fmt::format("a lumped series circuit is a short at {:.6g} Hz, its resonance: give it a resistance",
                      frequency.real()));
    return 1.0 / z;
  }
};

class Lumped final : public FaceCondition {
 public:
  Lumped(const Circuit& circuit, const CurrentDirection& direction)
      : circuit_(circuit), direction_(direction) {}
  bool is_lossy() const override { return circuit_.resistance > 0; }
  bool has_terms() const override { return true; }

  std::vector<FacePart> parts(const Model& model, const NedelecSpace& space,
                              const std::vector<std::string>& regions) const override {
    std::vector<FacePart> parts;
    for (const auto& region : regions) {
      FacePart part{.triangles = surface_triangles(*space.mesh, region), .admittance = {}};
      const LumpedShape shape =
          lumped_shape(fmt::format("surface \"{}\"", region), direction_, model, space, part.triangles);
      const double of_part = whole_structure(*space.mesh, part.triangles, model.mirrors).impedance;
      part.admittance = [circuit = circuit_,
                         factor = of_part * shape.length / shape.width](Complex frequency) {
        return FaceAdmittance{Complex(0, 2 * pi) * frequency * vacuum_permeability * factor *
                              circuit.admittance(frequency)};
      };
      part.along = [shape](Vec3<double> point) { return shape.along(point); };
      parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  Circuit circuit_;  // of the whole structure, where planes of symmetry cut an element
  CurrentDirection direction_;
};

}  // namespace

ConditionPtr read_lumped(const io::Config& table, double) {
  Circuit circuit;
  circuit.parallel = table.choice_or("connection", {"series", "parallel"}, "series") == "parallel";
  const auto read = [&](const char* key, double& value) {
    if (table.has(key)) value = table.positive(key);
  };
  read("resistance", circuit.resistance);
  read("inductance", circuit.inductance);
  read("capacitance", circuit.capacitance);
  table.require(
      circuit.resistance + circuit.inductance + circuit.capacitance > 0, "type",
      "a lumped element needs resistance [ohm], inductance [H] or capacitance [F], or several of them");
  return std::make_shared<const Lumped>(circuit, read_direction(table));
}

}  // namespace curlew::fem
