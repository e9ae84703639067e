// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sparsity.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/huge_pages.hpp"

namespace curlew::fem {
namespace {

/// Whether an entity has rows: all entities, or those of a share.
struct Rows {
  const std::vector<char>& own;
  bool operator()(Index entity) const { return own.empty() || own[std::size_t(entity)] != 0; }
};

/// Cells around every free entity that has rows, ascending.
struct EntityCells {
  std::vector<Offset> begin;
  std::vector<Index> cells;
};

EntityCells cells_of_entities(const NedelecSpace& space, Rows has_rows) {
  const int local = num_local_entities(space.order);
  const Index num_cells = space.mesh->num_cells();
  EntityCells around;
  around.begin.assign(std::size_t(num_entities(space)) + 1, 0);
  Index entities[11];
  for (Index c = 0; c < num_cells; ++c) {
    cell_entities(space, c, entities);
    for (int i = 0; i < local; ++i)
      if (entities[i] >= 0 && has_rows(entities[i])) ++around.begin[std::size_t(entities[i]) + 1];
  }
  for (std::size_t e = 1; e < around.begin.size(); ++e) around.begin[e] += around.begin[e - 1];
  around.cells.resize(std::size_t(around.begin.back()));
  std::vector<Offset> fill(around.begin.begin(), around.begin.end() - 1);
  for (Index c = 0; c < num_cells; ++c) {
    cell_entities(space, c, entities);
    for (int i = 0; i < local; ++i)
      if (entities[i] >= 0 && has_rows(entities[i]))
        around.cells[std::size_t(fill[std::size_t(entities[i])]++)] = c;
  }
  return around;
}

/// Faces on the other side of coupled cuts, by entity of either side.
using FacesAcross = std::map<Index, std::vector<Index>>;

FacesAcross faces_across(const NedelecSpace& space, Rows has_rows) {
  FacesAcross across;
  const auto& topology = *space.topology;
  const auto tie = [&](Index face, Index other) {
    for (const Index edge : topology.face_edges[std::size_t(face)])
      if (const Index place = space.edge_number[std::size_t(edge)]; place >= 0 && has_rows(place))
        across[place].push_back(other);
    const Index place = space.face_number[std::size_t(face)];
    if (space.order >= 2 && place >= 0 && has_rows(space.num_free_edges + place))
      across[space.num_free_edges + place].push_back(other);
  };
  for (const auto& cut : space.mesh->cuts) {
    if (!cut.coupled) continue;
    const Index a = topology.triangle_face[std::size_t(cut.triangles[0])],
                b = topology.triangle_face[std::size_t(cut.triangles[1])];
    tie(a, b);
    tie(b, a);
  }
  return across;
}

/// Neighbours of one kind of every entity, in two passes: count, then fill.
/// @param collect appends the free indices of that kind in a cell to a list @param collect_face the same for
/// a face on the other side of a cut
template <class Collect, class CollectFace>
Sparsity::Neighbours neighbours(const EntityCells& around, const FacesAcross& across, Collect collect,
                                CollectFace collect_face) {
  const auto count = Index(around.begin.size()) - 1;
  Sparsity::Neighbours lists;
  lists.begin.assign(std::size_t(count) + 1, 0);
  for (const bool filling : {false, true}) {
#pragma omp parallel
    {
      std::vector<Index> places;
#pragma omp for schedule(static)
      for (Index e = 0; e < count; ++e) {
        places.clear();
        for (Offset i = around.begin[std::size_t(e)]; i < around.begin[std::size_t(e) + 1]; ++i)
          collect(around.cells[std::size_t(i)], places);
        if (const auto other = across.find(e); other != across.end())
          for (const Index face : other->second) collect_face(face, places);
        std::sort(places.begin(), places.end());
        const auto end = std::unique(places.begin(), places.end());
        if (filling)
          std::copy(places.begin(), end, lists.places.begin() + lists.begin[std::size_t(e)]);
        else
          lists.begin[std::size_t(e) + 1] = end - places.begin();
      }
    }
    if (filling) break;
    for (std::size_t e = 1; e < lists.begin.size(); ++e) {
      if (lists.begin[e] >= Sparsity::absent)
        throw InputError(
            "more than 65534 edges or faces meet at one edge of the mesh: its cells are degenerate");
      lists.begin[e] += lists.begin[e - 1];
    }
    lists.places.resize(std::size_t(lists.begin.back()));
  }
  return lists;
}

void find_neighbours(const NedelecSpace& space, Rows has_rows, Sparsity& sparsity) {
  EntityCells around = cells_of_entities(space, has_rows);
  const auto& topology = *space.topology;
  const FacesAcross across = faces_across(space, has_rows);
  const auto add_edges = [&](const auto& edges, std::vector<Index>& places) {
    for (const Index edge : edges)
      if (const Index place = space.edge_number[std::size_t(edge)]; place >= 0) places.push_back(place);
  };
  const auto add_face = [&](Index face, std::vector<Index>& places) {
    if (const Index place = space.face_number[std::size_t(face)]; place >= 0) places.push_back(place);
  };
  sparsity.edges = neighbours(
      around, across, [&](Index c, auto& places) { add_edges(topology.cell_edges[std::size_t(c)], places); },
      [&](Index f, auto& places) { add_edges(topology.face_edges[std::size_t(f)], places); });
  if (space.order >= 2)
    sparsity.faces = neighbours(
        around, across,
        [&](Index c, auto& places) {
          for (const Index face : topology.cell_faces[std::size_t(c)]) add_face(face, places);
        },
        add_face);
  if (space.order < 3) return;
  sparsity.cells = {std::move(around.begin), std::move(around.cells)};
  if (space.is_uniform()) return;
  const auto& begin = sparsity.cells.begin;
  auto& places = sparsity.cells.places;
  for (Index& c : places) c = space.cell_place(c);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 1; e < begin.size(); ++e)
    std::sort(places.begin() + begin[e - 1], places.begin() + begin[e]);
}

/// Calls visit(entity, first row, number of rows) for the unknowns of every entity, level by level:
/// ascending.
template <class Visit>
void for_each_row_group(const NedelecSpace& space, Visit visit) {
  for (int level = 1; level <= space.order; ++level) {
    const auto l = std::size_t(level - 1);
#pragma omp parallel for schedule(static)
    for (Index e = 0; e < space.level_edges[l]; ++e) visit(e, space.edge_dof(level, e), 1);
    if (level == 1) continue;
#pragma omp parallel for schedule(static)
    for (Index f = 0; f < space.level_faces[l]; ++f)
      visit(space.num_free_edges + f, space.face_dof(level, f), face_dofs_added(level));
    if (level == 2) continue;
#pragma omp parallel for schedule(static)
    for (Index c = 0; c < space.level_cells[l]; ++c)  // by place
      visit(space.num_free_edges + space.num_free_faces + c,
            space.cells_begin(level) + cell_dofs_added(level) * c, cell_dofs_added(level));
  }
}

void count_rows(const NedelecSpace& space, Sparsity& sparsity) {
  auto& offsets = sparsity.row_offsets;
  offsets.assign(std::size_t(space.num_dofs()) + 1, 0);
  for_each_row_group(space, [&](Index entity, Index row, int rows) {
    const RowCounts n(space, sparsity, entity);
    Offset length = 0;
    for (std::size_t l = 0; l < 3; ++l)
      length += n.edges[l] + Offset(face_dofs_added(int(l) + 1)) * n.faces[l] +
                Offset(cell_dofs_added(int(l) + 1)) * n.cells[l];
    for (int i = 0; i < rows; ++i) offsets[std::size_t(row + i) + 1] = length;
  });
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
}

std::uint16_t position_of(const Sparsity::Neighbours& lists, Index entity, Index place) {
  const auto begin = lists.places.begin() + lists.begin[std::size_t(entity)];
  const auto end = lists.places.begin() + lists.begin[std::size_t(entity) + 1];
  return std::uint16_t(std::lower_bound(begin, end, place) - begin);
}

/// Numbers the cells that have a row. @returns how many there are
Index number_cells(const NedelecSpace& space, Rows has_rows, std::vector<Index>& places) {
  const int local = num_local_entities(space.order);
  places.assign(std::size_t(space.mesh->num_cells()), -1);
  Index count = 0;
  Index entities[11];
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    cell_entities(space, c, entities);
    if (std::any_of(entities, entities + local, [&](Index e) { return e >= 0 && has_rows(e); }))
      places[std::size_t(c)] = count++;
  }
  return count;
}

