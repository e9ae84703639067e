// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/size_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "mesh/mesh_file.hpp"

namespace curlew::mesh {

void write_size_field(const SizeField& field, io::H5Group& file) {
  auto group = file.create_group("mesh");
  write_mesh(field.mesh, group);
  if (field.use == MeshUse::volumes)
    file.write("cell_size", field.sizes, {"m", "edge length that the next mesh should have here (cell)"});
  else
    file.write("triangle_size", field.sizes,
               {"m", "edge length that the next mesh should have here (triangle)"});
  const auto write_orders = [&](const char* name, const std::vector<std::int8_t>& orders, const char* help) {
    if (!orders.empty())
      file.write(name, std::vector<std::int64_t>(orders.begin(), orders.end()), {"1", help});
  };
  write_orders("cell_order", field.mesh.element_orders, "order of the elements of this mesh (cell)");
  write_orders("next_order", field.orders, "order of the next mesh's elements here (cell)");
}

SizeField read_size_field(const std::string& path) {
  const auto file = io::H5File::open(path);
  const bool on_triangles = file.has("triangle_size");
  const std::string name = on_triangles ? "triangle_size" : "cell_size";
  SizeField field{read_mesh(file.group("mesh")), file.read<double>(name),
                  on_triangles ? MeshUse::surfaces : MeshUse::volumes};
  if (field.sizes.size() != std::size_t(num_elements(field.mesh, field.use)))
    throw InputError(path + ": " + name + " must have a value for every " +
                     (on_triangles ? "triangle" : "cell") + " of the mesh in it");
  for (const double size : field.sizes)
    if (!(size > 0) || !std::isfinite(size)) throw InputError(path + ": " + name + " must be positive");
  const auto read_orders = [&](const std::string& of, std::vector<std::int8_t>& orders) {
    if (!file.has(of)) return;
    for (const auto order : file.read<std::int64_t>(of)) {
      if (order < 1 || order > 3) throw InputError(path + ": " + of + " must be 1 to 3");
      orders.push_back(std::int8_t(order));
    }
    if (orders.size() != std::size_t(field.mesh.num_cells()))
      throw InputError(path + ": " + of + " must have a value for every cell of the mesh in it");
  };
  read_orders("cell_order", field.mesh.element_orders);
  read_orders("next_order", field.orders);
  return field;
}

// Two of the four vertices of a tall cell may lie above the others: the third of its edges is tall then. Of
// cells as long as wide the third is hardly longer than the first two.
constexpr double tall_limit = 1.1;

namespace {

template <std::size_t edges>
double size_of(const Mesh& mesh, const Index* n, const std::array<std::array<int, 2>, edges>& ends) {
  std::array<double, edges> lengths{};
  for (std::size_t e = 0; e < edges; ++e)
    lengths[e] = norm(mesh.nodes[std::size_t(n[ends[e][0]])] - mesh.nodes[std::size_t(n[ends[e][1]])]);
  std::sort(lengths.begin(), lengths.end());
  return std::min((lengths[0] + lengths[1] + lengths[2]) / 3, tall_limit * (lengths[0] + lengths[1]) / 2);
}

}  // namespace

double cell_size(const Mesh& mesh, Index cell) {
  return size_of(mesh, mesh.cell(cell), cell_edge_vertices);
}

double triangle_size(const Mesh& mesh, Index triangle) {
  return size_of(mesh, mesh.triangle(triangle), triangle_edge_vertices);
}

double element_size(const Mesh& mesh, MeshUse use, Index element) {
  return use == MeshUse::volumes ? cell_size(mesh, element) : triangle_size(mesh, element);
}

SizeAt::SizeAt(const SizeField& field) {
  std::vector<double> sums(field.mesh.nodes.size()), counts(sums.size());
  const bool on_cells = field.use == MeshUse::volumes;
  for (Index e = 0; e < Index(field.sizes.size()); ++e)
    for (int v = 0; v < (on_cells ? 4 : 3); ++v) {
      const auto node = std::size_t(on_cells ? field.mesh.cell(e)[v] : field.mesh.triangle(e)[v]);
      sums[node] += std::log(field.sizes[std::size_t(e)]), ++counts[node];
    }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0) tree_.push_back({field.mesh.nodes[i], sums[i] / counts[i]});
  split(0, tree_.size(), 0);
}

void SizeAt::split(std::size_t begin, std::size_t end, int axis) {
  if (end - begin < 2) return;
  const std::size_t middle = (begin + end) / 2;
  const auto at = [&](std::size_t i) { return tree_.begin() + std::ptrdiff_t(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [axis](const Vertex& a, const Vertex& b) { return a.at[axis] < b.at[axis]; });
  split(begin, middle, (axis + 1) % 3);
  split(middle + 1, end, (axis + 1) % 3);
}

/// The nearest vertices so far, in ascending order of their squared distance.
struct SizeAt::Nearest {
  Vec3<double> point;
  std::array<double, 4> squares;
  std::array<double, 4> log_sizes{};

  void offer(const Vertex& vertex) {
    double square = dot(vertex.at - point, vertex.at - point), log_size = vertex.log_size;
    for (std::size_t i = 0; i < squares.size(); ++i)
      if (square < squares[i]) std::swap(square, squares[i]), std::swap(log_size, log_sizes[i]);
  }
};

void SizeAt::search(std::size_t begin, std::size_t end, int axis, Nearest& nearest) const {
  if (begin == end) return;
  const std::size_t middle = (begin + end) / 2;
  const double beyond = nearest.point[axis] - tree_[middle].at[axis];
  nearest.offer(tree_[middle]);
  const auto lower = [&] { search(begin, middle, (axis + 1) % 3, nearest); };
  const auto upper = [&] { search(middle + 1, end, (axis + 1) % 3, nearest); };
  beyond < 0 ? lower() : upper();
  if (beyond * beyond < nearest.squares.back()) beyond < 0 ? upper() : lower();
}

double SizeAt::operator()(Vec3<double> point) const {
  Nearest nearest{point, {}, {}};
  nearest.squares.fill(std::numeric_limits<double>::max());
  search(0, tree_.size(), 0, nearest);
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, tree_.size()); ++i) {
    const double weight = 1 / std::max(nearest.squares[i], 1e-30);
    sum += weight * nearest.log_sizes[i], weights += weight;
  }
  return std::exp(sum / weights);
}

}  // namespace curlew::mesh
