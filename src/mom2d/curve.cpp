// SPDX-License-Identifier: BSD-3-Clause
// Cells of a parametrised curve: exact lines and arcs where a section is one, else polynomials through
// Chebyshev points. Source: Trefethen (2013), Approximation Theory and Approximation Practice, ch. 3 and 4.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mom2d/contour.hpp"

namespace curlew::mom2d {
namespace {

constexpr int degree = Panel::max_degree;

/// Powers of t from values at the Chebyshev points cos((k + 1/2) pi/(n + 1)), n the degree.
const Eigen::MatrixXd& powers_from_values() {
  static const Eigen::MatrixXd matrix = [] {
    constexpr int n = degree + 1;
    // T_m as powers of t, by the recurrence; values to Chebyshev coefficients by the discrete cosine
    // transform.
    Eigen::MatrixXd powers = Eigen::MatrixXd::Zero(n, n), transform(n, n);
    powers(0, 0) = powers(1, 1) = 1;
    for (int m = 2; m < n; ++m) {
      powers.col(m).tail(n - 1) = 2 * powers.col(m - 1).head(n - 1);
      powers.col(m) -= powers.col(m - 2);
    }
    for (int m = 0; m < n; ++m) {
      for (int k = 0; k < n; ++k)
        transform(m, k) = (m == 0 ? 1.0 : 2.0) / n * std::cos(m * (k + 0.5) * pi / n);
    }
    return Eigen::MatrixXd(powers * transform);
  }();
  return matrix;
}

/// The polynomial through a section's points between two parameters.
Panel interpolate(const Section& section, double from, double to) {
  constexpr int n = degree + 1;
  Panel panel;
  panel.curve = Curve::polynomial;
  panel.degree = degree;
  panel.middle = 0.5 * (from + to), panel.half = 0.5 * (to - from);
  Eigen::MatrixXd values(n, 2);
  for (int k = 0; k < n; ++k) {
    const Point2 p = section.point(panel.middle + panel.half * std::cos((k + 0.5) * pi / n));
    values.row(k) << p.x, p.y;
  }
  // Relative to the first point, so that small cells far from the origin keep their accuracy.
  const Eigen::RowVector2d origin = values.row(0);
  const Eigen::MatrixXd powers = powers_from_values() * (values.rowwise() - origin);
  for (int k = 0; k < n; ++k) panel.c[2 * k] = powers(k, 0), panel.c[2 * k + 1] = powers(k, 1);
  panel.c[0] += origin.x(), panel.c[1] += origin.y();
  return panel;
}

double misfit(const Panel& panel, const Section& section) {
  double worst = 0;
  for (int i = 0; i <= 2 * degree; ++i) {
    const double t = -1 + double(i) / degree;
    const CurvePoint q = evaluate<double>(panel, t);
    worst = std::max(worst, distance({q.x, q.y}, section.point(panel.middle + panel.half * t)));
  }
  return worst;
}

/// Shape and length of a section.
struct Shape {
  static constexpr int samples = 256;
  enum { straight, arc, other } kind = other;
  double length = 0, size = 0;
  Point2 first, last, center;
  double radius = 0, start_angle = 0, turn = 0;  // of an arc [rad]
  std::vector<double> along;                     // length up to each sample, relative to the total
};

/// Centre of the circle through three points; false if they are on a line.
bool circle_through(Point2 a, Point2 b, Point2 c, Point2* center) {
  const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y, d = 2 * (bx * cy - by * cx);
  const double b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  if (std::abs(d) < 1e-9 * (b2 + c2)) return false;
  *center = {a.x + (cy * b2 - by * c2) / d, a.y + (bx * c2 - cx * b2) / d};
  return true;
}

void recognise(const std::vector<Point2>& p, Shape& shape) {
  const double chord = distance(shape.first, shape.last);
  double height = 0;
  for (const Point2 q : p) {
    const double side = (shape.last.x - shape.first.x) * (q.y - shape.first.y) -
                        (shape.last.y - shape.first.y) * (q.x - shape.first.x);
    height = std::max(height, std::abs(side));
  }
  if (chord > 0.5 * shape.size && height < 1e-12 * shape.size * chord) {
    shape.kind = Shape::straight;
    return;
  }
  const int third = Shape::samples / 3;
  if (!circle_through(p[0], p[std::size_t(third)], p[std::size_t(2 * third)], &shape.center)) return;
  shape.radius = distance(shape.center, p[0]);
  double out = 0;
  const auto angle = [&](std::size_t i) {
    return std::atan2(p[i].y - shape.center.y, p[i].x - shape.center.x);
  };
  shape.start_angle = angle(0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    out = std::max(out, std::abs(distance(shape.center, p[i]) - shape.radius));
    if (i > 0) shape.turn += std::remainder(angle(i) - angle(i - 1), 2 * pi);
  }
  if (out < 1e-11 * shape.radius) shape.kind = Shape::arc;
}

Shape shape_of(const Section& section) {
  std::vector<Point2> p;
  Shape shape;
  shape.along.push_back(0);
  for (int i = 0; i <= Shape::samples; ++i) {
    p.push_back(section.point(double(i) / Shape::samples));
    if (!std::isfinite(p.back().x) || !std::isfinite(p.back().y))
      throw InputError("a curve has a point that is not finite");
    if (i > 0) shape.along.push_back(shape.along.back() + distance(p[std::size_t(i)], p[std::size_t(i - 1)]));
    shape.size = std::max(shape.size, distance(p.back(), p.front()));
  }
  shape.length = shape.along.back();
  if (!(shape.length > 0))
    throw InputError(fmt::format("a curve of zero length at ({}, {})", p[0].x, p[0].y));
  for (double& a : shape.along) a /= shape.length;
  shape.first = p.front(), shape.last = p.back();
  recognise(p, shape);
  return shape;
}

/// The parameter at a fraction of the length, by linear interpolation between samples: only the ends of cells
/// depend on it.
double parameter_at(const Shape& shape, double share) {
  const auto above = std::lower_bound(shape.along.begin() + 1, shape.along.end() - 1, share);
  const double a = *(above - 1), b = *above;
  const double i = double(above - shape.along.begin() - 1) + (b > a ? (share - a) / (b - a) : 0.0);
  return std::clamp(i / Shape::samples, 0.0, 1.0);
}

class CurveMaker {
 public:
  explicit CurveMaker(Contour& contour) : contour_(contour) {}

