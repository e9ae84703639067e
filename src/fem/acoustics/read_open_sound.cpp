// SPDX-License-Identifier: BSD-3-Clause
// From [[pml]], [excitation], [[symmetry]] and output.far_field to an open fluid.

#include <fmt/format.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/acoustics/acoustic_model.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"
#include "io/ranges.hpp"

namespace curlew::fem {
namespace {

using Type = AcousticBoundaryType;

std::optional<SoundDirections> read_directions(const io::Config& config) {
  const io::Config output = config.table("output");
  if (output.kind("far_field") == io::Config::Kind::missing) return std::nullopt;
  const io::Config table = output.table("far_field");
  SoundDirections directions{io::linear_range(table, "theta"), io::linear_range(table, "phi")};
  io::require_directions(table, directions.theta_deg.size(), directions.phi_deg.size());
  return directions;
}

std::optional<green::ArrivingWave> read_wave(const io::Config& config) {
  const auto tables = config.tables("excitation");
  if (tables.empty()) return std::nullopt;
  const io::Config& table = tables.front();
  if (tables.size() > 1)
    tables[1].error("type", "a run with sound takes one plane wave (--sweep for several)");
  table.choice("type", {"plane_wave"});
  const auto theta = io::angle_list(table, "theta"), phi = io::angle_list(table, "phi");
  table.require(theta.size() == 1 && phi.size() == 1, theta.size() > 1 ? "theta" : "phi",
                "a run with sound takes one plane wave: give one theta and one phi (--sweep for several)");
  return green::ArrivingWave{theta[0] * pi / 180, phi[0] * pi / 180, 0, table.positive_or("amplitude", 1.0)};
}

bool is_lossless(const AcousticMedium& m) {
  return m.density.imag() == 0 && m.speed_of_sound.imag() == 0 && m.loss_factor == 0;
}

/// Waves and far fields need one lossless fluid outside.
void check_fluid_around(const io::Config& config, const AcousticModel& model, const mesh::Mesh& mesh,
                        const mesh::Topology& topology) {
  const auto c = acoustic_coefficients(model, mesh);
  std::optional<std::size_t> around;
  const auto check = [&](Index cell) {
    const std::size_t medium = c.material_of(cell);
    if (!is_lossless(model.media[medium]) || (around && *around != medium))
      config.error(
          model.wave ? "excitation" : "output",
          "a plane wave and a far field need one lossless fluid in all layers and at their inner face");
    around = medium;
  };
  for (const Index t : surface_triangles(mesh, model.layer_face))
    for (const Index cell : topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])])
      check(cell);
  for (std::size_t cell = 0; cell < c.cell_layer.size(); ++cell)
    if (c.cell_layer[cell] >= 0) check(Index(cell));
}

void check_boundaries(const io::Config& config, const AcousticModel& model, const mesh::Mesh& mesh,
                      const mesh::Topology& topology) {
  const auto layer = pml_cells(mesh, model.pml);
  const auto tables = config.tables("boundary");
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const AcousticBoundary& b = model.boundaries[i];
    if (b.type == Type::rigid || (b.type == Type::dirichlet && b.pressure == 0.0 && !model.wave)) continue;
    for (const auto& region : b.regions)
      if (touches_layer(region, layer, mesh, topology))
        tables[i].error("region",
                        fmt::format("surface \"{}\" lies on a perfectly matched layer: end the layer by "
                                    "type = \"rigid\", which the absorbed sound hardly reaches",
                                    region));
  }
}

void check_wave(const io::Config& config, const AcousticModel& model) {
  if (!model.wave) return;
  const io::Config table = config.tables("excitation").front();
  for (const auto& b : model.boundaries)
    if (b.is_source())
      table.error("type", fmt::format("surface \"{}\" is a source, which a plane wave cannot be combined "
                                      "with: make two runs and add their pressures",
                                      b.regions.front()));
  for (const auto& plane : model.symmetry.planes)
    if (plane.electric || model.symmetry.is_ground(plane) ||
        std::abs(model.wave->direction()[plane.axis]) > 1e-9)
      table.error("theta", fmt::format("a plane wave is symmetric about a rigid plane only if it travels "
                                       "along it, not about {} = {:.6g} m: model the whole body",
                                       "xyz"[plane.axis], plane.position));
}

}  // namespace

void read_open_sound(const io::Config& config, mesh::Mesh& mesh, mesh::Topology& topology,
                     AcousticModel& model) {
  const auto soft = dirichlet_triangles(model, mesh);
  model.pml = read_pml(config, mesh, topology, soft);
  model.symmetry = read_symmetry(config, sound_symmetry);
  model.wave = read_wave(config);
  model.far_field = read_directions(config);
  if (model.pml.empty()) {
    const char* needs = model.wave ? "excitation" : model.far_field ? "output" : nullptr;
    if (needs != nullptr)
      config.error(needs, fmt::format("{} needs an open fluid: give the volumes around it as [[pml]]",
                                      model.wave ? "a plane wave" : "far_field"));
    return;
  }
  model.layer_face = add_layer_surface(model.pml, soft, mesh, topology);
  check_boundaries(config, model, mesh, topology);
  if (model.wave || model.far_field) check_fluid_around(config, model, mesh, topology);
  check_wave(config, model);
}

}  // namespace curlew::fem
