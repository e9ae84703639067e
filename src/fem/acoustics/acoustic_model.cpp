// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/space.hpp"
#include "fields/pattern.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// Medium of every cell, -1 where there is none.
std::vector<Index> cell_media(const AcousticModel& model, const mesh::Mesh& mesh) {
  std::vector<Index> medium(std::size_t(mesh.num_cells()), -1);
  for (std::size_t m = 0; m < model.media.size(); ++m)
    for (const auto& name : model.media[m].regions) {
      for (const Index c : mesh::volume_named(mesh, name).entities) {
        Index& slot = medium[std::size_t(c)];
        if (slot >= 0 && slot != Index(m))
          throw InputError(fmt::format("a cell of volume \"{}\" of {} has two media", name, mesh.name));
        slot = Index(m);
      }
    }
  return medium;
}

}  // namespace

bool AcousticModel::is_lossless() const {
  const auto loses = [](const AcousticMedium& m) {
    return m.density.imag() != 0 || m.speed_of_sound.imag() != 0 || m.loss_factor != 0;
  };
  const auto absorbs = [](const AcousticBoundary& b) {
    return b.type == AcousticBoundaryType::absorbing || b.alpha.imag() != 0 || b.impedance.real() != 0;
  };
  return pml.empty() && std::none_of(media.begin(), media.end(), loses) &&
         std::none_of(boundaries.begin(), boundaries.end(), absorbs);
}

std::vector<fields::Direction> SoundDirections::directions() const {
  return fields::directions_at(theta_deg, phi_deg);
}

ScalarCoefficients acoustic_coefficients(const AcousticModel& model, const mesh::Mesh& mesh) {
  ScalarCoefficients c;
  for (const auto& m : model.media) {
    c.diffusion.push_back(1.0 / m.density);
    c.reaction.push_back(1.0 / m.bulk_modulus());
  }
  c.cell_material = cell_media(model, mesh);
  const auto empty = std::find(c.cell_material.begin(), c.cell_material.end(), -1);
  if (empty != c.cell_material.end())
    throw InputError(fmt::format("cell {} of {} has no medium", empty - c.cell_material.begin(), mesh.name));
  if (!model.pml.empty()) c.cell_layer.assign(c.cell_material.size(), -1);
  for (std::size_t i = 0; i < model.pml.size(); ++i)
    for (const auto& name : model.pml[i].regions)
      for (const Index cell : mesh::volume_named(mesh, name).entities)
        c.cell_layer[std::size_t(cell)] = Index(i);
  return c;
}

std::vector<Stretching> acoustic_layers(const AcousticModel& model, const ScalarCoefficients& coefficients,
                                        double frequency) {
  std::vector<double> speed(model.pml.size(), 0);
  for (std::size_t cell = 0; cell < coefficients.cell_layer.size(); ++cell)
    if (const Index layer = coefficients.cell_layer[cell]; layer >= 0)
      speed[std::size_t(layer)] = model.media[coefficients.material_of(Index(cell))].speed_of_sound.real();
  std::vector<Stretching> layers;
  for (std::size_t i = 0; i < speed.size(); ++i)
    layers.push_back(model.pml[i].stretching(frequency, speed[i]));
  return layers;
}

std::vector<Index> dirichlet_triangles(const AcousticModel& model, const mesh::Mesh& mesh) {
  std::vector<Index> triangles;
  for (const auto& b : model.boundaries) {
    if (b.type != AcousticBoundaryType::dirichlet) continue;
    const auto more = mesh::triangles_of(mesh, b.regions);
    triangles.insert(triangles.end(), more.begin(), more.end());
  }
  return triangles;
}

std::vector<AcousticSurface> acoustic_surfaces(const AcousticModel& model, const mesh::Mesh& mesh,
                                               const mesh::Topology& topology) {
  using Type = AcousticBoundaryType;
  const auto medium = cell_media(model, mesh);
  std::vector<AcousticSurface> surfaces;
  for (std::size_t i = 0; i < model.boundaries.size(); ++i) {
    const AcousticBoundary& b = model.boundaries[i];
    if (b.type == Type::rigid || b.type == Type::dirichlet) continue;
    AcousticSurface surface{.boundary = i};
    for (const auto& region : b.regions) {
      const auto& more = surface_triangles(mesh, region);
      surface.triangles.insert(surface.triangles.end(), more.begin(), more.end());
    }
    for (const Index t : surface.triangles) {
      const Index cell = topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][0];
      const AcousticMedium& m = model.media[std::size_t(medium[std::size_t(cell)])];
      if (b.type == Type::impedance) surface.damping.push_back(1.0 / b.impedance);
      if (b.type == Type::absorbing) surface.damping.push_back(1.0 / std::sqrt(m.density * m.bulk_modulus()));
      if (b.type == Type::robin) surface.stiffness.push_back(b.alpha / m.density);
      if (b.type == Type::robin) surface.load.push_back(b.value / m.density);
      if (b.normal_velocity != 0.0) surface.velocity.push_back(b.normal_velocity);
      if (b.velocity) surface.sides.push_back(points_into(mesh, t, cell) ? -1 : 1);
    }
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

}  // namespace curlew::fem
