// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/cudss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/cuda_device.hpp"
#include "base/error.hpp"
#include "base/staged_upload.hpp"
#include "base/timer.hpp"
#include "base/transfer_seconds.hpp"
#include "linalg/direct/cudss_api.hpp"
#include "linalg/direct/device_columns.hpp"
#include "linalg/direct/device_residual.hpp"
#include "linalg/direct/device_sum.hpp"

namespace curlew::linalg {
namespace {

using Z = complex<double>;

// Sizes of the dissection that is computed here and passed to cuDSS.
constexpr int unknowns_of_leaf = 150, least_levels = 2, most_levels = 12;

/// Levels of cuDSS's dissection: 12 make factorisation 10 % faster and factors 10 % larger than its default,
/// 10.
int own_levels(Index unknowns) {
  return unknowns < 1000000 ? 12 : 10;
}

const char* meaning(cudss::Status status) {
  constexpr const char* meanings[] = {"success",        "not initialised",  "device memory does not suffice",
                                      "invalid value",  "not supported",    "execution failed",
                                      "internal error", "refinement failed"};
  return status >= 0 && status < 8 ? meanings[status] : "unknown status";
}

void check(cudss::Status status, const char* stage) {
  if (status == 0) return;
  const std::string text = fmt::format("cuDSS: {}: {}", stage, meaning(status));
  // A failure before the values are used is one of the card or the library, not of the matrix.
  if (status == 2 || std::string_view(stage) == "start") throw ResourceError(text);
  throw NumericalError(text);
}

const cudss::Api& require_api() {
  std::string why;
  const cudss::Api* api = cudss::load(&why);
  if (api == nullptr)
    throw ResourceError(
        fmt::format("no sparse direct solver for the GPU: {} (scripts/setup installs cuDSS where an "
                    "NVIDIA driver is; or name its libcudss.so.1 in the environment variable CURLEW_CUDSS)",
                    why));
  if (device_info().name.empty()) throw ResourceError("no sparse direct solver for the GPU: there is no GPU");
  return *api;
}

/// True unless a value is infinite or not a number.
bool all_finite(const Complex* x, std::size_t n) {
  bool all = true;
#pragma omp parallel for schedule(static) reduction(&& : all)
  for (std::size_t i = 0; i < n; ++i) all = all && std::isfinite(x[i].real()) && std::isfinite(x[i].imag());
  return all;
}

/// CURLEW_CUDSS_DETERMINISTIC=1 requests bitwise identical results in all runs. cuDSS does not promise them
/// by default, has no such mode in hybrid memory, and the mode is not tested on several GPUs.
bool may_repeat(const DirectOptions& options) {
  const char* word = std::getenv("CURLEW_CUDSS_DETERMINISTIC");
  return word != nullptr && std::string_view(word) == "1" && !options.hybrid_memory && options.gpus == 1;
}

class Cudss final : public CudssSolver {
 public:
  explicit Cudss(const DirectOptions& options)
      : options_(options), repeats_(may_repeat(options)), api_(require_api()) {
    start();
    check(api_.data_create(handle_, &data_), "start");
    if (!api_.threading_layer.empty())
      check(api_.set_threading_layer(handle_, api_.threading_layer.c_str()), "threads");
    if (options_.hybrid_memory) set(cudss::hybrid_memory_mode, 1, "hybrid memory");
  }
  ~Cudss() override {
    drop_matrices();
    api_.data_destroy(handle_, data_);
    api_.config_destroy(config_);
    api_.destroy(handle_);
  }
  Cudss(const Cudss&) = delete;
  Cudss& operator=(const Cudss&) = delete;

  void suggest(std::future<DissectionTree> tree) override { suggested_ = std::move(tree); }
  void analyse(const Csr<Complex>& a) override;
  std::size_t estimated_bytes() const override { return info_.estimated_bytes; }
  void factor(const Csr<Complex>& a) override;
  void factor_sum(const MatrixSum& a) override;
  void solve(Complex* x, Index num_rhs) override;
  void solve_on_device(const Z* b, Offset ldb, Z* x, Offset ldx, Index num_rhs, void* stream) override;
  std::unique_ptr<RefinedColumns> refined_columns(const Csr<Complex>& a, const Complex* b, Complex* x,
                                                  Index num_rhs) override;
  bool require_digits() override;
  const DirectInfo& info() const override { return info_; }