  void add(const Section& section, const Shape& shape, const std::vector<double>& ends) {
    ++number_;
    for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
      if (shape.kind == Shape::straight) {
        add_straight(shape, ends[e], ends[e + 1]);
      } else if (shape.kind == Shape::arc) {
        add_arc(shape, ends[e], ends[e + 1]);
      } else {
        // The table of lengths resolves no more than its samples: graded cells next to the ends are divided
        // by the parameter.
        const auto at = [&](double share) {
          const double edge = 1.0 / Shape::samples, a = shape.along[1],
                       b = 1 - shape.along[Shape::samples - 1];
          return share < a ? share / a * edge
                           : (1 - share < b ? 1 - (1 - share) / b * edge : parameter_at(shape, share));
        };
        add_polynomial(section, shape.size, at(ends[e]), at(ends[e + 1]), 0);
      }
    }
  }

 private:
  void add_straight(const Shape& shape, double from, double to) {
    const Point2 d{shape.last.x - shape.first.x, shape.last.y - shape.first.y};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    Panel panel;
    const double c[4] = {shape.first.x + middle * d.x, shape.first.y + middle * d.y, half * d.x, half * d.y};
    std::copy(c, c + 4, panel.c);
    contour_.panels.push_back(panel);
  }
  void add_arc(const Shape& shape, double from, double to) {
    Panel panel;
    panel.curve = Curve::ellipse;
    const double c[8] = {shape.center.x,
                         shape.center.y,
                         shape.radius,
                         shape.radius,
                         1,
                         0,
                         shape.start_angle + 0.5 * (from + to) * shape.turn,
                         0.5 * (to - from) * shape.turn};
    std::copy(c, c + 8, panel.c);
    contour_.panels.push_back(panel);
  }
  /// Halves until the polynomial follows the curve.
  void add_polynomial(const Section& section, double size, double from, double to, int depth) {
    Panel panel = interpolate(section, from, to);
    if (misfit(panel, section) > 1e-12 * size) {
      const Point2 p = section.point(0.5 * (from + to));
      if (depth == 26) {
        throw InputError(fmt::format(
            "a curve has a corner inside, near ({:.6g}, {:.6g}): divide it there into two curves", p.x, p.y));
      }
      add_polynomial(section, size, from, 0.5 * (from + to), depth + 1);
      add_polynomial(section, size, 0.5 * (from + to), to, depth + 1);
      return;
    }
    panel.section = section.analytic ? number_ : -1;
    panel.periodic = section.periodic;
    contour_.panels.push_back(panel);
  }

