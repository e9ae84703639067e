// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/iterative_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "curlew/build.hpp"
#include "linalg/krylov/direct_operator.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/sparse/crs_operator.hpp"
#include "linalg/sparse/row_groups.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "linalg/krylov/device_direct.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#include "linalg/sparse/device_matrix.hpp"
#endif

namespace curlew::linalg {
namespace {

// Symmetric to rounding: products of assembly differ in their last bits.
constexpr double symmetric_to = 1e-13;

/// Orders that are factorised together.
int coarse_orders(const IterativeOptions& o, const std::vector<Index>& offsets) {
  const int orders = int(offsets.size()) - 1;
  return std::clamp(o.coarse_order == 0 ? orders - 1 : o.coarse_order, 1, orders);
}

// Sweeps diverge where coordinates are stretched into the complex plane (perfectly matched layers). Rows with
// an imaginary part above this share of their diagonal go to the coarse level. On the order-3 antenna 0.2
// leaves too many rows to the sweeps (100 iterations are not enough), 0.03 gives 28.
constexpr double turned = 0.03;

/// Level of every unknown, 0 for what is factorised. Rows of one pattern stay together.
std::vector<int> levels_of(const Csr<Complex>& a, const std::vector<Index>& offsets, int coarse) {
  std::vector<int> level(std::size_t(a.num_rows));
  for (int o = 0; o + 1 < int(offsets.size()); ++o)
    std::fill(level.begin() + offsets[std::size_t(o)], level.begin() + offsets[std::size_t(o) + 1],
              std::max(0, o + 1 - coarse));
  const auto is_turned = [&](Index i) {
    double diagonal = 0, imaginary = 0;
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
      const Complex value = a.values[std::size_t(k)];
      if (a.columns[std::size_t(k)] == i) diagonal = std::abs(value);
      imaginary = std::max(imaginary, std::abs(value.imag()));
    }
    return imaginary > turned * diagonal;
  };
  const RowGroups groups = group_rows(a, 6, false);
  for (const RowGroup& g : groups.groups) {
    const Index* rows = &groups.rows[std::size_t(g.first)];
    if (std::any_of(rows, rows + g.size, is_turned))
      for (int i = 0; i < g.size; ++i) level[std::size_t(rows[i])] = 0;
  }
  return level;
}

DirectOptions coarse_options(const IterativeOptions& o, bool is_symmetric) {
  DirectOptions direct = o.direct;
  direct.symmetry = is_symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
  return direct;
}

}  // namespace

Preconditioner preconditioner_from(const std::string& name) {
  for (const auto p : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::multilevel})
    if (name == name_of(p)) return p;
  throw InputError(fmt::format("preconditioner \"{}\": must be none, jacobi or multilevel", name));
}

const char* name_of(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::none     ? "none"
         : preconditioner == Preconditioner::jacobi ? "jacobi"
                                                    : "multilevel";
}

/// The coarse level, a Direct, with what it took, and the cycle over it, a Cycle.
template <class Cycle, class Direct>
std::unique_ptr<Cycle> make_cycle(const Csr<Complex>& a, const IterativeOptions& o,
                                  const std::vector<Index>& offsets, std::unique_ptr<Direct>& coarse,
                                  IterativeInfo& info) {
  const Timer timer;
  coarse =
      std::make_unique<Direct>(block(a, 0, offsets[1], 0, offsets[1]), coarse_options(o, info.is_symmetric));
  info.coarse_seconds = timer.seconds();
  info.coarse_library = coarse->info().library, info.coarse_unknowns = offsets[1];
  return std::make_unique<Cycle>(a, offsets, *coarse, o.multilevel);
}

/// Operator, preconditioner and Krylov method in one memory.
class IterativeSolver::Backend {
 public:
  virtual ~Backend() = default;
  virtual KrylovReport solve(const Complex* b, Complex* x) = 0;
};

class IterativeSolver::HostSide final : public Backend {
 public:
  HostSide(const Csr<Complex>& a, const IterativeOptions& o, const std::vector<Index>& offsets,
           IterativeInfo& info) {
    if (info.asymmetry == 0)
      matrix_ = std::make_unique<SymmetricOperator<double>>(a);
    else
      matrix_ = std::make_unique<CrsOperator<Complex>>(a);
    if (o.preconditioner == Preconditioner::jacobi) preconditioner_ = std::make_unique<Jacobi<Complex>>(a);
    if (o.preconditioner == Preconditioner::multilevel)
      preconditioner_ = make_cycle<Multilevel<Complex>>(a, o, offsets, coarse_, info);
    krylov_ = std::make_unique<Krylov<Complex>>(*matrix_, preconditioner_.get(), o.krylov);
  }
  KrylovReport solve(const Complex* b, Complex* x) override { return krylov_->solve(b, x); }

 private:
  std::unique_ptr<LinearOperator<Complex>> matrix_;
  std::unique_ptr<DirectOperator> coarse_;
  std::unique_ptr<LinearOperator<Complex>> preconditioner_;
  std::unique_ptr<Krylov<Complex>> krylov_;
};

