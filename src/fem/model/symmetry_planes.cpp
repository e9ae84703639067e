// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/symmetry_planes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fem/model/face_parts.hpp"
#include "fem/model/model.hpp"
#include "fem/open/symmetry.hpp"
#include "io/config.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

/// The plane of one triangle, its normal on the positive side of its largest component.
MirrorPlane plane_of(const mesh::Mesh& mesh, Index triangle) {
  const Index* nodes = mesh.triangle(triangle);
  const Vec3<double> a = mesh.nodes[std::size_t(nodes[0])];
  Vec3<double> n =
      normalized(cross(mesh.nodes[std::size_t(nodes[1])] - a, mesh.nodes[std::size_t(nodes[2])] - a));
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) > std::abs(n[largest]) + 1e-9) largest = i;
  if (n[largest] < 0) n = -n;
  return {n, dot(n, a), false};
}

double size_of(const mesh::Mesh& mesh) {
  Vec3<double> low = mesh.nodes.at(0), high = low;
  for (const auto& p : mesh.nodes)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  return norm(high - low);
}

bool same_plane(const MirrorPlane& a, const MirrorPlane& b, double size) {
  return norm(a.normal - b.normal) < 1e-6 && std::abs(a.offset - b.offset) < 1e-6 * size;
}

/// The planes of some triangles, each once.
void add_planes(const mesh::Mesh& mesh, const std::string& surface, double size,
                std::vector<MirrorPlane>& planes) {
  const mesh::Region* region = mesh::find_region(mesh.surfaces, surface);
  if (region == nullptr) return;  // refused by the reader of the name
  for (const Index t : region->entities) {
    const MirrorPlane plane = plane_of(mesh, t);
    const bool known =
        std::any_of(planes.begin(), planes.end(), [&](const auto& p) { return same_plane(p, plane, size); });
    if (!known) planes.push_back(plane);
    if (planes.size() > 8) return;  // curved: no symmetry has that many planes at right angles
  }
}

bool are_orthogonal(const std::vector<MirrorPlane>& planes) {
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(dot(planes[i].normal, planes[j].normal)) > 1e-6) return false;
  return true;
}

void join(const std::vector<MirrorPlane>& more, double size, std::vector<MirrorPlane>& planes) {
  for (const auto& plane : more)
    if (std::none_of(planes.begin(), planes.end(), [&](const auto& p) { return same_plane(p, plane, size); }))
      planes.push_back(plane);
}

/// The matrix uses the conditions on the faces of a plane, far fields and impedances use [[symmetry]]: both
/// must agree.
void require_condition(const io::Config& table, const MirrorPlane& plane, const mesh::Mesh& mesh,
                       const std::vector<BoundaryCondition>& boundaries, double size) {
  const auto lies_in_plane = [&](Index t) {
    const Index* nodes = mesh.triangle(t);
    return std::all_of(nodes, nodes + 3,
                       [&](Index n) { return plane.holds(mesh.nodes[std::size_t(n)], 1e-6 * size); });
  };
  const bool found = std::any_of(boundaries.begin(), boundaries.end(), [&](const BoundaryCondition& b) {
    const auto triangles = mesh::triangles_of(mesh, b.regions);
    return (plane.is_electric ? b->is_metal() : b->is_pmc()) &&
           std::any_of(triangles.begin(), triangles.end(), lies_in_plane);
  });
  table.require(found, "type",
                fmt::format("the plane {} = {:.6g} m is declared {}, but no surface of the mesh in it has a "
                            "[[boundary]] of type \"{}\": end the model there with this boundary",
                            table.get<std::string>("axis"), plane.offset,
                            plane.is_electric ? "electric" : "magnetic", plane.is_electric ? "pec" : "pmc"));
}

