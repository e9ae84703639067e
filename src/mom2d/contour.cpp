// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/contour.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "quadrature/rules.hpp"

namespace curlew::mom2d {
namespace {

void require_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw InputError(fmt::format("{} must be a finite positive length, not {}", what, value));
  }
}
void require_finite(Point2 p, const char* what) {
  if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
    throw InputError(fmt::format("{} must be finite, not ({}, {})", what, p.x, p.y));
  }
}
void require_sound(Division d) {
  if (d.cells < 1) throw InputError(fmt::format("a contour needs at least one cell, not {}", d.cells));
  if (d.grading < 0 || d.grading > 45) {
    throw InputError(fmt::format("grading must lie in 0..45 halvings, not {}", d.grading));
  }
}

Panel line_panel(Point2 a, Point2 b, double from, double to) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const Point2 d{b.x - a.x, b.y - a.y};
  Panel panel;
  panel.c[0] = a.x + d.x * middle, panel.c[1] = a.y + d.y * middle;
  panel.c[2] = d.x * half, panel.c[3] = d.y * half;
  return panel;
}

double signed_area(const std::vector<Point2>& p) {
  double area = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point2 a = p[i], b = p[(i + 1) % p.size()];
    area += 0.5 * (a.x * b.y - a.y * b.x);
  }
  return area;
}

/// Checked points in counter-clockwise order, without a repeated last one.
std::vector<Point2> clean_points(std::vector<Point2> points, bool closed) {
  for (const Point2 p : points) require_finite(p, "a point of a contour");
  if (closed && points.size() > 1 && distance(points.front(), points.back()) == 0) points.pop_back();
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least) {
    throw InputError(fmt::format("{} contour needs at least {} points, not {}",
                                 closed ? "a closed" : "an open", least, points.size()));
  }
  double extent = 0;
  for (const Point2 p : points) extent = std::max(extent, distance(p, points.front()));
  for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
    const std::size_t j = (i + 1) % points.size();
    if (distance(points[i], points[j]) <= 1e-12 * extent) {
      throw InputError(
          fmt::format("points {} and {} of a contour are the same, ({}, {}): a cell of zero length", i + 1,
                      j + 1, points[i].x, points[i].y));
    }
  }
  if (closed && signed_area(points) < 0) std::reverse(points.begin(), points.end());
  return points;
}

/// Whether the direction changes at point i.
bool is_corner(const std::vector<Point2>& p, std::size_t i) {
  const std::size_t n = p.size();
  const Point2 a = p[(i + n - 1) % n], b = p[i], c = p[(i + 1) % n];
  const double cross = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  return std::abs(cross) > 1e-9 * distance(a, b) * distance(b, c);
}

}  // namespace

std::vector<double> cell_ends(int n, int levels, bool grade_start, bool grade_end) {
  require_sound({n, levels});
  if (grade_start && grade_end && levels > 0) n = std::max(n, 2);
  std::vector<double> ends{0};
  const double h = 1.0 / n;
  if (grade_start) {
    for (int l = levels; l >= 1; --l) ends.push_back(std::ldexp(h, -l));
  }
  for (int i = 1; i < n; ++i) ends.push_back(i * h);
  if (grade_end) {
    for (int l = 1; l <= levels; ++l) ends.push_back(1 - std::ldexp(h, -l));
  }
  ends.push_back(1);
  return ends;
}

int cells_of_side(const Division& division, double share, bool grades_both_ends) {
  const int least = grades_both_ends && division.grading > 0 ? 2 : 1;
  return std::max(least, int(std::lround(division.cells * share))) << division.halvings;
}

Contour make_ellipse(Point2 center, Point2 radius, double rotation, Division division) {
  require_sound(division);
  require_finite(center, "a centre");
  require_positive(radius.x, "a radius");
  require_positive(radius.y, "a radius");
  Contour contour;
  const int cells = cells_of_side(division, 1, false);
  for (int i = 0; i < cells; ++i) {
    const double half = pi / cells;
    Panel panel;
    panel.curve = Curve::ellipse;
    const double c[8] = {center.x,           center.y,           radius.x,           radius.y,
                         std::cos(rotation), std::sin(rotation), (2 * i + 1) * half, half};
    std::copy(c, c + 8, panel.c);
    contour.panels.push_back(panel);
  }
  return contour;
}

Contour make_circle(Point2 center, double radius, Division division) {
  return make_ellipse(center, {radius, radius}, 0, division);
}

Contour make_rectangle(Point2 center, Point2 size, double rotation, Division division) {
  require_finite(center, "a centre");
  require_positive(size.x, "a width");
  require_positive(size.y, "a height");
  const double c = std::cos(rotation), s = std::sin(rotation);
  std::vector<Point2> corners;
  for (const Point2 q : {Point2{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    const double x = q.x * size.x, y = q.y * size.y;
    corners.push_back({center.x + c * x - s * y, center.y + s * x + c * y});
  }
  return make_polyline(corners, true, division);
}

Contour make_strip(Point2 start, Point2 end, Division division) {
  return make_polyline({start, end}, false, division);
}

Contour make_polyline(std::vector<Point2> points, bool closed, Division division) {
  require_sound(division);
  points = clean_points(std::move(points), closed);
  const std::size_t n = points.size(), sides = closed ? n : n - 1;
  double total = 0;
  for (std::size_t i = 0; i < sides; ++i) total += distance(points[i], points[(i + 1) % n]);
  Contour contour;
  contour.closed = closed;
  contour.smooth = false;
  for (std::size_t i = 0; i < sides; ++i) {
    const std::size_t j = (i + 1) % n;
    const bool at_start = (!closed && i == 0) || is_corner(points, i);
    const bool at_end = (!closed && j == n - 1) || is_corner(points, j);
    const int cells = cells_of_side(division, distance(points[i], points[j]) / total, at_start && at_end);
    const auto ends = cell_ends(cells, division.grading, at_start, at_end);
    for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
      contour.panels.push_back(line_panel(points[i], points[j], ends[e], ends[e + 1]));
    }
  }
  return contour;
}

double panel_length(const Panel& panel) {
  static const auto rule = quadrature::gauss_legendre(12);
  double length = 0;
  for (int i = 0; i < rule.size(); ++i) {
    const CurvePoint q = evaluate<double>(panel, 2 * rule.points[std::size_t(i)] - 1);
    length += 2 * rule.weights[std::size_t(i)] * std::hypot(q.dx, q.dy);
  }
  return length;
}

double contour_length(const Contour& contour) {
  double length = 0;
  for (const auto& panel : contour.panels) length += panel_length(panel);
  return length;
}

std::vector<Point2> sample(const Contour& contour, int per_panel) {
  std::vector<Point2> points;
  for (const auto& panel : contour.panels) {
    for (int i = 0; i < per_panel; ++i) {
      const CurvePoint q = evaluate<double>(panel, -1 + 2.0 * i / per_panel);
      points.push_back({q.x, q.y});
    }
  }
  if (!contour.closed) {
    const CurvePoint q = evaluate<double>(contour.panels.back(), 1);
    points.push_back({q.x, q.y});
  }
  return points;
}

}  // namespace curlew::mom2d
