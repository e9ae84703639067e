// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/nodes.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "quadrature/rules.hpp"

namespace curlew::mom2d {

namespace {

/// Whether the curve of a continues smoothly in b; also gives the ratio of the half lengths, b's to a's.
bool continues(const Panel& a, const Panel& b, double* ratio) {
  if (a.curve != b.curve || a.contour != b.contour) return false;
  if (a.curve == Curve::polynomial) {  // those of a spline have no section: its third derivative jumps
    const double gap = std::abs(a.middle - b.middle) - a.half - b.half;
    const bool adjacent =
        std::abs(gap) < 1e-12 || (a.periodic && std::abs(1 - gap - 2 * (a.half + b.half)) < 1e-12);
    *ratio = b.half / a.half;
    return a.section >= 0 && a.section == b.section && adjacent;
  }
  if (a.curve == Curve::ellipse) {
    *ratio = b.c[7] / a.c[7];
    double least = std::min(a.c[2], a.c[3]), change = 0;  // arcs of two circles may follow each other
    for (int i = 0; i < 6; ++i) change = std::max(change, std::abs(a.c[i] - b.c[i]) / (i < 4 ? least : 1));
    return *ratio > 0 && change < 1e-10;
  }
  const double la = std::hypot(a.c[2], a.c[3]), lb = std::hypot(b.c[2], b.c[3]);
  *ratio = lb / la;
  const double cross = a.c[2] * b.c[3] - a.c[3] * b.c[2], dot = a.c[2] * b.c[2] + a.c[3] * b.c[3];
  return std::abs(cross) < 1e-10 * la * lb && dot > 0;
}

/// Coefficients of the Lagrange polynomials of given points: the inverse of P_k(t_i), transposed.
void lagrange_coefficients(const std::vector<double>& t, double* out) {
  const auto n = Eigen::Index(t.size());
  Eigen::MatrixXd values(n, n);
  double p[Stencil::most], dp[Stencil::most];
  for (Eigen::Index i = 0; i < n; ++i) {
    legendre(int(n), t[std::size_t(i)], p, dp);
    for (Eigen::Index k = 0; k < n; ++k) values(i, k) = p[k];
  }
  // Points beyond the panel make the condition large: full pivoting.
  const Eigen::MatrixXd inverse = values.fullPivLu().inverse();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) out[i * Stencil::most + k] = inverse(k, i);
  }
}

class StencilMaker {
 public:
  StencilMaker(Nodes& nodes, const PanelRule& rule, bool neighbours) : nodes_(nodes), rule_(rule) {
    const int q = rule.size;
    extra_ = neighbours ? std::min((q + 1) / 2, (Stencil::most - q) / 2) : 0;
  }
  /// @param previous, next neighbours of cell p, -1 at an open end
  void add(int p, int previous, int next) {
    const int q = rule_.size;
    const auto& panels = nodes_.panels;
    double before = 0, after = 0;
    if (extra_ == 0 || previous < 0 ||
        !continues(panels[std::size_t(p)], panels[std::size_t(previous)], &before))
      before = 0;
    if (extra_ == 0 || next < 0 || !continues(panels[std::size_t(p)], panels[std::size_t(next)], &after))
      after = 0;
    Stencil stencil;
    std::vector<double> t;
    for (int i = 0; i < q; ++i) {
      t.push_back(rule_.t[std::size_t(i)]);
      stencil.node[stencil.count++] = p * q + i;
    }
    for (int i = 0; i < extra_ && before > 0; ++i) {
      t.push_back(-1 - before * (1 - rule_.t[std::size_t(q - 1 - i)]));
      stencil.node[stencil.count++] = previous * q + q - 1 - i;
    }
    for (int i = 0; i < extra_ && after > 0; ++i) {
      t.push_back(1 + after * (1 + rule_.t[std::size_t(i)]));
      stencil.node[stencil.count++] = next * q + i;
    }
    stencil.pattern = pattern(before, after, t);
    nodes_.stencils.push_back(stencil);
  }

 private:
  int pattern(double before, double after, const std::vector<double>& t) {
    // Equal cells share a table: the ratios are compared to thirteen digits.
    const auto key = std::pair(std::llround(before * 1e13), std::llround(after * 1e13));
    const auto [place, is_new] = known_.try_emplace(key, int(known_.size()));
    if (is_new) {
      constexpr std::size_t table = std::size_t(Stencil::most) * Stencil::most;
      nodes_.coefficients.resize(nodes_.coefficients.size() + table, 0.0);
      lagrange_coefficients(t, nodes_.coefficients.data() + nodes_.coefficients.size() - table);
    }
    return place->second;
  }

