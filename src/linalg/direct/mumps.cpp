// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/mumps.hpp"

#include <fmt/format.h>

#include "base/allocation.hpp"
#include "base/error.hpp"
#include "curlew/build.hpp"

#ifdef CURLEW_HAVE_MUMPS
#include <cmumps_c.h>
#include <dmumps_c.h>
#include <smumps_c.h>
#include <zmumps_c.h>

#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <type_traits>
#include <vector>

#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/direct/factor_values.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "linalg/direct/mumps_messages.hpp"
#include "linalg/direct/spread_pattern.hpp"

namespace curlew::linalg {
namespace {

template <class T>
struct Api;
template <>
struct Api<Complex> {
  using Struct = ZMUMPS_STRUC_C;
  using Value = ZMUMPS_COMPLEX;
  using Real = ZMUMPS_REAL;
  static void call(Struct& id) { zmumps_c(&id); }
};
template <>
struct Api<ComplexF> {
  using Struct = CMUMPS_STRUC_C;
  using Value = CMUMPS_COMPLEX;
  using Real = CMUMPS_REAL;
  static void call(Struct& id) { cmumps_c(&id); }
};
template <>
struct Api<double> {
  using Struct = DMUMPS_STRUC_C;
  using Value = DMUMPS_REAL;
  using Real = DMUMPS_REAL;
  static void call(Struct& id) { dmumps_c(&id); }
};
template <>
struct Api<float> {
  using Struct = SMUMPS_STRUC_C;
  using Value = SMUMPS_REAL;
  using Real = SMUMPS_REAL;
  static void call(Struct& id) { smumps_c(&id); }
};

constexpr int job_analyse = 1, job_factor = 2, job_solve = 3;
constexpr double safe_pivot_threshold = 0.01;  // MUMPS' own default

/// SCOTCH's result depends on random numbers and threads, but factors are to be the same in every run. MUMPS
/// has no control for either: they are set in the SCOTCH library that it has loaded.
void make_scotch_repeatable() {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);
  using Reset = void (*)();
  if (const auto reset = reinterpret_cast<Reset>(dlsym(RTLD_DEFAULT, "SCOTCH_randomReset"))) reset();
}

/// MUMPS has global state: only one thread at a time may call it, also with different matrices.
std::mutex& one_call() {
  static std::mutex mutex;
  return mutex;
}

/// Where the entries of a matrix are stored.
enum class Entries { here, on_all_processes };

/// How the calls of a solver of all processes begin: process 0 announces them, or each process makes them
/// itself.
enum class Calls { announced, joint };

/// T is the type of matrix and vectors, F that of the factors (factor_values.hpp). Where F alone is real the
/// matrix has no imaginary part, which the caller sees to.
template <class T, class F>
class Mumps final : public std::conditional_t<std::is_same_v<T, Complex>, SharedMumps, DirectSolver<T>> {
 public:
  /// @param instance number of a solver of all processes; 0: this process alone
  explicit Mumps(const DirectOptions& options, int instance = 0, Entries entries = Entries::here,
                 Calls calls = Calls::announced)
      : options_(options),
        instance_(instance),
        is_spread_(entries == Entries::on_all_processes),
        is_joint_(calls == Calls::joint) {
    start();
  }
  ~Mumps() override { stop(); }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;

  void analyse(const Csr<T>& a) override;
  std::size_t estimated_bytes() const override { return info_.estimated_bytes; }
  void factor(const Csr<T>& a) override;
  void solve(T* x, Index num_rhs) override;
  bool require_digits() override;
  const DirectInfo& info() const override { return info_; }
  void join(int job, const Csr<T>& own);
  int instance() const { return instance_; }

 private:
  using Value = typename Api<F>::Value;
  static constexpr int real_operations = has_two_parts<F> ? 4 : 1;  // of one with its numbers

