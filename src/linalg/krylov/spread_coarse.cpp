// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/spread_coarse.hpp"

#include <algorithm>

#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/attempt.hpp"
#include "linalg/direct/shared_matrix.hpp"
#include "linalg/krylov/short_factors.hpp"

namespace curlew::linalg {
namespace {

constexpr Index columns_together = 16;

Index own_coarse(const SpreadRows& rows) {
  return rows.offsets()[1];
}

/// The coarse rows of this process, numbered on the coarse level.
Csr<Complex> coarse_matrix(const SpreadRows& rows, const Csr<Complex>& a, const std::vector<Index>& numbers,
                           Index unknowns) {
  Csr<Complex> out{unknowns, unknowns, {0}, {}, {}};
  out.row_offsets.reserve(std::size_t(unknowns) + 1);
  for (Index i = 0; i < a.num_rows; ++i) {
    if (rows.level(i) != 0) continue;
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = numbers[std::size_t(a.columns[std::size_t(k)])]; j >= 0)
        out.columns.push_back(j), out.values.push_back(a.values[std::size_t(k)]);
    out.row_offsets.push_back(Offset(out.columns.size()));
  }
  return out;
}

}  // namespace

SpreadTerm::SpreadTerm(const SpreadRows& rows, const LowRank& term) : group_(&rows.group()) {
  if (term.is_empty()) return;
  Coo<Complex> left, right;
  left.num_rows = right.num_cols = own_coarse(rows);
  left.num_cols = right.num_rows = term.right.num_rows;
  const auto each = [](const Csr<Complex>& a, const auto& body) {
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
        body(i, a.columns[std::size_t(k)], a.values[std::size_t(k)]);
  };
  each(term.left, [&](Index i, Index j, Complex v) {
    if (rows.is_own(i)) left.add(rows.place(i), j, v);
  });
  each(term.right, [&](Index i, Index j, Complex v) {
    if (rows.is_own(j)) right.add(i, rows.place(j), v);
  });
  own_ = {to_csr(left), to_csr(right)};
}

SpreadTerm SpreadTerm::inverse(const std::vector<Complex>& solved) const {
  SpreadTerm inverse;
  inverse.group_ = group_;
  inverse.own_ = inverse_term(
      own_, solved, [&](Complex* y, std::size_t n) { group_->sum(reinterpret_cast<double*>(y), 2 * n); });
  return inverse;
}

void SpreadTerm::add(const Complex* x, Complex* y) const {
  if (is_empty()) return;
  std::vector<Complex> few(std::size_t(own_.right.num_rows)), added(std::size_t(own_.left.num_rows));
  multiply(own_.right, x, few.data());
  group_->sum(reinterpret_cast<double*>(few.data()), 2 * few.size());
  multiply(own_.left, few.data(), added.data());
  for (std::size_t i = 0; i < added.size(); ++i) y[i] += added[i];
}

Gathering::Gathering(const ProcessGroup& group, const std::vector<Index>& own)
    : group_(&group), own_(own.size()), begin_{0} {
  std::vector<std::vector<Index>> to(std::size_t(group.size()));
  to[0] = own;
  std::size_t most = 0;
  for (const auto& list : deal(group, to)) {
    numbers_.insert(numbers_.end(), list.begin(), list.end());
    begin_.push_back(numbers_.size());
    most = std::max(most, list.size());
  }
  values_.resize(most);
}

/// Values that come to process 0 from a process.
std::size_t Gathering::count_of(int process) const {
  return begin_[std::size_t(process) + 1] - begin_[std::size_t(process)];
}

namespace {

/// Offsets [bytes] of all processes where only one of them has data.
std::vector<std::size_t> begins_of_one(const ProcessGroup& group, int process, std::size_t values) {
  std::vector<std::size_t> begin(std::size_t(group.size()) + 1, values * sizeof(Complex));
  std::fill_n(begin.begin(), process + 1, 0);
  return begin;
}

}  // namespace

void Gathering::gather(const Complex* x, Complex* whole) const {
  for (int p = 0; p < group_->size(); ++p) {
    group_->exchange(reinterpret_cast<const char*>(x),
                     begins_of_one(*group_, 0, group_->rank() == p ? own_ : 0),
                     reinterpret_cast<char*>(values_.data()), begins_of_one(*group_, p, count_of(p)));
    const Index* numbers = numbers_.data() + begin_[std::size_t(p)];
    for (std::size_t i = 0; i < count_of(p); ++i) whole[numbers[i]] = values_[i];
  }
}

