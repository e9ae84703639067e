// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/halved.hpp"

namespace curlew::mom2d {
namespace {

/// p(t) as a polynomial of s, t = (s + side)/2: powers of s by Horner's scheme on coefficients.
void substitute(const Panel& from, double side, Panel& to) {
  for (int d = 0; d < 2; ++d) {
    double q[Panel::max_degree + 1] = {};
    for (int k = from.degree; k >= 0; --k) {
      for (int m = from.degree; m > 0; --m) q[m] = 0.5 * (side * q[m] + q[m - 1]);
      q[0] = 0.5 * side * q[0] + from.c[2 * k + d];
    }
    for (int k = 0; k <= from.degree; ++k) to.c[2 * k + d] = q[k];
  }
}

Panel half_of(const Panel& panel, double side) {
  Panel half = panel;
  const double* c = panel.c;
  switch (panel.curve) {
    case Curve::line:
      for (int d = 0; d < 2; ++d) half.c[d] = c[d] + 0.5 * side * c[2 + d], half.c[2 + d] = 0.5 * c[2 + d];
      break;
    case Curve::ellipse:
      half.c[6] = c[6] + 0.5 * side * c[7], half.c[7] = 0.5 * c[7];
      break;
    case Curve::polynomial:
      substitute(panel, side, half);
      half.middle = panel.middle + 0.5 * side * panel.half, half.half = 0.5 * panel.half;
      break;
  }
  return half;
}

}  // namespace

std::array<Panel, 2> halves_of(const Panel& panel) {
  return {half_of(panel, -1), half_of(panel, 1)};
}

Contour halved(const Contour& contour) {
  Contour finer = contour;
  finer.panels.clear();
  for (const Panel& panel : contour.panels)
    for (const Panel& half : halves_of(panel)) finer.panels.push_back(half);
  return finer;
}

}  // namespace curlew::mom2d