 private:
  void start();
  void order();
  void order_by(DissectionTree tree, const Csr<Complex>& a);
  void let_order(Index unknowns);
  void give_order(const DissectionOrder& order);
  std::vector<int> find_taken_offsets(const Csr<Complex>& a) const;
  /// Index of the first entry of a row that cuDSS reads: it reads those from there to the end of the row.
  Offset first_taken(const Csr<Complex>& a, Index row) const {
    const auto i = std::size_t(row);
    return a.row_offsets[i + 1] - (taken_offsets_[i + 1] - taken_offsets_[i]);
  }
  /// Calls visit(k, index) for the entries k = first..first + n that cuDSS reads; index is that in a.
  template <class Visit>
  void each_taken(const Csr<Complex>& a, std::size_t first, std::size_t n, const Visit& visit) const;
  void upload_values(const Csr<Complex>& a);
  void require_pattern(const Csr<Complex>& a) const;
  bool holds_terms(const MatrixSum& a);
  DeviceSum::Term taken_list(const Csr<Complex>& a, const MatrixTerm& term) const;
  void upload_terms(const MatrixSum& a);
  void factor_values(const Timer& timer);
  void execute(int phase, const char* stage, cudss::Matrix x = nullptr, cudss::Matrix b = nullptr) {
    check(api_.execute(handle_, phase, config_, data_, matrix_, x, b), stage);
  }
  template <class S>
  void set(int parameter, S value, const char* what) {
    check(api_.config_set(config_, parameter, &value, sizeof value), what);
  }
  void limit_device_memory();
  void solve_columns(const Z* b, Offset ldb, Z* x, Offset ldx, Index num_rhs);
  template <class S>
  S get(int parameter, const char* what) const {
    S value{};
    std::size_t written = 0;
    check(api_.data_get(handle_, data_, parameter, &value, sizeof value, &written), what);
    return value;
  }
  void drop_matrices() {
    if (matrix_ != nullptr) api_.matrix_destroy(matrix_);
    matrix_ = nullptr;
  }

