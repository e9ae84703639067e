// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/near_entries.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/constants.hpp"
#include "quadrature/log_singular.hpp"
#include "quadrature/rules.hpp"

namespace curlew::mom2d {
namespace {

using green::Parts;
using green::VecD;
constexpr int lanes = 8;

VecD load(const double* p) {
  VecD v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

}  // namespace

double near_reach(int q, double k, double half_length) {
  double factorial = 1;
  for (int i = 2; i <= q; ++i) factorial *= i;
  const double interpolation = std::pow(0.5 * k * half_length, q) / factorial;
  const double tolerance = std::clamp(0.01 * interpolation * interpolation, 1e-14, 1e-6);
  const double rho = std::pow(tolerance, -0.5 / q);
  return 0.5 * (rho + 1 / rho);
}

NearList near_list(const Nodes& nodes, double distance, double k) {
  std::vector<int> order(std::size_t(nodes.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return nodes.x[std::size_t(a)] < nodes.x[std::size_t(b)]; });
  std::vector<double> sorted_x;
  for (const int n : order) sorted_x.push_back(nodes.x[std::size_t(n)]);

  std::vector<std::pair<int, int>> pairs;  // node, panel
  for (std::size_t p = 0; p < nodes.panels.size(); ++p) {
    const CurvePoint middle = evaluate(nodes.panels[p], 0);
    const double half = 0.5 * panel_length(nodes.panels[p]);
    const double reach = distance > 0 ? half + distance : half * near_reach(nodes.per_panel, k, half);
    auto i = std::lower_bound(sorted_x.begin(), sorted_x.end(), middle.x - reach) - sorted_x.begin();
    for (; i < std::ptrdiff_t(order.size()) && sorted_x[std::size_t(i)] <= middle.x + reach; ++i) {
      const int node = order[std::size_t(i)];
      const bool own = node / nodes.per_panel == int(p);
      const double dx = sorted_x[std::size_t(i)] - middle.x, dy = nodes.y[std::size_t(node)] - middle.y;
      if (own || dx * dx + dy * dy < reach * reach) pairs.push_back({node, int(p)});
    }
  }
  NearList list;
  list.offsets.assign(std::size_t(nodes.size()) + 1, 0);
  for (const auto& pair : pairs) ++list.offsets[std::size_t(pair.first) + 1];
  std::partial_sum(list.offsets.begin(), list.offsets.end(), list.offsets.begin());
  list.panels.resize(pairs.size());
  std::vector<Offset> next(list.offsets.begin(), list.offsets.end() - 1);
  for (const auto& pair : pairs) list.panels[std::size_t(next[std::size_t(pair.first)]++)] = pair.second;
  return list;
}

NearIntegrator::NearIntegrator(const Nodes& nodes, const PanelRule& rule) : nodes_(nodes), rule_(rule) {
  const auto gauss = quadrature::gauss_legendre(NearTables::num_points);
  gauss_ = gauss.points;
  gauss_weight_ = gauss.weights;
  static_assert(NearTables::num_points == quadrature::log_singular::num_points);
  tables_ = {gauss_.data(), gauss_weight_.data(), quadrature::log_singular::points.data(),
             quadrature::log_singular::weights.data()};
}

void NearIntegrator::place(const Panel& panel, const Observer& o, double k) {
  const bool self = o.self >= 0;
  const NearRule near = make_near_rule(panel, o.x, o.y, self, self ? rule_.t[std::size_t(o.self)] : 0, k);
  count_ = near.num_points();
  const auto padded = std::size_t((count_ + lanes - 1) / lanes * lanes);
  for (auto* v : {&t_, &tau_, &rx_, &ry_, &sx_, &sy_, &weight_, &arc_weight_}) v->assign(padded, 0.0);
  std::fill(rx_.begin(), rx_.end(), 1.0);  // the padding: a harmless distance, no weight
  std::fill(tau_.begin(), tau_.end(), 1.0);
  for (int i = 0; i < count_; ++i) {
    const auto n = std::size_t(i);
    const NearPoint point = near_point(near, tables_, i);
    tau_[n] = point.tau;
    t_[n] = near.t + point.tau;
    const CurvePoint q = evaluate(panel, t_[n]);
    const Point2 d = self ? displacement(panel, near.t, point.tau) : Point2{q.x - o.x, q.y - o.y};
    const double speed = std::sqrt(q.dx * q.dx + q.dy * q.dy);
    rx_[n] = -d.x, ry_[n] = -d.y;
    sx_[n] = q.dy / speed, sy_[n] = -q.dx / speed;
    weight_[n] = point.weight;
    arc_weight_[n] = point.weight * speed;
  }
}

template <bool REAL>
void NearIntegrator::add_kernel(const Panel& panel, const Observer& o, const green::Kernel2d& kernel) {
  const int q = int(moment_.size());
  const bool by_parts = !(kernel.hypersingular == complex<double>(0));
  complex<double> pole = 0;  // of dG/ds' at the observer, times tau
  if (by_parts && o.self >= 0) {
    const CurvePoint c = evaluate(panel, rule_.t[std::size_t(o.self)]);
    pole = kernel.hypersingular / (2 * pi * std::sqrt(c.dx * c.dx + c.dy * c.dy));
    for (int k = 0; k < q; ++k) {
      moment_[std::size_t(k)] +=
          Complex(pole) * rule_.principal_value[std::size_t(o.self * Stencil::most + k)];
    }
  }
  double p[Stencil::most], dp[Stencil::most];
  for (int i = 0; i < count_; i += lanes) {
    const VecD rx = load(&rx_[std::size_t(i)]), ry = load(&ry_[std::size_t(i)]);
    const VecD sx = load(&sx_[std::size_t(i)]), sy = load(&sy_[std::size_t(i)]);
    const VecD w = load(&arc_weight_[std::size_t(i)]);
    const VecD square = rx * rx + ry * ry, inverse = green::inverse_sqrt(square);
    const auto h = green::hankel_of<REAL>(kernel.k, VecD(square * inverse));
    const VecD nr = (o.nx * rx + o.ny * ry) * inverse, sr = (sx * rx + sy * ry) * inverse;
    const VecD one = VecD{} + 1.0;
    const auto a = green::detail::combine(kernel.a0, one, kernel.a1, VecD(o.nx * sx + o.ny * sy), {}, one);
    const auto b = green::detail::combine(kernel.b0, nr, kernel.b1, sr, {}, one);
    const auto u = green::detail::product(h.h0, a), v = green::detail::product(h.h1, b);
    const Parts<VecD> plain{w * (u.re + v.re), w * (u.im + v.im)};
    Parts<VecD> slope{one, one};
    if (by_parts) {  // dG/ds less its pole
      const VecD wt = load(&weight_[std::size_t(i)]), tau = load(&tau_[std::size_t(i)]);
      const VecD along = (o.nx * ry - o.ny * rx) * inverse;  // t.r/R with t = (-ny, nx)
      const auto s =
          green::detail::product(h.h1, green::detail::combine(-kernel.b2, along, {}, one, {}, one));
      slope = {wt * (s.re - pole.re / tau), wt * (s.im - pole.im / tau)};
    }
    for (int l = 0; l < lanes && i + l < count_; ++l) {
      legendre(q, t_[std::size_t(i + l)], p, dp);
      const Complex f(plain.re[l], plain.im[l]), g(slope.re[l], slope.im[l]);
      for (int k = 0; k < q; ++k) moment_[std::size_t(k)] += by_parts ? f * p[k] + g * dp[k] : f * p[k];
    }
  }
}

void NearIntegrator::add_ends(const Panel& panel, const Observer& o, const green::Kernel2d& kernel) {
  for (const double end : {-1.0, 1.0}) {
    const double t = o.self >= 0 ? rule_.t[std::size_t(o.self)] : 0;
    const CurvePoint q = evaluate(panel, end);
    const Point2 d = o.self >= 0 ? displacement(panel, t, end - t) : Point2{q.x - o.x, q.y - o.y};
    const double R = std::hypot(d.x, d.y);
    const auto h = green::hankel2(complex<double>(kernel.k.re * R, kernel.k.im * R)).h1;
    const double along = (-o.nx * d.y + o.ny * d.x) / R;
    const Complex slope = Complex(-kernel.b2 * complex<double>(h.re, h.im)) * along;
    double sign = end;
    for (auto& m : moment_) {
      m -= sign * slope;  // P_k(1) = 1, P_k(-1) = (-1)^k
      sign *= end;
    }
  }
}

void NearIntegrator::entries(int number, const Observer& o, const green::Kernel2d* kernels, int num_kernels,
                             Complex* entry) {
  const Panel& panel = nodes_.panels[std::size_t(number)];
  const Stencil& stencil = nodes_.stencils[std::size_t(number)];
  const auto n = std::size_t(stencil.count);
  double k = 0;
  for (int i = 0; i < num_kernels; ++i) k = std::max(k, std::abs(Complex(kernels[i].k)));
  place(panel, o, k);
  moment_.assign(n, 0.0);
  for (int i = 0; i < num_kernels; ++i) {
    if (kernels[i].k.im == 0 && kernels[i].k.re > 0) {
      add_kernel<true>(panel, o, kernels[i]);
    } else {
      add_kernel<false>(panel, o, kernels[i]);
    }
    if (!(kernels[i].hypersingular == complex<double>(0))) add_ends(panel, o, kernels[i]);
  }
  const double* table =
      nodes_.coefficients.data() + std::size_t(stencil.pattern) * Stencil::most * Stencil::most;
  for (std::size_t i = 0; i < n; ++i) {
    entry[i] = 0;
    for (std::size_t m = 0; m < n; ++m) entry[i] += table[i * Stencil::most + m] * moment_[m];
  }
}

}  // namespace curlew::mom2d
