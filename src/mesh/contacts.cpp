// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mesh/box_tree.hpp"

namespace curlew::mesh {
namespace {

using Corners = std::array<Index, 3>;

/// A triangle with its normal and, in its plane, the normals of its edges, which point out of it.
struct Facet {
  Corners nodes;
  std::array<Vec3<double>, 3> p;        // corners [m]
  Vec3<double> normal;                  // of unit length
  std::array<Vec3<double>, 3> outward;  // [edge from corner i to i + 1]
  double slack;                         // [m] what is nearer touches

  Facet(std::span<const Vec3<double>> all, const Corners& corners) : nodes(corners) {
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i) p[i] = all[std::size_t(nodes[i])];
    for (std::size_t i = 0; i < 3; ++i) longest = std::max(longest, norm(p[(i + 1) % 3] - p[i]));
    const auto area = cross(p[1] - p[0], p[2] - p[0]);
    normal = normalized(area);
    for (std::size_t i = 0; i < 3; ++i) outward[i] = normalized(cross(p[(i + 1) % 3] - p[i], normal));
    slack = std::min(1e-6 * longest, 1e-3 * norm(area) / longest);
  }
  bool has(Index node) const { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }
  /// How far a point of its plane lies outside; below 0: inside.
  double outside(Vec3<double> at) const {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) most = std::max(most, dot(outward[i], at - p[i]));
    return most;
  }
};

/// Whether a plane through s, or through an edge of s with all common nodes, has all other nodes of t on one
/// side: they do not intersect.
bool is_apart(const Facet& s, const Facet& t, double slack) {
  const auto all_beyond = [&](Vec3<double> direction, Vec3<double> origin) {
    for (std::size_t i = 0; i < 3; ++i)
      if (!s.has(t.nodes[i]) && !(dot(direction, t.p[i] - origin) > slack)) return false;
    return true;
  };
  if (all_beyond(s.normal, s.p[0]) || all_beyond(-s.normal, s.p[0])) return true;
  for (std::size_t i = 0; i < 3; ++i)
    if (!t.has(s.nodes[(i + 2) % 3]) && all_beyond(s.outward[i], s.p[i])) return true;
  return false;
}

struct Touch {
  Contact kind;
  Vec3<double> place;
};

/// Nodes of t on s.
std::optional<Touch> node_on(const Facet& s, const Facet& t, double slack) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = t.p[i];
    if (s.has(t.nodes[i]) || !(std::abs(dot(s.normal, at - s.p[0])) <= slack)) continue;
    const double outside = s.outside(at);
    if (outside > slack) continue;
    const bool on_corner = std::any_of(s.p.begin(), s.p.end(), [&](auto c) { return norm(at - c) <= slack; });
    return Touch{on_corner           ? Contact::node_on_node
                 : outside >= -slack ? Contact::node_on_edge
                                     : Contact::node_in_triangle,
                 at};
  }
  return std::nullopt;
}

/// Edges of t that pass through the inside of s.
std::optional<Touch> edge_through(const Facet& s, const Facet& t, double slack) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (s.has(t.nodes[i]) || s.has(t.nodes[j])) continue;
    const double above = dot(s.normal, t.p[i] - s.p[0]), below = dot(s.normal, t.p[j] - s.p[0]);
    if (!(above * below < 0)) continue;
    const auto at = t.p[i] + (above / (above - below)) * (t.p[j] - t.p[i]);
    if (s.outside(at) < -slack) return Touch{Contact::edge_through_triangle, at};
  }
  return std::nullopt;
}

/// The points of two segments that are nearest to each other.
/// Source: Ericson (2005), Real-Time Collision Detection, 5.1.9; segments have a length.
std::pair<Vec3<double>, Vec3<double>> nearest(Vec3<double> a, Vec3<double> d, Vec3<double> b,
                                              Vec3<double> e) {
  const auto r = a - b;
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
  const double determinant = dd * ee - de * de;
  double s = determinant > 0 ? std::clamp((de * er - dr * ee) / determinant, 0.0, 1.0) : 0.0;
  const double t = std::clamp((de * s + er) / ee, 0.0, 1.0);
  s = std::clamp((de * t - dr) / dd, 0.0, 1.0);
  return {a + s * d, b + t * e};
}