  void start();
  void stop();
  void announce(int job) {
    const bool begins_together = is_spread_ && job == MumpsCall::start;  // announced by make_shared_mumps
    if (instance_ > 0 && is_first(options_.processes) && !begins_together && !is_joint_)
      options_.processes->announce(MumpsCall{job, instance_, options_.symmetry == Symmetry::symmetric});
  }
  void take_part(int job) {
    const std::lock_guard<std::mutex> alone(one_call());
    id_.job = job;
    Api<F>::call(id_);
    has_ended_ = job == MumpsCall::end;
  }
  void call(int job) {
    announce(job);
    take_part(job);
  }
  int& icntl(int i) { return id_.icntl[i - 1]; }  // numbered as in the Users' Guide
  int infog(int i) const { return id_.infog[i - 1]; }

  void fill_pattern(const Csr<T>& a);
  void hand_over_pattern(Index unknowns);
  void hand_over_values(const Csr<T>& a);
  void take_back_values();
  void choose_ordering(const Csr<T>& a, std::vector<int>& positions);
  std::vector<Index> nested_dissection_of(const Csr<T>& a) const;
  void name_ordering();
  void factor_with_growing_workspace();
  void solve_columns(T* x, Index num_rhs);
  bool takes(Index row, Index column) const {
    return options_.symmetry == Symmetry::unsymmetric || column <= row;
  }

  DirectOptions options_;
  int instance_;
  bool is_spread_, is_joint_, has_ended_ = false;
  DirectInfo info_;
  typename Api<F>::Struct id_{};
  std::vector<int> rows_, columns_;  // of the entries handed over, from 1
  FactorValues<T, F> values_;
  std::uint64_t pattern_ = 0;
  bool analysed_ = false, factored_ = false;
};

template <class T, class F>
void Mumps<T, F>::start() {
  std::memset(&id_, 0, sizeof id_);
  id_.par = 1;
  id_.sym = options_.symmetry == Symmetry::symmetric ? 2 : 0;
  id_.comm_fortran = instance_ > 0 ? options_.processes->communicator() : own_communicator();
  call(MumpsCall::start);
  throw_mumps_error("start", infog(1), infog(2));
  info_.library = fmt::format("MUMPS {}", id_.version_number);
  if (instance_ > 0)
    info_.library += fmt::format(" on {} processes{}", options_.processes->size(),
                                 is_spread_ ? " with distributed assembly" : ", matrix on one process");
  info_.has_single_precision = FactorValues<T, F>::are_shorter;
  info_.library += FactorValues<T, F>::in_words();
  for (const int stream : {1, 2, 3}) icntl(stream) = -1;  // prints nothing: errors are reported here
  icntl(4) = 0;
  icntl(6) = 0;   // no permutation by values: the analysis is used for every frequency
  icntl(12) = 1;  // nor 2 x 2 pivots chosen by values
  icntl(27) = options_.rhs_block;
  if (id_.sym != 0) icntl(13) = 1;  // no ScaLAPACK, which factors the last front by LU: 10 % more operations
  icntl(18) = is_spread_ ? 3 : 0;
  icntl(28) = 1;  // one process orders: the same factors in every run
  // Small fronts are not merged (KEEP(1), 5 by default): on Nedelec matrices of order 1 to 3 not merging
  // saves 5 to 9 % of the factors at the same time of factorisation.
  id_.keep[0] = 1;
  id_.cntl[0] = options_.pivot_threshold;
  if (options_.block_tolerance > 0) {
    icntl(35) = 2;  // block low-rank, in factorisation and solution
    id_.cntl[6] = typename Api<F>::Real(options_.block_tolerance);
  }
}

template <class T, class F>
void Mumps<T, F>::stop() {
  if (!has_ended_) call(MumpsCall::end);
}

/// Row and column of every entry. MUMPS reads one triangle of a symmetric matrix; entries of the other get
/// row 0, which it ignores, so that the values need not be copied. In a distributed matrix they would take
/// memory on process 0, where MUMPS collects the pattern: there only one triangle is stored
/// (keep_lower_triangle).
template <class T, class F>
void Mumps<T, F>::fill_pattern(const Csr<T>& a) {
  rows_.clear();
  columns_.clear();
  rows_.reserve(std::size_t(a.nnz()));
  columns_.reserve(std::size_t(a.nnz()));
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      rows_.push_back(takes(i, a.columns[k]) ? i + 1 : 0);
      columns_.push_back(a.columns[k] + 1);
    }
  }
}

