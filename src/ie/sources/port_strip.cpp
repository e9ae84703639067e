// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/port_strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"

namespace curlew::ie {
namespace {

/// A surface between two conductors, measured along the direction of its port.
struct Strip {
  double low, high;             ///< ends along the direction [m]
  double area = 0;              ///< [m^2]
  double width[2] = {0, 0};     ///< of its edges at the low and at the high end [m]
  double on_metal[2] = {0, 0};  ///< of those that another surface shares [m]
  Index parts = 0;              ///< that share no edge with each other
};

/// Edges by their nodes, ascending: triangles of the strip, and of other surfaces.
using EdgeUses = std::map<std::pair<Index, Index>, std::pair<std::vector<Index>, int>>;
EdgeUses edge_uses(const SurfaceMesh& mesh, int tag) {
  EdgeUses uses;
  for (const bool is_own : {true, false}) {
    for (Index t = 0; t < mesh.num_faces(); ++t) {
      if ((mesh.tag[t] == tag) != is_own) continue;
      for (int i = 0; i < 3; ++i) {
        const Index a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
        const std::pair edge{std::min(a, b), std::max(a, b)};
        if (is_own)
          uses[edge].first.push_back(t);
        else if (const auto at = uses.find(edge); at != uses.end())
          ++at->second.second;
      }
    }
  }
  return uses;
}

Index count_parts(const SurfaceMesh& mesh, int tag, const EdgeUses& uses) {
  std::vector<Index> root(mesh.triangles.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](Index t) {
    while (root[t] != t) root[t] = root[root[t]], t = root[t];
    return t;
  };
  Index parts = Index(std::count(mesh.tag.begin(), mesh.tag.end(), tag));
  for (const auto& [edge, use] : uses) {
    for (std::size_t i = 1; i < use.first.size(); ++i) {
      const Index a = find(use.first[0]), b = find(use.first[i]);
      if (a != b) root[a] = b, --parts;
    }
  }
  return parts;
}

Strip measure_strip(const SurfaceMesh& mesh, int tag, Vec3<double> direction) {
  Strip s{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    if (mesh.tag[t] != tag) continue;
    s.area += 0.5 * norm(mesh.area_vector(t));
    for (int i = 0; i < 3; ++i) {
      const double along = dot(mesh.corner(t, i), direction);
      s.low = std::min(s.low, along), s.high = std::max(s.high, along);
    }
  }
  const EdgeUses uses = edge_uses(mesh, tag);
  s.parts = count_parts(mesh, tag, uses);
  for (const auto& [edge, use] : uses) {
    if (use.first.size() > 1) continue;
    const auto &a = mesh.nodes[edge.first], &b = mesh.nodes[edge.second];
    for (const int end : {0, 1}) {
      const double at = end == 0 ? s.low : s.high, slack = 1e-3 * (s.high - s.low);
      if (std::abs(dot(a, direction) - at) > slack || std::abs(dot(b, direction) - at) > slack) continue;
      s.width[end] += norm(b - a);
      if (use.second > 0) s.on_metal[end] += norm(b - a);
    }
  }
  return s;
}

/// A uniform E over a surface is the field of a voltage between its ends only on a strip of one width with
/// straight ends across the direction.
void require_strip(const Strip& s, const std::string& port, const std::string& surface, double longest_edge) {
  const double length = s.high - s.low;
  if (!(length > 1e-9 * longest_edge))
    throw InputError(
        fmt::format("{}: surface \"{}\" has no extent along the direction of the port", port, surface));
  const double width = 0.5 * (s.width[0] + s.width[1]);
  const bool uniform = s.parts == 1 && std::abs(s.width[0] - s.width[1]) < 0.02 * width &&
                       std::abs(s.area - length * width) < 0.02 * s.area;
  if (!uniform)
    throw InputError(fmt::format(
        "{}: surface \"{}\" is not a strip of one width along the direction: {:.4g} m long, its ends "
        "{:.4g} and {:.4g} m wide, {:.4g} m^2 in {} part{}: make it a rectangle from conductor to conductor, "
        "or "
        "use type = \"gap\"",
        port, surface, length, s.width[0], s.width[1], s.area, s.parts, s.parts == 1 ? "" : "s"));
  for (const int end : {0, 1})
    if (s.on_metal[end] < 0.98 * s.width[end])
      throw InputError(fmt::format(
          "{}: the {} end of surface \"{}\" along the direction touches no other conductor over {:.3g} "
          "of {:.3g} m: a port joins two conductors",
          port, end == 0 ? "lower" : "upper", surface, s.width[end] - s.on_metal[end], s.width[end]));
}

}  // namespace

double strip_length(const SurfaceMesh& mesh, int tag, Vec3<double> direction, const std::string& port) {
  const Strip strip = measure_strip(mesh, tag, direction);
  require_strip(strip, port, mesh.tag_names[std::size_t(tag)], edge_lengths(mesh).longest);
  return strip.high - strip.low;
}

}  // namespace curlew::ie
