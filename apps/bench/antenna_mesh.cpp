// SPDX-License-Identifier: BSD-3-Clause
// The mesh behind the antenna matrix of the Sliced ELLR-T paper. A box of 22 x 22 x 3 cubes of six tetrahedra
// each (Kuhn) has 8712 cells; without its walls and a patch of 272 edges and 173 faces it has the edges and
// faces that the block sizes of the paper's table 1 imply: 8091 edges, 2 x 16019 + 8091 = 40129,
// 3 x 8710 + 4 x 16019 + 8091 = 98297.
#include "bench/antenna_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace curlew::bench {
namespace {

using Point = std::array<int, 3>;
constexpr Point box = antenna_box;

bool on_wall(const std::vector<Point>& points) {
  for (int a = 0; a < 3; ++a) {
    for (const int wall : {0, box[a]}) {
      if (std::all_of(points.begin(), points.end(), [&](const Point& p) { return p[a] == wall; }))
        return true;
    }
  }
  return false;
}

std::array<double, 3> centre_of(const std::vector<Point>& points) {
  std::array<double, 3> c{};
  for (const Point& p : points) {
    for (int a = 0; a < 3; ++a) c[a] += double(p[a]) / points.size();
  }
  return c;
}

/// Distance from the middle of the sheet z = 1, infinite for what does not lie in it.
double distance_in_sheet(const std::vector<Point>& points) {
  for (const Point& p : points) {
    if (p[2] != 1) return 1e30;
  }
  const auto c = centre_of(points);
  return std::hypot(c[0] - 11.1, c[1] - 10.9);
}

using Key = std::vector<Point>;

/// The `count` keys nearest to the middle of the sheet: the metal patch.
std::unordered_set<int> patch(const std::map<Key, int>& keys, std::size_t count) {
  std::vector<std::pair<double, int>> by_distance;
  for (const auto& [key, number] : keys) by_distance.emplace_back(distance_in_sheet(key), number);
  std::sort(by_distance.begin(), by_distance.end());
  std::unordered_set<int> out;
  for (std::size_t i = 0; i < count; ++i) out.insert(by_distance[i].second);
  return out;
}

std::vector<std::vector<Point>> kuhn_tetrahedra() {
  std::vector<std::vector<Point>> tetrahedra;
  for (int i = 0; i < box[0]; ++i) {
    for (int j = 0; j < box[1]; ++j) {
      for (int k = 0; k < box[2]; ++k) {
        std::array<int, 3> axes = {0, 1, 2};
        do {
          std::vector<Point> t = {{i, j, k}};
          for (const int axis : axes) {
            t.push_back(t.back());
            ++t.back()[axis];
          }
          tetrahedra.push_back(t);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return tetrahedra;
}

}  // namespace

EntityMesh antenna_mesh() {
  const auto tetrahedra = kuhn_tetrahedra();
  std::map<Key, int> numbers[2];  // edges, faces inside
  std::vector<std::array<std::vector<int>, 2>> touched;
  for (const auto& t : tetrahedra) {
    touched.emplace_back();
    for (unsigned mask = 1; mask < 15; ++mask) {
      Key key;
      for (int v = 0; v < 4; ++v) {
        if ((mask >> v & 1u) != 0) key.push_back(t[v]);
      }
      const int kind = int(key.size()) - 2;
      if (kind < 0 || kind > 1 || on_wall(key)) continue;
      touched.back()[kind].push_back(numbers[kind].emplace(key, int(numbers[kind].size())).first->second);
    }
  }
  EntityMesh mesh;
  std::vector<int> entity_of[2];
  for (int kind = 0; kind < 2; ++kind) {
    const auto removed = patch(numbers[kind], numbers[kind].size() - (kind == 0 ? 8091 : 16019));
    entity_of[kind].assign(numbers[kind].size(), -1);
    std::vector<std::pair<std::array<double, 3>, int>> kept;
    for (const auto& [key, number] : numbers[kind]) {
      if (removed.count(number) == 0) kept.emplace_back(centre_of(key), number);
    }
    std::sort(kept.begin(), kept.end());  // along the box: neighbours in space are neighbours in number
    for (const auto& [centre, number] : kept) {
      entity_of[kind][number] = int(mesh.entities.size());
      mesh.entities.push_back({kind, centre});
    }
  }
  for (std::size_t c = 0; c < tetrahedra.size(); ++c) {
    std::vector<int> all;
    for (int kind = 0; kind < 2; ++kind) {
      for (const int number : touched[c][kind]) {
        if (entity_of[kind][number] >= 0) all.push_back(entity_of[kind][number]);
      }
    }
    if (c + 2 < tetrahedra.size()) {  // the last two cells have no interior unknowns
      all.push_back(int(mesh.entities.size()));
      mesh.entities.push_back({2, centre_of(tetrahedra[c])});
    }
    mesh.cells.push_back(all);
  }
  return mesh;
}

}  // namespace curlew::bench
