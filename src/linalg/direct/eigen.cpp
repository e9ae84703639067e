// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/eigen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/narrow.hpp"
#include "linalg/direct/arpack.hpp"

namespace curlew::linalg {
namespace {

constexpr double useless_residual = 1e-6;
/// Eigenpairs computed beyond those requested, to see where the cluster of the last one ends; more where it
/// does not end. No symmetry makes last_spare eigenvalues equal: where eigenvalues are dense, none are added.
constexpr int first_spare = 4, last_spare = 16;

template <class T>
void check_options(const Csr<T>& k, const Csr<T>& m, const EigenOptions& options) {
  if (k.num_rows != k.num_cols || m.num_rows != k.num_rows || m.num_cols != k.num_rows)
    throw InputError(
        fmt::format("eigensolver: K is {} x {} and M {} x {}, both must be square and of one size",
                    k.num_rows, k.num_cols, m.num_rows, m.num_cols));
  if (options.count < 1 || options.count > k.num_rows - 2)
    throw InputError(
        fmt::format("eigensolver: {} eigenpairs of a matrix of {} unknowns; 1 to {} are possible",
                    options.count, k.num_rows, std::max(k.num_rows - 2, 0)));
  if (!std::isfinite(std::abs(options.target)))
    throw InputError("eigensolver: the target is not a finite number");
  if (options.skip_null_space && options.target == Complex(0))
    throw InputError("eigensolver: the target must not be 0 where the null space is to be skipped");
  if (options.tolerance < 0 || options.max_iterations < 1 || options.subspace < 0)
    throw InputError("eigensolver: tolerance, iterations and subspace must not be negative");
}

/// @param least of the pairs must converge
ArpackSettings settings_for(Index n, const EigenOptions& options, int least) {
  const int wanted = options.subspace > 0 ? options.subspace : std::max(2 * options.count + 8, 20);
  return {n,
          options.count,
          std::clamp(wanted, options.count + 2, int(n)),
          options.tolerance,
          options.max_iterations,
          options.above ? Wanted::real_part : Wanted::magnitude,
          least};
}

template <class T>
std::shared_ptr<DirectSolver<T>> factor_shifted(const Csr<T>& k, const Csr<T>& m, T shift,
                                                std::shared_ptr<DirectSolver<T>> solver,
                                                const DirectOptions& direct, bool symmetric = true) {
  const Csr<T> shifted = add(T(1), k, -shift, m);
  if (!solver) {
    DirectOptions options = direct;
    options.symmetry = symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
    solver = make_direct_solver<T>(options);
    solver->analyse(shifted);
  }
  try {
    solver->factor(shifted);
  } catch (const NumericalError& e) {
    throw NumericalError(
        fmt::format("eigensolver: K - target M cannot be factored, move the target: {}", e.what()));
  }
  return solver;
}

/// lambda out of the operator's eigenvalue theta = 1 / (lambda - shift) or lambda / (lambda - shift).
Complex back_transform(Complex theta, Complex shift, bool skip_null_space) {
  return skip_null_space ? shift * theta / (theta - 1.0) : shift + 1.0 / theta;
}

ArpackResult<double> iterate(const ArpackSettings& settings, const Apply<double>& op,
                             const Apply<double>& mass) {
  return lanczos(settings, op, mass);
}

ArpackResult<Complex> iterate(const ArpackSettings& settings, const Apply<Complex>& op,
                              const Apply<Complex>&) {
  return arnoldi(settings, op);
}

template <class T>
double norm(const std::vector<T>& v) {
  return std::sqrt(std::accumulate(v.begin(), v.end(), 0.0, [](double s, T x) { return s + std::norm(x); }));
}

/// Scales x to x^H M x = 1 in modulus, its largest entry real and positive; returns the residual.
template <class T>
double finish_pair(const Csr<T>& k, const Csr<T>& m, T lambda, T* x) {
  const Index n = k.num_rows;
  std::vector<T> kx(n), mx(n);
  multiply(m, x, mx.data());
  T energy = 0;
  for (Index i = 0; i < n; ++i) energy += mx[i] * narrow<T>(std::conj(Complex(x[i])));
  const T largest = *std::max_element(x, x + n, [](T a, T b) { return std::abs(a) < std::abs(b); });
  if (!(std::abs(energy) > 0)) return std::nan("");
  const T scale = std::abs(largest) / largest / std::sqrt(std::abs(energy));
  for (Index i = 0; i < n; ++i) x[i] *= scale, mx[i] *= scale;
  multiply(k, x, kx.data());
  std::vector<T> r(n);
  for (Index i = 0; i < n; ++i) r[i] = kx[i] - lambda * mx[i];
  return norm(r) / (norm(kx) + std::abs(lambda) * norm(mx));
}

/// Indices of the values in the order that the options request, without those that they exclude.
std::vector<int> places(const std::vector<Complex>& values, const EigenOptions& options) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  if (options.above) std::erase_if(order, [&](int i) { return !(values[i].real() > options.target.real()); });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return options.above ? values[a].real() < values[b].real()
                         : std::abs(values[a] - options.target) < std::abs(values[b] - options.target);
  });
  return order;
}