template <class T, class F>
void Mumps<T, F>::hand_over_pattern(Index unknowns) {
  id_.n = unknowns;
  (is_spread_ ? id_.nnz_loc : id_.nnz) = MUMPS_INT8(rows_.size());
  (is_spread_ ? id_.irn_loc : id_.irn) = rows_.data();
  (is_spread_ ? id_.jcn_loc : id_.jcn) = columns_.data();
}

template <class T, class F>
void Mumps<T, F>::hand_over_values(const Csr<T>& a) {
  std::function<void(int&)> agree;
  if (is_spread_) agree = [this](int& exponent) { options_.processes->largest(&exponent, 1); };
  (is_spread_ ? id_.a_loc : id_.a) = reinterpret_cast<Value*>(values_.of_matrix(a.values, agree));
}

template <class T, class F>
void Mumps<T, F>::take_back_values() {
  id_.a = id_.a_loc = nullptr;
  values_.drop_matrix();
}

/// Run by the other processes during the calls of analyse, factor and solve on process 0.
template <class T, class F>
void Mumps<T, F>::join(int job, const Csr<T>& own) {
  if (job == job_analyse) {
    fill_pattern(own);
    std::vector<int> positions;  // of process 0
    choose_ordering(own, positions);
    hand_over_pattern(own.num_rows);
  }
  if (job == job_factor) {
    malloc_trim(0);
    hand_over_values(own);
  }
  call(job);
  if (job == job_factor) take_back_values();
}

/// SCOTCH on one process. On several METIS, which Debian's parallel MUMPS lacks as it does SCOTCH: it would
/// use PORD without a warning, whose separators depend on the order in which entries arrive from other
/// processes: two runs of one matrix differed by 20 % in operations. The positions, for PERM_IN, are on
/// process 0 alone. Called on all processes of a distributed matrix; throws on none.
template <class T, class F>
void Mumps<T, F>::choose_ordering(const Csr<T>& a, std::vector<int>& positions) {
  if (instance_ == 0) {
    icntl(7) = 3;
    info_.ordering = "scotch";
    make_scotch_repeatable();
    return;
  }
  icntl(7) = 1;
  info_.ordering = is_spread_ ? "metis by processes" : "metis";
  try {
    positions = nested_dissection_of(a);
  } catch (const Error&) {
    if (!is_spread_) throw;
    icntl(7) = 4;  // read on process 0 alone
  }
  for (int& position : positions) ++position;
}

/// Positions by METIS; for a distributed matrix on process 0 alone.
template <class T, class F>
std::vector<Index> Mumps<T, F>::nested_dissection_of(const Csr<T>& a) const {
  if constexpr (std::is_same_v<T, Complex>)
    if (is_spread_) return dissection_by_processes(*options_.processes, a);
  if (options_.symmetry == Symmetry::symmetric)
    return nested_dissection(compress_pattern(a.row_offsets, a.columns));
  const Csr<T> both = add(T(1), a, T(1), transpose(a));
  return nested_dissection(compress_pattern(both.row_offsets, both.columns));
}

/// The ordering that MUMPS used: another than the requested one where MUMPS was built without that.
template <class T, class F>
void Mumps<T, F>::name_ordering() {
  if (infog(7) == 0) info_.ordering = "amd";
  if (infog(7) == 3) info_.ordering = "scotch";
  if (infog(7) == 4) info_.ordering = "pord";
}

