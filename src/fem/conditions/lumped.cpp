// SPDX-License-Identifier: BSD-3-Clause
// Resistors, coils and capacitors as sheets between two conductors: with length l along the current and width
// w, an element of impedance Z is a sheet of Z w/l ohm per square that carries current along one direction,
// jωμ0/Z (l/w) ∫ (W·d)(E·d) dS, in a ring l = ln(b/a) and w its angle. Unlike a lumped port such a sheet acts
// on fields that the voltage does not contain, too. Each surface is a separate element. Source: Jin (2014),
// section 10.4; the sheet as in palace, docs/src/guide/boundaries.md.

#include <fmt/format.h>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/hertz.hpp"
#include "fem/conditions/kinds.hpp"
#include "fem/model/face_parts.hpp"
#include "fem/model/read_port.hpp"
#include "fem/ports/lumped_shape.hpp"
#include "io/config.hpp"
#include "material/circuit.hpp"

namespace curlew::fem {
namespace {

struct Element {
  material::Circuit circuit;  ///< of the whole structure, if planes of symmetry cut the element
  bool parallel = false;

  /// [S] at a frequency [Hz]. @throws InputError where a lossless series circuit is a short
  Complex admittance(Complex frequency) const {
    if (parallel) return circuit.parallel_admittance(frequency);
    const Complex z = circuit.series_impedance(frequency);
    if (z == 0.0)
      throw InputError(
          fmt::format("a lumped series circuit is a short at {}, its resonance: give it a resistance",
                      hertz(frequency.real())));
    return 1.0 / z;
  }
};

class Lumped final : public FaceCondition {
 public:
  Lumped(const Element& element, const CurrentDirection& direction)
      : element_(element), direction_(direction) {}
  bool is_lossy() const override { return element_.circuit.resistance > 0; }
  bool has_terms() const override { return true; }

  std::vector<FacePart> parts(const Model& model, const NedelecSpace& space,
                              const std::vector<std::string>& regions) const override {
    std::vector<FacePart> parts;
    for (const auto& region : regions) {
      FacePart part{.triangles = surface_triangles(*space.mesh, region), .admittance = {}};
      const LumpedShape shape =
          lumped_shape(fmt::format("surface \"{}\"", region), direction_, model, space, part.triangles);
      const double of_part = whole_structure(*space.mesh, part.triangles, model.mirrors).impedance;
      part.admittance = [element = element_,
                         factor = of_part * shape.length / shape.width](Complex frequency) {
        return FaceAdmittance{Complex(0, 2 * pi) * frequency * vacuum_permeability * factor *
                              element.admittance(frequency)};
      };
      part.along = [shape](Vec3<double> point) { return shape.along(point); };
      parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  Element element_;
  CurrentDirection direction_;
};

}  // namespace

ConditionPtr read_lumped(const io::Config& table, double) {
  Element element;
  element.parallel = table.choice_or("connection", {"series", "parallel"}, "series") == "parallel";
  element.circuit = material::read_circuit(table);
  table.require(
      !element.circuit.is_empty(), "type",
      "a lumped element needs resistance [ohm], inductance [H] or capacitance [F], or several of them");
  return std::make_shared<const Lumped>(element, read_direction(table));
}

}  // namespace curlew::fem
