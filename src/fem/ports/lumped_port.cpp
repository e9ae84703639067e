// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/lumped_port.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "base/constants.hpp"
#include "fem/model/read_port.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/kinds.hpp"
#include "fem/ports/lumped_shape.hpp"
#include "io/config.hpp"
#include "linalg/csr_rows.hpp"

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
  bool has_dense_term() const override { return true; }
  PortPtr make(const PortModel& port, const PortFace& face, const Model& model,
               const NedelecSpace& space) const override;

 private:
  LumpedOptions options_;
};

/// f of a gap with the static field x0 of 1 V on its face.
struct GapLoads {
  std::vector<double> f;  ///< [dofs]
  double energy;          ///< x0ᵀBx0 = ∫ x0·x0 dS [V²]
};

GapLoads gap_loads(const PortFace& port, const LumpedShape& shape, const NedelecSpace& space) {
  const FaceSpace face = make_face_space(space, port.triangles);
  const linalg::Csr<double> mass = port_mass(port, space);
  std::vector<std::optional<double>> given(std::size_t(face.num_scalars()));
  for (std::size_t end = 0; end < 2; ++end)
    for (const Index e : shape.ends[end]) {
      const auto scalars = face.edge_scalar_numbers(e);  // two vertices, then bubbles
      for (std::size_t i = 0; i < scalars.size(); ++i)
        if (scalars[i] >= 0) given[std::size_t(scalars[i])] = i < 2 ? double(end) : 0.0;
    }
  const auto potential = static_potential(linalg::congruent(face.gradient, mass), given);
  std::vector<double> field(port.dofs.size()), f(port.dofs.size());
  linalg::multiply(face.gradient, potential.data(), field.data());
  linalg::multiply(mass, field.data(), f.data());
  const double energy = std::inner_product(f.begin(), f.end(), field.begin(), 0.0);
  for (double& value : f) value /= energy;
  return {std::move(f), energy};
}

struct LumpedPort final : Port {
  LumpedPort(const PortModel& model, const PortFace& face, const LumpedOptions& options,
             const LumpedShape& shape, const NedelecSpace& space)
      : Port(model, face), options_(options) {
    modes = {{ModeFamily::lumped, "lumped", 0, 0, 0}};
    auto gap = gap_loads(*this, shape, space);
    loads = std::move(gap.f), energy_ = gap.energy;
  }

  void add_reference(const NedelecSpace& space, Complex c, linalg::Csr<Complex>& a) const override {
    Port::add_reference(space, c / energy_, a);
  }
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
  double energy_;  ///< ∫ E·E dS of the static field of 1 V [V²]
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
