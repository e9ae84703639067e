// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/space.hpp"
#include "mesh/closed_surface.hpp"
#include "mesh/regions.hpp"

namespace curlew::truncation {

namespace {

double extent(const mesh::Mesh& mesh, const std::vector<Index>& nodes) {
  Vec3<double> low = mesh.nodes[nodes[0]], high = low;
  for (const Index n : nodes)
    for (int x = 0; x < 3; ++x) {
      low[x] = std::min(low[x], mesh.nodes[n][x]);
      high[x] = std::max(high[x], mesh.nodes[n][x]);
    }
  return norm(high - low);
}

fields::SymmetryPlane plane_of(const mesh::Mesh& mesh, const std::string& name, bool electric, double size) {
  const auto nodes = mesh::vertices_of(mesh, fem::surface_triangles(mesh, name));
  for (int axis = 0; axis < 3; ++axis) {
    const double position = mesh.nodes[nodes[0]][axis];
    const bool flat = std::all_of(nodes.begin(), nodes.end(), [&](Index n) {
      return std::abs(mesh.nodes[n][axis] - position) < 1e-9 * size;
    });
    if (flat) return {axis, position, electric};
  }
  throw InputError(
      fmt::format("truncation: the symmetry surface \"{}\" is not a plane normal to x, y or z", name));
}

/// 4 pi inside the closed surface (with its images), 0 outside.
double total_solid_angle(const mesh::Mesh& mesh, const std::vector<Index>& triangles,
                         const std::vector<int>& sides, const std::vector<fields::SymmetryPlane>& planes,
                         Vec3<double> point) {
  double sum = 0;
  for (unsigned image = 0; image < 1U << planes.size(); ++image) {
    // The image of the surface seen from the point is the surface seen from the image of the point.
    Vec3<double> from = point;
    for (std::size_t p = 0; p < planes.size(); ++p)
      if (image >> p & 1U) from[planes[p].axis] = 2 * planes[p].position - from[planes[p].axis];
    sum += mesh::solid_angle(mesh, triangles, sides, from);
  }
  return sum;
}

struct Facet {
  Vec3<double> normal{};    ///< outward, of unit length
  double circumradius = 0;  ///< [m]
  double turn = 0;          ///< largest angle to the normal of a neighbour
};

Facet make_facet(const mesh::Mesh& mesh, Index triangle, int side) {
  const Index* n = mesh.triangle(triangle);
  const Vec3<double> a = mesh.nodes[n[1]] - mesh.nodes[n[0]], b = mesh.nodes[n[2]] - mesh.nodes[n[0]];
  const Vec3<double> c = cross(a, b);
  const double twice_area = norm(c);
  return {side / twice_area * c, norm(a) * norm(b) * norm(b - a) / (2 * twice_area), 0};
}

std::vector<Facet> make_facets(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               std::span<const int> sides) {
  std::vector<Facet> facets;
  std::map<std::pair<Index, Index>, std::size_t> first_at;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    facets.push_back(make_facet(mesh, triangles[t], sides[t]));
    for (const auto [i, j] : mesh::triangle_edge_vertices) {
      const auto [a, b] = std::minmax(mesh.triangle(triangles[t])[i], mesh.triangle(triangles[t])[j]);
      const auto [found, is_new] = first_at.try_emplace({a, b}, t);
      if (is_new) continue;
      Facet &one = facets[found->second], &other = facets[t];
      const double angle = std::acos(std::clamp(dot(one.normal, other.normal), -1.0, 1.0));
      one.turn = std::max(one.turn, angle), other.turn = std::max(other.turn, angle);
    }
  }
  return facets;
}

void check_inside(const mesh::Mesh& mesh, const Surfaces& s, const SurfaceNames& names,
                  const std::vector<Index>& inner_nodes, double size) {
  const std::size_t step = 1 + inner_nodes.size() / 200;
  for (std::size_t i = 0; i < inner_nodes.size(); i += step) {
    Vec3<double> p = mesh.nodes[inner_nodes[i]];
    for (const auto& plane : s.planes)  // not on the edge of S in the plane
      if (std::abs(p[plane.axis] - plane.position) < 1e-9 * size) p[plane.axis] += 1e-7 * size;
    if (total_solid_angle(mesh, s.outer, s.outer_sides, s.planes, p) > 2 * pi) continue;
    throw InputError(fmt::format(
        "truncation: surface \"{}\" is not inside \"{}\": its node ({:.4g}, {:.4g}, {:.4g}) m is outside",
        names.inner, names.outer, p.x, p.y, p.z));
  }
}

}  // namespace

