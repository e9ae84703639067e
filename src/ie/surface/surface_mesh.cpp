// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "ie/surface/edge_sides.hpp"
#include "mesh/contacts.hpp"
#include "mesh/regions.hpp"

namespace curlew::ie {
namespace {

template <class... Args>
[[noreturn]] void fail(const SurfaceMesh& mesh, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(fmt::format("{}: {}", mesh.name, fmt::format(text, std::forward<Args>(args)...)));
}

std::string place(Vec3<double> p) {
  const double rounding = 1e-12 * norm(p);
  const auto shown = [&](double x) { return std::abs(x) < rounding ? 0.0 : x; };
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", shown(p.x), shown(p.y), shown(p.z));
}

void check_triangles(const SurfaceMesh& mesh) {
  if (mesh.triangles.empty()) fail(mesh, "no triangles: nothing carries currents");
  const auto count = Index(mesh.nodes.size());
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
      const Index n = mesh.triangles[t][i];
      if (n < 0 || n >= count) fail(mesh, "triangle {}: node {} is outside 0..{}", t, n, count - 1);
    }
    for (int i = 0; i < 3; ++i)
      longest = std::max(longest, norm(mesh.corner(t, i) - mesh.corner(t, (i + 1) % 3)));
    if (!(norm(mesh.area_vector(t)) > 1e-10 * longest * longest))
      fail(mesh, "triangle {} at {} has no area", t, place(mesh.centroid(t)));
  }
}

void check_duplicates(const SurfaceMesh& mesh) {
  std::vector<std::pair<Triangle, Index>> keys;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    Triangle key = mesh.triangles[t];
    std::sort(key.begin(), key.end());
    keys.emplace_back(key, t);
  }
  std::sort(keys.begin(), keys.end());
  Index doubles = 0, first = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].first != keys[i - 1].first) continue;
    if (doubles++ == 0) first = keys[i].second;
  }
  if (doubles > 0)
    fail(mesh, "{} triangles occur twice, the first at {}: a surface is in two regions, or was meshed twice",
         doubles, place(mesh.centroid(first)));
}

/// Orients neighbours over edges of two triangles consistently and numbers the pieces.
void orient(SurfaceMesh& mesh, const std::vector<EdgeSide>& sides) {
  struct Neighbour {
    Index triangle;
    bool agrees, junction;
  };
  std::vector<std::vector<Neighbour>> neighbours(mesh.triangles.size());
  for_each_edge(sides, [&](auto edge) {
    for (std::size_t p = 1; p < edge.size(); ++p) {
      const bool agrees = edge[p].ascending != edge[0].ascending, junction = edge.size() > 2;
      neighbours[edge[0].triangle].push_back({edge[p].triangle, agrees, junction});
      neighbours[edge[p].triangle].push_back({edge[0].triangle, agrees, junction});
    }
  });
  mesh.piece.assign(mesh.triangles.size(), -1);
  std::vector<char> flipped(mesh.triangles.size(), 0);
  std::vector<Index> stack;
  for (Index seed = 0; seed < mesh.num_triangles(); ++seed) {
    if (mesh.piece[seed] >= 0) continue;
    const auto number = Index(mesh.pieces.size());
    mesh.pieces.push_back({.first_triangle = seed});
    mesh.piece[seed] = number;
    stack.push_back(seed);
    while (!stack.empty()) {
      const Index t = stack.back();
      stack.pop_back();
      for (const Neighbour& n : neighbours[t]) {
        const bool flip = flipped[t] != char(!n.agrees && !n.junction);
        if (n.junction) mesh.pieces[number].has_junction = true;
        if (mesh.piece[n.triangle] < 0) {
          mesh.piece[n.triangle] = number;
          flipped[n.triangle] = flip;
          stack.push_back(n.triangle);
        } else if (!n.junction && flipped[n.triangle] != char(flip) && !mesh.pieces[number].has_junction) {
          fail(mesh, "the surface at {} has one side only (a Moebius strip): its currents have no normal",
               place(mesh.centroid(n.triangle)));
        }
      }
    }
  }
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    if (flipped[t]) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

void close_pieces(SurfaceMesh& mesh, const std::vector<EdgeSide>& open) {
  for (Piece& p : mesh.pieces) p.closed = !p.has_junction;
  for (const EdgeSide& s : open) mesh.pieces[mesh.piece[s.triangle]].closed = false;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    Piece& p = mesh.pieces[mesh.piece[t]];
    const Vec3<double> origin = mesh.corner(p.first_triangle, 0);
    if (p.closed) p.volume += dot(mesh.centroid(t) - origin, mesh.area_vector(t)) / 6;
  }
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    if (mesh.pieces[mesh.piece[t]].volume < 0) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  for (Piece& p : mesh.pieces) p.volume = std::abs(p.volume);
}

}  // namespace

