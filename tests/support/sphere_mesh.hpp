// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles on a sphere: an icosahedron with every edge divided, its nodes moved out to the sphere.

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::test {

struct TriangleSoup {
  std::vector<Vec3<double>> nodes;
  std::vector<std::array<Index, 3>> triangles;
};

/// 20 n^2 triangles, 30 n^2 edges of mean length about 1.1 radius/n.
inline TriangleSoup icosphere(int n, double radius, Vec3<double> center = {}) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  const Vec3<double> v[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                              {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                            {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                            {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                            {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  TriangleSoup soup;
  std::map<std::array<long, 3>, Index> known;
  const auto node = [&](Vec3<double> p) {
    const Vec3<double> x = center + radius * normalized(p);
    const std::array<long, 3> key{std::lround(1e9 * (x.x - center.x) / radius),
                                  std::lround(1e9 * (x.y - center.y) / radius),
                                  std::lround(1e9 * (x.z - center.z) / radius)};
    // Neighbouring faces give the same node up to rounding: look at the cells around too.
    for (long a = -1; a <= 1; ++a)
      for (long b = -1; b <= 1; ++b)
        for (long c = -1; c <= 1; ++c)
          if (const auto at = known.find({key[0] + a, key[1] + b, key[2] + c}); at != known.end())
            return at->second;
    known[key] = Index(soup.nodes.size());
    soup.nodes.push_back(x);
    return Index(soup.nodes.size()) - 1;
  };
  for (const auto& f : faces) {
    const auto at = [&](int i, int j) {
      return node((1.0 / n) * (double(n - i - j) * v[f[0]] + double(i) * v[f[1]] + double(j) * v[f[2]]));
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

}  // namespace curlew::test