template <class T, class F>
void Mumps<T, F>::analyse(const Csr<T>& a) {
  analysed_ = factored_ = false;
  if (a.num_rows != a.num_cols)
    throw InputError(
        fmt::format("direct solver: the matrix is {} x {}, it must be square", a.num_rows, a.num_cols));
  if (a.num_rows == 0) throw InputError("direct solver: the matrix is empty");
  check_structure(a, "direct solver");
  // If SCOTCH cannot allocate its graphs, some 32 bytes per entry, it ends the process.
  if (!is_spread_)
    require_allocation((std::size_t(4) << 20) + 32 * std::size_t(a.nnz()), "the analysis of the matrix");
  const Timer timer;
  if (is_spread_) announce(job_analyse);
  fill_pattern(a);
  std::vector<int> positions;
  choose_ordering(a, positions);
  hand_over_pattern(a.num_rows);
  id_.perm_in = positions.empty() ? nullptr : positions.data();
  if (!is_spread_) announce(job_analyse);
  take_part(job_analyse);
  id_.perm_in = nullptr;
  throw_mumps_error("analysis", infog(1), infog(2));
  name_ordering();
  info_.unknowns = a.num_rows;
  info_.entries = a.nnz();
  info_.factor_entries = mumps_count(infog(20));
  info_.factor_flops = id_.rinfog[0] * real_operations;
  const int megabytes = instance_ > 0 ? options_.processes->most_on_a_machine() * infog(16) : infog(17);
  info_.estimated_bytes = std::size_t(megabytes) * 1'000'000;
  pattern_ = pattern_hash(a);
  info_.analyse_seconds = timer.seconds();
  analysed_ = true;
}

/// The estimate of the analysis ignores delayed pivots: where they overflow the workspace, ICNTL(14), the
/// percentage added to it, is raised.
template <class T, class F>
void Mumps<T, F>::factor_with_growing_workspace() {
  const int relaxation = icntl(14);
  call(job_factor);
  for (int attempt = 0; attempt < 4 && is_workspace_error(infog(1)); ++attempt) {
    icntl(14) = 2 * icntl(14) + 20;
    if (!is_joint_)
      require_memory(info_.estimated_bytes * std::size_t(100 + icntl(14)) / std::size_t(100 + relaxation),
                     "the factorisation with delayed pivots");
    call(job_factor);
  }
  const bool zero_pivot = infog(1) == -10;
  if (zero_pivot && require_digits()) return factor_with_growing_workspace();
  throw_mumps_error("factorisation", infog(1), infog(2));
}

template <class T, class F>
bool Mumps<T, F>::require_digits() {
  if (id_.cntl[0] >= safe_pivot_threshold) return false;
  id_.cntl[0] = safe_pivot_threshold;
  return true;
}

template <class T, class F>
void Mumps<T, F>::factor(const Csr<T>& a) {
  factored_ = false;
  if (!analysed_) throw InputError("direct solver: factor() was called before analyse()");
  if (pattern_hash(a) != pattern_)
    throw InputError("direct solver: the pattern is not the one that was analysed; analyse it again");
  if (!is_joint_) {
    check_finite(a, "direct solver");
    // Memory of the previous factors is used again.
    require_memory(info_.estimated_bytes - std::min(info_.estimated_bytes, info_.factor_bytes),
                   "the factorisation");
  }
  malloc_trim(0);  // returns memory freed by assembly to the system before the largest allocation of a run
  const Timer timer;
  hand_over_values(a);
  factor_with_growing_workspace();
  take_back_values();
  info_.factor_entries = mumps_count(infog(29));
  info_.uncompressed_flops = id_.rinfog[2] * real_operations;
  info_.factor_flops = id_.rinfog[options_.block_tolerance > 0 ? 13 : 2] * real_operations;
  info_.factor_bytes = std::size_t(infog(22)) * 1'000'000;
  info_.delayed_pivots = infog(13);
  info_.negative_pivots = has_two_parts<F> ? -1 : infog(12);
  info_.factor_seconds = timer.seconds();
  factored_ = true;
}

