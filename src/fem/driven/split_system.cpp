// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/split_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/log.hpp"
#include "linalg/csr_rows.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;
constexpr double largest_error = 1e-3;

/// Tᵀf without rounding errors in products that are zero.
Eigen::VectorXcd in_split_basis(const GradientSplit& split, const linalg::Csr<double>& transposed,
                                const SplitLoad& load) {
  Eigen::VectorXcd f = Eigen::VectorXcd::Zero(transposed.num_rows);
  for (Index i = 0; i < transposed.num_rows; ++i)
    for (Offset k = transposed.row_offsets[std::size_t(i)]; k < transposed.row_offsets[std::size_t(i) + 1];
         ++k)
      f[i] += transposed.values[std::size_t(k)] * load.f[std::size_t(transposed.columns[std::size_t(k)])];
  for (std::size_t i = 0; i < split.is_gradient.size(); ++i) {
    const bool kept = load.feels_conductors_alone ? bool(split.is_conductor[i]) : !load.is_free_of_divergence;
    if (split.is_gradient[i] && !kept) f[Eigen::Index(i)] = 0;
  }
  return f;
}

linalg::Csr<Complex> as_complex(const linalg::Csr<double>& a) {
  return {a.num_rows, a.num_cols, a.row_offsets, a.columns, {a.values.begin(), a.values.end()}};
}

/// Columns of loads in the system.
std::vector<Eigen::Index> held_loads(const std::vector<SplitLoad>& loads) {
  std::vector<Eigen::Index> held;
  for (std::size_t j = 0; j < loads.size(); ++j)
    if (loads[j].is_held) held.push_back(Eigen::Index(j));
  return held;
}

/// TᵀAT with an unknown z = c fᵀx for every load in the system. If c vanishes, it stays in the pattern with z
/// = 0.
linalg::Csr<Complex> bordered(const GradientSplit& split, const linalg::Csr<double>& transposed,
                              const linalg::Csr<Complex>& curl, const linalg::Csr<Complex>& rest,
                              const std::vector<SplitLoad>& loads, const Matrix& f) {
  const std::vector<Eigen::Index> held = held_loads(loads);
  const Index n = curl.num_rows, all = n + Index(held.size());
  const auto is_gradient = [&](Index i) { return bool(split.is_gradient[std::size_t(i)]); };
  const auto admittance = [&](std::size_t h) { return loads[std::size_t(held[h])].admittance; };
  using Row = std::vector<linalg::RowEntry<Complex>>;
  const auto append_curl = [&](Index i, Row& row) {
    for (Offset k = curl.row_offsets[std::size_t(i)]; k < curl.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = curl.columns[std::size_t(k)]; !is_gradient(j))
        row.emplace_back(j, curl.values[std::size_t(k)]);
  };
  const auto append_coupling = [&](Index dof, std::size_t h, Index column, Row& row) {
    if (const Complex value = f(dof, held[h]); value != 0.0)
      row.emplace_back(column, admittance(h) != 0.0 ? value : 0.0);
  };
  return linalg::make_rows<Complex>(all, all, [&](Index i, Row& row) {
    if (i >= n) {
      const auto h = std::size_t(i - n);
      for (Index k = 0; k < n; ++k) append_coupling(k, h, k, row);
      row.emplace_back(i, admittance(h) != 0.0 ? -1.0 / admittance(h) : 1.0);
      return;
    }
    linalg::append_congruent_row(transposed, rest, split.basis, i, row);
    if (!is_gradient(i)) append_curl(i, row);
    for (std::size_t h = 0; h < held.size(); ++h) append_coupling(i, h, n + Index(h), row);
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

/// Random signs, the same in every run, as known solution.
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
        fmt::format("frequency: at {} a test problem with a known solution is solved with an error of "
                    "{:.1e}: this frequency is too low for double precision with this model (conductors of "
                    "[[material]] that no perfect conductor or port touches?); raise the frequency",
                    hertz(frequency), error));
}

}  // namespace

