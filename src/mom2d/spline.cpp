// SPDX-License-Identifier: BSD-3-Clause
// Cubic splines through given points. Source: de Boor (1978), A Practical Guide to Splines, ch. IV.
#include <Eigen/Core>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "linalg/dense/decompositions.hpp"
#include "mom2d/contour.hpp"

namespace curlew::mom2d {
namespace {

/// Second derivatives at the knots of the spline through x with knot distances h; natural ends or periodic.
Eigen::MatrixXd second_derivatives(const Eigen::MatrixXd& x, const std::vector<double>& h, bool closed) {
  const Eigen::Index n = x.rows();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n), b = Eigen::MatrixXd::Zero(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!closed && (i == 0 || i == n - 1)) {
      a(i, i) = 1;
      continue;
    }
    const Eigen::Index before = (i + n - 1) % n, after = (i + 1) % n;
    const double h0 = h[std::size_t(before)], h1 = h[std::size_t(i)];
    a(i, before) += h0;
    a(i, i) += 2 * (h0 + h1);
    a(i, after) += h1;
    b.row(i) = 6 * ((x.row(after) - x.row(i)) / h1 - (x.row(i) - x.row(before)) / h0);
  }
  return linalg::solve(std::move(a), std::move(b));
}

/// The piece of a knot interval between fractions `from` and `to`, as powers of t in [-1, 1], in every second
/// element of c.
void cubic_coefficients(double y0, double y1, double m0, double m1, double h, double from, double to,
                        double* c) {
  // y(u) = y0 + u (..) with u in [0, 1]
  const double p0 = y0, p1 = y1 - y0 - h * h * (2 * m0 + m1) / 6, p2 = h * h * m0 / 2,
               p3 = h * h * (m1 - m0) / 6;
  const double u = 0.5 * (from + to), v = 0.5 * (to - from);
  c[0] = p0 + u * (p1 + u * (p2 + u * p3));
  c[2] = v * (p1 + u * (2 * p2 + 3 * u * p3));
  c[4] = v * v * (p2 + 3 * u * p3);
  c[6] = v * v * v * p3;
}

}  // namespace

Contour make_spline(std::vector<Point2> points, bool closed, Division division) {
  // Checks, order and division of the knot intervals are those of the polyline through the same points.
  const Contour chords = make_polyline(std::move(points), closed, {1, 0});
  const std::size_t sides = chords.panels.size(), n = closed ? sides : sides + 1;
  Eigen::MatrixXd x(n, 2);
  std::vector<double> h;
  for (std::size_t i = 0; i < sides; ++i) {
    const double* c = chords.panels[i].c;
    x.row(Eigen::Index(i)) << c[0] - c[2], c[1] - c[3];
    if (!closed && i + 1 == sides) x.row(Eigen::Index(n - 1)) << c[0] + c[2], c[1] + c[3];
    h.push_back(2 * std::hypot(c[2], c[3]));
  }
  const Eigen::MatrixXd m = second_derivatives(x, h, closed);
  double total = 0;
  for (const double length : h) total += length;

  Contour contour;
  contour.closed = closed;
  contour.smooth = closed;
  for (std::size_t i = 0; i < sides; ++i) {
    const auto a = Eigen::Index(i), b = Eigen::Index((i + 1) % n);
    const int cells = cells_of_side(division, h[i] / total, false);
    // Grading at open ends only: halve the first or last cell.
    std::vector<double> ends;
    for (int e = 0; e <= cells; ++e) ends.push_back(double(e) / cells);
    for (int l = 0; l < division.grading && !closed && i == 0; ++l)
      ends.insert(ends.begin() + 1, ends[1] / 2);
    for (int l = 0; l < division.grading && !closed && i + 1 == sides; ++l) {
      ends.insert(ends.end() - 1, 1 - (1 - ends[ends.size() - 2]) / 2);
    }
    for (std::size_t e = 0; e + 1 < ends.size(); ++e) {
      Panel panel;
      panel.curve = Curve::polynomial;
      panel.degree = 3;
      cubic_coefficients(x(a, 0), x(b, 0), m(a, 0), m(b, 0), h[i], ends[e], ends[e + 1], panel.c);
      cubic_coefficients(x(a, 1), x(b, 1), m(a, 1), m(b, 1), h[i], ends[e], ends[e + 1], panel.c + 1);
      contour.panels.push_back(panel);
    }
  }
  return contour;
}

}  // namespace curlew::mom2d