  Nodes& nodes_;
  const PanelRule& rule_;
  int extra_ = 0;
  std::map<std::pair<long long, long long>, int> known_;
};

}  // namespace

PanelRule make_panel_rule(int size) {
  constexpr int most = Stencil::most;
  const auto n = std::size_t(size);
  const auto gauss = quadrature::gauss_legendre(size);
  // Its order has the other parity, so that no point is one of the first rule; exact for the quotients below.
  const auto exact = quadrature::gauss_legendre(size % 2 ? most : most + 1);
  PanelRule rule;
  rule.size = size;
  rule.from_legendre.resize(n * n);
  rule.principal_value.resize(n * most);
  double p[most], dp[most], q[most], dq[most];
  for (std::size_t i = 0; i < n; ++i) {
    rule.t.push_back(2 * gauss.points[i] - 1);
    rule.weight.push_back(2 * gauss.weights[i]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double t = rule.t[j];
    legendre(most, t, p, dp);
    for (std::size_t k = 0; k < n; ++k)
      rule.from_legendre[j * n + k] = rule.weight[j] * (double(k) + 0.5) * p[k];
    for (std::size_t k = 0; k < most; ++k)
      rule.principal_value[j * most + k] = dp[k] * std::log((1 - t) / (1 + t));
    for (std::size_t m = 0; m < exact.points.size(); ++m) {
      const double s = 2 * exact.points[m] - 1;
      legendre(most, s, q, dq);
      for (std::size_t k = 0; k < most; ++k) {
        rule.principal_value[j * most + k] += 2 * exact.weights[m] * (dq[k] - dp[k]) / (s - t);
      }
    }
  }
  return rule;
}

Nodes make_nodes(const std::vector<Body>& bodies, int per_panel, bool neighbours) {
  const PanelRule rule = make_panel_rule(per_panel);
  Nodes nodes;
  nodes.per_panel = per_panel;
  nodes.contour_offsets.push_back(0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto& contour = bodies[b].contour;
    for (std::size_t c = 0; c < contour.panels.size(); ++c) {
      nodes.panels.push_back(contour.panels[c]);
      nodes.panels.back().contour = int(b);
      for (int i = 0; i < per_panel; ++i) {
        const CurvePoint q = evaluate<double>(contour.panels[c], rule.t[std::size_t(i)]);
        const double speed = std::hypot(q.dx, q.dy), weight = rule.weight[std::size_t(i)] * speed;
        if (!(weight > 0) || !std::isfinite(weight) || !std::isfinite(q.x) || !std::isfinite(q.y)) {
          throw InputError(
              fmt::format("contour \"{}\": cell {} has zero length or is not finite", contour.name, c + 1));
        }
        nodes.x.push_back(q.x);
        nodes.y.push_back(q.y);
        nodes.nx.push_back(q.dy / speed);
        nodes.ny.push_back(-q.dx / speed);
        nodes.weight.push_back(weight);
        nodes.root.push_back(std::sqrt(weight));
      }
    }
    nodes.contour_offsets.push_back(nodes.size());
  }
  StencilMaker maker(nodes, rule, neighbours);
  for (std::size_t b = 0, first = 0; b < bodies.size(); ++b) {
    const auto& contour = bodies[b].contour;
    const int count = int(contour.panels.size()), start = int(first);
    for (int c = 0; c < count; ++c) {
      const bool ring = contour.closed && count > 2;
      const int previous = c > 0 ? start + c - 1 : (ring ? start + count - 1 : -1);
      const int next = c + 1 < count ? start + c + 1 : (ring ? start : -1);
      maker.add(start + c, previous, next);
    }
    first += std::size_t(count);
  }
  return nodes;
}

std::vector<double> arc_lengths(const Nodes& nodes) {
  const auto rule = make_panel_rule(nodes.per_panel);
  std::vector<double> lengths(std::size_t(nodes.size()));
  double start = 0;
  for (std::size_t c = 0; c < nodes.panels.size(); ++c) {
    if (c > 0 && nodes.panels[c].contour != nodes.panels[c - 1].contour) start = 0;
    for (std::size_t i = 0; i < rule.t.size(); ++i) {
      CurvePoint q{};
      double length = 0;  // by the cell's own rule on the part up to the node
      for (std::size_t m = 0; m < rule.t.size(); ++m) {
        const double half = 0.5 * (rule.t[i] + 1);
        q = evaluate<double>(nodes.panels[c], -1 + half * (rule.t[m] + 1));
        length += rule.weight[m] * half * std::hypot(q.dx, q.dy);
      }
      lengths[c * rule.t.size() + i] = start + length;
    }
    start += panel_length(nodes.panels[c]);
  }
  return lengths;
}

}  // namespace curlew::mom2d
