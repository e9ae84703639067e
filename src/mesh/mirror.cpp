// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/mirror.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "mesh/ordering.hpp"

namespace curlew::mesh {
namespace {

/// Moves nodes close to the plane into it. @returns whether each lies there
std::vector<char> nodes_in_plane(Mesh& mesh, int axis) {
  constexpr double close = 1e-7;  // of the size: far below the edges of any mesh
  double size = 0, lowest = 0, highest = 0;
  for (const auto& node : mesh.nodes) {
    size = std::max(size, norm(node - mesh.nodes[0]));
    lowest = std::min(lowest, node[axis]), highest = std::max(highest, node[axis]);
  }
  const char name = char('x' + axis);
  if (std::min(-lowest, highest) > close * size)
    throw InputError(
        fmt::format("{}: mirror = \"{}\" needs the half on one side of {} = 0, and there are nodes from {} = "
                    "{:.4g} to {:.4g} m: cut the geometry there",
                    mesh.name, name, name, name, lowest, highest));
  std::vector<char> is_in(mesh.nodes.size());
  for (std::size_t n = 0; n < is_in.size(); ++n) {
    is_in[n] = std::abs(mesh.nodes[n][axis]) <= close * size;
    if (is_in[n]) mesh.nodes[n][axis] = 0;
  }
  if (std::find(is_in.begin(), is_in.end(), 1) == is_in.end())
    throw InputError(
        fmt::format("{}: mirror = \"{}\": no node lies in the plane {} = 0, so that the halves "
                    "would not meet",
                    mesh.name, name, name));
  return is_in;
}

/// Adds the images of rows of nodes, and of the regions that they are in. Rows in the plane are their own
/// images. @returns their number
Index add_images(int width, const std::vector<Index>& image, std::vector<Index>& rows,
                 std::vector<Region>& regions) {
  const auto count = Index(rows.size() / std::size_t(width));
  std::vector<Index> image_of(std::size_t(count), -1);
  Index next = count, in_plane = 0;
  for (Index i = 0; i < count; ++i) {
    const auto first = std::size_t(i) * std::size_t(width);
    std::vector<Index> own(rows.begin() + Offset(first), rows.begin() + Offset(first) + width), other = own;
    for (Index& node : other) node = image[std::size_t(node)];
    if (other == own) {
      ++in_plane;
      continue;
    }
    image_of[std::size_t(i)] = next++;
    rows.insert(rows.end(), other.begin(), other.end());
  }
  for (Region& region : regions) {
    const auto own = region.entities;
    for (const Index i : own)
      if (image_of[std::size_t(i)] >= 0) region.entities.push_back(image_of[std::size_t(i)]);
    std::sort(region.entities.begin(), region.entities.end());
  }
  return in_plane;
}

}  // namespace

Mesh mirrored(Mesh mesh, int axis) {
  const auto is_in = nodes_in_plane(mesh, axis);
  std::vector<Index> image(is_in.size());
  for (std::size_t n = 0; n < is_in.size(); ++n) {
    image[n] = is_in[n] ? Index(n) : Index(mesh.nodes.size());
    if (is_in[n]) continue;
    auto node = mesh.nodes[n];
    node[axis] = -node[axis];
    mesh.nodes.push_back(node);
  }
  add_images(mesh.nodes_per_cell(), image, mesh.cells, mesh.volumes);
  const Index in_plane = add_images(mesh.nodes_per_triangle(), image, mesh.triangles, mesh.surfaces);
  if (in_plane > 0 && mesh.cells.empty())
    log::warn(
        "{}: {} triangles lie in the plane {} = 0 of the mirror: they become a sheet inside the body, unless "
        "the physical surfaces leave out the cut",
        mesh.name, in_plane, char('x' + axis));
  sort_vertices(mesh);
  order_along_curve(mesh);
  return mesh;
}

}  // namespace curlew::mesh
