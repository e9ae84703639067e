// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "mesh/topology_cuts.hpp"

namespace curlew::mesh {
namespace {

/// A tuple of corner nodes of one entity with its position there: sorting brings equal tuples together.
struct Tuple {
  std::uint64_t rest;  ///< second and third node
  Offset place;        ///< entity * tuples per entity + local number
  bool operator<(const Tuple& b) const { return rest != b.rest ? rest < b.rest : place < b.place; }
};

/// Equal tuples numbered once, in lexicographic order of their nodes: the same for any number of threads.
struct Numbered {
  std::vector<Offset> bucket_begin;  ///< [num_nodes + 1] tuples whose lowest node is n
  std::vector<Tuple> tuples;         ///< sorted within each bucket
  std::vector<Index> first_number;   ///< [num_nodes + 1] number of each bucket's first distinct tuple
};

Index count_distinct(const Tuple* begin, const Tuple* end) {
  Index count = 0;
  for (const Tuple* t = begin; t != end; ++t) count += t == begin || t->rest != (t - 1)->rest;
  return count;
}

/// A counting sort by the lowest node and small sorts within its bucket: linear time, and parallel.
/// @param nodes_of gives the ascending nodes {a, b, c} at a place; for edges c = 0
template <class NodesOf>
Numbered number_tuples(Offset num_places, std::size_t num_nodes, NodesOf nodes_of) {
  Numbered sorted;
  sorted.bucket_begin.assign(num_nodes + 1, 0);
#pragma omp parallel for schedule(static)
  for (Offset p = 0; p < num_places; ++p) {
    Offset& count = sorted.bucket_begin[nodes_of(p)[0] + 1];
#pragma omp atomic
    ++count;
  }
  for (std::size_t n = 0; n < num_nodes; ++n) sorted.bucket_begin[n + 1] += sorted.bucket_begin[n];

  resize_huge(sorted.tuples, std::size_t(num_places));
  std::vector<Offset> fill(sorted.bucket_begin.begin(), sorted.bucket_begin.end() - 1);
#pragma omp parallel for schedule(static)
  for (Offset p = 0; p < num_places; ++p) {
    const auto [a, b, c] = nodes_of(p);
    Offset& next = fill[a];
    Offset place = 0;
#pragma omp atomic capture
    place = next++;
    sorted.tuples[place] = {std::uint64_t(b) << 32 | std::uint32_t(c), p};
  }

  sorted.first_number.assign(num_nodes + 1, 0);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t n = 0; n < num_nodes; ++n) {
    Tuple* begin = sorted.tuples.data() + sorted.bucket_begin[n];
    Tuple* end = sorted.tuples.data() + sorted.bucket_begin[n + 1];
    std::sort(begin, end);
    sorted.first_number[n + 1] = count_distinct(begin, end);
  }
  for (std::size_t n = 0; n < num_nodes; ++n) sorted.first_number[n + 1] += sorted.first_number[n];
  return sorted;
}

/// Calls visit(number, place, first) for every place in order of its number; parallel over buckets.
template <class Visit>
void for_each(const Numbered& sorted, Visit visit) {
  const std::size_t num_nodes = sorted.first_number.size() - 1;
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t n = 0; n < num_nodes; ++n) {
    Index number = sorted.first_number[n] - 1;
    for (Offset i = sorted.bucket_begin[n]; i < sorted.bucket_begin[n + 1]; ++i) {
      const bool first = i == sorted.bucket_begin[n] || sorted.tuples[i].rest != sorted.tuples[i - 1].rest;
      number += first;
      visit(number, sorted.tuples[i].place, first);
    }
  }
}

void number_edges(const Mesh& mesh, Topology& topology) {
  const auto nodes_of = [&](Offset place) -> std::array<Index, 3> {
    const Index* cell = mesh.cell(Index(place / 6));
    const auto [a, b] = cell_edge_vertices[place % 6];
    return {cell[a], cell[b], 0};
  };
  const auto sorted = number_tuples(Offset(6) * mesh.num_cells(), mesh.nodes.size(), nodes_of);
  topology.edges.resize(sorted.first_number.back());
  topology.cell_edges.resize(mesh.num_cells());
  for_each(sorted, [&](Index edge, Offset place, bool first) {
    topology.cell_edges[place / 6][place % 6] = edge;
    const auto [a, b, c] = nodes_of(place);
    if (first) topology.edges[edge] = {a, b};
  });
}

[[noreturn]] void fail_crowded(const Mesh& mesh, const std::array<Index, 3>& face) {
  throw InputError(fmt::format(
      "{}: the face of nodes {}, {}, {} belongs to more than two cells: cells overlap or are doubled",
      mesh.name, face[0], face[1], face[2]));
}

