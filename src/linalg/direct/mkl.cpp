// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/mkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/direct/factor_values.hpp"
#include "linalg/direct/mkl_api.hpp"

namespace curlew::linalg {
namespace {

using mkl::Int;

enum Phase : Int {
  analysis = 11,
  analysis_and_factorisation = 12,
  factorisation = 22,
  solution = 33,
  release = -1
};

const mkl::Api& require_api() {
  std::string why;
  const mkl::Api* api = mkl::load(&why);
  if (api == nullptr)
    throw ResourceError(
        fmt::format("solver.direct = \"mkl\": {} (pip install mkl; or name its libmkl_rt.so.3 in the "
                    "environment variable CURLEW_MKL; \"auto\" takes MUMPS without it)",
                    why));
  return *api;
}

constexpr Int vanished_pivot = -4, no_matching = -6, zero_diagonal = -7;  // errors

bool is_zero_pivot(Int error) {
  return error == vanished_pivot || error == zero_diagonal;
}

/// @throws NumericalError for singular matrices, ResourceError for memory, InputError for the rest
void check(Int error, const char* stage) {
  switch (error) {
    case 0:
      return;
    case -2:
    case -8:
    case -12:
      throw ResourceError(fmt::format("MKL PARDISO, {}: memory does not suffice (error {})", stage, error));
    case vanished_pivot:
    case zero_diagonal:
    case no_matching:
      throw NumericalError(
          fmt::format("MKL PARDISO, {}: the matrix is singular (error {}). A lossless problem at one of its "
                      "resonances, or a part without material or boundary condition, gives such a matrix",
                      stage, error));
    default:
      throw InputError(fmt::format("MKL PARDISO, {}: error {}", stage, error));
  }
}

/// T is the type of matrix and vectors, F that of the factors, as of MUMPS.
template <class T, class F>
class Mkl final : public DirectSolver<T> {
 public:
  explicit Mkl(const DirectOptions& options);
  ~Mkl() override { forget(); }
  Mkl(const Mkl&) = delete;
  Mkl& operator=(const Mkl&) = delete;

  void analyse(const Csr<T>& a) override;
  std::size_t estimated_bytes() const override { return info_.estimated_bytes; }
  void factor(const Csr<T>& a) override;
  void solve(T* x, Index num_rhs) override;
  bool require_digits() override { return !std::exchange(exchanges_pivots_, true); }
  const DirectInfo& info() const override { return info_; }

 private:
  Int& iparm(int i) { return iparm_[std::size_t(i) - 1]; }  // numbered as in the reference
  /// Exchanges within blocks of LDL^T lose digits of a saddle point, where LU with a matching keeps them.
  bool takes_half() const { return options_.symmetry == Symmetry::symmetric && !exchanges_pivots_; }
  Int type() const {
    if (has_two_parts<F>) return takes_half() ? 6 : 13;
    return takes_half() ? -2 : 11;
  }
  Int call(Phase phase, Int num_rhs = 1, F* b = nullptr, F* x = nullptr);
  void forget();
  void choose_parameters(bool matches);
  void take_pattern(const Csr<T>& a);
  std::vector<T> values_taken(const Csr<T>& a) const;
  template <class Visit>
  void each_taken(const Csr<T>& a, const Visit& visit) const;
  void state_memory();

