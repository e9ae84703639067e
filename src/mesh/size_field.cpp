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
  file.write("cell_size", field.sizes, {"m", "edges that the next mesh should have here (cell)"});
}

SizeField read_size_field(const std::string& path) {
  const auto file = io::H5File::open(path);
  SizeField field{read_mesh(file.group("mesh")), file.read<double>("cell_size")};
  if (field.sizes.size() != std::size_t(field.mesh.num_cells()))
    throw InputError(path + ": cell_size must have a value for every cell of the mesh in it");
  for (const double size : field.sizes)
    if (!(size > 0) || !std::isfinite(size)) throw InputError(path + ": cell_size must be positive");
  return field;
}

// Two of the four vertices of a tall cell may lie above the others: the third of its edges is tall then. Of
// cells as long as wide the third is hardly longer than the first two.
constexpr double tall_limit = 1.1;

double cell_size(const Mesh& mesh, Index cell) {
  const Index* n = mesh.cell(cell);
  std::array<double, 6> lengths{};
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    lengths[e] = norm(mesh.nodes[std::size_t(n[a])] - mesh.nodes[std::size_t(n[b])]);
  }
  std::sort(lengths.begin(), lengths.end());
  return std::min((lengths[0] + lengths[1] + lengths[2]) / 3, tall_limit * (lengths[0] + lengths[1]) / 2);
}

SizeAt::SizeAt(const SizeField& field) {
  std::vector<double> sums(field.mesh.nodes.size()), counts(sums.size());
  for (Index c = 0; c < field.mesh.num_cells(); ++c)
    for (int v = 0; v < 4; ++v) {
      const auto node = std::size_t(field.mesh.cell(c)[v]);
      sums[node] += std::log(field.sizes[std::size_t(c)]), ++counts[node];
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
