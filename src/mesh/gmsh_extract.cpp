// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_extract.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "mesh/ordering.hpp"

namespace curlew::mesh {
namespace {

/// Gmsh's number of an element type, and its nodes in our order: vertices, then the middles of
/// cell_edge_vertices or triangle_edge_vertices. Source: Gmsh reference manual, "Node ordering".
struct ElementType {
  int number, vertices, order, nodes;
  std::array<int, 10> place;
};
constexpr ElementType cell_types[] = {{4, 4, 1, 4, {0, 1, 2, 3}},
                                      {11, 4, 2, 10, {0, 1, 2, 3, 4, 6, 7, 5, 9, 8}}};
constexpr ElementType triangle_types[] = {{2, 3, 1, 3, {0, 1, 2}}, {9, 3, 2, 6, {0, 1, 2, 3, 5, 4}}};

/// The type of a number; a null pointer for one that cannot be used.
const ElementType* find_type(int dimension, int number) {
  for (const ElementType& type : dimension == 3 ? cell_types : triangle_types)
    if (type.number == number) return &type;
  return nullptr;
}

std::string element_name(int type) {
  std::string name;
  int dimension, order, nodes, primary;
  std::vector<double> coordinates;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, nodes, coordinates, primary);
  return name;
}

/// Elements of one dimension as rows of Gmsh's node tags, and the regions they are in.
struct Elements {
  std::vector<std::size_t> rows;
  std::vector<Region> regions;
};

/// Appends the elements of an entity. @return numbers of its first row and of the row behind its last
std::pair<Index, Index> append_entity(const std::string& file, int dimension, int entity, int order,
                                      Elements& elements) {
  const int vertices = dimension + 1, width = order == 1 ? vertices : vertices * (vertices + 1) / 2;
  const auto begin = Index(elements.rows.size() / width);
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  for (std::size_t t = 0; t < types.size(); ++t) {
    const ElementType* type = find_type(dimension, types[t]);
    if (type == nullptr || type->order < order)
      throw InputError(fmt::format(
          "{}: {} elements of type \"{}\": {} are needed", file, tags[t].size(), element_name(types[t]),
          dimension == 3 ? "tetrahedra of order 1 or 2 (no Recombine)" : "triangles of order 1 or 2"));
    for (std::size_t e = 0; e < tags[t].size(); ++e)
      for (int i = 0; i < width; ++i) elements.rows.push_back(nodes[t][e * type->nodes + type->place[i]]);
  }
  return {begin, Index(elements.rows.size() / width)};
}

Elements read_elements(const std::string& file, int dimension, int order) {
  Elements elements;
  const auto groups = physical_groups(dimension);
  std::map<int, std::pair<Index, Index>> ranges;
  for (const auto& group : groups)
    for (const int entity : group.entities)
      if (!ranges.contains(entity)) ranges[entity] = append_entity(file, dimension, entity, order, elements);
  for (const auto& group : groups) {
    Region region{group.name, {}};
    for (const int entity : group.entities)
      for (Index i = ranges[entity].first; i < ranges[entity].second; ++i) region.entities.push_back(i);
    elements.regions.push_back(std::move(region));
  }
  return elements;
}

/// Keeps one of the elements with the same vertices: MSH 2 files list an element once for every group that it
/// is in.
void merge_doubles(int vertices, std::size_t width, Elements& elements) {
  const std::size_t count = elements.rows.size() / width;
  std::vector<std::array<std::size_t, 4>> keys(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(&elements.rows[i * width], vertices, keys[i].begin());
    std::sort(keys[i].begin(), keys[i].begin() + vertices);
  }
  std::vector<Index> order(count), kept(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return std::tie(keys[a], a) < std::tie(keys[b], b); });
  for (std::size_t i = 0; i < count; ++i)
    kept[order[i]] = i > 0 && keys[order[i]] == keys[order[i - 1]] ? kept[order[i - 1]] : order[i];

