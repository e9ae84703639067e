// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/lumped_port.hpp"

#include <fmt/format.h>

#include "base/constants.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/model/read_port.hpp"
#include "fem/ports/kinds.hpp"
#include "fem/ports/lumped_shape.hpp"
#include "io/config.hpp"

namespace curlew::fem {
namespace {

class LumpedKind final : public PortKind {
 public:
  explicit LumpedKind(const LumpedOptions& options) : options_(options) {}
  const LumpedOptions& options() const { return options_; }
  bool is_outer() const override { return false; }
  bool is_lossy() const override {
    return options_.series.resistance > 0 || options_.parallel.resistance > 0;
  }
  bool has_dense_term() const override { return false; }
  PortPtr make(const PortModel& port, const PortFace& face, const Model& model,
               const NedelecSpace& space) const override;

 private:
  LumpedOptions options_;
};

struct LumpedPort final : Port {
  LumpedPort(const PortModel& model, const PortFace& face, const LumpedOptions& options,
             const LumpedShape& shape, const NedelecSpace& space)
      : Port(model, face), options_(options), shape_(shape) {
    modes = {{ModeFamily::lumped, "lumped", 0, 0, 0}};
    const auto voltage = [&](std::size_t, Vec3<double> point) {
      return shape_.weight(point) * shape_.along(point);
    };
    loads =
        project_modes(*this, space, space.order + (shape_.is_radial ? 5 : 1), 1, ModeField<double>(voltage));
  }

  void add_reference(const NedelecSpace& space, Complex c, linalg::Csr<Complex>& a) const override {
    add_tangential_mass(space, triangles, c * (shape_.length / shape_.width), a,
                        [this](Vec3<double> point) { return shape_.along(point); });
  }
  bool is_sheet() const override { return true; }
  bool fits_periodic_faces() const override { return true; }
  bool has_terminals() const override { return true; }
  PortPtr restated(const PortModel& model) const override {
    auto copy = copy_restated(*this, model);
    copy->options_ = dynamic_cast<const LumpedKind&>(*model.kind).options();
    return copy;
  }

 protected:
  PortSolution solve_modes(const PortContext&, double frequency) const override {
    const double of_part = whole.impedance;
    const GapLoad load =
        gap_load(options_.resistance / of_part, options_.series.series_impedance(frequency) / of_part,
                 options_.parallel.parallel_admittance(frequency) * of_part);
    ModeState state{};
    state.admittance = Complex(0, 2 * pi * frequency * vacuum_permeability) * load.admittance;
    state.reference = state.admittance;
    state.feed = load.feed;
    state.propagates = true;
    state.impedance = options_.resistance;
    state.definition = ImpedanceDefinition::resistance;
    PortSolution solution;
    solution.modes.push_back(state);
    return solution;
  }

 private:
  LumpedOptions options_;
  LumpedShape shape_;
};

PortPtr LumpedKind::make(const PortModel& port, const PortFace& face, const Model& model,
                         const NedelecSpace& space) const {
  const LumpedShape shape =
      lumped_shape(fmt::format("port \"{}\"", face.region), options_.direction, model, space, face.triangles);
  return std::make_shared<const LumpedPort>(port, face, options_, shape, space);
}

}  // namespace

PortKindPtr lumped_port(const LumpedOptions& options) {
  return std::make_shared<const LumpedKind>(options);
}

void read_lumped_port(const io::Config& table, double, PortModel& port) {
  LumpedOptions options;
  options.resistance = table.positive_or("resistance", options.resistance);
  options.direction = read_direction(table);
  options.series =
      material::read_circuit(table, {"series_resistance", "series_inductance", "series_capacitance"});
  options.parallel =
      material::read_circuit(table, {"parallel_resistance", "parallel_inductance", "parallel_capacitance"});
  port.kind = lumped_port(options);
}

GapLoad gap_load(double resistance, Complex series, Complex parallel) {
  const Complex a = 1.0 + series * parallel, b = series, c = parallel, d = 1.0;
  const Complex across = b + resistance * d;
  return {(a + resistance * c) / across,
          {1.0 / (a + resistance * c), resistance / across, (b - resistance * d) / across}};
}

}  // namespace curlew::fem