Surfaces find_surfaces(const mesh::Mesh& mesh, const mesh::Topology& topology, const SurfaceNames& names,
                       const std::vector<bool>& electric_planes) {
  Surfaces s;
  s.outer = fem::surface_triangles(mesh, names.outer);
  s.inner = fem::surface_triangles(mesh, names.inner);
  const auto outer_nodes = mesh::vertices_of(mesh, s.outer), inner_nodes = mesh::vertices_of(mesh, s.inner);
  if (outer_nodes.empty() || inner_nodes.empty()) throw InputError("truncation: a surface has no triangles");
  const double size = extent(mesh, outer_nodes);
  mesh::SurfaceEnds ends;
  for (std::size_t p = 0; p < names.symmetry.size(); ++p) {
    s.planes.push_back(plane_of(mesh, names.symmetry[p], electric_planes[p], size));
    ends.origin[s.planes.back().axis] = s.planes.back().position;
  }
  ends.on_plane = [&](Vec3<double> p) {
    return std::any_of(s.planes.begin(), s.planes.end(), [&](const fields::SymmetryPlane& plane) {
      return std::abs(p[plane.axis] - plane.position) < 1e-9 * size;
    });
  };
  s.outer_sides = mesh::outward_sides(mesh, s.outer, fmt::format("surface \"{}\"", names.outer), ends);
  s.inner_sides = mesh::outward_sides(mesh, s.inner, fmt::format("surface \"{}\"", names.inner), ends);
  for (const Index t : s.outer)
    if (topology.face_cells[topology.triangle_face[t]][1] >= 0)
      throw InputError(fmt::format(
          "truncation: surface \"{}\" lies inside the mesh; the outer surface must be its boundary",
          names.outer));
  s.distance = std::numeric_limits<double>::max();
  for (const Index a : inner_nodes)
    for (const Index b : outer_nodes) s.distance = std::min(s.distance, norm(mesh.nodes[a] - mesh.nodes[b]));
  if (s.distance < 1e-9 * size)
    throw InputError(
        fmt::format("truncation: surfaces \"{}\" and \"{}\" touch; leave 0.05 to 0.2 wavelengths",
                    names.inner, names.outer));
  check_inside(mesh, s, names, inner_nodes, size);
  s.element_size = mesh::mean_edge(mesh, s.inner);
  s.is_convex = is_convex(mesh, s.outer, s.outer_sides);
  return s;
}

// Three nodes of a sphere leave a cap of height r tan(a/2) before their plane: r their circumradius, a the
// angle between the plane's normal and the sphere's at a node, which is replaced by the angle to a
// neighbour's normal. It may be smaller than a, so twice that is allowed.
bool is_convex(const mesh::Mesh& mesh, std::span<const Index> triangles, std::span<const int> sides) {
  const auto facets = make_facets(mesh, triangles, sides);
  const auto nodes = mesh::vertices_of(mesh, triangles);
  const double rounding = 1e-9 * extent(mesh, nodes);
  const std::size_t step = 1 + facets.size() / 2000;  // a sample of the planes of large surfaces
  for (std::size_t t = 0; t < facets.size(); t += step) {
    const Vec3<double> o = mesh.nodes[mesh.triangle(triangles[t])[0]];
    const double cap = facets[t].circumradius * std::tan(std::min(facets[t].turn, pi / 3) / 2);
    for (const Index n : nodes)
      if (dot(facets[t].normal, mesh.nodes[n] - o) > 2 * cap + rounding) return false;
  }
  return true;
}

bool is_inside_outer(const mesh::Mesh& mesh, const Surfaces& surfaces, Vec3<double> point) {
  return total_solid_angle(mesh, surfaces.outer, surfaces.outer_sides, surfaces.planes, point) > 2 * pi;
}