#ifdef CURLEW_HAVE_CUDA
class IterativeSolver::DeviceSide final : public Backend {
 public:
  using Z = complex<double>;
  DeviceSide(const Csr<Complex>& a, const IterativeOptions& o, const std::vector<Index>& offsets,
             IterativeInfo& info) {
    const Packed<double> packed = pack<double>(a);
    require_device_memory(stored_bytes(packed) +
                              std::size_t(krylov_vectors(o.krylov) + 2) * std::size_t(a.num_rows) * sizeof(Z),
                          "the matrix and the vectors of the solver");
    matrix_ = std::make_unique<DevicePacked<double, double>>(packed);
    if (o.preconditioner == Preconditioner::jacobi)
      preconditioner_ = std::make_unique<DeviceJacobi<double>>(a);
    if (o.preconditioner == Preconditioner::multilevel)
      preconditioner_ = make_cycle<DeviceMultilevel<Z>>(a, o, offsets, coarse_, info);
    krylov_ = std::make_unique<DeviceKrylov<Z>>(*matrix_, preconditioner_.get(), o.krylov);
    b_ = cuda::Buffer<Z>(std::size_t(a.num_rows)), x_ = cuda::Buffer<Z>(std::size_t(a.num_rows));
  }
  KrylovReport solve(const Complex* b, Complex* x) override {
    b_.upload(reinterpret_cast<const Z*>(b));
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // streams of the solver do not wait for the default one
    const KrylovReport report = krylov_->solve(b_.data(), x_.data());
    x_.download(reinterpret_cast<Z*>(x));
    return report;
  }

 private:
  std::unique_ptr<DeviceOperator<Z>> matrix_;
  std::unique_ptr<DeviceDirect> coarse_;
  std::unique_ptr<DeviceOperator<Z>> preconditioner_;
  std::unique_ptr<DeviceKrylov<Z>> krylov_;
  cuda::Buffer<Z> b_, x_;
};
#endif

IterativeSolver::IterativeSolver(const IterativeOptions& options, std::vector<Index> block_offsets)
    : options_(options), offsets_(std::move(block_offsets)) {
  check(options_.krylov);
  if (options_.coarse_order < 0 || options_.coarse_order > 3)
    throw InputError(fmt::format("coarse_order {}: must be 0 (automatic) to 3", options_.coarse_order));
  while (offsets_.size() > 2 && offsets_.back() == offsets_[offsets_.size() - 2]) offsets_.pop_back();
}
IterativeSolver::~IterativeSolver() = default;
IterativeSolver::IterativeSolver(IterativeSolver&&) noexcept = default;
IterativeSolver& IterativeSolver::operator=(IterativeSolver&&) noexcept = default;

const IterativeInfo& IterativeSolver::info() const {
  return info_;
}

/// Fills order_, unless it is the identity. @return first unknowns of the levels, and the end
std::vector<Index> IterativeSolver::sort_by_level(const Csr<Complex>& a) {
  const std::vector<int> level = levels_of(a, offsets_, coarse_orders(options_, offsets_));
  std::vector<Index> order(level.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return level[std::size_t(i)] < level[std::size_t(j)]; });
  if (!std::is_sorted(order.begin(), order.end())) order_ = order;
  std::vector<Index> offsets{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = std::size_t(level[std::size_t(order[i])]);
    while (offsets.size() < at + 1) offsets.push_back(Index(i));
  }
  offsets.push_back(a.num_rows);
  return offsets;
}

KrylovReport IterativeSolver::solve_column(const Complex* b, Complex* x) {
  if (order_.empty()) return backend_->solve(b, x);
  std::vector<Complex> c(order_.size()), y(order_.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = b[order_[i]];
  KrylovReport report = backend_->solve(c.data(), y.data());
  for (std::size_t i = 0; i < c.size(); ++i) x[order_[i]] = y[i];
  return report;
}

void IterativeSolver::prepare(const Csr<Complex>& a) {
  const Timer timer;
  backend_.reset();
  info_ = {};
  order_.clear();
  if (a.num_rows != a.num_cols || a.num_rows != offsets_.back())
    throw InputError(fmt::format("iterative solver: the matrix is {} x {}, {} unknowns are expected",
                                 a.num_rows, a.num_cols, offsets_.back()));
  check_finite(a, "iterative solver");
  info_.asymmetry = asymmetry(a);
  info_.is_symmetric = info_.asymmetry < symmetric_to;
  const auto method = options_.krylov.method;
  if (!info_.is_symmetric && (method == KrylovMethod::cocg || method == KrylovMethod::cocr))
    throw InputError(
        fmt::format("solver method {} needs a symmetric matrix and this one is not: take gmres or "
                    "bicgstab",
                    name_of(method)));
  const Csr<Complex>* matrix = &a;
  std::vector<Index> levels = offsets_;
  if (options_.preconditioner == Preconditioner::multilevel) {
    levels = sort_by_level(a);
    if (!order_.empty()) {
      permuted_ = permute(a, order_);
      matrix = &permuted_;
    }
  }
#ifdef CURLEW_HAVE_CUDA
  if (options_.device == Device::cuda)
    backend_ = std::make_unique<DeviceSide>(*matrix, options_, levels, info_);
  else
#endif
    backend_ = std::make_unique<HostSide>(*matrix, options_, levels, info_);
  info_.prepare_seconds = timer.seconds();
}

IterativeReport IterativeSolver::solve(const Complex* b, Complex* x, Index num_rhs) {
  if (!backend_) throw InputError("iterative solver: solve before prepare");
  IterativeReport report;
  for (Index k = 0; k < num_rhs; ++k) {
    report.columns.push_back(solve_column(b, x));
    const KrylovReport& column = report.columns.back();
    report.iterations += column.iterations;
    report.seconds += column.seconds;
    report.relative_residual = std::max(report.relative_residual, column.relative_residual);
    if (!column.converged())
      throw NumericalError(fmt::format("right-hand side {}: {} (preconditioner {})", k + 1,
                                       column.message(options_.krylov), name_of(options_.preconditioner)));
    b += offsets_.back(), x += offsets_.back();
  }
  return report;
}

}  // namespace curlew::linalg
