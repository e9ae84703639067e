// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/cell_subdivision.hpp"

#include <algorithm>
#include <utility>

#include "mesh/mesh.hpp"

namespace curlew::fem {

CellSubdivision::CellSubdivision(int n)
    : n_(n), number_(std::size_t(n + 1) * std::size_t(n + 1) * std::size_t(n + 1), -1) {
  add_nodes();
  for (int i = 0; i < n; ++i)
    for (int j = 0; i + j < n; ++j)
      for (int k = 0; i + j + k < n; ++k) cut({i, j, k});
}

int CellSubdivision::node(const Place& p) const {
  const auto side = std::size_t(n_ + 1);
  return number_[(std::size_t(p[1]) * side + std::size_t(p[2])) * side + std::size_t(p[3])];
}

void CellSubdivision::add_nodes() {
  std::vector<Place> ordered;
  for (std::size_t v = 0; v < 4; ++v) {
    Place place{};
    place[v] = n_;
    ordered.push_back(place);
  }
  for (const auto& [a, b] : mesh::cell_edge_vertices)
    for (int i = 1; i < n_; ++i) {
      Place place{};
      place[std::size_t(a)] = n_ - i, place[std::size_t(b)] = i;
      ordered.push_back(place);
    }
  for (int i = 0; i <= n_; ++i)
    for (int j = 0; i + j <= n_; ++j)
      for (int k = 0; i + j + k <= n_; ++k) {
        const Place place{n_ - i - j - k, i, j, k};
        if (std::count(place.begin(), place.end(), 0) < 2) ordered.push_back(place);
      }
  const auto side = std::size_t(n_ + 1);
  for (const Place& p : ordered) {
    number_[(std::size_t(p[1]) * side + std::size_t(p[2])) * side + std::size_t(p[3])] = int(nodes_.size());
    nodes_.push_back(p);
  }
}

std::vector<Vec3<double>> CellSubdivision::positions() const {
  std::vector<Vec3<double>> points;
  for (const Place& p : nodes_) points.push_back({double(p[1]) / n_, double(p[2]) / n_, double(p[3]) / n_});
  return points;
}

void CellSubdivision::add_cell(std::array<int, 4> cell) {
  const auto at = [&](int i) {
    const Place& p = nodes_[std::size_t(cell[std::size_t(i)])];
    return Vec3<double>{double(p[1]), double(p[2]), double(p[3])};
  };
  const Vec3<double> origin = at(0);
  if (dot(cross(at(1) - origin, at(2) - origin), at(3) - origin) < 0) std::swap(cell[2], cell[3]);
  cells_.push_back(cell);
}

/// The pieces of the small cube at a corner that lie inside: a tetrahedron at the corner, an octahedron cut
/// into four along one diagonal, a tetrahedron opposite.
void CellSubdivision::cut(const std::array<int, 3>& corner) {
  const auto [i, j, k] = corner;
  const auto at = [&](int a, int b, int c) {
    return node({n_ - (i + a) - (j + b) - (k + c), i + a, j + b, k + c});
  };
  const int left = n_ - i - j - k;
  add_cell({at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)});
  if (left < 2) return;
  const int one = at(1, 0, 0), other = at(0, 1, 1);  // ends of the diagonal
  const std::array<int, 4> ring{at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 0)};
  for (std::size_t r = 0; r < 4; ++r) add_cell({one, other, ring[r], ring[(r + 1) % 4]});
  if (left > 2) add_cell({at(1, 1, 1), at(0, 1, 1), at(1, 0, 1), at(1, 1, 0)});
}

std::vector<int> CellSubdivision::face_nodes(const std::array<int, 3>& v) const {
  std::vector<int> nodes;
  for (int i = 0; i <= n_; ++i)
    for (int j = 0; i + j <= n_; ++j) {
      Place place{};
      place[std::size_t(v[0])] = n_ - i - j;
      place[std::size_t(v[1])] = i;
      place[std::size_t(v[2])] = j;
      nodes.push_back(node(place));
    }
  return nodes;
}

}  // namespace curlew::fem