  Contour& contour_;
  int number_ = -1;
};

/// Unit tangent at the start (t = 0) or the end (t = 1) of a section.
Point2 tangent(const Section& section, bool at_end) {
  const double part = 0.02;  // of the section: far from its other end, and far above rounding errors
  const Panel panel = interpolate(section, at_end ? 1 - part : 0, at_end ? 1 : part);
  const CurvePoint q = evaluate<double>(panel, at_end ? 1 : -1);
  const double length = std::hypot(q.dx, q.dy);
  return {q.dx / length, q.dy / length};
}

bool is_corner(const Section& before, const Section& after) {
  const Point2 a = tangent(before, true), b = tangent(after, false);
  return std::abs(a.x * b.y - a.y * b.x) > 1e-6 || a.x * b.x + a.y * b.y < 0;
}

double signed_area(const std::vector<Section>& sections) {
  double area = 0;
  for (const auto& section : sections) {
    Point2 a = section.point(0);
    for (int i = 1; i <= Shape::samples; ++i) {
      const Point2 b = section.point(double(i) / Shape::samples);
      area += 0.5 * (a.x * b.y - a.y * b.x);
      a = b;
    }
  }
  return area;
}

std::vector<Section> reversed(const std::vector<Section>& sections) {
  std::vector<Section> result;
  for (auto s = sections.rbegin(); s != sections.rend(); ++s) {
    result.push_back({[point = s->point](double t) { return point(1 - t); }, s->analytic, s->periodic});
  }
  return result;
}

}  // namespace

Contour make_curve(const std::vector<Section>& given, bool closed, Division division) {
  if (given.empty()) throw InputError("a curve without any part");
  if (division.cells < 1)
    throw InputError(fmt::format("a curve needs at least one cell, not {}", division.cells));
  const auto sections = closed && signed_area(given) < 0 ? reversed(given) : given;
  const std::size_t n = sections.size();
  std::vector<Shape> shapes;
  double total = 0;
  for (const auto& section : sections) {
    shapes.push_back(shape_of(section));
    total += shapes.back().length;
  }
  Contour contour;
  contour.closed = closed;
  contour.smooth = closed;
  CurveMaker maker(contour);
  for (std::size_t i = 0; i < n; ++i) {
    const bool at_start = i > 0 || closed ? is_corner(sections[(i + n - 1) % n], sections[i]) : true;
    const bool at_end = i + 1 < n || closed ? is_corner(sections[i], sections[(i + 1) % n]) : true;
    contour.smooth = contour.smooth && !at_start;
    const int cells = cells_of_side(division, shapes[i].length / total, at_start && at_end);
    maker.add(sections[i], shapes[i], cell_ends(cells, division.grading, at_start, at_end));
  }
  return contour;
}

}  // namespace curlew::mom2d
