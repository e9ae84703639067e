// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/face_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/sets.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

Index place_in(const std::vector<Index>& sorted, Index value) {
  return Index(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

void sort_unique(std::vector<Index>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Edges and vertices of the face.
void collect_entities(FaceSpace& face) {
  const auto& topology = *face.space->topology;
  for (const Index t : face.triangles) {
    const auto f = std::size_t(topology.triangle_face[std::size_t(t)]);
    face.edges.insert(face.edges.end(), topology.face_edges[f].begin(), topology.face_edges[f].end());
    face.vertex_nodes.insert(face.vertex_nodes.end(), topology.faces[f].begin(), topology.faces[f].end());
  }
  sort_unique(face.edges);
  sort_unique(face.vertex_nodes);
}

/// Length [m] and centre of the outline of a conductor.
struct Outline {
  double length = 0;
  Vec3<double> centre{};
};

/// Conductors ascending by x, then y, then z of their centres, as far as those differ: numbers of nodes say
/// nothing, and modes of equal ports must have equal signs.
std::vector<Index> by_place(const std::vector<Outline>& outlines) {
  double size = 0;
  for (const auto& o : outlines) size += o.length;
  const auto key = [&](Index c) {
    const Vec3<double> place = (1e6 / size) * outlines[std::size_t(c)].centre;
    return std::array{std::llround(place.x), std::llround(place.y), std::llround(place.z)};
  };
  std::vector<Index> order(outlines.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return order;
}

/// Conductor of each vertex, -1 where there is none; counts them and finds the ground.
std::vector<Index> find_conductors(FaceSpace& face) {
  const auto& topology = *face.space->topology;
  const auto n = face.vertex_nodes.size();
  Sets<Index> sets(n);
  std::vector<Index> conductor(n, -1);
  std::vector<char> metal(n, 0);
  std::vector<std::array<Index, 2>> links;
  for (const Index e : face.edges) {
    if (face.space->edge_number[std::size_t(e)] >= 0) continue;
    const auto& nodes = topology.edges[std::size_t(e)];
    links.push_back({place_in(face.vertex_nodes, nodes[0]), place_in(face.vertex_nodes, nodes[1])});
    for (const Index v : links.back()) metal[std::size_t(v)] = 1;
    sets.join(links.back()[0], links.back()[1]);
  }
  std::map<Index, Index> number;
  for (std::size_t v = 0; v < n; ++v) {
    if (!metal[v]) continue;
    const Index root = sets.root(Index(v));
    conductor[v] = number.try_emplace(root, Index(number.size())).first->second;
  }
  face.num_conductors = Index(number.size());
  std::vector<Outline> outlines(number.size());
  for (const auto& [a, b] : links) {
    const auto& nodes = face.space->mesh->nodes;
    const Vec3<double>&p = nodes[std::size_t(face.vertex_nodes[std::size_t(a)])],
          &q = nodes[std::size_t(face.vertex_nodes[std::size_t(b)])];
    Outline& outline = outlines[std::size_t(conductor[std::size_t(a)])];
    outline.length += norm(q - p);
    outline.centre += 0.5 * norm(q - p) * (p + q);
  }
  double longest = 0;
  for (auto& o : outlines) o.centre = (1 / o.length) * o.centre, longest = std::max(longest, o.length);
  const auto order = by_place(outlines);
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[std::size_t(order[i])] = Index(i);
    if (face.ground < 0 && outlines[std::size_t(order[i])].length > (1 - 1e-6) * longest)
      face.ground = Index(i);
  }
  for (Index& c : conductor)
    if (c >= 0) c = place[std::size_t(c)];
  return conductor;
}

void number_scalars(FaceSpace& face, const std::vector<Index>& conductor) {
  const NedelecSpace& space = *face.space;
  Index next = 0;
  for (const Index c : conductor) face.vertex_scalars.push_back(c < 0 ? next++ : -1 - c);
  for (const Index e : face.edges) {
    const Index number = space.edge_number[std::size_t(e)];
    const int order = number < 0 ? 1 : space.edge_order(number);
    face.edge_scalars.push_back(order > 1 ? next : -1);
    next += order - 1;
  }
  if (space.order == 3) {
    for (const Index t : face.triangles) {
      const Index number = space.face_number[std::size_t(space.topology->triangle_face[std::size_t(t)])];
      face.face_scalars.push_back(number >= 0 && space.face_order(number) == 3 ? next++ : -1);
    }
  }
  face.num_free = next;
  for (Index& s : face.vertex_scalars)
    if (s < 0) s = next + (-1 - s);
}

/// λ_i∇λ_j - λ_j∇λ_i summed over the edges at a vertex is the gradient of its λ; the other scalars are those
/// whose gradients nedelec.hpp has as functions.
linalg::Csr<double> build_gradient(const FaceSpace& face) {
  const NedelecSpace& space = *face.space;
  linalg::Coo<double> g;
  g.num_rows = Index(face.dofs.size());
  g.num_cols = face.num_scalars();
  for (std::size_t e = 0; e < face.edges.size(); ++e) {
    const Index number = space.edge_number[std::size_t(face.edges[e])];
    if (number < 0) continue;
    const auto& nodes = space.topology->edges[std::size_t(face.edges[e])];
    const Index row = face.place(space.edge_dof(1, number));
    g.add(row, face.vertex_scalars[std::size_t(place_in(face.vertex_nodes, nodes[0]))], -1);
    g.add(row, face.vertex_scalars[std::size_t(place_in(face.vertex_nodes, nodes[1]))], 1);
    for (int level = 2; level <= space.edge_order(number); ++level)
      g.add(face.place(space.edge_dof(level, number)), face.edge_scalars[e] + level - 2, 1);
  }
  for (std::size_t t = 0; t < face.face_scalars.size(); ++t) {
    if (face.face_scalars[t] < 0) continue;
    const Index f = space.topology->triangle_face[std::size_t(face.triangles[t])];
    g.add(face.place(space.face_dof(3, space.face_number[std::size_t(f)])), face.face_scalars[t], 1);
  }
  return linalg::to_csr(g);
}

}  // namespace

Index FaceSpace::place(Index dof) const {
  return place_in(dofs, dof);
}

void FaceSpace::triangle_scalars(std::size_t t, Index* scalars) const {
  const auto f = std::size_t(space->topology->triangle_face[std::size_t(triangles[t])]);
  std::fill(scalars, scalars + max_scalars, -1);
  for (std::size_t i = 0; i < 3; ++i) {
    scalars[i] = vertex_scalars[std::size_t(place_in(vertex_nodes, space->topology->faces[f][i]))];
    const Index edge = space->topology->face_edges[f][i];
    const Index first = edge_scalars[std::size_t(place_in(edges, edge))];
    if (first < 0) continue;
    for (int level = 2; level <= space->edge_order(space->edge_number[std::size_t(edge)]); ++level)
      scalars[std::size_t(3 * (level - 1)) + i] = first + level - 2;
  }
  if (space->order == 3) scalars[9] = face_scalars[t];
}

std::array<Index, 4> FaceSpace::edge_scalar_numbers(Index edge) const {
  std::array<Index, 4> scalars{-1, -1, -1, -1};
  const auto& nodes = space->topology->edges[std::size_t(edge)];
  for (std::size_t i = 0; i < 2; ++i)
    scalars[i] = vertex_scalars[std::size_t(place_in(vertex_nodes, nodes[i]))];
  const Index first = edge_scalars[std::size_t(place_in(edges, edge))];
  const Index number = space->edge_number[std::size_t(edge)];
  if (first < 0) return scalars;
  for (int level = 2; level <= space->edge_order(number); ++level)
    scalars[std::size_t(level)] = first + level - 2;
  return scalars;
}

FaceSpace make_face_space(const NedelecSpace& space, std::vector<Index> triangles) {
  FaceSpace face;
  face.space = &space;
  face.triangles = std::move(triangles);
  face.dofs = surface_dofs(space, face.triangles);
  collect_entities(face);
  number_scalars(face, find_conductors(face));
  face.gradient = build_gradient(face);
  return face;
}

std::vector<double> static_potential(const linalg::Csr<double>& stiffness,
                                     const std::vector<std::optional<double>>& given) {
  std::vector<Index> number(given.size(), -1);
  Index count = 0;
  for (std::size_t s = 0; s < given.size(); ++s)
    if (!given[s]) number[s] = count++;
  linalg::Coo<double> free;
  free.num_rows = free.num_cols = count;
  std::vector<double> values(std::size_t(count), 0.0), potential(given.size());
  for (Index i = 0; i < stiffness.num_rows; ++i)
    for (Offset k = stiffness.row_offsets[std::size_t(i)]; k < stiffness.row_offsets[std::size_t(i) + 1];
         ++k) {
      const auto j = std::size_t(stiffness.columns[std::size_t(k)]);
      const Index row = number[std::size_t(i)];
      if (row < 0) continue;
      if (given[j])
        values[std::size_t(row)] -= stiffness.values[std::size_t(k)] * *given[j];
      else
        free.add(row, number[j], stiffness.values[std::size_t(k)]);
    }
  if (count > 0) {
    const auto solver = linalg::make_direct_solver<double>({});
    const auto matrix = linalg::to_csr(free);
    solver->analyse(matrix);
    solver->factor(matrix);
    solver->solve(values.data());
  }
  for (std::size_t s = 0; s < given.size(); ++s)
    potential[s] = given[s] ? *given[s] : values[std::size_t(number[s])];
  return potential;
}

}  // namespace curlew::fem
