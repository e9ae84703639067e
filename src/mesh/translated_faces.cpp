// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/translated_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/sets.hpp"
#include "mesh/ordering.hpp"
#include "mesh/regions.hpp"

namespace curlew::mesh {
namespace {

using Point = Vec3<double>;

/// Quantities to compare a surface with its translations: area, centroid and extent of the flat triangles.
struct Outline {
  double area = 0;
  Point centroid{};
  double extent = 0;
};

Outline outline_of(const Mesh& mesh, std::span<const Index> triangles) {
  Outline outline;
  Point lo = mesh.nodes[std::size_t(mesh.triangle(triangles[0])[0])], hi = lo;
  for (const Index t : triangles) {
    Point v[3];
    for (int i = 0; i < 3; ++i) {
      v[i] = mesh.nodes[std::size_t(mesh.triangle(t)[i])];
      for (int d = 0; d < 3; ++d) lo[d] = std::min(lo[d], v[i][d]), hi[d] = std::max(hi[d], v[i][d]);
    }
    const double area = 0.5 * norm(cross(v[1] - v[0], v[2] - v[0]));
    outline.area += area;
    outline.centroid += (area / 3) * (v[0] + v[1] + v[2]);
  }
  outline.centroid = (1 / outline.area) * outline.centroid;
  outline.extent = norm(hi - lo);
  return outline;
}

/// Finds nodes by their position, sorted along a direction in which grids have no ties.
class NodeFinder {
 public:
  NodeFinder(const Mesh& mesh, const std::vector<Index>& nodes) : mesh_(mesh) {
    for (const Index node : nodes) places_.emplace_back(along(mesh.nodes[std::size_t(node)]), node);
    std::sort(places_.begin(), places_.end());
  }
  /// The nearest node within a distance, -1 without one.
  Index find(Point x, double distance) const {
    Index nearest = -1;
    double least = distance;
    auto place = std::lower_bound(places_.begin(), places_.end(), std::pair(along(x) - distance, Index(-1)));
    for (; place != places_.end() && place->first <= along(x) + distance; ++place) {
      const double d = norm(mesh_.nodes[std::size_t(place->second)] - x);
      if (d <= least) least = d, nearest = place->second;
    }
    return nearest;
  }

