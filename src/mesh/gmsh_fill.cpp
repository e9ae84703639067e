// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_fill.hpp"

#include <fmt/format.h>

#include <memory>

#include "mesh/gmsh_session.hpp"
#include "mesh/size_field.hpp"

namespace curlew::mesh {
namespace {

constexpr int triangle_type = 2, cell_type = 4;  // Gmsh's numbers of straight elements

/// Surface `tag` of the model with its triangles; the nodes are added once, with the first surface.
void add_surface(int tag, const std::vector<std::array<Index, 3>>& triangles) {
  std::vector<std::size_t> nodes;
  for (const auto& t : triangles)
    for (const Index n : t) nodes.push_back(std::size_t(n) + 1);
  gmsh::model::mesh::addElementsByType(tag, triangle_type, {}, nodes);
}

/// Nodes of each surface belong to it: Gmsh looks for them there.
void add_nodes(int tag, const std::vector<Vec3<double>>& nodes,
               const std::vector<std::array<Index, 3>>& triangles) {
  std::vector<char> is_used(nodes.size(), 0);
  for (const auto& t : triangles)
    for (const Index n : t) is_used[std::size_t(n)] = 1;
  std::vector<std::size_t> tags;
  std::vector<double> coordinates;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!is_used[n]) continue;
    tags.push_back(n + 1);
    for (int i = 0; i < 3; ++i) coordinates.push_back(nodes[n][i]);
  }
  gmsh::model::mesh::addNodes(2, tag, tags, coordinates);
}

void build_model(const std::vector<Vec3<double>>& nodes,
                 const std::vector<std::vector<std::array<Index, 3>>>& surfaces) {
  gmsh::model::add("filling");
  std::vector<int> loops;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const int tag = gmsh::model::addDiscreteEntity(2, int(s) + 1);
    add_nodes(tag, nodes, surfaces[s]);
    add_surface(tag, surfaces[s]);
    loops.push_back(gmsh::model::geo::addSurfaceLoop({tag}));
  }
  gmsh::model::geo::addVolume(loops);
  gmsh::model::geo::synchronize();
}

Filling take_filling(const std::vector<Vec3<double>>& given) {
  std::vector<std::size_t> tags, cells, corners;
  std::vector<double> coordinates, parameters;
  gmsh::model::mesh::getNodes(tags, coordinates, parameters);
  gmsh::model::mesh::getElementsByType(cell_type, cells, corners);
  Filling filling{given, {}};
  std::vector<Index> number;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (number.size() <= tags[i]) number.resize(tags[i] + 1, -1);
    const bool is_given = tags[i] <= given.size();
    number[tags[i]] = is_given ? Index(tags[i]) - 1 : Index(filling.nodes.size());
    if (!is_given)
      filling.nodes.push_back({coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]});
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    auto& cell = filling.cells.emplace_back();
    for (std::size_t i = 0; i < 4; ++i) cell[i] = number[corners[4 * c + i]];
  }
  return filling;
}

/// Only the field determines the sizes of cells away from the surfaces, whose triangles do not change.
void take_sizes(const SizeField& field) {
  gmsh::option::setNumber("Mesh.MeshSizeExtendFromBoundary", 0);
  const auto at = std::make_shared<const SizeAt>(field);
  gmsh::model::mesh::setSizeCallback([at](int, int, double x, double y, double z, auto...) {
    return (*at)({x, y, z});
  });
}

}  // namespace

Filler gmsh_filler(const std::string& name, const std::string& size_field) {
  return [=](const std::vector<Vec3<double>>& nodes,
             const std::vector<std::vector<std::array<Index, 3>>>& surfaces) {
    GmshSession session({});
    gmsh::option::setNumber("Mesh.MeshSizeFromPoints", 0);
    if (!size_field.empty()) take_sizes(read_size_field(size_field));
    Filling filling;
    session.run(name, "meshing around the body", [&] {
      build_model(nodes, surfaces);
      gmsh::model::mesh::generate(3);
      filling = take_filling(nodes);
    });
    if (filling.cells.empty())
      throw InputError(fmt::format("{}: no cells found around the body: its surface meets itself", name));
    return filling;
  };
}

}  // namespace curlew::mesh
