// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/pml.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/wavenumber.hpp"

namespace curlew::fem {
namespace {

constexpr double huge = std::numeric_limits<double>::max();

struct Bounds {
  Vec3<double> lo{huge, huge, huge}, hi{-huge, -huge, -huge};
  void add(Vec3<double> x) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], x[i]);
      hi[i] = std::max(hi[i], x[i]);
    }
  }
};

std::vector<bool> cells_of(const mesh::Mesh& mesh, const std::vector<std::string>& regions) {
  std::vector<bool> inside(std::size_t(mesh.num_cells()), false);
  for (const auto& volume : mesh.volumes) {
    if (std::find(regions.begin(), regions.end(), volume.name) == regions.end()) continue;
    for (const Index c : volume.entities) inside[std::size_t(c)] = true;
  }
  return inside;
}

/// Nodes of the layer, and those of its inner face: faces to other regions that are not metal.
struct LayerNodes {
  std::vector<Vec3<double>> all, inner;
};

LayerNodes layer_nodes(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::vector<bool>& layer,
                       std::span<const Index> metal) {
  std::vector<bool> is_metal(std::size_t(topology.num_faces()), false);
  for (const Index t : metal) is_metal[std::size_t(topology.triangle_face[std::size_t(t)])] = true;
  std::vector<bool> on_layer(mesh.nodes.size(), false), on_face(mesh.nodes.size(), false);
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int i = 0; i < 4; ++i)
      if (layer[std::size_t(c)]) on_layer[std::size_t(mesh.cell(c)[i])] = true;
  for (Index f = 0; f < topology.num_faces(); ++f) {
    const auto [a, b] = topology.face_cells[std::size_t(f)];
    if (b < 0 || is_metal[std::size_t(f)] || layer[std::size_t(a)] == layer[std::size_t(b)]) continue;
    for (const Index node : topology.faces[std::size_t(f)]) on_face[std::size_t(node)] = true;
  }
  LayerNodes nodes;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (on_layer[n]) nodes.all.push_back(mesh.nodes[n]);
    if (on_face[n]) nodes.inner.push_back(mesh.nodes[n]);
  }
  return nodes;
}

void fit_box(const mesh::Mesh& mesh, const std::vector<bool>& layer, const LayerNodes& nodes,
             const std::string& name, PmlGeometry& geometry) {
  Bounds inner, outer;
  for (const auto& x : nodes.inner) inner.add(x);
  for (const auto& x : nodes.all) outer.add(x);
  geometry.lo = inner.lo, geometry.hi = inner.hi;
  geometry.thickness_lo = inner.lo - outer.lo, geometry.thickness_hi = outer.hi - inner.hi;
  const double size = norm(outer.hi - outer.lo);
  double thickest = 0;
  for (int i = 0; i < 3; ++i) {
    for (double* t : {&geometry.thickness_lo[i], &geometry.thickness_hi[i]}) {
      if (*t < 1e-9 * size) *t = 0;
      thickest = std::max(thickest, *t);
    }
  }
  if (thickest == 0)
    throw InputError(
        fmt::format("layer \"{}\" of {} does not reach beyond the box of its inner face: a Cartesian layer "
                    "is outside of it",
                    name, mesh.name));
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    if (!layer[std::size_t(c)]) continue;
    Vec3<double> centre;
    for (int i = 0; i < 4; ++i) centre += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])];
    bool outside = false;
    for (int i = 0; i < 3; ++i) outside = outside || centre[i] < inner.lo[i] || centre[i] > inner.hi[i];
    if (outside) continue;
    throw InputError(fmt::format(
        "layer \"{}\" of {} has cells within the box of its inner face, one at ({:.4g}, {:.4g}, {:.4g}) "
        "m: a "
        "Cartesian layer is outside of it (is it a sphere? give its center)",
        name, mesh.name, centre.x, centre.y, centre.z));
  }
}

void fit_sphere(const mesh::Mesh& mesh, const LayerNodes& nodes, const std::string& name,
                PmlGeometry& geometry) {
  double inner = 0, least = huge, outer = 0;  // inner: of the face to the other regions
  for (const auto& x : nodes.inner) inner = std::max(inner, norm(x - geometry.center));
  for (const auto& x : nodes.all) {
    least = std::min(least, norm(x - geometry.center));
    outer = std::max(outer, norm(x - geometry.center));
  }
  if (least < inner * (1 - 1e-3) || outer <= inner * (1 + 1e-6))
    throw InputError(fmt::format(
        "layer \"{}\" of {} spans radii {:.4g} to {:.4g} m and its inner face reaches to {:.4g} m: a "
        "spherical layer is a shell with a round inner face (check center)",
        name, mesh.name, least, outer, inner));
  geometry.radius = inner;
  geometry.thickness = outer - inner;
}

}  // namespace

Stretching PmlModel::stretching(double frequency, double speed) const {
  const double k0 =
      wavenumber(reference_frequency > 0 ? reference_frequency : frequency) * (speed_of_light / speed);
  return {geometry, -std::log(reflection) / (2 * k0)};
}

PmlGeometry pml_geometry(const mesh::Mesh& mesh, const mesh::Topology& topology,
                         const std::vector<std::string>& regions, PmlShape shape, Vec3<double> center,
                         std::span<const Index> metal) {
  PmlGeometry geometry;
  geometry.shape = shape;
  geometry.center = center;
  const auto layer = cells_of(mesh, regions);
  const std::string name = fmt::format("{}", fmt::join(regions, ", "));
  if (std::all_of(layer.begin(), layer.end(), [](bool in) { return in; }))
    throw InputError(fmt::format("layer \"{}\" fills all of {}", name, mesh.name));
  const LayerNodes nodes = layer_nodes(mesh, topology, layer, metal);
  if (nodes.inner.empty())
    throw InputError(fmt::format("layer \"{}\" of {} touches no other region", name, mesh.name));
  if (shape == PmlShape::cartesian)
    fit_box(mesh, layer, nodes, name, geometry);
  else
    fit_sphere(mesh, nodes, name, geometry);
  return geometry;
}

std::vector<bool> pml_cells(const mesh::Mesh& mesh, const std::vector<PmlModel>& layers) {
  std::vector<std::string> regions;
  for (const auto& layer : layers) regions.insert(regions.end(), layer.regions.begin(), layer.regions.end());
  return cells_of(mesh, regions);
}

}  // namespace curlew::fem