void Gathering::scatter(const Complex* whole, Complex* x) const {
  for (int p = 0; p < group_->size(); ++p) {
    const Index* numbers = numbers_.data() + begin_[std::size_t(p)];
    for (std::size_t i = 0; i < count_of(p); ++i) values_[i] = whole[numbers[i]];
    group_->exchange(reinterpret_cast<const char*>(values_.data()), begins_of_one(*group_, p, count_of(p)),
                     reinterpret_cast<char*>(x), begins_of_one(*group_, 0, group_->rank() == p ? own_ : 0));
  }
}

SpreadCoarse::SpreadCoarse(const SpreadRows& rows, const Csr<Complex>& a, const LowRank& term,
                           const DirectOptions& options)
    : group_(&rows.group()),
      size_(own_coarse(rows)),
      numbers_(std::size_t(rows.num_unknowns()), -1),
      own_term_(rows, term),
      options_(options) {
  for (Index i = 0; i < rows.num_unknowns(); ++i)
    if (rows.level(i) == 0) numbers_[std::size_t(i)] = unknowns_++;
  std::vector<Index> own;
  for (Index p = 0; p < size_; ++p) own.push_back(numbers_[std::size_t(rows.own()[std::size_t(p)])]);
  gathering_ = std::make_unique<Gathering>(*group_, own);
  matrix_ = coarse_matrix(rows, a, numbers_, unknowns_);
  if (own_term_.is_empty()) numbers_ = {};
  if (options.symmetry == Symmetry::symmetric) keep_lower_triangle(matrix_);
}

void SpreadCoarse::order() {
  solver_.reset();  // deletes its factors first: the next ones take most of the memory
  solver_ = make_joint_mumps(options_);
  solver_->analyse(matrix_);
}

void SpreadCoarse::factor_matrix() {
  on_each(*group_, [&] {
    if (group_->rank() == 0) require_memory(solver_->estimated_bytes(), "the coarse level's factors");
  });
  if (!options_.single_precision) return solver_->factor(matrix_);
  if (factor_and_try(*solver_, SharedMatrix<Complex>(matrix_, options_.symmetry, *group_))) return;
  // First without blocks of low rank, then in double precision.
  if (options_.block_tolerance == 0) options_.single_precision = false;
  options_.block_tolerance = 0;
  order();
  factor_matrix();
}

void SpreadCoarse::factor(const LowRank& term) {
  order();
  factor_matrix();
  matrix_ = {};
  if (group_->rank() == 0) whole_.resize(std::size_t(unknowns_));
  if (!own_term_.is_empty()) correction_ = own_term_.inverse(solved_term(term));
  numbers_ = {};
}

/// @param whole [unknowns, columns] on process 0
void SpreadCoarse::solve(Complex* whole, Index columns) const {
  solver_->solve(whole, columns);
}

std::vector<Complex> SpreadCoarse::solved_term(const LowRank& term) const {
  const Index rank = term.right.num_rows;
  std::vector<Complex> solved(std::size_t(size_) * std::size_t(rank)), columns;
  for (Index first = 0; first < rank; first += columns_together) {
    const Index count = std::min(columns_together, rank - first);
    if (group_->rank() == 0) {
      columns.assign(std::size_t(unknowns_) * std::size_t(count), 0);
      for (Index i = 0; i < term.left.num_rows; ++i)
        for (Offset k = term.left.row_offsets[std::size_t(i)]; k < term.left.row_offsets[std::size_t(i) + 1];
             ++k)
          if (const Index c = term.left.columns[std::size_t(k)] - first; c >= 0 && c < count)
            columns[std::size_t(c) * std::size_t(unknowns_) + std::size_t(numbers_[std::size_t(i)])] =
                term.left.values[std::size_t(k)];
    }
    solve(columns.data(), count);
    for (Index c = 0; c < count; ++c)
      gathering_->scatter(columns.data() + Offset(c) * unknowns_,
                          &solved[std::size_t(first + c) * std::size_t(size_)]);
  }
  return solved;
}

void SpreadCoarse::apply(const Complex* r, Complex* z) const {
  const Timer timer;
  gathering_->gather(r, whole_.data());
  solve(whole_.data(), 1);
  gathering_->scatter(whole_.data(), z);
  correction_.add(z, z);
  apply_seconds_ += timer.seconds();
}

}  // namespace curlew::linalg
