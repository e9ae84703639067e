// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/shells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

/// Joins sides: 2 t is the side of triangle t along its normal, 2 t + 1 the other.
class Joined {
 public:
  explicit Joined(Index faces) : parent_(2 * std::size_t(faces)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Index root(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Index a, Index b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

void join_around(std::span<const EdgeSide> fan, Joined& joined) {
  for (std::size_t i = 0; i < fan.size(); ++i) {
    const EdgeSide &s = fan[i], &next = fan[(i + 1) % fan.size()];
    joined.join(2 * s.triangle + (s.ascending ? 0 : 1), 2 * next.triangle + (next.ascending ? 1 : 0));
  }
}

void number_shells(const SurfaceMesh& mesh, Joined& joined, Shells& shells) {
  std::vector<Index> number(2 * std::size_t(mesh.num_faces()), -1);
  shells.at.resize(std::size_t(mesh.num_faces()));
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    for (int side = 0; side < 2; ++side) {
      Index& own = number[joined.root(2 * t + side)];
      if (own < 0) own = Index(shells.first.size()), shells.first.push_back(t);
      shells.at[t][side] = own;
    }
  }
}

void measure(const SurfaceMesh& mesh, Shells& shells) {
  shells.volume.assign(shells.first.size(), 0);
  std::vector<double> size(shells.first.size());
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    if (shells.at[t][0] == shells.at[t][1]) continue;
    for (int side = 0; side < 2; ++side) {
      const Index s = shells.at[t][side];
      const Vec3<double> from = mesh.centroid(t) - mesh.corner(shells.first[s], 0);
      const double part = dot(from, mesh.area_vector(t)) / 6;
      shells.volume[s] += side == 0 ? -part : part;
      size[s] += norm(from) * norm(mesh.area_vector(t)) / 6;
    }
  }
  for (Index s = 0; s < shells.size(); ++s)
    if (shells.volume[s] < 1e-9 * size[s]) shells.volume[s] = 0;
}

struct Box {
  Vec3<double> low, high;
};

std::vector<Box> boxes_of(const SurfaceMesh& mesh, const Shells& shells) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<Box> boxes(shells.first.size(), {{inf, inf, inf}, {-inf, -inf, -inf}});
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    for (const Index s : shells.at[t]) {
      for (int c = 0; c < 3; ++c) {
        for (int d = 0; d < 3; ++d) {
          boxes[s].low[d] = std::min(boxes[s].low[d], mesh.corner(t, c)[d]);
          boxes[s].high[d] = std::max(boxes[s].high[d], mesh.corner(t, c)[d]);
        }
      }
    }
  }
  return boxes;
}

bool contains(const Box& box, Vec3<double> point) {
  for (int d = 0; d < 3; ++d)
    if (point[d] < box.low[d] || point[d] > box.high[d]) return false;
  return true;
}

void find_surrounding(const SurfaceMesh& mesh, Shells& shells) {
  const auto boxes = boxes_of(mesh, shells);
  shells.surrounding.assign(shells.first.size(), -1);
  for (Index i = 0; i < shells.size(); ++i) {
    if (shells.encloses(i)) continue;
    const Index t = shells.first[i];
    const auto point = mesh.centroid(t);
    Index& smallest = shells.surrounding[i];
    for (Index o = 0; o < shells.size(); ++o) {
      // A shell with this very triangle lies behind it.
      if (!shells.encloses(o) || o == shells.at[t][0] || o == shells.at[t][1]) continue;
      if (!contains(boxes[o], point)) continue;
      if (smallest >= 0 && shells.volume[o] > shells.volume[smallest]) continue;
      if (is_inside(mesh, shells, o, point)) smallest = o;
    }
  }
}

}  // namespace

Shells find_shells(const SurfaceMesh& mesh, std::span<const EdgeSide> sides) {
  Joined joined(mesh.num_faces());
  for_each_edge(sides, [&](auto edge) {
    if (edge.size() < 3)
      join_around(edge, joined);
    else
      join_around(around_edge(mesh, edge), joined);
  });
  Shells shells;
  number_shells(mesh, joined, shells);
  measure(mesh, shells);
  find_surrounding(mesh, shells);
  return shells;
}

bool is_inside(const SurfaceMesh& mesh, const Shells& shells, Index shell, Vec3<double> point) {
  double angle = 0;  // van Oosterom and Strackee (1983), IEEE Trans. Biomed. Eng. 30
  for (Index t = 0; t < mesh.num_faces(); ++t) {
    const auto [front, back] = shells.at[t];
    if ((front == shell) == (back == shell)) continue;
    const auto a = mesh.corner(t, 0) - point, b = mesh.corner(t, 1) - point, c = mesh.corner(t, 2) - point;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    const double own =
        2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    angle += back == shell ? own : -own;
  }
  return angle > 2 * pi;
}

}  // namespace curlew::ie
