// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface_solve.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "ie/dense_fill.hpp"
#include "ie/fast_product.hpp"
#include "ie/loop_tree.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"

namespace curlew::ie {
namespace {

using Operator = linalg::LinearOperator<Complex>;

linalg::DenseMatrix filled(const System& system, const std::vector<Port>& ports) {
  auto a = fill_dense(system);
  std::vector<Entry> loads;
  add_loads(system, ports, loads);
  for (const auto& e : loads) a(e.row, e.column) += e.value;
  return a;
}

/// Dense products, rows divided over the threads: 16 bytes of matrix per 8 flops, bound by memory.
class DenseOperator final : public Operator {
 public:
  explicit DenseOperator(linalg::DenseMatrix a) : a_(std::move(a)) {}
  Index size() const override { return Index(a_.rows()); }
  void apply(const Complex* x, Complex* y) const override {
    constexpr Offset chunk = 512;
    const Offset n = a_.rows();
#pragma omp parallel for schedule(dynamic)
    for (Offset first = 0; first < n; first += chunk) {
      const Offset last = std::min(first + chunk, n);
      std::fill(y + first, y + last, Complex());
      for (Offset j = 0; j < n; ++j) {
        const Complex* column = a_.column(j);
        for (Offset i = first; i < last; ++i) y[i] += column[i] * x[j];
      }
    }
  }

 private:
  linalg::DenseMatrix a_;
};

/// The basis of all unknowns in which the system is solved: x = B z, scaled to a diagonal of ones.
linalg::Csr<Complex> loop_tree_basis(const System& system) {
  const auto small = make_loop_tree(system.mesh(), system.space()).basis;
  linalg::Coo<Complex> out;
  out.num_rows = out.num_cols = system.num_unknowns();
  std::vector<Index> next(std::size_t(system.num_unknowns()), -1);
  // The magnetic part: the same on pieces that have it. Its columns are those that touch such functions.
  for (Index f = 0; f < small.num_rows; ++f) {
    for (Offset e = small.row_offsets[f]; e < small.row_offsets[f + 1]; ++e) {
      out.add(f, small.columns[e], small.values[e]);
      if (system.magnetic_unknown(f) >= 0) next[small.columns[e]] = 0;
    }
  }
  Index column = system.num_electric();
  for (Index c = 0; c < system.num_electric(); ++c)
    if (next[c] == 0) next[c] = column++;
  for (Index f = 0; f < small.num_rows; ++f) {
    const Index row = system.magnetic_unknown(f);
    if (row < 0) continue;
    for (Offset e = small.row_offsets[f]; e < small.row_offsets[f + 1]; ++e)
      out.add(row, next[small.columns[e]], small.values[e]);
  }
  return linalg::to_csr(out);
}

/// B^T A B for sparse A and B.
linalg::Csr<Complex> congruence(const linalg::Csr<Complex>& a, const linalg::Csr<Complex>& b) {
  linalg::Coo<Complex> out;
  out.num_rows = out.num_cols = b.num_cols;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      for (Offset p = b.row_offsets[i]; p < b.row_offsets[i + 1]; ++p)
        for (Offset q = b.row_offsets[a.columns[e]]; q < b.row_offsets[a.columns[e] + 1]; ++q)
          out.add(b.columns[p], b.columns[q], b.values[p] * a.values[e] * b.values[q]);
  return linalg::to_csr(out);
}

std::vector<Complex> diagonal_of(const linalg::Csr<Complex>& a) {
  std::vector<Complex> d(std::size_t(a.num_rows));
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      if (a.columns[e] == i) d[i] = a.values[e];
  return d;
}

/// z -> B^T A B z.
class ChangedBasis final : public Operator {
 public:
  ChangedBasis(const Operator& a, const linalg::Csr<Complex>& b)
      : a_(a), b_(b), bt_(linalg::transpose(b)), t_(std::size_t(a.size())), u_(t_.size()) {}
  Index size() const override { return a_.size(); }
  void apply(const Complex* z, Complex* y) const override {
    linalg::multiply(b_, z, t_.data());
    a_.apply(t_.data(), u_.data());
    linalg::multiply(bt_, u_.data(), y);
  }
  const linalg::Csr<Complex>& transposed() const { return bt_; }

 private:
  const Operator& a_;
  const linalg::Csr<Complex>& b_;
  linalg::Csr<Complex> bt_;
  mutable std::vector<Complex> t_, u_;
};

/// Sparse factors of the near part.
class NearFactors final : public Operator {
 public:
  explicit NearFactors(const linalg::Csr<Complex>& a) : n_(a.num_rows) {
    linalg::DirectOptions options;
    options.symmetry = linalg::Symmetry::unsymmetric;
    options.pivot_threshold = 0.01;
    solver_ = linalg::make_direct_solver<Complex>(options);
    solver_->analyse(a);
    solver_->factor(a);
  }
  Index size() const override { return n_; }
  void apply(const Complex* r, Complex* z) const override {
    std::copy(r, r + n_, z);
    solver_->solve(z, 1);
  }

