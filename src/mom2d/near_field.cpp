// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/near_field.hpp"

#include <algorithm>
#include <cmath>

#include "mom2d/near_entries.hpp"

namespace curlew::mom2d {
namespace {

/// Contribution of one cell to the field of a region.
struct Source {
  std::size_t panel, contour;
  Point2 middle;
  double length;
  double reach;  ///< beyond this distance the nodes are the quadrature points
};

std::vector<Source> sources_of(const Solution& s) {
  double k = 0;
  for (const auto& r : s.scene.regions) k = std::max(k, std::abs(r.k));
  std::vector<Source> sources;
  for (std::size_t p = 0; p < s.nodes.panels.size(); ++p) {
    const Panel& panel = s.nodes.panels[p];
    const CurvePoint c = evaluate<double>(panel, 0);
    const double half = 0.5 * panel_length(panel);
    sources.push_back(
        {p, std::size_t(panel.contour), {c.x, c.y}, 2 * half, half * near_reach(s.nodes.per_panel, k, half)});
  }
  return sources;
}

class FieldAt {
 public:
  FieldAt(const Solution& s, std::size_t wave)
      : s_(s), rule_(make_panel_rule(s.nodes.per_panel)), sources_(sources_of(s)) {
    u_ = &s.u[wave * std::size_t(s.nodes.size())];
    v_ = &s.v[wave * std::size_t(s.nodes.size())];
    for (const auto& body : s.problem.bodies) {
      polygons_.push_back(body.contour.closed ? sample(body.contour, 32) : std::vector<Point2>{});
    }
    cos_ = std::cos(s.phi[wave]), sin_ = std::sin(s.phi[wave]);
  }
  const PanelRule& rule() const { return rule_; }

  /// Moves a point on a contour slightly off it, in the direction of the cells' normals: on the contour the
  /// integrals are singular. The field is continuous up to it.
  Point2 off_contours(Point2 p) const {
    constexpr double touch = 1e-7;  // lengths of a cell: relative change of the field over that distance
    Point2 normal;
    double length = 0;
    for (const Source& source : sources_) {
      if (std::hypot(p.x - source.middle.x, p.y - source.middle.y) > source.length) continue;
      const Panel& panel = s_.nodes.panels[source.panel];
      const CurvePoint q = evaluate<double>(panel, closest_parameter(panel, p.x, p.y));
      if (std::hypot(p.x - q.x, p.y - q.y) > touch * source.length) continue;
      const double speed = std::hypot(q.dx, q.dy);
      normal.x += q.dy / speed, normal.y -= q.dx / speed;
      length = std::max(length, source.length);
    }
    const double sum = std::hypot(normal.x, normal.y);
    if (sum == 0) return p;
    return {p.x + 2 * touch * length / sum * normal.x, p.y + 2 * touch * length / sum * normal.y};
  }

  /// The region of a point: inside the most deeply nested contour that surrounds it.
  int region(Point2 p) const {
    int deepest = -1;
    for (std::size_t c = 0; c < polygons_.size(); ++c) {
      if (polygons_[c].empty() || !inside(c, p)) continue;
      if (deepest < 0 || encloses(polygons_[std::size_t(deepest)], polygons_[c].front())) deepest = int(c);
    }
    return deepest < 0 ? 0 : s_.scene.inner[std::size_t(deepest)];
  }

  Complex operator()(Point2 p, int region, NearIntegrator& integrator) const {
    if (region < 0) return 0;
    const auto& r = s_.scene.regions[std::size_t(region)];
    const double k0 = s_.problem.wavenumber;
    const green::Kernel2d single = green::make_kernel2d(r.k, 1.0, 0.0, 0.0, 0.0);
    const green::Kernel2d twice = green::make_kernel2d(r.k, 0.0, 1.0, 0.0, 0.0);
    Complex sum = region == 0 ? Complex(green::plane_wave2d(k0, p.x, p.y, cos_, sin_)) : 0.0;
    for (const Source& source : sources_) {
      const double sigma =
          s_.scene.outer[source.contour] == region ? 1 : (s_.scene.inner[source.contour] == region ? -1 : 0);
      if (sigma != 0) sum += sigma * add(source, p, r.factor * k0, single, twice, integrator);
    }
    return sum;
  }