 private:
  static double along(Point x) { return dot(x, Point{0.541, 0.7213, 0.4324}); }
  const Mesh& mesh_;
  std::vector<std::pair<double, Index>> places_;
};

std::string length_text(Point d, const FaceNames& names) {
  for (int i = 0; i < 3; ++i)  // an offset of the size of rounding is none
    if (std::abs(d[i]) < translation_tolerance * norm(d)) d[i] = 0;
  return fmt::format("{{{:.10g}, {:.10g}, {:.10g}}}", d.x / names.unit, d.y / names.unit, d.z / names.unit);
}

[[noreturn]] void refuse_meshes(const FaceNames& names, Point d, const std::string& how) {
  throw InputError(fmt::format(
      "periodic faces \"{0}\" and \"{1}\" are not meshed alike: {2}; in the .geo: Periodic Surface {{tags of "
      "\"{1}\"}} = {{tags of \"{0}\"}} Translate {3};",
      names.primary, names.secondary, how, length_text(d, names)));
}

std::vector<std::array<Index, 2>> match_nodes(const Mesh& mesh, std::span<const Index> primary,
                                              std::span<const Index> secondary, Point translation,
                                              double distance, const FaceNames& names) {
  const auto candidates = nodes_of(mesh, primary), nodes = nodes_of(mesh, secondary);
  const NodeFinder finder(mesh, candidates);
  std::vector<std::array<Index, 2>> pairs;
  std::size_t alone = 0;
  for (const Index node : nodes) {
    const Index partner = finder.find(mesh.nodes[std::size_t(node)] - translation, distance);
    if (partner < 0) ++alone;
    pairs.push_back({partner, node});
  }
  if (alone > 0)
    refuse_meshes(names, translation,
                  fmt::format("{} of the {} nodes of the second have no partner", alone, nodes.size()));
  if (candidates.size() != nodes.size())
    refuse_meshes(names, translation, fmt::format("{} and {} nodes", candidates.size(), nodes.size()));
  return pairs;
}

std::vector<std::array<Index, 2>> match_triangles(const Mesh& mesh, std::span<const Index> primary,
                                                  std::span<const Index> secondary,
                                                  const TranslatedFaces& faces, const FaceNames& names) {
  std::map<Index, Index> partner;
  for (const auto& [first, second] : faces.nodes) partner[second] = first;
  std::map<std::array<Index, 3>, Index> known;
  for (const Index t : primary) known[{mesh.triangle(t)[0], mesh.triangle(t)[1], mesh.triangle(t)[2]}] = t;
  std::vector<std::array<Index, 2>> pairs;
  for (const Index t : secondary) {
    std::array<Index, 3> image;
    for (std::size_t i = 0; i < 3; ++i) image[i] = partner.at(mesh.triangle(t)[i]);
    std::sort(image.begin(), image.end());
    const auto found = known.find(image);
    if (found == known.end()) refuse_meshes(names, faces.translation, "their triangles differ");
    pairs.push_back({found->second, t});
  }
  if (primary.size() != secondary.size()) refuse_meshes(names, faces.translation, "their triangles differ");
  return pairs;
}

/// Order by x, then y, then z, which translations preserve. Differences below the tolerance count as zero.
bool comes_before(Point a, Point b, double tolerance) {
  for (int d = 0; d < 3; ++d)
    if (std::abs(a[d] - b[d]) > tolerance) return a[d] < b[d];
  return false;
}

}  // namespace

TranslatedFaces match_translated(const Mesh& mesh, std::span<const Index> primary,
                                 std::span<const Index> secondary, const FaceNames& names) {
  const Outline first = outline_of(mesh, primary), second = outline_of(mesh, secondary);
  TranslatedFaces faces;
  faces.translation = second.centroid - first.centroid;
  const double tolerance = translation_tolerance * first.extent;
  if (std::abs(first.extent - second.extent) > 10 * tolerance || norm(faces.translation) <= tolerance)
    throw InputError(
        fmt::format("periodic faces \"{}\" and \"{}\" are not translations of each other: extents {:.8g} and "
                    "{:.8g}, centroids {} apart",
                    names.primary, names.secondary, first.extent / names.unit, second.extent / names.unit,
                    length_text(faces.translation, names)));
  faces.nodes = match_nodes(mesh, primary, secondary, faces.translation, tolerance, names);
  faces.triangles = match_triangles(mesh, primary, secondary, faces, names);
  return faces;
}

void number_alike(Mesh& mesh, std::span<TranslatedFaces> pairs) {
  Sets<Index> sets(mesh.nodes.size());
  double tolerance = 0;
  for (const auto& faces : pairs) {
    tolerance = std::max(tolerance, translation_tolerance * norm(faces.translation));
    for (const auto& [first, second] : faces.nodes) sets.join(first, second);
  }
  // Classes are in the order of their roots; within a class translations preserve the order.
  std::vector<Index> order(mesh.nodes.size()), number(mesh.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto roots = sets.roots();
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Index first = roots[std::size_t(a)], second = roots[std::size_t(b)];
    if (first != second) return first < second;
    return comes_before(mesh.nodes[std::size_t(a)], mesh.nodes[std::size_t(b)], tolerance);
  });
  for (std::size_t place = 0; place < order.size(); ++place) number[std::size_t(order[place])] = Index(place);
  renumber_nodes(mesh, number);
  for (auto& faces : pairs)
    for (auto& nodes : faces.nodes) nodes = {number[std::size_t(nodes[0])], number[std::size_t(nodes[1])]};
}

}  // namespace curlew::mesh
