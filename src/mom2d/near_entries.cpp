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
constexpr int lanes = green::double_lanes;

VecD load(const double* p) {
  VecD v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
void store(double* p, VecD v) {
  std::memcpy(p, &v, sizeof v);
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

NearList near_list(const Nodes& nodes, double k) {
  std::vector<int> order(std::size_t(nodes.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return nodes.x[std::size_t(a)] < nodes.x[std::size_t(b)]; });
  std::vector<double> sorted_x;
  for (const int n : order) sorted_x.push_back(nodes.x[std::size_t(n)]);

  std::vector<std::pair<int, int>> pairs;  // node, panel
  for (std::size_t p = 0; p < nodes.panels.size(); ++p) {
    const CurvePoint middle = evaluate<double>(nodes.panels[p], 0);
    const double half = 0.5 * panel_length(nodes.panels[p]);
    const double reach = half * near_reach(nodes.per_panel, k, half);
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
  for (auto* v : {&t_, &tau_, &rx_, &ry_, &sx_, &sy_, &weight_, &arc_weight_}) v->resize(padded);
  std::size_t n = 0;
  for (int side = 0; side < 2; ++side) {
    if (near.length[side] <= 0) continue;
    const double sign = side == 0 ? -1 : 1;
    double outer = near.length[side];
    for (int level = 0; level <= near.levels[side]; ++level, outer *= 0.5) {  // as near_point says
      const bool innermost = level == near.levels[side], logarithm = innermost && self;
      const double* x = logarithm ? tables_.log : tables_.gauss;
      const double* w = logarithm ? tables_.log_weight : tables_.gauss_weight;
      const double start = innermost ? 0 : 0.5 * outer, length = outer - start;
      for (int i = 0; i < NearTables::num_points; ++i, ++n) {
        tau_[n] = sign * (start + length * x[i]);
        weight_[n] = length * w[i];
      }
    }
  }
  for (; n < padded; ++n) tau_[n] = tau_[0], weight_[n] = 0;  // padding: a valid point with weight 0
  for (std::size_t i = 0; i < padded; i += lanes) {
    const VecD tau = load(&tau_[i]), t = near.t + tau;
    const auto q = evaluate<VecD>(panel, t);
    const auto d = self ? displacement<VecD>(panel, near.t, tau) : PointOf<VecD>{q.x - o.x, q.y - o.y};
    const VecD square = q.dx * q.dx + q.dy * q.dy, inverse = green::inverse_sqrt(square);
    store(&t_[i], t);
    store(&rx_[i], -d.x);
    store(&ry_[i], -d.y);
    store(&sx_[i], q.dy * inverse);
    store(&sy_[i], -q.dx * inverse);
    store(&arc_weight_[i], load(&weight_[i]) * square * inverse);
  }
}

template <bool REAL, bool BY_PARTS>
void NearIntegrator::add_kernel(const Panel& panel, const Observer& o, const green::Kernel2d& kernel) {
  const int q = int(moment_.size());
  complex<double> pole = 0;  // of dG/ds' at the observer, times tau
  if (BY_PARTS && o.self >= 0) {
    const CurvePoint c = evaluate<double>(panel, rule_.t[std::size_t(o.self)]);
    pole = kernel.hypersingular / (2 * pi * std::sqrt(c.dx * c.dx + c.dy * c.dy));
    for (int k = 0; k < q; ++k) {
      moment_[std::size_t(k)] +=
          Complex(pole) * rule_.principal_value[std::size_t(o.self * Stencil::most + k)];
    }
  }
  Parts<VecD> sum[Stencil::most];
  for (int k = 0; k < q; ++k) sum[k] = {VecD{}, VecD{}};
  const VecD one = VecD{} + 1.0;
  for (std::size_t i = 0; i < std::size_t(count_); i += lanes) {
    const VecD rx = load(&rx_[i]), ry = load(&ry_[i]), sx = load(&sx_[i]), sy = load(&sy_[i]);
    const VecD w = load(&arc_weight_[i]), t = load(&t_[i]);
    const VecD square = rx * rx + ry * ry, inverse = green::inverse_sqrt(square);
    green::HankelPair<VecD> h;
    Parts<VecD> plain;
    if (REAL && kernel.single_layer_only) {
      plain = green::evaluate_single_layer(kernel, rx, ry);
    } else {
      h = green::hankel_of<REAL>(kernel.k, VecD(square * inverse));
      const VecD nr = (o.nx * rx + o.ny * ry) * inverse, sr = (sx * rx + sy * ry) * inverse;
      const auto a = green::detail::combine(kernel.a0, one, kernel.a1, VecD(o.nx * sx + o.ny * sy), {}, one);
      const auto b = green::detail::combine(kernel.b0, nr, kernel.b1, sr, {}, one);
      const auto u = green::detail::product(h.h0, a), v = green::detail::product(h.h1, b);
      plain = {u.re + v.re, u.im + v.im};
    }
    plain = {w * plain.re, w * plain.im};
    Parts<VecD> slope{};
    if constexpr (BY_PARTS) {  // dG/ds less its pole
      const VecD wt = load(&weight_[i]), tau = load(&tau_[i]);
      const VecD along = (o.nx * ry - o.ny * rx) * inverse;  // t.r/R with t = (-ny, nx)
      const auto s =
          green::detail::product(h.h1, green::detail::combine(-kernel.b2, along, {}, one, {}, one));
      slope = {wt * (s.re - pole.re / tau), wt * (s.im - pole.im / tau)};
    }
    VecD p0 = one, p1 = t, d0 = VecD{},
         d1 = one;  // Legendre polynomials and derivatives of degrees k and k + 1
    for (int k = 0; k < q; ++k) {
      sum[k].re += p0 * plain.re;
      sum[k].im += p0 * plain.im;
      if constexpr (BY_PARTS) {
        sum[k].re += d0 * slope.re;
        sum[k].im += d0 * slope.im;
        const VecD d2 = d0 + double(2 * k + 3) * p1;
        d0 = d1, d1 = d2;
      }
      const VecD p2 = (double(2 * k + 3) / (k + 2)) * t * p1 - (double(k + 1) / (k + 2)) * p0;
      p0 = p1, p1 = p2;
    }
  }
  for (int k = 0; k < q; ++k) {
    double re = 0, im = 0;
    for (int l = 0; l < lanes; ++l) re += sum[k].re[l], im += sum[k].im[l];
    moment_[std::size_t(k)] += Complex(re, im);
  }
}

void NearIntegrator::add_ends(const Panel& panel, const Observer& o, const green::Kernel2d& kernel) {
  for (const double end : {-1.0, 1.0}) {
    const double t = o.self >= 0 ? rule_.t[std::size_t(o.self)] : 0;
    const CurvePoint q = evaluate<double>(panel, end);
    const auto d =
        o.self >= 0 ? displacement<double>(panel, t, end - t) : PointOf<double>{q.x - o.x, q.y - o.y};
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
    const bool real = kernels[i].k.im == 0 && kernels[i].k.re > 0;
    if (kernels[i].hypersingular == complex<double>(0)) {
      real ? add_kernel<true, false>(panel, o, kernels[i]) : add_kernel<false, false>(panel, o, kernels[i]);
    } else {
      real ? add_kernel<true, true>(panel, o, kernels[i]) : add_kernel<false, true>(panel, o, kernels[i]);
      add_ends(panel, o, kernels[i]);
    }
  }
  const double* table =
      nodes_.coefficients.data() + std::size_t(stencil.pattern) * Stencil::most * Stencil::most;
  for (std::size_t i = 0; i < n; ++i) {
    entry[i] = 0;
    for (std::size_t m = 0; m < n; ++m) entry[i] += table[i * Stencil::most + m] * moment_[m];
  }
}

}  // namespace curlew::mom2d
