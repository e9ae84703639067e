// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/shape_variant.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "fem/space.hpp"
#include "mesh/facet_gap.hpp"
#include "mesh/jacobian.hpp"

namespace curlew::fem {
namespace {

/// Faces on which the fields depend: 1 walls and interfaces, 0 other ends of the mesh, -1 none.
std::vector<int> roles_of_faces(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model) {
  const auto medium = material_of_cells(model, mesh);
  const auto layer = pml_cells(mesh, model.pml);
  std::vector<int> roles(std::size_t(topology.num_faces()), -1);
  for (std::size_t f = 0; f < roles.size(); ++f) {
    const auto& [a, b] = topology.face_cells[f];
    if (b < 0) {
      roles[f] = 0;
      continue;
    }
    const Index p = medium[std::size_t(a)], q = medium[std::size_t(b)];
    if (p != q && !same_medium(model.materials[std::size_t(p)], model.materials[std::size_t(q)]))
      roles[f] = 1;
  }
  for (const auto& boundary : model.boundaries) {
    if (boundary->is_absorbing()) continue;
    for (const auto& region : boundary.regions) {
      for (const Index t : surface_triangles(mesh, region)) {
        const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
        if (!layer[std::size_t(topology.face_cells[face][0])]) roles[face] = 1;
      }
    }
  }
  return roles;
}

/// Layers and absorbing surfaces stay: gaps of their nodes become 0.
void hold_ends(const mesh::Mesh& mesh, const Model& model, std::vector<Vec3<double>>& gaps) {
  const auto layer = pml_cells(mesh, model.pml);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    if (layer[std::size_t(c)])
      for (int i = 0; i < mesh.nodes_per_cell(); ++i) gaps[std::size_t(mesh.cell(c)[i])] = {};
  for (const auto& boundary : model.boundaries) {
    if (!boundary->is_absorbing()) continue;
    for (const auto& region : boundary.regions)
      for (const Index t : surface_triangles(mesh, region))
        for (int i = 0; i < mesh.nodes_per_triangle(); ++i) gaps[std::size_t(mesh.triangle(t)[i])] = {};
  }
}

/// Cells that fold or become much smaller.
std::vector<Index> folded_cells(const mesh::Mesh& before, const mesh::Mesh& after) {
  constexpr double least = 0.3;
  std::vector<mesh::Barycentric> places{{0.25, 0.25, 0.25, 0.25}};  // and corners, and middles of edges
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j) {
      mesh::Barycentric place{};
      place[i] += 0.5, place[j] += 0.5;
      places.push_back(place);
    }
  const auto stays = [&](Index c) {
    const Index* n = before.cell(c);
    return std::all_of(n, n + before.nodes_per_cell(), [&](Index i) {
      return norm(after.nodes[std::size_t(i)] - before.nodes[std::size_t(i)]) == 0;
    });
  };
  const auto folds = [&](const mesh::Barycentric& place, Index c) {
    const double old = mesh::evaluate_cell(before, c, place).determinant();
    return !(mesh::evaluate_cell(after, c, place).determinant() / old >= least);
  };
  std::vector<Index> folded;
  for (Index c = 0; c < before.num_cells(); ++c)
    if (!stays(c) && std::ranges::any_of(places, [&](const auto& place) { return folds(place, c); }))
      folded.push_back(c);
  return folded;
}

/// The greatest fraction of the displacements without folded cells. Cells that fold by the least one stay
/// where they are: a mesher flattened them until they just did not.
std::optional<ShapeVariant> moved_by(std::vector<Vec3<double>> gaps, const mesh::Mesh& mesh) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    largest = std::max(largest, norm(gaps[i]));
    size = std::max(size, norm(mesh.nodes[i] - mesh.nodes[0]));
  }
  if (largest < 1e-7 * size) return std::nullopt;
  std::vector<Index> folded;
  for (const double share : {1.0, 0.5, 0.25, 0.1, 0.03}) {
    ShapeVariant variant{mesh, share};
    for (std::size_t i = 0; i < gaps.size(); ++i) variant.mesh.nodes[i] += share * gaps[i];
    folded = folded_cells(mesh, variant.mesh);
    if (folded.empty()) return variant;
  }
  for (const Index c : folded)
    for (int i = 0; i < mesh.nodes_per_cell(); ++i) gaps[std::size_t(mesh.cell(c)[i])] = {};
  return moved_by(std::move(gaps), mesh);
}

}  // namespace

std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const Model& model) {
  if (!model.periodicity.empty()) return std::nullopt;
  const auto roles = roles_of_faces(mesh, topology, model);
  std::vector<mesh::SurfaceFace> faces;
  for (std::size_t f = 0; f < roles.size(); ++f)
    if (roles[f] >= 0) faces.push_back({Index(f), roles[f] == 1});
  auto gaps = mesh::facet_gaps(mesh, topology, faces);
  hold_ends(mesh, model, gaps);
  return moved_by(std::move(gaps), mesh);
}

std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                          const std::vector<PmlModel>& layers) {
  const auto layer = pml_cells(mesh, layers);
  std::vector<mesh::SurfaceFace> faces;
  for (const Index f : topology.triangle_face) {
    const auto& cells = topology.face_cells[std::size_t(f)];
    faces.push_back({f, std::none_of(cells.begin(), cells.end(),
                                     [&](Index c) { return c >= 0 && layer[std::size_t(c)]; })});
  }
  return moved_by(mesh::facet_gaps(mesh, topology, faces), mesh);
}

std::optional<ShapeVariant> shape_variant(const mesh::Mesh& mesh) {
  return moved_by(mesh::facet_gaps(mesh), mesh);
}

}  // namespace curlew::fem