void find_positions(const NedelecSpace& space, Rows has_rows, Sparsity& sparsity) {
  const int local = num_local_entities(space.order);
  const Index num_cells = space.mesh->num_cells();
  const auto& places = sparsity.cell_places;
  const Index stored = has_rows.own.empty() ? num_cells : number_cells(space, has_rows, sparsity.cell_places);
  sparsity.positions = huge_vector<std::uint16_t>(std::size_t(stored) * local * local);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < num_cells; ++c) {
    const Index place = places.empty() ? c : places[std::size_t(c)];
    if (place < 0) continue;
    Index entities[11];
    cell_entities(space, c, entities);
    std::uint16_t* position = &sparsity.positions[std::size_t(place) * local * local];
    for (int i = 0; i < local; ++i) {
      const bool is_here = entities[i] >= 0 && has_rows(entities[i]);
      for (int j = 0; j < local; ++j, ++position) {
        *position = Sparsity::absent;
        if (!is_here || entities[j] < 0) continue;
        const auto& lists = j < 6 ? sparsity.edges : (j < 10 ? sparsity.faces : sparsity.cells);
        const Index first =
            j < 6 ? 0 : (j < 10 ? space.num_free_edges : space.num_free_edges + space.num_free_faces);
        *position = position_of(lists, entities[i], entities[j] - first);
      }
    }
  }
}

