// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/near_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "base/threads.hpp"

namespace curlew::ie {
namespace {

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
        // The three cells of a row along z are contiguous.
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

/// Balls by class of radius: all below 2^(exponent + 1), not below 2^exponent.
struct Classes {
  std::vector<int> of;  ///< [balls] exponent
  std::map<int, BallGrid> grids;

  /// @param width of a grid's cells in the largest radius of its class
  Classes(const std::vector<Ball>& balls, double width) : of(balls.size()) {
    std::map<int, std::vector<Index>> members;
    std::map<int, double> largest;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      of[i] = std::ilogb(balls[i].radius);
      members[of[i]].push_back(Index(i));
      largest[of[i]] = std::max(largest[of[i]], balls[i].radius);
    }
    for (auto& [exponent, balls_of] : members)
      grids.emplace(exponent, BallGrid(balls, std::move(balls_of), width * largest[exponent]));
  }
};

/// Rows of partners that are not in a smaller class than the ball itself.
std::vector<std::vector<Index>> upward_rows(const std::vector<Ball>& balls, const Classes& classes,
                                            double reach, ReachUnit unit,
                                            const std::function<bool(Index, Index)>& keep) {
  std::vector<std::vector<Index>> rows(balls.size());
#pragma omp parallel
  {
    std::vector<Index> found;
#pragma omp for schedule(dynamic, 256)
    for (Index t = 0; t < Index(balls.size()); ++t) {
      const Ball& a = balls[std::size_t(t)];
      found.clear();
      for (auto it = classes.grids.lower_bound(classes.of[std::size_t(t)]); it != classes.grids.end(); ++it) {
        it->second.around(a.centre, [&](Index s) {
          const Ball& b = balls[std::size_t(s)];
          const Vec3<double> d = a.centre - b.centre;
          const double limit =
              reach * (unit == ReachUnit::sum_of_radii ? a.radius + b.radius : std::max(a.radius, b.radius));
          if (dot(d, d) < limit * limit && (!keep || keep(t, s))) found.push_back(s);
        });
      }
      rows[std::size_t(t)] = found;
    }
  }
  return rows;
}

/// Adds one and returns what was there before.
Offset take_next(Offset& counter) {
  Offset before;
#pragma omp atomic capture
  before = counter++;
  return before;
}

}  // namespace

Offset NearList::find(Index t, Index s) const {
  const auto begin = columns.begin() + offsets[std::size_t(t)],
             end = columns.begin() + offsets[std::size_t(t) + 1];
  return std::lower_bound(begin, end, s) - columns.begin();
}

NearList find_near_pairs(const std::vector<Ball>& balls, double reach,
                         const std::function<bool(Index, Index)>& keep, ReachUnit unit) {
  // A ball's partners are searched in its class and in those of larger balls: centres of a pair are at most
  // this many of the larger class's radii apart.
  const Classes classes(balls, unit == ReachUnit::sum_of_radii ? 2 * reach : reach);
  auto rows = upward_rows(balls, classes, reach, unit, keep);
  const auto is_mirrored = [&](Index t, Index s) {
    return classes.of[std::size_t(s)] > classes.of[std::size_t(t)];
  };
  const Index n = Index(balls.size());
  std::vector<Offset> counts(balls.size() + 1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (Index t = 0; t < n; ++t) {
#pragma omp atomic
    counts[std::size_t(t) + 1] += Offset(rows[std::size_t(t)].size());
    for (const Index s : rows[std::size_t(t)])
      if (is_mirrored(t, s)) take_next(counts[std::size_t(s) + 1]);
  }
  NearList list;
  list.offsets.assign(balls.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), list.offsets.begin());
  require_memory(std::size_t(list.num_pairs()) * sizeof(Index), "list of near pairs");
  list.columns.resize(std::size_t(list.num_pairs()));
  std::vector<Offset> next(list.offsets.begin(), list.offsets.end() - 1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (Index t = 0; t < n; ++t) {
    for (const Index s : rows[std::size_t(t)]) {
      list.columns[std::size_t(take_next(next[std::size_t(t)]))] = s;
      if (is_mirrored(t, s)) list.columns[std::size_t(take_next(next[std::size_t(s)]))] = t;
    }
    rows[std::size_t(t)] = {};
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (Index t = 0; t < n; ++t)
    std::sort(list.columns.begin() + list.offsets[std::size_t(t)],
              list.columns.begin() + list.offsets[std::size_t(t) + 1]);
  return list;
}

NearList find_near_pairs(const std::vector<Element>& elements, double reach) {
  std::vector<Ball> balls(elements.size());
#pragma omp parallel for
  for (Index i = 0; i < Index(elements.size()); ++i)
    balls[std::size_t(i)] = {elements[std::size_t(i)].centre(), elements[std::size_t(i)].radius()};
  return find_near_pairs(balls, reach);
}

}  // namespace curlew::ie