void number_faces(const Mesh& mesh, Topology& topology) {
  const auto nodes_of = [&](Offset place) -> std::array<Index, 3> {
    const Index* cell = mesh.cell(Index(place / 4));
    const auto [a, b, c] = cell_face_vertices[place % 4];
    return {cell[a], cell[b], cell[c]};
  };
  const auto sorted = number_tuples(Offset(4) * mesh.num_cells(), mesh.nodes.size(), nodes_of);
  const Index num_faces = sorted.first_number.back();
  topology.faces.resize(num_faces);
  topology.face_cells.assign(num_faces, {-1, -1});
  topology.face_edges.resize(num_faces);
  topology.cell_faces.resize(mesh.num_cells());
  Index crowded = -1;
  for_each(sorted, [&](Index face, Offset place, bool first) {
    const Index cell = Index(place / 4);
    topology.cell_faces[cell][place % 4] = face;
    auto& cells = topology.face_cells[face];
    if (first) {
      topology.faces[face] = nodes_of(place);
      cells[0] = cell;
      // Edge {a, b} of a face is an edge of its cell: the face's vertices f[a] < f[b] are the cell's.
      const auto& f = cell_face_vertices[place % 4];
      for (int e = 0; e < 3; ++e) {
        const std::array<int, 2> wanted{f[triangle_edge_vertices[e][0]], f[triangle_edge_vertices[e][1]]};
        const auto at = std::find(cell_edge_vertices.begin(), cell_edge_vertices.end(), wanted) -
                        cell_edge_vertices.begin();
        topology.face_edges[face][e] = topology.cell_edges[cell][at];
      }
    } else if (cells[1] < 0) {
      cells[1] = cell;
    } else {
#pragma omp atomic write
      crowded = face;
    }
  });
  if (crowded >= 0) fail_crowded(mesh, topology.faces[crowded]);
}

/// Faces are in lexicographic order of their nodes, so that a binary search finds a triangle's.
void find_triangles(const Mesh& mesh, Topology& topology) {
  const Index num_triangles = mesh.num_triangles();
  topology.triangle_face.resize(num_triangles);
  Index lost = -1;
#pragma omp parallel for
  for (Index t = 0; t < num_triangles; ++t) {
    const Index* nodes = mesh.triangle(t);
    const std::array<Index, 3> key{nodes[0], nodes[1], nodes[2]};
    const auto found = std::lower_bound(topology.faces.begin(), topology.faces.end(), key);
    topology.triangle_face[t] = Index(found - topology.faces.begin());
    if (found == topology.faces.end() || *found != key) {
#pragma omp atomic write
      lost = t;
    }
  }
  if (lost < 0) return;
  for (const Region& surface : mesh.surfaces)
    if (std::binary_search(surface.entities.begin(), surface.entities.end(), lost))
      throw InputError(fmt::format(
          "{}: surface \"{}\" has a triangle that is not a face of any cell: the mesh of a volume "
          "beside it is missing, or volume and surface do not share nodes",
          mesh.name, surface.name));
  throw InputError(fmt::format("{}: triangle {} is not a face of any cell", mesh.name, lost));
}

Topology build(const Mesh& mesh) {
  Topology topology;
  number_edges(mesh, topology);
  number_faces(mesh, topology);
  find_triangles(mesh, topology);
  separate_cuts(mesh, topology);
  return topology;
}

/// The topology of the last mesh that was checked.
class Checked {
 public:
  std::shared_ptr<const Topology> of(const Mesh& mesh) {
    const std::lock_guard lock(mutex_);
    if (is_of(mesh)) return topology_;
    topology_.reset();
    topology_ = std::make_shared<Topology>(build(mesh));
    num_nodes_ = mesh.nodes.size(), cells_ = mesh.cells, triangles_ = mesh.triangles;
    return topology_;
  }
  std::optional<Topology> take(const Mesh& mesh) {
    const std::lock_guard lock(mutex_);
    if (!is_of(mesh) || topology_.use_count() > 1) return std::nullopt;
    std::optional<Topology> taken = std::move(*topology_);
    topology_.reset();
    cells_ = {}, triangles_ = {};
    return taken;
  }

 private:
  bool is_of(const Mesh& mesh) const {
    return topology_ && mesh.cuts.empty() && mesh.nodes.size() == num_nodes_ && mesh.cells == cells_ &&
           mesh.triangles == triangles_;
  }

  std::mutex mutex_;  // of all below
  std::shared_ptr<Topology> topology_;
  std::size_t num_nodes_ = 0;
  std::vector<Index> cells_, triangles_;  // that it depends on
};

Checked& checked() {
  static Checked checked;
  return checked;
}

}  // namespace

Topology build_topology(const Mesh& mesh) {
  auto known = checked().take(mesh);
  return known ? *std::move(known) : build(mesh);
}

std::shared_ptr<const Topology> topology_for_checks(const Mesh& mesh) {
  return checked().of(mesh);
}

}  // namespace curlew::mesh