 private:
  Index n_;
  std::unique_ptr<linalg::DirectSolver<Complex>> solver_;
};

/// Everything between the system and the Krylov loop.
struct Iteration {
  std::unique_ptr<Operator> plain;
  linalg::Csr<Complex> basis;
  std::unique_ptr<ChangedBasis> changed;
  std::unique_ptr<Operator> preconditioner;

  const Operator& matrix() const { return changed ? static_cast<const Operator&>(*changed) : *plain; }
};

void precondition(const System& system, const std::vector<Port>& ports, SurfacePreconditioner kind,
                  Iteration& it) {
  if (kind == SurfacePreconditioner::none) return;
  auto near = near_matrix(system, ports, PairIntegrals::Range::near);
  if (kind == SurfacePreconditioner::jacobi) {
    it.preconditioner = std::make_unique<linalg::Jacobi<Complex>>(near);
    return;
  }
  if (kind == SurfacePreconditioner::loop_tree) {
    it.basis = loop_tree_basis(system);
    const auto d = diagonal_of(congruence(near, it.basis));
    for (std::size_t e = 0; e < it.basis.values.size(); ++e)
      it.basis.values[e] /= std::sqrt(std::abs(d[it.basis.columns[e]]));
    near = congruence(near, it.basis);
    it.changed = std::make_unique<ChangedBasis>(*it.plain, it.basis);
  }
  it.preconditioner = std::make_unique<NearFactors>(near);
}

void iterate(const Iteration& it, const SurfaceSolveOptions& options, std::vector<Complex>& b, Index num_rhs,
             SurfaceSolveReport& report) {
  const std::size_t n = b.size() / std::size_t(num_rhs);
  linalg::KrylovOptions krylov = options.krylov;
  krylov.use_initial_guess = true;
  linalg::Krylov<Complex> loop(it.matrix(), it.preconditioner.get(), krylov);
  std::vector<Complex> rhs(n), z(n), product(n);
  for (Index c = 0; c < num_rhs; ++c) {
    check_interrupt();
    Complex* const column = &b[std::size_t(c) * n];
    if (it.changed)
      linalg::multiply(it.changed->transposed(), column, rhs.data());
    else
      std::copy(column, column + n, rhs.data());
    // Start from the solution before, times the factor of the smallest residual.
    if (c > 0) {
      it.matrix().apply(z.data(), product.data());
      Complex top{};
      double bottom = 0;
      for (std::size_t i = 0; i < n; ++i)
        top += std::conj(product[i]) * rhs[i], bottom += std::norm(product[i]);
      for (auto& v : z) v *= bottom > 0 ? top / bottom : 0.0;
    }
    report.krylov.push_back(loop.solve(rhs.data(), z.data()));
    const auto& last = report.krylov.back();
    report.converged = report.converged && last.converged();
    report.residual = std::max(report.residual, last.relative_residual);
    report.iterations += last.iterations;
    if (it.changed)
      linalg::multiply(it.basis, z.data(), column);
    else
      std::copy(z.begin(), z.end(), column);
  }
}

}  // namespace

std::size_t estimate_bytes(const System& system, const SurfaceSolveOptions& options, Index num_rhs) {
  const auto n = std::size_t(system.num_unknowns());
  const std::size_t vectors = 16 * n * std::size_t(num_rhs + options.krylov.restart + 20);
  if (options.accelerated) return vectors + n * 400 * 24;  // about 200 near entries a row, once as a list
  const std::size_t matrix = 16 * n * n;
  return options.direct ? matrix + linalg::dense_workspace(Offset(n), num_rhs, options.precision)
                        : matrix + vectors;
}

SurfaceSolveReport solve_surface(const System& system, const std::vector<Port>& ports,
                                 const SurfaceSolveOptions& options, std::vector<Complex>& b, Index num_rhs) {
  SurfaceSolveReport report;
  require_memory(estimate_bytes(system, options, num_rhs), "the integral equation");
  Timer timer;
  if (options.direct) {
    auto a = filled(system, ports);
    report.fill_seconds = timer.seconds();
    timer.restart();
    report.lu = linalg::solve_dense(a, b.data(), num_rhs, options.precision, options.with_condition);
    report.method = report.lu.method, report.residual = report.lu.residual;
    report.solve_seconds = timer.seconds();
    return report;
  }
  Iteration it;
  if (options.accelerated)
    it.plain = std::make_unique<FastProduct>(system, ports, options.acceleration_tolerance);
  else
    it.plain = std::make_unique<DenseOperator>(filled(system, ports));
  precondition(system, ports, options.preconditioner, it);
  report.fill_seconds = timer.seconds();
  timer.restart();
  iterate(it, options, b, num_rhs, report);
  report.method = linalg::name_of(options.krylov.method);
  report.solve_seconds = timer.seconds();
  return report;
}

}  // namespace curlew::ie
