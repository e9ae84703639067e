// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/split_system.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "linalg/csr_rows.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;
constexpr double largest_error = 1e-3;

/// Tᵀf without what is round-off in it.
Eigen::VectorXcd in_split_basis(const GradientSplit& split, const linalg::Csr<Complex>& transposed,
                                const SplitLoad& load) {
  Eigen::VectorXcd f(transposed.num_rows);
  linalg::multiply(transposed, load.f.data(), f.data());
  for (std::size_t i = 0; i < split.is_gradient.size(); ++i) {
    const bool kept = load.feels_conductors_alone ? bool(split.is_conductor[i]) : !load.is_free_of_divergence;
    if (split.is_gradient[i] && !kept) f[Eigen::Index(i)] = 0;
  }
  return f;
}

linalg::Csr<Complex> as_complex(const linalg::Csr<double>& a) {
  return {a.num_rows, a.num_cols, a.row_offsets, a.columns, {a.values.begin(), a.values.end()}};
}

/// TᵀAT with an unknown for every load that the system holds.
linalg::Csr<Complex> bordered(const GradientSplit& split, const linalg::Csr<Complex>& curl,
                              const linalg::Csr<Complex>& rest, const std::vector<SplitLoad>& loads,
                              const Matrix& f) {
  const linalg::Csr<Complex> of_rest = congruent(split.basis, rest);
  std::vector<Eigen::Index> held;
  for (std::size_t j = 0; j < loads.size(); ++j)
    if (loads[j].admittance != 0.0) held.push_back(Eigen::Index(j));
  const Index n = curl.num_rows, all = n + Index(held.size());
  const auto is_gradient = [&](Index i) { return bool(split.is_gradient[std::size_t(i)]); };
  using Row = std::vector<linalg::RowEntry<Complex>>;
  const auto append = [](const linalg::Csr<Complex>& a, Index i, const auto& takes, Row& row) {
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (takes(a.columns[std::size_t(k)]))
        row.emplace_back(a.columns[std::size_t(k)], a.values[std::size_t(k)]);
  };
  return linalg::make_rows<Complex>(all, all, [&](Index i, Row& row) {
    if (i >= n) {
      const Eigen::Index load = held[std::size_t(i - n)];
      for (Index k = 0; k < n; ++k)
        if (f(k, load) != 0.0) row.emplace_back(k, f(k, load));
      row.emplace_back(i, -1.0 / loads[std::size_t(load)].admittance);
      return;
    }
    append(
        of_rest, i, [](Index) { return true; }, row);
    if (!is_gradient(i))
      append(
          curl, i, [&](Index j) { return !is_gradient(j); }, row);
    for (std::size_t h = 0; h < held.size(); ++h)
      if (f(i, held[h]) != 0.0) row.emplace_back(n + Index(h), f(i, held[h]));
  });
}

/// Scales to a unit diagonal. @return D
Eigen::VectorXd equilibrate(linalg::Csr<Complex>& a) {
  Eigen::VectorXd d = Eigen::VectorXd::Ones(a.num_rows);
  const auto each = [&](const auto& visit) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
        visit(i, a.columns[std::size_t(k)], a.values[std::size_t(k)]);
  };
  each([&](Index i, Index j, const Complex& value) {
    if (i == j && value != 0.0) d[i] = 1 / std::sqrt(std::abs(value));
  });
  each([&](Index i, Index j, Complex& value) { value *= d[i] * d[j]; });
  return d;
}

/// Signs, the same in every run: a solution that is known.
Eigen::VectorXcd known_solution(Eigen::Index n) {
  Eigen::VectorXcd u(n);
  std::uint32_t state = 1;
  for (Eigen::Index i = 0; i < n; ++i) {
    state = 1664525u * state + 1013904223u;
    u[i] = state >> 31 ? 1.0 : -1.0;
  }
  return u;
}

void require_digits(const Eigen::VectorXcd& found, const Eigen::VectorXcd& known, double frequency) {
  const double error = (found - known).cwiseAbs().maxCoeff();
  if (error > largest_error)
    throw NumericalError(
        fmt::format("frequency: at {:.6g} Hz a solution that is known comes back with an error of {:.1e}: "
                    "double precision does not hold this model so low (conductors of [[material]] that no "
                    "perfect conductor or port touches?); raise the frequency",
                    frequency, error));
}

}  // namespace

SplitSolution solve_split(const GradientSplit& split, const linalg::Csr<Complex>& curl,
                          const linalg::Csr<Complex>& rest, const std::vector<SplitLoad>& loads,
                          linalg::SystemOptions options, double frequency, Stages& stages) {
  std::optional<ScopedStage> timed(std::in_place, stages, "assembly");
  const auto n = Eigen::Index(curl.num_rows), count = Eigen::Index(loads.size());
  const auto basis = as_complex(split.basis), transposed = linalg::transpose(basis);
  Matrix f(n, count);
  for (Eigen::Index j = 0; j < count; ++j)
    f.col(j) = in_split_basis(split, transposed, loads[std::size_t(j)]);
  auto a = bordered(split, curl, rest, loads, f);
  const Eigen::VectorXd d = equilibrate(a);
  const Eigen::VectorXcd known = known_solution(a.num_rows);
  Matrix b = Matrix::Zero(a.num_rows, count + 1), y(a.num_rows, count + 1);
  b.topLeftCorner(n, count) = d.head(n).asDiagonal() * f;
  linalg::multiply(a, known.data(), b.col(count).data());

  options.iterative.reset(), options.automatic = options.spread = false;
  options.direct.pivot_threshold = 0.01;  // the diagonal of a port's unknown is no pivot
  timed.emplace(stages, "factorisation");
  linalg::SystemSolver solver(options, {});
  solver.analyse(a);
  solver.prepare(a);
  timed.emplace(stages, "substitution");
  SplitSolution solution;
  solution.report = solver.solve(b.data(), y.data(), Index(y.cols()));
  require_digits(y.col(count), known, frequency);
  const Matrix found = d.head(n).asDiagonal() * y.topLeftCorner(n, count);
  solution.g = f.transpose() * found;
  solution.x.resize(n, count);
  linalg::multiply(basis, found.data(), solution.x.data(), Index(count));
  return solution;
}

}  // namespace curlew::fem