/// Sorts, drops, scales and checks.
template <class T>
EigenResult<T> finish(const Csr<T>& k, const Csr<T>& m, const EigenOptions& options, ArpackResult<T> raw) {
  const Index n = k.num_rows;
  for (Complex& value : raw.values) value = back_transform(value, options.target, options.skip_null_space);
  EigenResult<T> result;
  result.missing = options.count - int(raw.values.size());
  for (const int i : places(raw.values, options)) {
    const Complex lambda = raw.values[i];
    if (std::abs(lambda) < options.drop_below) {
      ++result.dropped;
      continue;
    }
    T* x = raw.vectors.data() + std::size_t(i) * n;
    const double residual = finish_pair(k, m, narrow<T>(lambda), x);
    if (!(residual <= useless_residual)) {
      ++result.missing;
      if (options.partial) continue;
      throw NumericalError(
          fmt::format("eigensolver: the residual at lambda = {:.6g}{:+.6g}j is {:.1e}; is K or M not "
                      "symmetric?",
                      lambda.real(), lambda.imag(), residual));
    }
    result.values.push_back(lambda);
    result.residuals.push_back(residual);
    result.vectors.insert(result.vectors.end(), x, x + n);
  }
  return result;
}

/// Pairs of an ascending result up to the end of the cluster of the last requested one; all if that end was
/// not found.
template <class T>
std::size_t whole_sets(const EigenResult<T>& found, int wanted, double width) {
  auto end = std::min(std::size_t(wanted), found.values.size());
  if (end == 0) return 0;
  const double last = found.values[end - 1].real() * (1 + width);
  while (end < found.values.size() && found.values[end].real() <= last) ++end;
  return end;
}

/// Computes more than `options.count` pairs until the cluster of the last requested one ends.
template <class T, class Solve>
EigenResult<T> pairs_above(Index n, const EigenOptions& options, Solve&& pairs) {
  for (int spare = first_spare;; spare *= 2) {
    const int asked = std::min<int>(options.count + spare, n - 2);
    EigenResult<T> result = pairs(asked);
    std::size_t end = whole_sets(result, options.count, options.set_width);
    const bool is_whole = end < result.values.size() || int(result.values.size()) < asked || asked == n - 2;
    if (!is_whole && spare < last_spare) continue;
    if (!is_whole) end = std::size_t(options.count);
    result.values.resize(end), result.residuals.resize(end), result.vectors.resize(end * std::size_t(n));
    result.missing = std::min(result.missing, std::max(0, options.count - int(end)));
    return result;
  }
}

template <class T>
EigenResult<T> solve(const Csr<T>& k, const Csr<T>& m, const EigenOptions& options,
                     std::shared_ptr<DirectSolver<T>> analysed = nullptr) {
  check_options(k, m, options);
  const Index n = k.num_rows;
  const auto solver = factor_shifted<T>(k, m, narrow<T>(options.target), std::move(analysed), options.direct,
                                        options.symmetric);
  int products = 0;
  const Apply<T> op = [&](const T* x, T* y) {  // (K - shift M)^-1 times M x or K x: both self-adjoint by M
    multiply(options.skip_null_space ? k : m, x, y);
    solver->solve(y);
    ++products;
  };
  const Apply<T> mass = [&](const T* x, T* y) { multiply(m, x, y); };
  const auto pairs = [&](int count) {
    EigenOptions asked = options;
    asked.count = count;
    const auto settings = settings_for(n, asked, options.partial ? 1 : options.count);
    return finish(k, m, asked, iterate(settings, op, mass));
  };
  auto result = options.above ? pairs_above<T>(n, options, pairs) : pairs(options.count);
  result.products = products;
  result.direct = solver->info();
  result.solver = solver;
  return result;
}

}  // namespace

EigenResult<double> eigenpairs(const Csr<double>& k, const Csr<double>& m, const EigenOptions& options,
                               std::shared_ptr<DirectSolver<double>> analysed) {
  if (options.target.imag() != 0) throw InputError("eigensolver: a real problem needs a real target");
  if (!options.symmetric) throw InputError("eigensolver: real matrices must be symmetric");
  return solve(k, m, options, std::move(analysed));
}

EigenResult<Complex> eigenpairs(const Csr<Complex>& k, const Csr<Complex>& m, const EigenOptions& options) {
  if (!options.symmetric || !is_real(k) || !is_real(m) || options.target.imag() != 0)
    return solve(k, m, options);
  EigenResult<double> real = eigenpairs(real_part(k), real_part(m), options);
  return {real.values,    {real.vectors.begin(), real.vectors.end()},
          real.residuals, real.dropped,
          real.missing,   real.products,
          real.direct,    {}};
}

Index count_below(const Csr<double>& k, const Csr<double>& m, double shift,
                  std::shared_ptr<DirectSolver<double>> analysed) {
  DirectOptions options{.pivot_threshold = 0.01};
  if (analysed) analysed->require_digits();
  const Index count =
      factor_shifted<double>(k, m, shift, std::move(analysed), options)->info().negative_pivots;
  if (count >= 0) return count;
  options.library = DirectLibrary::mumps;  // another had to take LU
  return factor_shifted<double>(k, m, shift, nullptr, options)->info().negative_pivots;
}

}  // namespace curlew::linalg