template <class T, class F>
void Mumps<T, F>::solve(T* x, Index num_rhs) {
  if (!factored_) throw InputError("direct solver: solve() was called before factor()");
  if (num_rhs <= 0) return;
  const Offset count = Offset(info_.unknowns) * num_rhs;
  const auto finite = [&] {
    return is_joint_ || std::all_of(x, x + count, [](T v) { return std::isfinite(std::abs(v)); });
  };
  if (!finite()) throw NumericalError("direct solver: a right-hand side holds a NaN or an infinity");
  const Timer timer;
  solve_columns(x, num_rhs);
  throw_mumps_error("solution", infog(1), infog(2));
  if (!finite()) throw NumericalError("direct solver: the solution is not finite; the matrix is singular");
  info_.solve_seconds = timer.seconds();
}

template <class T, class F>
void Mumps<T, F>::solve_columns(T* x, Index num_rhs) {
  const bool has_columns = instance_ == 0 || is_first(options_.processes);
  id_.rhs =
      reinterpret_cast<Value*>(values_.of_columns(x, has_columns ? std::size_t(info_.unknowns) : 0, num_rhs));
  id_.nrhs = values_.num_columns();
  id_.lrhs = info_.unknowns;
  if (id_.nrhs > 0) call(job_solve);
  id_.rhs = nullptr;
  values_.give_back();
}

void require_factors_of_group(const DirectOptions& options) {
  if (options.library == DirectLibrary::mkl)
    throw InputError(
        "solver.direct = \"mkl\": it is for one process; start it without mpirun, or set \"mumps\"");
}

}  // namespace

template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options) {
  if constexpr (std::is_same_v<T, Complex>) {
    if (options.real_values && options.single_precision) return std::make_unique<Mumps<T, float>>(options);
    if (options.real_values) return std::make_unique<Mumps<T, double>>(options);
    if (options.single_precision) return std::make_unique<Mumps<T, ComplexF>>(options);
  }
  return std::make_unique<Mumps<T, T>>(options);
}

std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options) {
  if (options.processes == nullptr) return make_mumps<Complex>(options);
  require_factors_of_group(options);
  return std::make_unique<Mumps<Complex, Complex>>(options, options.processes->next_instance());
}

std::unique_ptr<SharedMumps> make_joint_mumps(const DirectOptions& options) {
  require_factors_of_group(options);
  const int instance = options.processes->next_instance();
  if (options.single_precision)
    return std::make_unique<Mumps<Complex, ComplexF>>(options, instance, Entries::on_all_processes,
                                                      Calls::joint);
  return std::make_unique<Mumps<Complex, Complex>>(options, instance, Entries::on_all_processes,
                                                   Calls::joint);
}

std::unique_ptr<SharedMumps> make_shared_mumps(const DirectOptions& options) {
  require_factors_of_group(options);
  const ProcessGroup& group = *options.processes;
  int instance = 0;
  if (group.rank() == 0) {
    instance = group.next_instance();
    group.announce(SystemBegins{});
  } else {
    await_step<SystemBegins>(group);
  }
  group.broadcast(&instance, sizeof instance);
  return std::make_unique<Mumps<Complex, Complex>>(options, instance, Entries::on_all_processes);
}

#else

namespace curlew::linalg {

template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions&) {
  throw ResourceError("this build lacks MUMPS: run scripts/setup and build again");
}

std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options) {
  return make_mumps<Complex>(options);
}

std::unique_ptr<SharedMumps> make_shared_mumps(const DirectOptions&) {
  throw ResourceError("this build lacks MUMPS: run scripts/setup and build again");
}

std::unique_ptr<SharedMumps> make_joint_mumps(const DirectOptions& options) {
  return make_shared_mumps(options);
}

#endif

int& own_communicator() {
  static int handle = -987654;
  return handle;
}

template std::unique_ptr<DirectSolver<Complex>> make_mumps(const DirectOptions&);
template std::unique_ptr<DirectSolver<double>> make_mumps(const DirectOptions&);

}  // namespace curlew::linalg
