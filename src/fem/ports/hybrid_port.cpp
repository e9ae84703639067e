// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/hybrid_port.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/wavenumber.hpp"

namespace curlew::fem {
namespace {

std::vector<FaceWall> walls_at(const std::vector<PortWall>& walls, double frequency) {
  std::vector<FaceWall> found;
  for (const PortWall& wall : walls) {
    const FaceAdmittance y = wall.part.admittance(frequency);
    found.push_back({wall.edges, y.self, wall.pairs, y.transfer});
  }
  return found;
}

}  // namespace

HybridPort::HybridPort(const PortModel& model, const PortFace& face, const WaveguideOptions& options,
                       int num_conductors, std::vector<PortWall> walls, const NedelecSpace& space)
    : WaveguidePort(model, face, options, num_conductors, space),
      walls_(std::move(walls)),
      space_(std::make_shared<const FaceSpace>(make_face_space(space, triangles))),
      history_(
          std::make_shared<ModeHistory>(direction_functionals(*space_, options.polarization), dofs.size())) {
  for (int m = 0; m < options.modes + options.absorbed_modes; ++m)
    modes.push_back({ModeFamily::hybrid, fmt::format("mode-{}", m + 1), 0, 0, 0});
}

HybridModes HybridPort::followed_modes(const PortContext& context, double frequency, int halvings) const {
  const mesh::Topology& topology = *context.space.topology;
  const CellMaterials materials = materials_at(context.model, *context.space.mesh, frequency);
  const FaceMedium medium = [&](std::size_t t) {
    const Index face = topology.triangle_face[std::size_t(triangles[t])];
    return materials.of(topology.face_cells[std::size_t(face)][0]);
  };
  double at = 0;
  HybridRequest request{num_modes(), num_reported, &history_->functionals(),
                        history_->nearest(frequency, &at)};
  const auto walls = walls_at(walls_, frequency);
  const double k0 = wavenumber(frequency);
  HybridModes found = hybrid_modes(*space_, medium, walls, k0, request);
  if (found.continuity < 0.7 && halvings > 0) {
    followed_modes(context, 0.5 * (at + frequency), halvings - 1);
    request.earlier = history_->nearest(frequency, &at);
    found = hybrid_modes(*space_, medium, walls, k0, request);
  }
  if (found.continuity < 0.5)
    log::warn(
        "port \"{}\": a mode at {:.6g} GHz resembles no mode at {:.6g} GHz: its number may be wrong; give "
        "frequencies in between",
        region, 1e-9 * frequency, 1e-9 * at);
  history_->add(frequency, found.entry);
  return found;
}

PortSolution HybridPort::solve_modes(const PortContext& context, double frequency) const {
  const Complex to_siemens = 1.0 / Complex(0, 2 * pi * frequency * vacuum_permeability);
  HybridModes found = followed_modes(context, frequency);
  if (int(found.gammas.size()) < num_modes())
    throw InputError(fmt::format(
        "port \"{}\": the mesh is too coarse for {} modes: take smaller cells there, or fewer modes", region,
        num_modes()));
  PortSolution solution;
  for (std::size_t m = 0; m < found.gammas.size(); ++m) {
    ModeState state{};
    state.gamma = found.gammas[m];
    state.admittance = found.admittances[m];
    const Complex power = std::conj(to_siemens * found.powers[m]);
    state.power_phase = power / std::abs(power);
    set_impedance(to_siemens * state.admittance,
                  {voltage_of(found.shapes, m, found.voltages[m]), to_siemens * found.currents[m]}, state);
    solution.modes.push_back(state);
  }
  solution.loads = std::move(found.loads);
  solution.shapes = std::move(found.shapes);
  solution.gram = std::move(found.gram);
  return solution;
}

}  // namespace curlew::fem
