// SPDX-License-Identifier: BSD-3-Clause
#include "ie/accelerated/near_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/threads.hpp"

namespace curlew::ie {
namespace {

struct Ball {
  Vec3<double> centre;
  double radius;
};

using Cell = std::array<std::int64_t, 3>;

/// Balls of one class of radii, sorted by the cell of a grid that their centres are in.
class BallGrid {
 public:
  BallGrid(const std::vector<Ball>& balls, std::vector<Index> members, double width)
      : width_(width), members_(std::move(members)) {
    std::vector<Cell> cells(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) cells[i] = cell(balls[std::size_t(members_[i])].centre);
    std::vector<Index> order(members_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return cells[a] < cells[b]; });
    std::vector<Index> sorted;
    for (const Index i : order) {
      if (cells_.empty() || cells_.back() != cells[i])
        cells_.push_back(cells[i]), begins_.push_back(Offset(sorted.size()));
      sorted.push_back(members_[i]);
    }
    begins_.push_back(Offset(sorted.size()));
    members_ = std::move(sorted);
  }

  /// Calls f(member) for all in the 27 cells around a point.
  template <class F>
  void around(Vec3<double> point, F&& f) const {
    const Cell c = cell(point);
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        // The three cells of a row along z stand side by side.
        const Cell low{c[0] + dx, c[1] + dy, c[2] - 1};
        auto it = std::lower_bound(cells_.begin(), cells_.end(), low);
        for (; it != cells_.end() && (*it)[0] == low[0] && (*it)[1] == low[1] && (*it)[2] <= c[2] + 1; ++it) {
          const auto n = std::size_t(it - cells_.begin());
          for (Offset i = begins_[n]; i < begins_[n + 1]; ++i) f(members_[std::size_t(i)]);
        }
      }
    }
  }

 private:
  Cell cell(Vec3<double> p) const {
    return {std::int64_t(std::floor(p.x / width_)), std::int64_t(std::floor(p.y / width_)),
            std::int64_t(std::floor(p.z / width_))};
  }
  double width_;
  std::vector<Index> members_;
  std::vector<Cell> cells_;
  std::vector<Offset> begins_;
};

/// Rows of partners that are not in a smaller class than the element itself.
std::vector<std::vector<Index>> upward_rows(const std::vector<Ball>& balls,
                                            const std::vector<int>& ball_class,
                                            const std::map<int, BallGrid>& grids, double reach) {
  std::vector<std::vector<Index>> rows(balls.size());
#pragma omp parallel for schedule(dynamic, 256)
  for (Index t = 0; t < Index(balls.size()); ++t) {
    const Ball& a = balls[std::size_t(t)];
    for (auto it = grids.lower_bound(ball_class[std::size_t(t)]); it != grids.end(); ++it) {
      it->second.around(a.centre, [&](Index s) {
        const Ball& b = balls[std::size_t(s)];
        const Vec3<double> d = a.centre - b.centre;
        const double limit = reach * (a.radius + b.radius);
        if (dot(d, d) < limit * limit) rows[std::size_t(t)].push_back(s);
      });
    }
  }
  return rows;
}

}  // namespace

Offset NearList::find(Index t, Index s) const {
  const auto begin = columns.begin() + offsets[std::size_t(t)],
             end = columns.begin() + offsets[std::size_t(t) + 1];
  return std::lower_bound(begin, end, s) - columns.begin();
}

NearList find_near_pairs(const std::vector<Element>& elements, double reach) {
  std::vector<Ball> balls;
  std::vector<int> ball_class;
  std::map<int, std::vector<Index>> classes;
  for (const Element& e : elements) {
    balls.push_back({e.centre(), e.radius()});
    ball_class.push_back(std::ilogb(balls.back().radius));
    classes[ball_class.back()].push_back(Index(balls.size()) - 1);
  }
  std::map<int, BallGrid> grids;
  for (auto& [exponent, members] : classes) {
    // Radii below 2^(exponent + 1), partners not larger: centres are less than 2 reach 2^(exponent + 1)
    // apart.
    grids.emplace(exponent, BallGrid(balls, std::move(members), reach * std::ldexp(4.0, exponent)));
  }
  auto rows = upward_rows(balls, ball_class, grids, reach);
  std::vector<Offset> counts(elements.size() + 1);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    counts[t + 1] += Offset(rows[t].size());
    for (const Index s : rows[t]) counts[std::size_t(s) + 1] += ball_class[std::size_t(s)] > ball_class[t];
  }
  NearList list;
  list.offsets.assign(elements.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), list.offsets.begin());
  require_memory(std::size_t(list.num_pairs()) * sizeof(Index), "list of near pairs");
  list.columns.resize(std::size_t(list.num_pairs()));
  std::vector<Offset> next(list.offsets.begin(), list.offsets.end() - 1);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (const Index s : rows[t]) {
      list.columns[std::size_t(next[t]++)] = s;
      if (ball_class[std::size_t(s)] > ball_class[t])
        list.columns[std::size_t(next[std::size_t(s)]++)] = Index(t);
    }
    rows[t] = {};
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (Index t = 0; t < Index(elements.size()); ++t)
    std::sort(list.columns.begin() + list.offsets[std::size_t(t)],
              list.columns.begin() + list.offsets[std::size_t(t) + 1]);
  return list;
}

}  // namespace curlew::ie