/// Appends runs of `width` columns for the first places of an entity's list.
Index* append_runs(const Sparsity::Neighbours& lists, Index entity, Index count, Index first, int width,
                   Index* out) {
  if (count == 0) return out;
  for (Offset i = lists.begin[std::size_t(entity)]; i < lists.begin[std::size_t(entity)] + count; ++i)
    for (int k = 0; k < width; ++k) *out++ = first + width * lists.places[std::size_t(i)] + k;
  return out;
}

}  // namespace

Index Sparsity::Neighbours::count_below(Index entity, Index end) const {
  const auto first = places.begin() + begin[std::size_t(entity)],
             last = places.begin() + begin[std::size_t(entity) + 1];
  if (first == last || *(last - 1) < end) return Index(last - first);
  return Index(std::lower_bound(first, last, end) - first);
}

RowCounts::RowCounts(const NedelecSpace& space, const Sparsity& sparsity, Index entity) {
  const bool uniform = space.is_uniform();
  const auto count = [&](const Sparsity::Neighbours& lists, Index end) {
    return uniform ? lists.count(entity) : lists.count_below(entity, end);
  };
  for (std::size_t l = 0; l < std::size_t(space.order); ++l) {
    edges[l] = count(sparsity.edges, space.level_edges[l]);
    if (l >= 1) faces[l] = count(sparsity.faces, space.level_faces[l]);
    if (l == 2) cells[l] = count(sparsity.cells, space.level_cells[l]);
  }
}

Index num_entities(const NedelecSpace& space) {
  return space.num_free_edges + (space.order >= 2 ? space.num_free_faces : 0) +
         (space.order == 3 ? space.mesh->num_cells() : 0);
}

void cell_entities(const NedelecSpace& space, Index cell, Index* entities) {
  const auto& edges = space.topology->cell_edges[std::size_t(cell)];
  for (std::size_t i = 0; i < 6; ++i) entities[i] = space.edge_number[std::size_t(edges[i])];
  if (space.order == 1) return;
  const auto& faces = space.topology->cell_faces[std::size_t(cell)];
  for (std::size_t i = 0; i < 4; ++i) {
    const Index place = space.face_number[std::size_t(faces[i])];
    entities[6 + i] = place < 0 ? -1 : space.num_free_edges + place;
  }
  if (space.order == 3) entities[10] = space.num_free_edges + space.num_free_faces + space.cell_place(cell);
}

Sparsity build_sparsity(const NedelecSpace& space, const std::vector<char>& own) {
  const Rows has_rows{own};
  Sparsity sparsity;
  find_neighbours(space, has_rows, sparsity);
  count_rows(space, sparsity);
  find_positions(space, has_rows, sparsity);
  return sparsity;
}

void fill_columns(const NedelecSpace& space, const Sparsity& sparsity, Index* columns) {
  const auto& row_offsets = sparsity.row_offsets;
  for_each_row_group(space, [&](Index entity, Index row, int rows) {
    if (row_offsets[std::size_t(row)] == row_offsets[std::size_t(row) + 1]) return;
    Index* const begin = columns + row_offsets[std::size_t(row)];
    Index* out = begin;
    const RowCounts n(space, sparsity, entity);
    for (int level = 1; level <= space.order; ++level) {
      const auto l = std::size_t(level - 1);
      out = append_runs(sparsity.edges, entity, n.edges[l], space.block_offsets[l], 1, out);
      out = append_runs(sparsity.faces, entity, n.faces[l], space.faces_begin(level), face_dofs_added(level),
                        out);
      out = append_runs(sparsity.cells, entity, n.cells[l], space.cells_begin(level), cell_dofs_added(level),
                        out);
    }
    for (int i = 1; i < rows; ++i) std::copy(begin, out, columns + row_offsets[std::size_t(row + i)]);
  });
}

}  // namespace curlew::fem