std::vector<Index> exterior_cells(const mesh::Topology& topology, const Surfaces& surfaces) {
  std::vector<char> barrier(std::size_t(topology.num_faces()), 0);
  for (const Index t : surfaces.inner) barrier[topology.triangle_face[t]] = 1;
  std::vector<Index> reached{topology.face_cells[topology.triangle_face[surfaces.outer[0]]][0]};
  std::vector<char> seen(topology.cell_faces.size(), 0);
  seen[reached[0]] = 1;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Index f : topology.cell_faces[reached[i]]) {
      if (barrier[f]) continue;
      const auto& cells = topology.face_cells[f];
      const Index next = cells[0] == reached[i] ? cells[1] : cells[0];
      if (next < 0 || seen[next]) continue;
      seen[next] = 1;
      reached.push_back(next);
    }
  }
  return reached;
}

namespace {

[[noreturn]] void refuse_between(const mesh::Mesh& mesh, const SurfaceNames& names, Index node,
                                 const std::string& what) {
  const Vec3<double> p = mesh.nodes[node];
  throw InputError(
      fmt::format("truncation: {} between \"{}\" and \"{}\", at ({:.4g}, {:.4g}, {:.4g}) m: the inner "
                  "surface must enclose everything but the exterior medium",
                  what, names.inner, names.outer, p.x, p.y, p.z));
}

/// Faces that may carry conditions: those of S', S and the planes of symmetry.
std::vector<char> truncating_faces(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                   const Surfaces& surfaces, const SurfaceNames& names) {
  std::vector<char> found(std::size_t(topology.num_faces()), 0);
  const auto mark = [&](const std::vector<Index>& triangles) {
    for (const Index t : triangles) found[topology.triangle_face[t]] = 1;
  };
  mark(surfaces.inner), mark(surfaces.outer);
  for (const auto& name : names.symmetry) mark(fem::surface_triangles(mesh, name));
  return found;
}

}  // namespace

void check_exterior(const mesh::Mesh& mesh, const mesh::Topology& topology, const Surfaces& surfaces,
                    const SurfaceNames& names, std::span<const Index> cells, const fem::Model& model) {
  const auto allowed = truncating_faces(mesh, topology, surfaces, names);
  std::vector<char> is_exterior(topology.cell_faces.size(), 0);
  for (const Index cell : cells) is_exterior[cell] = 1;
  const auto check = [&](const std::string& region, const char* kind) {
    for (const Index t : fem::surface_triangles(mesh, region)) {
      const Index face = topology.triangle_face[t];
      if (allowed[face]) continue;
      for (const Index cell : topology.face_cells[face])
        if (cell >= 0 && is_exterior[cell])
          refuse_between(mesh, names, mesh.triangle(t)[0], fmt::format("{} \"{}\" lies", kind, region));
    }
  };
  for (const auto& boundary : model.boundaries)
    for (const auto& region : boundary.regions) check(region, "boundary");
  for (const auto& port : model.ports) check(port.region, "port");
}

fem::Material exterior_material(const mesh::Mesh& mesh, const SurfaceNames& names,
                                std::span<const Index> cells, const fem::CellMaterials& materials) {
  const fem::Material& medium = materials.of(cells[0]);
  const bool plain = medium.epsilon_r.is_scalar && medium.mu_r.is_scalar && medium.epsilon_r.is_real() &&
                     medium.mu_r.is_real() && medium.epsilon_r.scalar.real() > 0 &&
                     medium.mu_r.scalar.real() > 0;
  if (!plain) throw InputError("truncation: the medium at the outer surface must be isotropic and lossless");
  for (const Index cell : cells) {
    const fem::Material& here = materials.of(cell);
    if (here.stretching) refuse_between(mesh, names, mesh.cell(cell)[0], "a perfectly matched layer");
    if (!here.epsilon_r.is_scalar || !here.mu_r.is_scalar ||
        here.epsilon_r.scalar != medium.epsilon_r.scalar || here.mu_r.scalar != medium.mu_r.scalar)
      refuse_between(mesh, names, mesh.cell(cell)[0], "another material");
  }
  return medium;
}

int source_degree(const Surfaces& surfaces, double tolerance, int least) {
  const double ratio = 2 * surfaces.distance / surfaces.element_size;
  const double rho = ratio + std::sqrt(ratio * ratio + 1);
  return std::clamp(int(std::ceil(std::log(1 / tolerance) / std::log(rho))), least, 20);
}

}  // namespace curlew::truncation