std::optional<Touch> edge_on(const Facet& s, const Facet& t, double slack) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t k = (i + 1) % 3, l = (j + 1) % 3;
      if (s.nodes[i] == t.nodes[j] || s.nodes[i] == t.nodes[l] || s.nodes[k] == t.nodes[j] ||
          s.nodes[k] == t.nodes[l])
        continue;
      const auto [at, other] = nearest(s.p[i], s.p[k] - s.p[i], t.p[j], t.p[l] - t.p[j]);
      if (norm(at - other) <= slack) return Touch{Contact::edge_on_edge, at};
    }
  return std::nullopt;
}

std::optional<Touch> touch_of(const Facet& s, const Facet& t) {
  const double slack = std::min(s.slack, t.slack);
  if (is_apart(s, t, slack) || is_apart(t, s, slack)) return std::nullopt;
  if (auto found = node_on(s, t, slack)) return found;
  if (auto found = node_on(t, s, slack)) return found;
  if (auto found = edge_through(s, t, slack)) return found;
  if (auto found = edge_through(t, s, slack)) return found;
  return edge_on(s, t, slack);
}

void add(const Contacts& one, Contacts& sum) {
  const bool is_first = sum.count == 0 || std::pair(one.first, one.second) < std::pair(sum.first, sum.second);
  const std::size_t count = sum.count + one.count;
  if (one.count > 0 && is_first) sum = one;
  sum.count = count;
}

/// Two triangles with the same nodes are reported by check_duplicates.
bool are_same(Corners a, Corners b) {
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  return a == b;
}

}  // namespace

Contacts find_contacts(std::span<const Vec3<double>> nodes, std::span<const std::array<Index, 3>> triangles) {
  std::vector<Bounds> boxes;
  for (const auto& t : triangles) {
    const Facet facet(nodes, t);
    boxes.push_back(Bounds::around(facet.p));
    boxes.back().grow(facet.slack);
  }
  const BoxTree tree(boxes);
  Contacts all;
#pragma omp parallel
  {
    Contacts own;
#pragma omp for schedule(dynamic, 256)
    for (Index i = 0; i < Index(triangles.size()); ++i) {
      const Facet s(nodes, triangles[std::size_t(i)]);
      tree.for_each_touching(boxes[std::size_t(i)], [&](Index j) {
        if (j <= i || are_same(triangles[std::size_t(i)], triangles[std::size_t(j)])) return;
        if (const auto found = touch_of(s, Facet(nodes, triangles[std::size_t(j)])))
          add({1, found->kind, i, j, found->place}, own);
      });
    }
#pragma omp critical(curlew_mesh_contacts)
    add(own, all);
  }
  return all;
}

std::string describe(Contact kind) {
  switch (kind) {
    case Contact::node_on_node:
      return "nodes of one lie on nodes of the other";
    case Contact::node_on_edge:
      return "nodes of one lie on edges of the other";
    case Contact::node_in_triangle:
      return "nodes of one lie in triangles of the other";
    case Contact::edge_on_edge:
      return "edges of one cross edges of the other";
    case Contact::edge_through_triangle:
      return "edges of one pass through triangles of the other";
  }
  return "";
}

std::string how_to_join(const std::string& file) {
  if (file.ends_with(".geo"))
    return "join them in the geometry (OpenCASCADE: BooleanFragments, or Coherence; else common points and "
           "curves)";
  if (file.ends_with(".step") || file.ends_with(".stp") || file.ends_with(".brep"))
    return "join them in the geometry";
  return "mesh them together, or merge coincident nodes";
}

}  // namespace curlew::mesh
