// SPDX-License-Identifier: BSD-3-Clause
#include "icosphere.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"

namespace curlew::mesh {
namespace {

constexpr int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/// Corners of the icosahedron, |x| = sqrt(1 + g^2) with the golden ratio g.
std::array<Vec3<double>, 12> corners() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  return {{{-1, g, 0},
           {1, g, 0},
           {-1, -g, 0},
           {1, -g, 0},
           {0, -1, g},
           {0, 1, g},
           {0, -1, -g},
           {0, 1, -g},
           {g, 0, -1},
           {g, 0, 1},
           {-g, 0, -1},
           {-g, 0, 1}}};
}

/// Numbers of the nodes that faces share: corners, and the inner nodes of the edges, in order of first use.
class SharedNodes {
 public:
  /// The entry of the node with weights[c] steps of n at three corners of a face, one of which is zero.
  Index& find(const int* face, const std::array<int, 3>& weights) {
    int from = -1, to = -1, step = 0;
    for (int c = 0; c < 3; ++c) {
      if (weights[std::size_t(c)] == 0) continue;
      if (from < 0 || face[c] < from) {
        to = from, from = face[c];
        step = weights[std::size_t(c)];
      } else {
        to = face[c];
      }
    }
    return known_.try_emplace({from, to, step}, -1).first->second;
  }

 private:
  std::map<std::array<int, 3>, Index> known_;
};

}  // namespace

TriangleSoup icosphere(int n, double radius, Vec3<double> center) {
  if (n < 1 || n > 14000) throw InputError(fmt::format("icosphere: divisions must be 1 to 14000, not {}", n));
  const auto v = corners();
  TriangleSoup soup;
  SharedNodes shared;
  std::vector<Index> inside;  // of the face, [n + 1, n + 1]
  for (const auto& f : faces) {
    inside.assign(std::size_t(n + 1) * std::size_t(n + 1), -1);
    const auto at = [&](int i, int j) {
      const bool is_shared = i == 0 || j == 0 || i + j == n;
      Index& number = is_shared ? shared.find(f, {n - i - j, i, j}) : inside[std::size_t(i) * (n + 1) + j];
      if (number < 0) {
        number = Index(soup.nodes.size());
        const auto flat = double(n - i - j) * v[f[0]] + double(i) * v[f[1]] + double(j) * v[f[2]];
        soup.nodes.push_back(center + radius * normalized(flat));
      }
      return number;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        soup.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < n) soup.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return soup;
}

}  // namespace curlew::mesh