  DirectOptions options_;
  bool repeats_;  ///< bitwise identical results; cuDSS then refuses several columns
  const cudss::Api& api_;
  DirectInfo info_;
  cudss::Handle handle_ = nullptr;
  cudss::Config config_ = nullptr;
  cudss::Data data_ = nullptr;
  cudss::Matrix matrix_ = nullptr;
  std::vector<int> taken_offsets_;  // [unknowns + 1] as row_offsets, of the entries that cuDSS reads
  std::future<DissectionTree> suggested_;
  cuda::StagedUpload<Z> staged_{std::size_t(1) << 16};  // 1 MiB
  cuda::Buffer<int> row_offsets_, columns_;
  cuda::Buffer<Z> values_;
  std::optional<DeviceResidual> residual_;  // made at its first use
  std::optional<DeviceSum> terms_;          // terms of the sum that was factored last
  std::uint64_t pattern_ = 0;
  bool factored_ = false, was_factored_ = false;
  bool is_ordered_ = false;  // by a given dissection
  bool matches_ = false;     // as require_digits
};

void Cudss::start() {
  const std::vector<int> devices = cuda::devices_from_current(std::clamp(options_.gpus, 1, num_devices()));
  const int count = int(devices.size());
  info_.library = "cuDSS " + api_.version;
  check(count > 1 ? api_.create_mg(&handle_, count, devices.data()) : api_.create(&handle_), "start");
  check(api_.config_create(&config_), "start");
  set(cudss::matching, int(cudss::no_matching), "matching");  // it would read values before they are copied
  if (repeats_) set(cudss::deterministic_mode, 1, "deterministic mode");
  if (count == 1) return;
  info_.library += fmt::format(" on {} GPUs", count);
  set(cudss::device_count, count, "number of GPUs");
  check(api_.config_set(config_, cudss::device_indices, devices.data(), devices.size() * sizeof(int)),
        "choice of GPUs");
}

/// cuDSS reads full rows, or of a symmetric matrix the upper triangle.
std::vector<int> Cudss::find_taken_offsets(const Csr<Complex>& a) const {
  std::vector<int> offsets(std::size_t(a.num_rows) + 1, 0);
  const bool all = options_.symmetry == Symmetry::unsymmetric;
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < a.num_rows; ++i) {
    const auto begin = a.columns.begin() + a.row_offsets[std::size_t(i)],
               end = a.columns.begin() + a.row_offsets[std::size_t(i) + 1];
    offsets[std::size_t(i) + 1] = int(end - (all ? begin : std::lower_bound(begin, end, i)));
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

template <class Visit>
void Cudss::each_taken(const Csr<Complex>& a, std::size_t first, std::size_t n, const Visit& visit) const {
  const std::vector<int>& offsets = taken_offsets_;
  const int begin = int(first), end = int(first + n);
  auto row = std::size_t(std::upper_bound(offsets.begin(), offsets.end(), begin) - offsets.begin() - 1);
  for (int k = begin; k < end; ++row) {
    const Offset shift = first_taken(a, Index(row)) - offsets[row];
    for (const int last = std::min(end, offsets[row + 1]); k < last; ++k)
      visit(std::size_t(k), std::size_t(k + shift));
  }
}

/// Checks each value while it is copied: a separate check takes a quarter of the time on the GPU.
void Cudss::upload_values(const Csr<Complex>& a) {
  const TransferTimer timer;
  std::atomic<bool> sound{true};
  staged_.run(values_.data(), values_.size(), [&](Z* piece, std::size_t first, std::size_t n) {
    bool finite = true;
    each_taken(a, first, n, [&](std::size_t k, std::size_t place) {
      const Complex value = a.values[place];
      finite = finite && std::isfinite(value.real()) && std::isfinite(value.imag());
      piece[k - first] = Z(value);
    });
    if (!finite) sound = false;
  });
  if (!sound) check_finite(a, "direct solver");
}

void Cudss::upload_terms(const MatrixSum& a) {
  cuda::StagedUpload<double> staged(std::size_t(1) << 17);  // 1 MiB
  const auto upload_all = [&](const std::vector<double>& from) {
    cuda::Buffer<double> to(from.empty() ? 0 : values_.size());
    staged.run(to.data(), to.size(), [&](double* piece, std::size_t first, std::size_t n) {
      each_taken(a.pattern(), first, n,
                 [&](std::size_t k, std::size_t place) { piece[k - first] = from[place]; });
    });
    return to;
  };
  terms_.emplace(a.number());
  for (const MatrixTerm& term : a.terms()) {
    if (term.has_all_places)
      terms_->add_term({{}, upload_all(term.re), upload_all(term.im)});
    else
      terms_->add_term(taken_list(a.pattern(), term));
  }
}

/// The entries of a list that cuDSS reads.
DeviceSum::Term Cudss::taken_list(const Csr<Complex>& a, const MatrixTerm& term) const {
  std::vector<int> places;
  std::vector<double> re, im;
  Index row = 0;
  for (std::size_t k = 0; k < term.places.size(); ++k) {
    while (a.row_offsets[std::size_t(row) + 1] <= term.places[k]) ++row;
    const Offset place = term.places[k] - first_taken(a, row);
    if (place < 0) continue;
    places.push_back(taken_offsets_[std::size_t(row)] + int(place));
    re.push_back(term.re[k]);
    if (!term.im.empty()) im.push_back(term.im[k]);
  }
  return {cuda::Buffer<int>(places), cuda::Buffer<double>(re), cuda::Buffer<double>(im)};
}

/// True if the terms are on the GPU: they need memory beside the factors and the solutions.
bool Cudss::holds_terms(const MatrixSum& a) {
  if (terms_ && terms_->number() == a.number()) return true;
  terms_.reset();
  require_pattern(a.pattern());
  if (options_.hybrid_memory) return false;
  std::size_t bytes = was_factored_ ? 0 : info_.estimated_bytes;
  const std::size_t free = device_info().free_memory;
  if (bytes > free) return false;
  const std::size_t room = (free - bytes) / 4;
  bytes = 0;
  for (const MatrixTerm& term : a.terms()) bytes += (term.re.size() + term.im.size()) * sizeof(double);
  if (bytes > room) return false;
  try {
    upload_terms(a);
  } catch (const ResourceError&) {
    terms_.reset();
  }
  return terms_.has_value();
}

/// Limits the part of the factors that stays on the GPU. Called between analysis and factorisation.
void Cudss::limit_device_memory() {
  const auto least = std::size_t(get<std::int64_t>(cudss::hybrid_memory_min, "least memory of the GPU"));
  const std::size_t free = device_info().free_memory;
  const std::size_t limit = options_.device_memory > 0 ? std::min(options_.device_memory, free) : free;
  if (limit < least)
    throw ResourceError(
        fmt::format("cuDSS: the factorisation needs {:.3f} GiB of the GPU at least, {:.3f} GiB "
                    "are allowed or free",
                    double(least) / (1 << 30), double(limit) / (1 << 30)));
  set(cudss::hybrid_memory_limit, std::int64_t(limit), "limit of the GPU's memory");
  info_.estimated_bytes = std::min(info_.estimated_bytes, limit);
}

void Cudss::analyse(const Csr<Complex>& a) {
  factored_ = was_factored_ = false;
  if (std::exchange(matches_, false)) set(cudss::matching, int(cudss::no_matching), "matching");
  if (a.num_rows != a.num_cols || a.num_rows == 0)
    throw InputError(fmt::format("direct solver: the matrix is {} x {}, it must be square and not empty",
                                 a.num_rows, a.num_cols));
  check_structure(a, "direct solver");
  if (a.nnz() > std::numeric_limits<int>::max())
    throw ResourceError(fmt::format("cuDSS: {} entries are more than 32-bit offsets hold", a.nnz()));
  const Timer timer;
  taken_offsets_ = find_taken_offsets(a);
  const std::vector<int>& offsets = taken_offsets_;
  std::vector<int> columns(std::size_t(offsets.back()));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < a.num_rows; ++i) {
    const auto first = a.columns.begin() + first_taken(a, i);
    std::copy(first, a.columns.begin() + a.row_offsets[std::size_t(i) + 1],
              columns.begin() + offsets[std::size_t(i)]);
  }
  drop_matrices();
  residual_.reset();
  terms_.reset();
  row_offsets_ = cuda::Buffer<int>(offsets);
  columns_ = cuda::Buffer<int>(columns);
  values_ = cuda::Buffer<Z>(columns.size());
  const bool is_symmetric = options_.symmetry == Symmetry::symmetric;
  check(api_.matrix_create_csr(&matrix_, a.num_rows, a.num_cols, std::int64_t(columns.size()),
                               row_offsets_.data(), nullptr, columns_.data(), values_.data(), CUDA_R_32I,
                               CUDA_R_32I, CUDA_C_64F, is_symmetric ? cudss::symmetric : cudss::general,
                               is_symmetric ? cudss::view_upper : cudss::view_full, cudss::base_zero),
        "matrix");
  let_order(a.num_rows);
  if (auto tree = std::exchange(suggested_, {}); tree.valid() && options_.gpus == 1) order_by(tree.get(), a);
  info_.ordering = is_ordered_ ? "given nested dissection" : "nested dissection";
  order();
  info_.unknowns = a.num_rows, info_.entries = a.nnz();
  pattern_ = pattern_hash(a);
  info_.analyse_seconds = timer.seconds();
}

/// cuDSS's dissection takes most of an analysis. It reads permutation and sizes when they are set.
void Cudss::order_by(DissectionTree tree, const Csr<Complex>& a) {
  if (tree.node_of.size() != std::size_t(a.num_rows)) return;
  fit_to_pattern(tree, a);
  const int levels = std::bit_width(unsigned(a.num_rows / unknowns_of_leaf));
  const DissectionOrder order = elimination_order(tree, std::clamp(levels, least_levels, most_levels));
  if (order.levels() < least_levels) return;
  set(cudss::dissection_levels, order.levels(), "levels of the dissection");
  give_order(order);
  is_ordered_ = true;
}

void Cudss::let_order(Index unknowns) {
  if (std::exchange(is_ordered_, false)) give_order({});
  set(cudss::dissection_levels, own_levels(unknowns), "levels of the dissection");
}

/// @param order an empty one removes a given order
void Cudss::give_order(const DissectionOrder& order) {
  const auto give = [&](int parameter, const std::vector<int>& of, const char* what) {
    check(api_.data_set(handle_, data_, parameter, of.empty() ? nullptr : of.data(), of.size() * sizeof(int)),
          what);
  };
  give(cudss::user_order, order.unknowns, "order of elimination");
  give(cudss::user_dissection, order.part_sizes, "dissection");
}

void Cudss::order() {
  execute(cudss::analysis, "analysis");
  struct Estimates {
    std::int64_t bytes[16];
  };
  // [1]: the most device memory that factorisation and solution take
  info_.estimated_bytes = std::size_t(get<Estimates>(cudss::memory_estimates, "memory estimate").bytes[1]);
  if (options_.hybrid_memory) limit_device_memory();
}

/// LU brings large entries to the diagonal and scales, which takes an analysis that sees the values. For
/// LDL^T there is no further remedy.
bool Cudss::require_digits() {
  if (options_.symmetry == Symmetry::symmetric || matches_) return false;
  set(cudss::matching, int(cudss::automatic_matching), "matching");
  if (is_ordered_) let_order(info_.unknowns);  // a dissection does not allow for columns that are permuted
  return matches_ = true;
}

void Cudss::require_pattern(const Csr<Complex>& a) const {
  if (matrix_ == nullptr) throw InputError("direct solver: factor() was called before analyse()");
  if (pattern_hash(a) != pattern_)
    throw InputError("direct solver: the pattern is not the one that was analysed; analyse it again");
}

void Cudss::factor(const Csr<Complex>& a) {
  factored_ = false;
  require_pattern(a);
  const Timer timer;
  upload_values(a);
  factor_values(timer);
}

void Cudss::factor_sum(const MatrixSum& a) {
  factored_ = false;
  const Timer timer;
  if (!holds_terms(a)) return factor(a.matrix());
  if (!terms_->add_up(a.factors(), values_)) {
    check_finite(a.matrix(), "direct solver");
    throw NumericalError("direct solver: the sum of the matrix's terms is not finite");
  }
  factor_values(timer);
}

/// @param timer runs since the values began to be made
void Cudss::factor_values(const Timer& timer) {
  if (matches_) {
    was_factored_ = false;
    order();
  }
  if (!was_factored_) require_device_memory(info_.estimated_bytes, "the factorisation");
  execute(was_factored_ ? cudss::refactorization : cudss::factorization, "factorisation");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  info_.factor_entries = double(get<std::int64_t>(cudss::lu_nnz, "size of the factors"));
  info_.factor_bytes = info_.estimated_bytes;
  info_.factor_seconds = timer.seconds();
  factored_ = was_factored_ = true;
}

/// Null where the GPU has little memory beside the factors, as their solution needs some, too.
std::unique_ptr<RefinedColumns> Cudss::refined_columns(const Csr<Complex>& a, const Complex* b, Complex* x,
                                                       Index num_rhs) {
  if (!factored_ || options_.hybrid_memory || num_rhs <= 0) return nullptr;
  const bool is_half = options_.symmetry == Symmetry::symmetric;
  std::size_t free = 0, all = 0;
  CURLEW_CUDA_CALL(cudaMemGetInfo(&free, &all));
  const std::size_t bytes =
      DeviceColumns::bytes(a.num_rows, num_rhs) + (residual_ ? 0 : DeviceResidual::bytes(a, is_half));
  if (bytes > free / 2) return nullptr;
  try {
    if (!residual_) residual_.emplace(a, row_offsets_.data(), columns_.data(), is_half);
    if (!residual_->is_complete()) return nullptr;
    return std::make_unique<DeviceColumns>(*this, *residual_, values_.data(), a.num_rows, num_rhs, b, x);
  } catch (const ResourceError&) {
    return nullptr;
  }
}

void Cudss::solve(Complex* x, Index num_rhs) {
  if (!factored_) throw InputError("direct solver: solve() was called before factor()");
  if (num_rhs <= 0) return;
  const Timer timer;
  const auto count = std::size_t(info_.unknowns) * std::size_t(num_rhs);
  cuda::Buffer<Z> device_b(count), device_x(count);
  {
    const TransferTimer copies;
    device_b.upload(reinterpret_cast<const Z*>(x));
  }
  solve_on_device(device_b.data(), info_.unknowns, device_x.data(), info_.unknowns, num_rhs, nullptr);
  CURLEW_CUDA_CALL(cudaStreamSynchronize(nullptr));  // so that the copy does not count the solution's time
  const TransferTimer copies;
  device_x.download(reinterpret_cast<Z*>(x));
  if (!all_finite(x, count))
    throw NumericalError("direct solver: the solution is not finite; the matrix is singular");
  info_.solve_seconds = timer.seconds();
}

void Cudss::solve_on_device(const Z* b, Offset ldb, Z* x, Offset ldx, Index num_rhs, void* stream) {
  if (!factored_) throw InputError("direct solver: solve() was called before factor()");
  CURLEW_CUDA_CALL(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
  const Index block = repeats_ ? 1 : options_.rhs_block;
  for (Index c = 0; c < num_rhs; c += block)
    solve_columns(b + c * ldb, ldb, x + c * ldx, ldx, std::min(num_rhs - c, block));
}

void Cudss::solve_columns(const Z* b, Offset ldb, Z* x, Offset ldx, Index num_rhs) {
  cudss::Matrix right = nullptr, left = nullptr;
  const std::int64_t n = info_.unknowns;
  check(api_.matrix_create_dense(&right, n, num_rhs, ldb, b, CUDA_C_64F, cudss::column_major),
        "right-hand side");
  check(api_.matrix_create_dense(&left, n, num_rhs, ldx, x, CUDA_C_64F, cudss::column_major), "solution");
  execute(cudss::solution, "solution", left, right);
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  api_.matrix_destroy(right), api_.matrix_destroy(left);
}

}  // namespace

bool has_cudss() {
  return cudss::load() != nullptr && !device_info().name.empty();
}

std::unique_ptr<CudssSolver> make_cudss(const DirectOptions& options) {
  return std::make_unique<Cudss>(options);
}

}  // namespace curlew::linalg