linalg::DissectionTree split_dissection(const linalg::DissectionTree& tree,
                                        const linalg::Csr<double>& transposed, const Matrix& held) {
  const auto join = [&](Index node, Index other) {
    return node == 0 ? other : linalg::common_ancestor(node, other);
  };
  linalg::DissectionTree split{tree.num_leaves, std::vector<Index>(std::size_t(transposed.num_rows), 0)};
  for (Index j = 0; j < transposed.num_rows; ++j)
    for (Offset k = transposed.row_offsets[std::size_t(j)]; k < transposed.row_offsets[std::size_t(j) + 1];
         ++k) {
      Index& node = split.node_of[std::size_t(j)];
      node = join(node, tree.node_of[std::size_t(transposed.columns[std::size_t(k)])]);
    }
  for (Eigen::Index h = 0; h < held.cols(); ++h) {
    Index node = 0;
    for (Eigen::Index i = 0; i < held.rows(); ++i)
      if (held(i, h) != 0.0) node = join(node, split.node_of[std::size_t(i)]);
    split.node_of.push_back(std::max(node, Index(1)));
  }
  return split;
}

SplitSystem::SplitSystem(GradientSplit split, const linalg::SystemOptions& options,
                         std::shared_future<linalg::DissectionTree> cells)
    : split_(std::move(split)),
      options_(options),
      cells_(std::move(cells)),
      basis_(as_complex(split_.basis)),
      transposed_(linalg::transpose(split_.basis)) {
  options_.iterative.reset(), options_.automatic = options_.spread = false;
  options_.direct.pivot_threshold = 0.01;  // diagonal entries of port unknowns are not suitable pivots
}

void SplitSystem::prepare(const linalg::Csr<Complex>& a, const Matrix& held) {
  const std::uint64_t pattern = linalg::pattern_hash(a);
  if (!solver_ || pattern != pattern_) {
    pattern_ = 0;
    solver_.emplace(options_, std::vector<Index>());
    if (cells_.valid())
      solver_->suggest(std::async(std::launch::deferred, [this, &held] {
        return split_dissection(cells_.get(), transposed_, held);
      }));
    solver_->analyse(a);
    pattern_ = pattern, ++analyses_;
    const linalg::SystemInfo info = solver_->info();
    log::info("split gradients: {} unknowns, {} nonzeros; analysis: {:.3g} s, {} ordering", info.unknowns,
              info.entries, info.analyse_seconds, info.ordering);
  }
  solver_->prepare(a);
}

SplitSolution SplitSystem::solve(const linalg::Csr<Complex>& curl, const linalg::Csr<Complex>& rest,
                                 const std::vector<SplitLoad>& loads, double frequency, Stages& stages) {
  std::optional<ScopedStage> timed(std::in_place, stages, "assembly");
  const auto n = Eigen::Index(curl.num_rows), count = Eigen::Index(loads.size());
  Matrix f(n, count);
  for (Eigen::Index j = 0; j < count; ++j)
    f.col(j) = in_split_basis(split_, transposed_, loads[std::size_t(j)]);
  auto a = bordered(split_, transposed_, curl, rest, loads, f);
  const Eigen::VectorXd d = equilibrate(a);
  const Eigen::VectorXcd known = known_solution(a.num_rows);
  Matrix b = Matrix::Zero(a.num_rows, count + 1), y(a.num_rows, count + 1);
  b.topLeftCorner(n, count) = d.head(n).asDiagonal() * f;
  linalg::multiply(a, known.data(), b.col(count).data());

  timed.emplace(stages, "factorisation");
  prepare(a, f(Eigen::all, held_loads(loads)));
  timed.emplace(stages, "substitution");
  SplitSolution solution;
  solution.report = solver_->solve(b.data(), y.data(), Index(y.cols()));
  require_digits(y.col(count), known, frequency);
  const Matrix found = d.head(n).asDiagonal() * y.topLeftCorner(n, count);
  solution.g = f.transpose() * found;
  solution.x.resize(n, count);
  linalg::multiply(basis_, found.data(), solution.x.data(), Index(count));
  return solution;
}

}  // namespace curlew::fem