 private:
  /// Tested with the polygon of samples; next to a curved cell, which the polygon does not follow, with the
  /// cell's normal.
  bool inside(std::size_t contour, Point2 p) const {
    for (const Source& source : sources_) {
      const Panel& panel = s_.nodes.panels[source.panel];
      if (source.contour != contour || panel.curve == Curve::line) continue;
      if (std::hypot(p.x - source.middle.x, p.y - source.middle.y) > source.length) continue;
      const double t = closest_parameter(panel, p.x, p.y);
      if (std::abs(t) == 1) continue;  // beyond its end: another cell, or a corner, which the polygon has
      const CurvePoint q = evaluate<double>(panel, t);
      const double dx = p.x - q.x, dy = p.y - q.y;
      if (std::hypot(dx, dy) < 0.01 * source.length) return dx * q.dy - dy * q.dx < 0;
    }
    return encloses(polygons_[contour], p);
  }

  /// D u - factor k0 S v of one cell.
  Complex add(const Source& source, Point2 p, Complex scale, const green::Kernel2d& single,
              const green::Kernel2d& twice, NearIntegrator& integrator) const {
    const int q = rule_.size;
    const std::size_t first = source.panel * std::size_t(q);
    const auto& n = s_.nodes;
    Complex sum = 0;
    if (std::hypot(p.x - source.middle.x, p.y - source.middle.y) < source.reach) {
      Complex es[Stencil::most], ed[Stencil::most];
      const Stencil& stencil = n.stencils[source.panel];
      const Observer observer{p.x, p.y, 0, 0, -1};
      integrator.entries(int(source.panel), observer, &single, 1, es);
      integrator.entries(int(source.panel), observer, &twice, 1, ed);
      for (int i = 0; i < stencil.count; ++i)
        sum += ed[i] * u_[stencil.node[i]] - scale * es[i] * v_[stencil.node[i]];
      return sum;
    }
    for (std::size_t i = first; i < first + std::size_t(q); ++i) {
      const double rx = p.x - n.x[i], ry = p.y - n.y[i];
      const auto s = green::evaluate<false, double>(single, rx, ry, 0, 0, n.nx[i], n.ny[i]);
      const auto d = green::evaluate<false, double>(twice, rx, ry, 0, 0, n.nx[i], n.ny[i]);
      sum += n.weight[i] * (Complex(d.re, d.im) * u_[i] - scale * Complex(s.re, s.im) * v_[i]);
    }
    return sum;
  }

  const Solution& s_;
  PanelRule rule_;
  std::vector<Source> sources_;
  std::vector<std::vector<Point2>> polygons_;
  const Complex *u_, *v_;
  double cos_, sin_;
};

/// Points of a grid over a closed contour that lie inside of it.
std::vector<Point2> points_in(const Contour& contour) {
  constexpr int side = 6;
  const auto polygon = sample(contour, 8);
  const auto [x0, x1] =
      std::minmax_element(polygon.begin(), polygon.end(), [](Point2 a, Point2 b) { return a.x < b.x; });
  const auto [y0, y1] =
      std::minmax_element(polygon.begin(), polygon.end(), [](Point2 a, Point2 b) { return a.y < b.y; });
  std::vector<Point2> points;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const Point2 p{x0->x + (i + 0.5) / side * (x1->x - x0->x), y0->y + (j + 0.5) / side * (y1->y - y0->y)};
      if (encloses(polygon, p)) points.push_back(p);
    }
  return points;
}

}  // namespace

double field_in_conductors(const Solution& s, std::size_t wave) {
  const FieldAt field(s, wave);
  NearIntegrator integrator(s.nodes, field.rule());
  double greatest = 0;
  for (std::size_t c = 0; c < s.problem.bodies.size(); ++c) {
    const Body& body = s.problem.bodies[c];
    if (!body.contour.closed || body.boundary == Boundary::dielectric) continue;
    for (const Point2 p : points_in(body.contour))
      greatest = std::max(greatest, std::abs(field(p, s.scene.outer[c], integrator)));
  }
  return greatest;
}

std::vector<Complex> total_field(const Solution& s, std::size_t wave, const std::vector<Point2>& points,
                                 std::vector<int>* regions) {
  const FieldAt field(s, wave);
  std::vector<Complex> values(points.size());
  if (regions != nullptr) regions->assign(points.size(), 0);
#pragma omp parallel
  {
    NearIntegrator integrator(s.nodes, field.rule());
#pragma omp for schedule(dynamic, 16)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point2 point = field.off_contours(points[i]);
      const int region = field.region(point);
      values[i] = field(point, region, integrator);
      if (regions != nullptr) (*regions)[i] = region;
    }
  }
  return values;
}

}  // namespace curlew::mom2d