  DirectOptions options_;
  const mkl::Api& api_;
  DirectInfo info_;
  std::array<void*, 64> handle_{};
  std::array<Int, 64> iparm_{};
  std::vector<Int> row_offsets_, columns_;  // of the entries handed over
  const F* numbers_ = nullptr;              // of the same, while they are factored
  FactorValues<T, F> values_;
  std::vector<F> work_;  // [unknowns, rhs_block at most]
  std::uint64_t pattern_ = 0;
  Int analysed_type_ = 0;  // what the handle holds
  bool exchanges_pivots_ = false, factored_ = false;
};

template <class T, class F>
Mkl<T, F>::Mkl(const DirectOptions& options)
    : options_(options), api_(require_api()), exchanges_pivots_(options.pivot_threshold > 0) {
  info_.library = fmt::format("MKL PARDISO {}", api_.version) + FactorValues<T, F>::in_words();
  info_.has_single_precision = FactorValues<T, F>::are_shorter;
}

template <class T, class F>
Int Mkl<T, F>::call(Phase phase, Int num_rhs, F* b, F* x) {
  const Int one = 1, prints = 0, kind = analysed_type_, n = info_.unknowns, step = phase;
  Int error = 0, permutation = 0;
  const int before = api_.set_threads_here(num_threads());
  api_.pardiso_64(handle_.data(), &one, &one, &kind, &step, &n, numbers_, row_offsets_.data(),
                  columns_.data(), &permutation, &num_rhs, iparm_.data(), &prints, b, x, &error);
  api_.set_threads_here(before);
  return error;
}

template <class T, class F>
void Mkl<T, F>::forget() {
  if (!row_offsets_.empty()) call(release);
  row_offsets_.clear();
  handle_.fill(nullptr);
  factored_ = false;
}

/// @param matches for the next analysis, which then reads values: scales, and brings large ones to the
/// diagonal
template <class T, class F>
void Mkl<T, F>::choose_parameters(bool matches) {
  iparm_.fill(0);
  iparm(1) = 1;    // all of these are set
  iparm(2) = 2;    // nested dissection by one thread
  iparm(6) = 1;    // solutions replace right-hand sides
  iparm(10) = 20;  // pivots below 1e-20 of the matrix are none
  iparm(11) = iparm(13) = matches;
  iparm(18) = iparm(19) = -1;  // counts entries and operations
  iparm(28) = FactorValues<T, F>::are_shorter;
  iparm(34) = num_threads();  // which sum in the same order in every run
  iparm(35) = 1;              // counted from 0
}

/// visit(row, column, place) for the entries that the library takes, by rows: all, or of a symmetric matrix
/// the upper triangle with the whole diagonal, of which place is -1 where the matrix has no entry.
template <class T, class F>
template <class Visit>
void Mkl<T, F>::each_taken(const Csr<T>& a, const Visit& visit) const {
  for (Index i = 0; i < a.num_rows; ++i) {
    const auto begin = a.columns.begin() + a.row_offsets[std::size_t(i)],
               end = a.columns.begin() + a.row_offsets[std::size_t(i) + 1];
    const auto first = takes_half() ? std::lower_bound(begin, end, i) : begin;
    if (takes_half() && (first == end || *first != i)) visit(i, i, Offset(-1));
    for (auto at = first; at != end; ++at) visit(i, *at, Offset(at - a.columns.begin()));
  }
}

template <class T, class F>
void Mkl<T, F>::take_pattern(const Csr<T>& a) {
  row_offsets_.assign(std::size_t(a.num_rows) + 1, 0);
  columns_.clear();
  each_taken(a, [&](Index row, Index column, Offset) {
    ++row_offsets_[std::size_t(row) + 1];
    columns_.push_back(column);
  });
  for (std::size_t i = 1; i < row_offsets_.size(); ++i) row_offsets_[i] += row_offsets_[i - 1];
}

template <class T, class F>
std::vector<T> Mkl<T, F>::values_taken(const Csr<T>& a) const {
  std::vector<T> values;
  values.reserve(columns_.size());
  each_taken(a, [&](Index, Index, Offset place) {
    values.push_back(place < 0 ? T(0) : a.values[std::size_t(place)]);
  });
  return values;
}

/// Known after the analysis, in KiB.
template <class T, class F>
void Mkl<T, F>::state_memory() {
  info_.estimated_bytes = std::size_t(std::max(iparm(15), iparm(16) + iparm(17))) * 1024;
  info_.factor_entries = double(iparm(18));
  info_.factor_flops = double(iparm(19)) * 1e6;
}

template <class T, class F>
void Mkl<T, F>::analyse(const Csr<T>& a) {
  forget();
  if (a.num_rows != a.num_cols || a.num_rows == 0)
    throw InputError(fmt::format("direct solver: the matrix is {} x {}, it must be square and not empty",
                                 a.num_rows, a.num_cols));
  check_structure(a, "direct solver");
  const Timer timer;
  analysed_type_ = type();
  take_pattern(a);
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
  info_.ordering = "nested dissection";
  choose_parameters(false);
  check(call(analysis), "analysis");
  state_memory();
  pattern_ = pattern_hash(a);
  info_.analyse_seconds = timer.seconds();
}

template <class T, class F>
void Mkl<T, F>::factor(const Csr<T>& a) {
  factored_ = false;
  if (row_offsets_.empty()) throw InputError("direct solver: factor() was called before analyse()");
  if (pattern_hash(a) != pattern_)
    throw InputError("direct solver: the pattern is not the one that was analysed; analyse it again");
  check_finite(a, "direct solver");
  if (analysed_type_ != type()) analyse(a);
  require_memory(info_.estimated_bytes, "the factorisation");
  const Timer timer;
  if (exchanges_pivots_) {
    call(release);
    choose_parameters(true);
  }
  const std::vector<T> values = values_taken(a);
  numbers_ = values_.of_matrix(values);
  const Int error = call(exchanges_pivots_ ? analysis_and_factorisation : factorisation);
  numbers_ = nullptr;
  values_.drop_matrix();
  const bool is_singular = is_zero_pivot(error) || (error == 0 && iparm(14) > 0);
  if (is_singular && require_digits()) return factor(a);
  if (is_singular) check(vanished_pivot, "factorisation");
  check(error, "factorisation");
  state_memory();
  info_.factor_bytes = std::size_t(iparm(16) + iparm(17)) * 1024;
  info_.negative_pivots = has_two_parts<F> || !takes_half() ? -1 : int(iparm(23));
  info_.factor_seconds = timer.seconds();
  factored_ = true;
}

template <class T, class F>
void Mkl<T, F>::solve(T* x, Index num_rhs) {
  if (!factored_) throw InputError("direct solver: solve() was called before factor()");
  if (num_rhs <= 0) return;
  const auto n = std::size_t(info_.unknowns);
  T* const end = x + n * std::size_t(num_rhs);
  const auto is_finite = [&] { return std::all_of(x, end, [](T v) { return std::isfinite(std::abs(v)); }); };
  if (!is_finite()) throw NumericalError("direct solver: a right-hand side holds a NaN or an infinity");
  const Timer timer;
  F* const columns = values_.of_columns(x, n, num_rhs);
  for (Index c = 0; c < values_.num_columns(); c += options_.rhs_block) {
    const Index block = std::min(options_.rhs_block, values_.num_columns() - c);
    if (work_.size() < n * std::size_t(block)) work_ = huge_vector<F>(n * std::size_t(block));
    check(call(solution, block, columns + n * std::size_t(c), work_.data()), "solution");
  }
  values_.give_back();
  if (!is_finite()) throw NumericalError("direct solver: the solution is not finite; the matrix is singular");
  info_.solve_seconds = timer.seconds();
}

}  // namespace

bool has_mkl() {
  return mkl::load() != nullptr;
}

template <class T>
std::unique_ptr<DirectSolver<T>> make_mkl(const DirectOptions& options) {
  if (options.block_tolerance != 0)
    throw InputError("solver.direct = \"mkl\" keeps whole factors: choose \"mumps\" for compressed ones");
  if constexpr (std::is_same_v<T, Complex>) {
    if (options.real_values && options.single_precision) return std::make_unique<Mkl<T, float>>(options);
    if (options.real_values) return std::make_unique<Mkl<T, double>>(options);
    if (options.single_precision) return std::make_unique<Mkl<T, ComplexF>>(options);
  }
  return std::make_unique<Mkl<T, T>>(options);
}

template std::unique_ptr<DirectSolver<Complex>> make_mkl(const DirectOptions&);
template std::unique_ptr<DirectSolver<double>> make_mkl(const DirectOptions&);

}  // namespace curlew::linalg
