// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds axis-aligned boxes that touch a given one: a binary tree of bounding boxes, O(log N) per query.

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::mesh {

struct Bounds {
  static constexpr double inf = std::numeric_limits<double>::infinity();
  Vec3<double> low{inf, inf, inf}, high{-inf, -inf, -inf};

  static Bounds around(std::span<const Vec3<double>> points) {
    Bounds box;
    for (const auto& p : points) box.add({p, p});
    return box;
  }
  Vec3<double> size() const { return high - low; }
  void add(const Bounds& other) {
    for (int d = 0; d < 3; ++d)
      low[d] = std::min(low[d], other.low[d]), high[d] = std::max(high[d], other.high[d]);
  }
  void grow(double by) { low = low - Vec3<double>{by, by, by}, high += Vec3<double>{by, by, by}; }
  bool touches(const Bounds& other) const {
    for (int d = 0; d < 3; ++d)
      if (low[d] > other.high[d] || high[d] < other.low[d]) return false;
    return true;
  }
};

class BoxTree {
 public:
  /// @param boxes outlive the tree
  explicit BoxTree(std::span<const Bounds> boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), Index(0));
    if (!order_.empty()) build(0, Index(order_.size()));
  }

  /// Calls visit(index) for all boxes that touch one, in an order that depends on the boxes only.
  template <class Visit>
  void for_each_touching(const Bounds& box, Visit&& visit) const {
    if (!parts_.empty()) look(0, box, visit);
  }

 private:
  struct Part {
    Bounds box;
    Index begin, end;  ///< in order_
    Index second;      ///< part; the first half is the next one; 0: a leaf
  };
  static constexpr Index leaf = 6;

  Index build(Index begin, Index end) {
    const Index own = Index(parts_.size());
    Part part{{}, begin, end, 0};
    for (Index i = begin; i < end; ++i) part.box.add(boxes_[std::size_t(order_[std::size_t(i)])]);
    parts_.push_back(part);
    if (end - begin <= leaf) return own;
    const auto size = part.box.size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const Index middle = begin + (end - begin) / 2;
    const auto centre = [&](Index i) {
      const Bounds& b = boxes_[std::size_t(i)];
      return b.low[axis] + b.high[axis];
    };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](Index a, Index b) { return std::pair(centre(a), a) < std::pair(centre(b), b); });
    build(begin, middle);
    const Index second = build(middle, end);
    parts_[std::size_t(own)].second = second;
    return own;
  }

  template <class Visit>
  void look(Index at, const Bounds& box, Visit& visit) const {
    const Part& part = parts_[std::size_t(at)];
    if (!part.box.touches(box)) return;
    if (part.second == 0) {
      for (Index i = part.begin; i < part.end; ++i) {
        const Index number = order_[std::size_t(i)];
        if (boxes_[std::size_t(number)].touches(box)) visit(number);
      }
      return;
    }
    look(at + 1, box, visit);
    look(part.second, box, visit);
  }

  std::span<const Bounds> boxes_;
  std::vector<Index> order_;
  std::vector<Part> parts_;
};

}  // namespace curlew::mesh