SurfaceMesh make_surface_mesh(std::string name, std::vector<Vec3<double>> nodes,
                              std::vector<Triangle> triangles, std::vector<int> tag,
                              std::vector<std::string> tag_names) {
  SurfaceMesh mesh;
  mesh.name = std::move(name), mesh.nodes = std::move(nodes), mesh.triangles = std::move(triangles);
  mesh.tag = std::move(tag), mesh.tag_names = std::move(tag_names);
  check_triangles(mesh);
  check_duplicates(mesh);
  const auto sides = sorted_sides(mesh);
  std::vector<EdgeSide> open;
  for_each_edge(sides, [&](auto edge) {
    if (edge.size() == 1) open.push_back(edge[0]);
  });
  orient(mesh, sides);
  close_pieces(mesh, open);
  return mesh;
}

SurfaceMesh extract_surfaces(const mesh::Mesh& mesh, const std::vector<std::string>& surfaces) {
  const auto wanted = surfaces.empty() ? mesh::names_of(mesh.surfaces) : surfaces;
  std::vector<int> tag_of(mesh.num_triangles(), -1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (const Index t : mesh::surface_named(mesh, wanted[i]).entities) {
      if (tag_of[t] >= 0)
        throw InputError(fmt::format("{}: a triangle is in surface \"{}\" and in \"{}\"", mesh.name,
                                     wanted[tag_of[t]], wanted[i]));
      tag_of[t] = int(i);
    }
  }
  std::vector<Index> number(mesh.nodes.size(), -1);
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (tag_of[t] < 0) continue;
    Triangle out;
    for (int i = 0; i < 3; ++i) {
      Index& n = number[mesh.triangle(t)[i]];
      if (n < 0) n = Index(nodes.size()), nodes.push_back(mesh.nodes[mesh.triangle(t)[i]]);
      out[i] = n;
    }
    triangles.push_back(out), tag.push_back(tag_of[t]);
  }
  return make_surface_mesh(mesh.name, std::move(nodes), std::move(triangles), std::move(tag), wanted);
}

void check_joined(const SurfaceMesh& mesh) {
  const auto found =
      mesh::find_contacts(mesh.nodes, std::span(mesh.triangles).first(std::size_t(mesh.num_faces())));
  if (found.count == 0) return;
  const auto& one = mesh.tag_names[std::size_t(mesh.tag[std::size_t(found.first)])];
  const auto& other = mesh.tag_names[std::size_t(mesh.tag[std::size_t(found.second)])];
  const bool cross =
      found.kind == mesh::Contact::edge_on_edge || found.kind == mesh::Contact::edge_through_triangle;
  fail(mesh,
       "{} touch at {} without common nodes ({}; {} pairs of triangles), so no current flows between them: "
       "{}{}",
       one == other ? fmt::format("parts of surface \"{}\"", one)
                    : fmt::format("surfaces \"{}\" and \"{}\"", one, other),
       place(found.place), mesh::describe(found.kind), found.count, mesh::how_to_join(mesh.name),
       cross ? "; curved surfaces with a narrow gap between them need edges that follow it" : "");
}

EdgeLengths edge_lengths(const SurfaceMesh& mesh) {
  double sum = 0, longest = 0;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const double length = norm(mesh.corner(t, i) - mesh.corner(t, (i + 1) % 3));
      sum += length, longest = std::max(longest, length);
    }
  }
  return {sum / (3.0 * mesh.num_triangles()), longest};
}

}  // namespace curlew::ie
