// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/charge_preconditioner.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::ie {
namespace {

/// int int 1/R over one element.
double self_potential(const Element& e, const ElementRules& rules) {
  const RuleView rule = rules.of(e);
  return accurate_block(e, e, {rule, {}, {}}, 0.0).g.re;
}

constexpr int num_steps = 12;  // of Chebyshev's iteration

/// The largest eigenvalue of D^-1 S is at most that of D_e^-1 S_e of the elements' own matrices; a few steps
/// of the power method from a rough vector come close, and a margin covers the rest.
double largest_eigenvalue(const linalg::Csr<double>& s, const std::vector<double>& inverse_diagonal) {
  std::vector<double> x(inverse_diagonal.size()), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(12.9898 * double(i) + 1);
  double value = 1;
  for (int step = 0; step < 20; ++step) {
    linalg::multiply(s, x.data(), y.data());
    double norm = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] *= inverse_diagonal[i], norm = std::max(norm, std::abs(y[i]));
    value = norm;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] / norm;
  }
  return 1.1 * value;
}

}  // namespace

ChargeMatrix make_charge_matrix(const MixedPotentialSystem& system) {
  const Index n = system.sources.num_cols;
  linalg::Coo<double> entries{n, n, {}, {}, {}};
  Complex trace = 0;
  const auto& local = system.local;
  for (Index i = 0; i < n; ++i) {
    for (Offset j = local.row_offsets[std::size_t(i)]; j < local.row_offsets[std::size_t(i) + 1]; ++j) {
      if (local.columns[std::size_t(j)] == i) trace += local.values[std::size_t(j)];
    }
  }
  const Complex turn = trace == 0.0 ? 1.0 : std::conj(trace) / std::abs(trace);
  for (Index i = 0; i < n; ++i) {
    for (Offset j = local.row_offsets[std::size_t(i)]; j < local.row_offsets[std::size_t(i) + 1]; ++j)
      entries.add(i, local.columns[std::size_t(j)], (turn * local.values[std::size_t(j)]).real());
  }
  const ElementRules rules(5);
  const double a = std::abs(system.vector_factor), b = std::abs(system.scalar_factor);
  for (Index e = 0; e < Index(system.elements.size()); ++e) {
    const double v = self_potential(system.elements[std::size_t(e)], rules);
    const ElementSources own = sources_of(system.sources, e);
    for (std::size_t i = 0; i < own.unknowns.size(); ++i) {
      for (std::size_t j = 0; j < own.unknowns.size(); ++j) {
        double sum = 0;
        for (std::size_t d = 0; d < 4; ++d)
          sum += (d < 3 ? a : b) * v * (conj(own.values[i][d]) * own.values[j][d]).re;
        entries.add(own.unknowns[i], own.unknowns[j], sum);
      }
    }
  }
  ChargeMatrix m{linalg::to_csr(entries), std::vector<double>(std::size_t(n)), 1, 1};
  for (Index i = 0; i < n; ++i) {
    for (Offset j = m.s.row_offsets[std::size_t(i)]; j < m.s.row_offsets[std::size_t(i) + 1]; ++j) {
      if (m.s.columns[std::size_t(j)] == i)
        m.inverse_diagonal[std::size_t(i)] = 1 / m.s.values[std::size_t(j)];
    }
  }
  m.largest = largest_eigenvalue(m.s, m.inverse_diagonal);
  // Smallest eigenvalue resolved in these steps: sqrt(largest / smallest) is about their number.
  m.smallest = m.largest / (num_steps * num_steps + 1);
  return m;
}

std::vector<ChebyshevStep> chebyshev_steps(const ChargeMatrix& m) {
  const double centre = (m.largest + m.smallest) / 2, half = (m.largest - m.smallest) / 2,
               sigma = centre / half;
  std::vector<ChebyshevStep> steps{{0, 1 / centre}};
  double rho = 1 / sigma;
  for (int i = 1; i < num_steps; ++i) {
    const double next = 1 / (2 * sigma - rho);
    steps.push_back({next * rho, 2 * next / half});
    rho = next;
  }
  return steps;
}

void ChargePreconditioner::apply(const Complex* r, Complex* z) const {
  const std::size_t n = matrix_.inverse_diagonal.size();
  std::vector<Complex> residual(r, r + n), d(n), next(n);
  std::fill(z, z + n, Complex());
  for (const auto [keep, take] : chebyshev_steps(matrix_)) {
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
      Complex sum = 0;
      for (Offset j = matrix_.s.row_offsets[i]; j < matrix_.s.row_offsets[i + 1]; ++j)
        sum += matrix_.s.values[std::size_t(j)] * d[std::size_t(matrix_.s.columns[std::size_t(j)])];
      residual[i] -= sum;
      next[i] = keep * d[i] + take * matrix_.inverse_diagonal[i] * residual[i];
      z[i] += next[i];
    }
    d.swap(next);
  }
}

}  // namespace curlew::ie
