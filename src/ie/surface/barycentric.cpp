// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/barycentric.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::ie {
namespace {

using Edge = std::pair<Index, Index>;

/// Functions of the refinement by the nodes of their edges.
class FineEdges {
 public:
  FineEdges(const SurfaceMesh& mesh, const RwgSpace& space) : mesh_(mesh), space_(space) {
    for (Index f = 0; f < space.size(); ++f) numbers_[{space.functions()[f].a, space.functions()[f].b}] = f;
  }
  /// Adds a current [m] across the edge from a to b, whose direction agrees with `along`.
  void add(RwgShares& shares, Index function, Edge nodes, double current, Vec3<double> along) const {
    const Index f = numbers_.at(std::minmax(nodes.first, nodes.second));
    const auto& e = space_.functions()[f];
    const bool agrees = dot(mesh_.centroid(e.minus) - mesh_.centroid(e.plus), along) > 0;
    shares[f].push_back({function, (agrees ? current : -current) / e.length});
  }

 private:
  const SurfaceMesh& mesh_;
  const RwgSpace& space_;
  std::map<Edge, Index> numbers_;
};

/// The triangle that has an edge from the first node to the second, in its direction of rotation.
std::map<Edge, Index> triangles_by_edge(const SurfaceMesh& mesh) {
  std::map<Edge, Index> out;
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    for (int i = 0; i < 3; ++i) out[{mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]}] = t;
  return out;
}

/// Triangles around a node, anticlockwise as seen from outside, and the nodes at the end of the edges before
/// each of them; the first edge goes to `first`.
struct Fan {
  std::vector<Index> triangles, ends;

  Fan(const SurfaceMesh& mesh, const std::map<Edge, Index>& by_edge, Index node, Index first) {
    Index end = first;
    do {
      const Index t = by_edge.at({node, end});
      triangles.push_back(t), ends.push_back(end);
      for (const Index other : mesh.triangles[t]) {
        if (other != node && other != end) {
          end = other;
          break;
        }
      }
    } while (end != first);
  }
};

}  // namespace

BarycentricMesh::BarycentricMesh(const SurfaceMesh& coarse) {
  auto nodes = coarse.nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  const auto middle_of = [&](Index a, Index b) {
    const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), Index(nodes.size()));
    if (is_new) nodes.push_back(0.5 * (coarse.nodes[a] + coarse.nodes[b]));
    return place->second;
  };
  for (Index t = 0; t < coarse.num_triangles(); ++t) {
    const auto center = Index(nodes.size());
    centroids.push_back(center);
    nodes.push_back(coarse.centroid(t));
    for (int i = 0; i < 3; ++i) {
      const Index a = coarse.triangles[t][i], b = coarse.triangles[t][(i + 1) % 3], m = middle_of(a, b);
      triangles.push_back({a, m, center}), triangles.push_back({m, b, center});
      tag.insert(tag.end(), 2, coarse.tag[t]);
    }
  }
  mesh = make_surface_mesh(coarse.name, std::move(nodes), std::move(triangles), std::move(tag),
                           coarse.tag_names);
}

/// The normal component of r - p is the same all along a line.
RwgShares shares_of_rwg(const SurfaceMesh& mesh, const RwgSpace& space, const BarycentricMesh& refined,
                        const RwgSpace& fine) {
  RwgShares shares(static_cast<std::size_t>(fine.size()));
  for (Index f = 0; f < fine.size(); ++f) {
    const auto& e = fine.functions()[f];
    const Vec3<double> a = refined.mesh.nodes[e.a], b = refined.mesh.nodes[e.b], middle = 0.5 * (a + b);
    Vec3<double> across = normalized(cross(b - a, refined.mesh.area_vector(e.plus)));
    if (dot(across, middle - refined.mesh.centroid(e.plus)) < 0) across = -1.0 * across;
    const Index t = e.plus / BarycentricMesh::children;
    for (Index i = space.begin(t); i < space.begin(t + 1); ++i) {
      const auto& local = space.locals()[i];
      const double density =
          local.scale / norm(mesh.area_vector(t)) * dot(middle - mesh.corner(t, local.vertex), across);
      if (std::abs(density) > 1e-9) shares[f].push_back({local.function, density});
    }
  }
  return shares;
}

/// Each of the 2 N triangles around a node takes 1/(2 N) of the current that enters the cell. Half of it
/// comes from either side of the edge, so that 1/2 - i/(2 N) of it cross line i of those that leave the node.
RwgShares shares_of_dual(const SurfaceMesh& mesh, const RwgSpace& space, const BarycentricMesh& refined,
                         const RwgSpace& fine) {
  RwgShares shares(static_cast<std::size_t>(fine.size()));
  const FineEdges edges(refined.mesh, fine);
  const auto by_edge = triangles_by_edge(mesh);
  const auto& nodes = refined.mesh.nodes;
  for (Index f = 0; f < space.size(); ++f) {
    const auto& e = space.functions()[f];
    const Vec3<double> normal = normalized(mesh.area_vector(e.plus)) + normalized(mesh.area_vector(e.minus));
    const Vec3<double> along = cross(mesh.centroid(e.minus) - mesh.centroid(e.plus), normal);
    Edge ends{e.a, e.b};
    if (dot(mesh.nodes[ends.second] - mesh.nodes[ends.first], along) < 0) std::swap(ends.first, ends.second);
    const Vec3<double> direction = mesh.nodes[ends.second] - mesh.nodes[ends.first];
    const Index middle = refined.middle(e.a, e.b);
    double current = 0;
    for (const Index t : {e.plus, e.minus}) current += norm(nodes[refined.centroid(t)] - nodes[middle]);
    for (const Index t : {e.plus, e.minus})
      edges.add(shares, f, {middle, refined.centroid(t)}, 0.5 * current, direction);
    for (const bool enters : {true, false}) {
      const Index node = enters ? ends.second : ends.first, other = enters ? ends.first : ends.second;
      const Fan fan(mesh, by_edge, node, other);
      const auto count = double(fan.triangles.size());
      const auto cross_line = [&](Index end, Index t, double line) {
        const double part = (enters ? 1 : -1) * (0.5 - line / (2 * count)) * current;
        edges.add(shares, f, {node, end}, part, cross(mesh.area_vector(t), nodes[end] - nodes[node]));
      };
      for (std::size_t i = 0; i < fan.triangles.size(); ++i) {
        const Index t = fan.triangles[i];
        if (i > 0) cross_line(refined.middle(node, fan.ends[i]), t, 2.0 * double(i));
        cross_line(refined.centroid(t), t, 2.0 * double(i) + 1);
      }
    }
  }
  return shares;
}

}  // namespace curlew::ie
