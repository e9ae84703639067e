// SPDX-License-Identifier: BSD-3-Clause
// Which contour lies in which, and whether any two cross.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "mom2d/contour.hpp"

namespace curlew::mom2d {
namespace {

struct Segment {
  Point2 a, b;
  int contour, number, count;  // number of count segments of its contour
  double left() const { return std::min(along(a), along(b)); }
  double right() const { return std::max(along(a), along(b)); }
  /// Sorting direction, oblique since all segments of a vertical line would begin at the same x.
  static double along(Point2 p) { return 0.92 * p.x + 0.39 * p.y; }
};

std::vector<Segment> segments_of(const Contour& contour, int index) {
  const bool straight = std::all_of(contour.panels.begin(), contour.panels.end(),
                                    [](const Panel& p) { return p.curve == Curve::line; });
  const auto points = sample(contour, straight ? 1 : 8);
  const int n = int(points.size()), count = contour.closed ? n : n - 1;
  std::vector<Segment> segments;
  for (int i = 0; i < count; ++i) {
    segments.push_back({points[std::size_t(i)], points[std::size_t((i + 1) % n)], index, i, count});
  }
  return segments;
}

double side(Point2 a, Point2 b, Point2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

bool within(Point2 a, Point2 b, Point2 p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

bool cross(const Segment& s, const Segment& t) {
  const double a = side(s.a, s.b, t.a), b = side(s.a, s.b, t.b), c = side(t.a, t.b, s.a),
               d = side(t.a, t.b, s.b);
  if (a * b < 0 && c * d < 0) return true;
  return (a == 0 && within(s.a, s.b, t.a)) || (b == 0 && within(s.a, s.b, t.b)) ||
         (c == 0 && within(t.a, t.b, s.a)) || (d == 0 && within(t.a, t.b, s.b));
}

bool adjacent(const Segment& s, const Segment& t) {
  if (s.contour != t.contour) return false;
  const int gap = std::abs(s.number - t.number);
  return gap <= 1 || gap == s.count - 1;
}

void require_apart(std::vector<Segment> segments, const std::vector<Contour>& contours) {
  std::sort(segments.begin(), segments.end(),
            [](const auto& s, const auto& t) { return s.left() < t.left(); });
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    const double end = s.right() + 1e-12 * std::abs(s.right());  // segments that touch stay joined
    for (std::size_t j = i + 1; j < segments.size() && segments[j].left() <= end; ++j) {
      const Segment& t = segments[j];
      if (adjacent(s, t) || !cross(s, t)) continue;
      const auto &first = contours[std::size_t(s.contour)], &second = contours[std::size_t(t.contour)];
      throw InputError(
          s.contour == t.contour
              ? fmt::format("contour \"{}\" crosses or touches itself near ({}, {})", first.name, s.a.x,
                            s.a.y)
              : fmt::format("contours \"{}\" and \"{}\" cross or touch near ({}, {}): bodies must be apart "
                            "or one inside the other",
                            first.name, second.name, s.a.x, s.a.y));
    }
  }
}

}  // namespace

bool encloses(const std::vector<Point2>& polygon, Point2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point2 a = polygon[i], b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

std::vector<int> nesting(const std::vector<Contour>& contours) {
  std::vector<Segment> segments;
  std::vector<std::vector<Point2>> polygons;
  std::vector<double> lengths;
  for (std::size_t i = 0; i < contours.size(); ++i) {
    const auto more = segments_of(contours[i], int(i));
    segments.insert(segments.end(), more.begin(), more.end());
    polygons.push_back(sample(contours[i], 16));
    lengths.push_back(contour_length(contours[i]));
  }
  require_apart(std::move(segments), contours);

  std::vector<int> parents;
  for (std::size_t i = 0; i < contours.size(); ++i) {
    int parent = -1;
    for (std::size_t j = 0; j < contours.size(); ++j) {
      if (i == j || !contours[j].closed || !encloses(polygons[j], polygons[i].front())) continue;
      // The innermost of all that surround it: contours do not cross, so it is the one inside all others.
      if (parent < 0 || encloses(polygons[std::size_t(parent)], polygons[j].front())) parent = int(j);
    }
    parents.push_back(parent);
  }
  return parents;
}

}  // namespace curlew::mom2d