  std::vector<Index> number(count);
  Index next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept[i] != Index(i)) {
      number[i] = number[kept[i]];  // the one kept comes first
      continue;
    }
    std::copy_n(&elements.rows[i * width], width, &elements.rows[std::size_t(next) * width]);
    number[i] = next++;
  }
  elements.rows.resize(std::size_t(next) * width);
  for (Region& region : elements.regions) {
    for (Index& entity : region.entities) entity = number[entity];
    std::sort(region.entities.begin(), region.entities.end());
    region.entities.erase(std::unique(region.entities.begin(), region.entities.end()), region.entities.end());
  }
}

/// Nodes of the cells and triangles, numbered from 0.
void take_nodes(double metres, const Elements& cells, const Elements& triangles, Mesh& mesh) {
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters);
  const std::size_t greatest = tags.empty() ? 0 : *std::max_element(tags.begin(), tags.end());
  if (greatest > std::size_t(std::numeric_limits<Index>::max()))
    throw InputError(fmt::format("{}: a node has the number {}, above the limit of {}: renumber the nodes",
                                 mesh.name, greatest, std::numeric_limits<Index>::max()));
  std::vector<Index> number(greatest + 1, -1);
  for (const auto* rows : {&cells.rows, &triangles.rows})
    for (const std::size_t tag : *rows) {
      if (tag > greatest)
        throw InputError(fmt::format("{}: an element has the node {}, which is not there", mesh.name, tag));
      number[tag] = 0;
    }
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (number[tags[i]] != 0) continue;
    number[tags[i]] = Index(mesh.nodes.size()) + 1;
    mesh.nodes.push_back(
        {metres * coordinates[3 * i], metres * coordinates[3 * i + 1], metres * coordinates[3 * i + 2]});
  }
  for (const auto& [from, to] :
       {std::pair{&cells.rows, &mesh.cells}, std::pair{&triangles.rows, &mesh.triangles}}) {
    to->reserve(from->size());
    for (const std::size_t tag : *from) {
      if (number[tag] == 0)
        throw InputError(fmt::format("{}: an element has the node {}, which is not there", mesh.name, tag));
      to->push_back(number[tag] - 1);
    }
  }
}

}  // namespace

std::vector<PhysicalGroup> physical_groups(int dimension) {
  gmsh::vectorpair tags;
  gmsh::model::getPhysicalGroups(tags, dimension);
  std::vector<PhysicalGroup> groups;
  for (const auto& [d, tag] : tags) {
    PhysicalGroup group;
    gmsh::model::getPhysicalName(d, tag, group.name);
    gmsh::model::getEntitiesForPhysicalGroup(d, tag, group.entities);
    if (group.name.empty())
      group.name = fmt::format("{}_{}", d == 3 ? "volume" : (d == 2 ? "surface" : "curve"), tag);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::string> group_names(int dimension) {
  std::vector<std::string> names;
  for (auto& group : physical_groups(dimension)) names.push_back(std::move(group.name));
  return names;
}

int order_of_cells(const std::string& name) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 3);
  int order = 0;
  for (const int number : types) {
    const ElementType* type = find_type(3, number);
    if (type == nullptr)
      throw InputError(fmt::format("{}: elements of type \"{}\": tetrahedra of order 1 or 2 are needed", name,
                                   element_name(number)));
    order = order == 0 ? type->order : std::min(order, type->order);
  }
  return order;
}

Mesh extract_mesh(const std::string& name, double metres, int order) {
  Elements cells = read_elements(name, 3, order), triangles = read_elements(name, 2, order);
  if (cells.rows.empty() && !cells.regions.empty())
    throw InputError(fmt::format("{}: the physical volumes hold no cells: nothing to solve on", name));
  Mesh mesh;
  mesh.name = name;
  mesh.geometry_order = order;
  merge_doubles(4, mesh.nodes_per_cell(), cells);
  merge_doubles(3, mesh.nodes_per_triangle(), triangles);
  take_nodes(metres, cells, triangles, mesh);
  mesh.volumes = std::move(cells.regions);
  mesh.surfaces = std::move(triangles.regions);
  order_along_curve(mesh);
  return mesh;
}

}  // namespace curlew::mesh
