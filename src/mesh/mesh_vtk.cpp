// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/mesh_vtk.hpp"

#include <fmt/format.h>

#include "io/vtkhdf.hpp"
#include "mesh/check.hpp"
#include "mesh/quality.hpp"

namespace curlew::mesh {
namespace {

/// Middle nodes in VTK's order of edges, 01 12 02 (03 13 23), as indices after the vertices.
constexpr int cell_middles[] = {0, 3, 1, 2, 4, 5};
constexpr int triangle_middles[] = {0, 2, 1};

void add_cell(io::VtkGrid& grid, io::VtkCell type, const Index* nodes, int vertices, const int* middles,
              int num_middles) {
  std::array<std::int64_t, 10> points;
  for (int v = 0; v < vertices; ++v) points[v] = nodes[v];
  for (int e = 0; e < num_middles; ++e) points[vertices + e] = nodes[vertices + middles[e]];
  grid.add_cell(type, points.data(), vertices + num_middles);
}

void add_triangle(io::VtkGrid& grid, const Mesh& mesh, Index t) {
  const bool curved = mesh.geometry_order == 2;
  add_cell(grid, curved ? io::VtkCell::quadratic_triangle : io::VtkCell::triangle, mesh.triangle(t), 3,
           triangle_middles, curved ? 3 : 0);
}

io::VtkGrid make_grid(const Mesh& mesh) {
  const bool curved = mesh.geometry_order == 2;
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    add_cell(grid, curved ? io::VtkCell::quadratic_tetrahedron : io::VtkCell::tetrahedron, mesh.cell(c), 4,
             cell_middles, curved ? 6 : 0);
  for (Index t = 0; t < mesh.num_triangles(); ++t) add_triangle(grid, mesh, t);
  return grid;
}

/// Number of the first region that each entity is in, written from `begin` on; -1 for none.
void first_region(const std::vector<Region>& regions, double* begin) {
  for (std::size_t r = regions.size(); r-- > 0;)
    for (const Index entity : regions[r].entities) begin[entity] = double(r);
}

}  // namespace

std::string region_names(const std::vector<Region>& regions) {
  std::string text;
  for (std::size_t r = 0; r < regions.size(); ++r)
    text += fmt::format("{}{} {}", r ? ", " : "", r, regions[r].name);
  return text;
}

std::vector<double> first_regions(const std::vector<Region>& regions, std::size_t count) {
  std::vector<double> numbers(count, -1);
  first_region(regions, numbers.data());
  return numbers;
}

void write_surfaces_vtk(const Mesh& mesh, const std::string& path, const io::Provenance& provenance) {
  const auto numbers = first_regions(mesh.surfaces, std::size_t(mesh.num_triangles()));
  io::VtkGrid grid;
  grid.points = mesh.nodes;
  std::vector<double> shown;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    if (numbers[std::size_t(t)] < 0) continue;
    add_triangle(grid, mesh, t);
    shown.push_back(numbers[std::size_t(t)]);
  }
  io::VtkHdfWriter writer(path, grid, provenance);
  writer.static_cell_array("surface", shown, 1,
                           {"1", "number of the surface region: " + region_names(mesh.surfaces)});
  writer.close();
}

void write_mesh_vtk(const Mesh& mesh, const std::string& path, const io::Provenance& provenance) {
  const io::VtkGrid grid = make_grid(mesh);
  const std::size_t count = grid.num_cells();
  std::vector<double> volume(count, -1), surface(count, -1), shape(count, -1), jacobian(count, -1);
  first_region(mesh.volumes, volume.data());
  first_region(mesh.surfaces, surface.data() + mesh.num_cells());
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto [least, greatest] = jacobian_range(mesh, c);
    shape[c] = mean_ratio(mesh, c);
    jacobian[c] = least / greatest;
  }
  io::VtkHdfWriter writer(path, grid, provenance);
  writer.static_cell_array(
      "volume", volume, 1,
      {"1", "number of the volume region, -1 for triangles: " + region_names(mesh.volumes)});
  writer.static_cell_array(
      "surface", surface, 1,
      {"1", "number of the surface region, -1 for cells: " + region_names(mesh.surfaces)});
  writer.static_cell_array("shape", shape, 1, {"1", "mean ratio of a cell: 1 regular, 0 flat"});
  writer.static_cell_array("jacobian", jacobian, 1,
                           {"1", "least over greatest Jacobian determinant within a cell"});
  writer.close();
}

}  // namespace curlew::mesh