std::vector<MirrorPlane> stated_planes(const io::Config& config, const mesh::Mesh& mesh,
                                       const std::vector<BoundaryCondition>& boundaries, double size) {
  std::vector<MirrorPlane> planes;
  const Symmetry symmetry = read_symmetry(config);
  for (std::size_t i = 0; i < symmetry.planes.size(); ++i) {
    const auto& stated = symmetry.planes[i];
    MirrorPlane plane{{}, stated.position, stated.electric};
    plane.normal[stated.axis] = 1;
    require_condition(config.tables("symmetry")[i], plane, mesh, boundaries, size);
    if (!symmetry.is_ground(stated)) join({plane}, size, planes);
  }
  const io::Config truncation = config.table("truncation");
  if (!truncation.has("symmetry")) return planes;
  for (const auto& name : truncation.get<std::vector<std::string>>("symmetry")) {
    std::vector<MirrorPlane> of_surface;
    add_planes(mesh, name, size, of_surface);
    if (of_surface.size() != 1) continue;  // refused by the reader of [truncation]
    for (const auto& b : boundaries)
      if (std::find(b.regions.begin(), b.regions.end(), name) != b.regions.end())
        of_surface[0].is_electric = b->is_pec();
    join(of_surface, size, planes);
  }
  return planes;
}

}  // namespace

bool MirrorPlane::holds(Vec3<double> point, double tolerance) const {
  return std::abs(dot(normal, point) - offset) < tolerance;
}

std::vector<MirrorPlane> read_mirror_planes(const io::Config& config, const mesh::Mesh& mesh,
                                            const std::vector<BoundaryCondition>& boundaries) {
  const double size = size_of(mesh);
  std::vector<MirrorPlane> planes = stated_planes(config, mesh, boundaries, size), magnetic;
  for (const auto& b : boundaries)
    if (b->is_pmc())
      for (const auto& region : b.regions) add_planes(mesh, region, size, magnetic);
  if (are_orthogonal(magnetic)) join(magnetic, size, planes);
  return planes;
}

void state_kinds(const std::vector<fields::SymmetryPlane>& kinds, const mesh::Mesh& mesh,
                 std::vector<MirrorPlane>& planes) {
  const double size = size_of(mesh);
  for (const auto& kind : kinds) {
    MirrorPlane stated{{}, kind.position, kind.electric};
    stated.normal[kind.axis] = 1;
    for (auto& plane : planes)
      if (same_plane(plane, stated, size)) plane.is_electric = kind.electric;
  }
}

const MirrorPlane* plane_that_holds(const mesh::Mesh& mesh, Index triangle,
                                    const std::vector<MirrorPlane>& planes) {
  const Index* nodes = mesh.triangle(triangle);
  const auto& corner = mesh.nodes[std::size_t(nodes[0])];
  const double tolerance = 1e-6 * norm(mesh.nodes[std::size_t(nodes[1])] - corner);
  const auto found = std::find_if(planes.begin(), planes.end(), [&](const MirrorPlane& plane) {
    return std::all_of(nodes, nodes + 3,
                       [&](Index n) { return plane.holds(mesh.nodes[std::size_t(n)], tolerance); });
  });
  return found == planes.end() ? nullptr : &*found;
}

WholeStructure whole_structure(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               const std::vector<MirrorPlane>& planes) {
  WholeStructure whole;
  if (planes.empty() || triangles.empty()) return whole;
  std::map<std::array<Index, 2>, int> uses;
  for (const Index t : triangles)
    for (const auto& [i, j] : mesh::triangle_edge_vertices)
      ++uses[{mesh.triangle(t)[i], mesh.triangle(t)[j]}];
  const double tolerance = 1e-6 * size_of(mesh);
  for (const auto& plane : planes) {
    const bool cuts = std::any_of(uses.begin(), uses.end(), [&](const auto& edge) {
      return edge.second == 1 && plane.holds(mesh.nodes[std::size_t(edge.first[0])], tolerance) &&
             plane.holds(mesh.nodes[std::size_t(edge.first[1])], tolerance);
    });
    if (!cuts) continue;
    whole.impedance *= plane.is_electric ? 2 : 0.5;
    whole.copies *= 2;
    whole.planes.push_back(plane);
  }
  return whole;
}

}  // namespace curlew::fem
