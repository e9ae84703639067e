// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/solve.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/timer.hpp"
#include "curlew/build.hpp"
#include "mom2d/fill.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "mom2d/device.hpp"
#endif

namespace curlew::mom2d {
namespace {

void check_waves(const std::vector<double>& phi) {
  if (phi.empty()) throw InputError("at least one angle of incidence is needed");
  for (const double p : phi) {
    if (!std::isfinite(p)) throw InputError("angles of incidence must be finite");
  }
}

/// Fields from the scaled unknowns.
void scatter_unknowns(const std::vector<Complex>& x, Solution& s) {
  const auto n = std::size_t(s.nodes.size()), waves = s.phi.size();
  s.u.assign(n * waves, 0.0);
  s.v.assign(n * waves, 0.0);
  for (std::size_t w = 0; w < waves; ++w) {
    for (const auto& unknown : s.system.unknowns) {
      const Offset begin = s.nodes.contour_offsets[std::size_t(unknown.contour)];
      const Offset end = s.nodes.contour_offsets[std::size_t(unknown.contour) + 1];
      for (Offset i = begin; i < end; ++i) {
        const auto node = std::size_t(i);
        const Complex value =
            x[w * std::size_t(s.system.size) + std::size_t(unknown.first + i - begin)] / s.nodes.root[node];
        s.u[w * n + node] += unknown.as_u * value;
        s.v[w * n + node] += unknown.as_v * value;
      }
    }
  }
}

}  // namespace

Plan plan(const Problem& problem) {
  Offset cells = 0, unknowns = 0;
  for (const auto& body : problem.bodies) {
    const auto panels = Offset(body.contour.panels.size());
    cells += panels;
    unknowns += panels * problem.nodes * (body.boundary == Boundary::dielectric ? 2 : 1);
  }
  return {unknowns, cells};
}

Solution unsolved(const Problem& problem, const std::vector<double>& phi) {
  check_waves(phi);
  Solution s;
  s.problem = problem;
  s.phi = phi;
  s.scene = make_scene(problem);
  s.nodes = make_nodes(problem.bodies, problem.nodes, problem.method == Method::lcn && problem.neighbours);
  s.system = make_system(problem, s.scene, s.nodes);
  return s;
}

Solution solve(const Problem& problem, const std::vector<double>& phi, const SolveOptions& options) {
  Solution s = unsolved(problem, phi);
  const auto near = near_list(problem, s.scene, s.nodes);
  s.near_entries = Offset(near.panels.size()) * problem.nodes;

  const auto dense = linalg::plan_dense(s.system.size, int(phi.size()), options.precision, options.device,
                                        options.limits, linalg::EntriesMade::where_factored);
#ifdef CURLEW_HAVE_CUDA
  if (dense.place != linalg::DensePlace::host) {
    scatter_unknowns(solve_on_device(s, near, dense, options.with_condition), s);
    return s;
  }
#endif
  auto b = excitations(problem, s.system, s.nodes, phi);
  Timer timer;
  auto a = fill(problem, s.system, s.nodes, near);
  s.fill_seconds = timer.seconds();
  s.report = linalg::solve_dense(dense, a, b.data(), int(phi.size()), options.with_condition);
  scatter_unknowns(b, s);
  return s;
}

Complex surface_current(const Solution& s, std::size_t wave, Offset node) {
  const std::size_t i = wave * std::size_t(s.nodes.size()) + std::size_t(node);
  // TM: Jz = (dEz/dn)/(j k0 eta0 mu_r). TE: Hz = E0/eta0 u and J = n x H = -Hz along the contour.
  if (s.problem.polarization == Polarization::tm) return Complex(0, -1) * s.v[i] / vacuum_impedance;
  return -s.u[i] / vacuum_impedance;
}

std::vector<Complex> surface_charge(const Solution& s, std::size_t wave) {
  std::vector<Complex> charge(std::size_t(s.nodes.size()), 0.0);
  if (s.problem.polarization == Polarization::tm) return charge;
  const int q = s.nodes.per_panel;
  const PanelRule rule = make_panel_rule(q);
  const Complex scale = Complex(0, 1) / (speed_of_light * s.problem.wavenumber);  // rho = -dJ/ds/(j omega)
  double p[Stencil::most], dp[Stencil::most];
  for (std::size_t c = 0; c < s.nodes.panels.size(); ++c) {
    for (int j = 0; j < q; ++j) {
      legendre(q, rule.t[std::size_t(j)], p, dp);
      Complex slope = 0;
      for (int i = 0; i < q; ++i) {
        double derivative = 0;
        for (int k = 0; k < q; ++k) derivative += rule.from_legendre[std::size_t(i * q + k)] * dp[k];
        slope += derivative * surface_current(s, wave, Offset(c) * q + i);
      }
      const CurvePoint point = evaluate<double>(s.nodes.panels[c], rule.t[std::size_t(j)]);
      charge[c * std::size_t(q) + std::size_t(j)] = scale * slope / std::hypot(point.dx, point.dy);
    }
  }
  return charge;
}

}  // namespace curlew::mom2d
