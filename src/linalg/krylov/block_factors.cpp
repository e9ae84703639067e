// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/block_factors.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/attempt.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "linalg/direct/supernodal_factors.hpp"
#include "linalg/krylov/random_vector.hpp"
#include "linalg/krylov/short_factors.hpp"

namespace curlew::linalg {
namespace {

/// Above it the better ordering of METIS outweighs that only one thread at a time may call it.
constexpr Index rows_of_minimum_degree = 20'000;

double largest_of(const Complex* values, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max({largest, std::abs(values[i].real()), std::abs(values[i].imag())});
  return largest > 0 ? largest : 1;
}

/// body(i) for all i by all threads, in this order. @throws what the first of them that fails throws
template <class Body>
void each(const std::vector<std::size_t>& order, const Body& body) {
  std::deque<std::optional<Attempt>> attempts(order.size());
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < order.size(); ++k) attempts[k].emplace([&] { body(order[k]); });
  for (const auto& attempt : attempts) attempt->finish({});
}

std::vector<Index> positions(const Csr<Complex>& a) {
  if (a.num_rows <= rows_of_minimum_degree) return minimum_degree(a.row_offsets, a.columns);
  return nested_dissection(compress_pattern(a.row_offsets, a.columns));
}

}  // namespace

class BlockFactors::Block {
 public:
  explicit Block(Csr<Complex> a)
      : a_(std::move(a)), nodes_(find_supernodes(a_.row_offsets, a_.columns, positions(a_))) {}
  const Supernodes& nodes() const { return nodes_; }

  void factor(bool single_precision) {
    scale_ = 1 / largest_of(a_.values.data(), a_.values.size());
    for (Complex& value : a_.values) value *= scale_;
    if (single_precision) short_.emplace(nodes_, a_);
    if (short_ && !serves_in_single_precision()) short_.reset();
    if (!short_) long_.emplace(nodes_, a_);
    a_ = {};
  }
  void solve(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index columns) const {
    short_ ? solve_by(*short_, r, ldr, z, ldz, columns) : solve_by(*long_, r, ldr, z, ldz, columns);
  }

 private:
  /// scale_ brings the factors' values near 1, one factor per right-hand side brings these near 1.
  template <class T>
  void solve_by(const SupernodalFactors<T>& factors, const Complex* r, Offset ldr, Complex* z, Offset ldz,
                Index columns) const {
    std::vector<T> x(std::size_t(nodes_.size()) * std::size_t(columns));
    std::vector<double> sizes;
    for (Index c = 0; c < columns; ++c) {
      sizes.push_back(largest_of(r + c * ldr, std::size_t(nodes_.size())));
      for (Index i = 0; i < nodes_.size(); ++i)
        x[std::size_t(Offset(nodes_.place[std::size_t(i)]) * columns + c)] = T(r[c * ldr + i] / sizes.back());
    }
    factors.solve(x.data(), columns);
    for (Index c = 0; c < columns; ++c)
      for (Index i = 0; i < nodes_.size(); ++i)
        z[c * ldz + i] = scale_ * sizes[std::size_t(c)] *
                         Complex(x[std::size_t(Offset(nodes_.place[std::size_t(i)]) * columns + c)]);
  }
  bool serves_in_single_precision() const {
    const auto n = std::size_t(nodes_.size());
    std::vector<Complex> b(n), x(n), image(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = random_entry<double>(Offset(i));
    solve_by(*short_, b.data(), Offset(n), x.data(), Offset(n), 1);
    double left = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (Offset k = a_.row_offsets[i]; k < a_.row_offsets[i + 1]; ++k)
        image[i] += a_.values[std::size_t(k)] * x[std::size_t(a_.columns[std::size_t(k)])];
      left += std::norm(b[i] - image[i] / scale_), all += std::norm(b[i]);
    }
    return left <= most_left_by_short_factors * most_left_by_short_factors * all;
  }

  Csr<Complex> a_;  // until it is factored
  Supernodes nodes_;
  double scale_ = 1;
  std::optional<SupernodalFactors<ComplexF>> short_;
  std::optional<SupernodalFactors<Complex>> long_;
};

BlockFactors::BlockFactors(std::vector<Index> first, bool single_precision)
    : first_(std::move(first)), order_(first_.size() - 1), single_precision_(single_precision) {
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  const auto size_of = [this](std::size_t p) { return first_[p + 1] - first_[p]; };
  std::ranges::stable_sort(order_, [&](std::size_t p, std::size_t q) { return size_of(p) > size_of(q); });
  blocks_.resize(order_.size());
}
BlockFactors::~BlockFactors() = default;

void BlockFactors::factor(const Csr<Complex>& a) {
  check_finite(a, "subdomains");
  info_ = {};
  info_.library = single_precision_ ? "supernodal LDLT, single precision" : "supernodal LDLT";
  info_.ordering = "metis";
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
  const Timer analysis;
  each(order_, [&](std::size_t p) {
    blocks_[p] = std::make_unique<Block>(block(a, first_[p], first_[p + 1], first_[p], first_[p + 1]));
  });
  for (const auto& one : blocks_) {
    info_.factor_entries += one->nodes().entries(), info_.factor_flops += one->nodes().flops();
  }
  info_.analyse_seconds = analysis.seconds();
  info_.factor_bytes =
      std::size_t(info_.factor_entries) * (single_precision_ ? sizeof(ComplexF) : sizeof(Complex));
  info_.estimated_bytes = info_.factor_bytes;
  require_memory(info_.factor_bytes, "the factorisation of the subdomains");
  const Timer timer;
  each(order_, [&](std::size_t p) { blocks_[p]->factor(single_precision_); });
  info_.factor_seconds = timer.seconds();
  log::info("subdomains: {:.3g} numbers of factors, {:.3g} operations, analysis {:.2f} s, factors {:.2f} s",
            info_.factor_entries, info_.factor_flops, info_.analyse_seconds, info_.factor_seconds);
}

void BlockFactors::apply_many(const Complex* r, Offset ldr, Complex* z, Offset ldz, Index n) const {
  each(order_, [&](std::size_t p) { blocks_[p]->solve(r + first_[p], ldr, z + first_[p], ldz, n); });
}

}  // namespace curlew::linalg
