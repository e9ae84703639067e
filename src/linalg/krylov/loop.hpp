// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The driver around every method: starts it from the true residual, lets it run, checks the true residual,
// and restarts it after a breakdown or when the recursive and the true residual disagree. Included by the
// file of each backend.

#include <algorithm>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "linalg/krylov/bicgstab_loop.hpp"
#include "linalg/krylov/bicgstabl_loop.hpp"
#include "linalg/krylov/cocr_loop.hpp"
#include "linalg/krylov/gmres_loop.hpp"
#include "linalg/krylov/inner_solve.hpp"
#include "linalg/krylov/kept_directions_loop.hpp"
#include "linalg/krylov/options.hpp"
#include "linalg/krylov/relaxation.hpp"
#include "linalg/krylov/tfqmr_loop.hpp"

namespace curlew::linalg {

template <class B, class R>
class KrylovLoop {
 public:
  using V = complex<R>;
  using Operator = typename B::template Operator<R>;

  KrylovLoop(B& backend, const Operator& a, const Operator* m, const KrylovOptions& options)
      : options_(options), relaxation_(relaxed(options)), state_(backend), c_{backend, a,
                                                                              m,       a.size(),
                                                                              {},      {},
                                                                              {},      state_.data()} {
    c_.x = c_.vector();
    c_.b = c_.vector();
    c_.r = c_.vector();
    trace_ = backend.template vector<double>(options.max_iterations / 2 + 1);
    c_.is_recorded = options.record && options.kept_directions == 0 && !options.allow_error &&
                     backend.can_record(a) && (m == nullptr || backend.can_record(*m));
    method_ = make_method();
    c_.look = [this] { return state_.read(); };
    c_.has_stopped = [this] {  // checked after every product, for methods with many products per iteration
      if (c_.is_recorded) return false;
      check_interrupt();
      const auto s = state_.read();
      relaxation_.ask(s.residual, options_.tolerance);
      return s.stop != running;
    };
  }
  ~KrylovLoop() { c_.backend.release(graph_); }
  KrylovLoop(const KrylovLoop&) = delete;
  KrylovLoop& operator=(const KrylovLoop&) = delete;

  Index size() const { return Index(c_.n); }
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }
  void forget() {
    forget_directions();
    relaxation_.forget();
  }

  KrylovReport solve(const V* b, V* x) {
    Timer timer;
    KrylovReport report;
    c_.backend.copy(c_.n, b, c_.b.data());
    load_x(x);
    if (measure_b()) {
      run_starts(report);
      read_trace(report);
      c_.backend.copy(c_.n, c_.x.data(), x);
    } else if (is_finite(norm_b_)) {
      clear_x();  // b = 0
      c_.backend.copy(c_.n, c_.x.data(), x);
    } else {
      report.status = KrylovStatus::not_finite;
      report.relative_residual = norm_b_;
    }
    report.seconds = timer.seconds();
    return report;
  }

  // Public because GPU lambdas are not allowed in private functions.
  void load_x(const V* x) {
    if (options_.use_initial_guess)
      c_.backend.copy(c_.n, x, c_.x.data());
    else
      clear_x();
  }
  void clear_x() {
    V* to = c_.x.data();
    c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { to[i] = V(); });
  }

  /// Computes the norm of b and the share of unknowns on which it is nonzero; false if zero or NaN.
  bool measure_b() {
    state_.write(KrylovState{});
    KrylovState* const s = c_.state;
    const V* b = c_.b.data();
    c_.backend.template sweep<2>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const double b2 = square(b[i]);
          sums[0] += Sum(b2, 1);
          sums[1].re += ::sqrt(b2);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) {
          s->norm_b = ::sqrt(sums[0].re);
          const double mean = sums[1].re / s->norm_b;
          s->share = mean * mean / sums[0].im;
        });
    const KrylovState measured = state_.read();
    norm_b_ = measured.norm_b, share_ = measured.share;
    return is_finite(norm_b_) && norm_b_ > 0;
  }

  /// r = b - A x; returns |r| / |b|.
  /// @param at_zero x = 0, so no product is needed
  double measure_residual(bool at_zero) {
    relaxation_.ask_exact();
    KrylovState* const s = c_.state;
    const V* b = c_.b.data();
    V* r = c_.r.data();
    const double norm_b = norm_b_;
    if (at_zero)
      c_.backend.sweep(c_.n, [=] CURLEW_LAMBDA(Offset i, Sum*) { r[i] = V(); });
    else
      c_.backend.apply(c_.a, static_cast<const V*>(c_.x.data()), r);
    c_.backend.template sweep<1>(
        c_.n,
        [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
          const V ri = b[i] - r[i];
          r[i] = ri;
          sums[0].re += square(ri);
        },
        [=] CURLEW_LAMBDA(const Sum* sums) { s->residual = ::sqrt(sums[0].re) / norm_b; });
    return state_.read().residual;
  }

 private:
  void forget_directions() {
    method_->forget();
    if (inner_) inner_->forget();
  }

  static std::function<void(double)> relaxed(const KrylovOptions& o) {
    return o.method == KrylovMethod::gmres && o.kept_directions == 0 ? o.allow_error : nullptr;
  }

  void read_trace(KrylovReport& report) {
    std::vector<complex<double>> pairs(std::size_t(report.iterations / 2 + 1));
    c_.backend.copy(Offset(pairs.size()), static_cast<const complex<double>*>(trace_.data()), pairs.data());
    for (int i = 0; i < report.iterations; ++i)
      report.residuals.push_back(i % 2 == 0 ? pairs[std::size_t(i / 2)].re : pairs[std::size_t(i / 2)].im);
  }

  std::unique_ptr<Method<B, R>> make_method() {
    switch (options_.method) {
      case KrylovMethod::bicgstab:
        return std::make_unique<BicgstabMethod<B, R>>(c_);
      case KrylovMethod::bicgstabl:
        return std::make_unique<BicgstablMethod<B, R>>(c_, options_.ell);
      case KrylovMethod::tfqmr:
        return std::make_unique<TfqmrMethod<B, R>>(c_);
      case KrylovMethod::cocr:
        return std::make_unique<CocrMethod<B, R>>(c_);
      default:
        if (options_.kept_directions > 0) return make_keeping();
        return std::make_unique<GmresMethod<B, R>>(c_, options_.restart, options_.flexible);
    }
  }

  std::unique_ptr<Method<B, R>> make_keeping() {
    if (options_.outer_directions > 0) nest();
    const int most = inner_ ? options_.outer_directions : options_.kept_directions;
    if (options_.tolerance >= single_directions)
      return std::make_unique<KeptDirectionsMethod<B, R, float>>(c_, most);
    return std::make_unique<KeptDirectionsMethod<B, R, R>>(c_, most);
  }

  /// Replaces M by an inner iteration that uses M.
  void nest() {
    inner_ = std::make_unique<InnerSolve<B, R>>(c_.backend, c_.a, c_.m, options_);
    c_.m = nullptr;
    c_.inner = [this](const V* v, V* z) {
      KrylovState s = state_.read();
      const auto end = inner_->solve(v, z, s, options_.tolerance);
      s.iterations = std::max(s.iterations, end.iterations - 1);  // and the outer step counts as the last
      state_.write(s);
      c_.backend.set_skip(&state_.data()->stop);
    };
  }

  void run_starts(KrylovReport& report) {
    int last_stop = running;
    bool has_forgotten = false, has_changed_shadow = false;
    c_.shadow = first_shadow();
    relaxation_.begin();
    for (report.starts = 0;; ++report.starts) {
      // With recycled directions few iterations remain, so that a superfluous product would matter.
      const bool at_zero = report.starts == 0 && options_.kept_directions > 0 && !options_.use_initial_guess;
      const double residual = measure_residual(at_zero);
      report.history.push_back(residual);
      if (is_finite(residual)) report.relative_residual = residual;
      const bool was_loose =
          report.starts > 0 && relaxation_.judge(residual, report.estimated_residual, options_.tolerance);
      if (!has_forgotten && has_drifted(report, last_stop)) {
        forget_directions();
        has_forgotten = true;
      } else if (is_finished(report, last_stop, was_loose)) {
        if (has_changed_shadow || !wants_another_shadow(report, last_stop)) return;
        ++c_.shadow;
        has_changed_shadow = true;
      }
      KrylovState s{};
      // Below rounding level the recurrence is meaningless; the true residual decides.
      s.norm_b = norm_b_, s.tolerance = std::max(relaxation_.own_tolerance(options_.tolerance),
                                                 0.05 * std::numeric_limits<R>::epsilon());
      // Recycled directions have rounding errors: a solution from them may end just above the tolerance.
      if (options_.kept_directions > 0 && last_stop == stop_converged) s.tolerance *= 0.5;
      s.iterations = report.iterations, s.limit = options_.max_iterations;
      s.can_stall = options_.ends_stalled && options_.method != KrylovMethod::gmres;  // whose cycles end it
      s.progress.begin(residual, report.iterations);
      s.trace = reinterpret_cast<double*>(trace_.data());
      state_.write(s);
      relaxation_.ask(residual, options_.tolerance);
      c_.backend.set_skip(&state_.data()->stop);
      method_->start();
      c_.backend.run([this] { method_->iterate(); }, state_, c_.is_recorded,
                     options_.method == KrylovMethod::gmres, graph_);
      c_.backend.set_skip(nullptr);
      s = state_.read();
      if (s.stop != stop_not_finite) method_->flush();  // else x is unchanged
      report.iterations = s.iterations;
      report.estimated_residual = s.residual;
      last_stop = s.stop;
    }
  }

  /// True if recycled directions and their images are no longer those of the operator.
  bool has_drifted(const KrylovReport& report, int last_stop) const {
    const double residual = report.history.back();
    return options_.kept_directions > 0 && last_stop == stop_converged && residual > options_.tolerance &&
           residual > 2 * report.estimated_residual;
  }

  /// BiCGSTAB has no use for one (docs/measured/acoustics.md).
  bool wants_another_shadow(const KrylovReport& report, int last_stop) const {
    return last_stop == stop_stalled && report.status == KrylovStatus::stagnated &&
           options_.method == KrylovMethod::tfqmr && options_.shadow == Shadow::automatic;
  }
  /// As KrylovContext::shadow.
  int first_shadow() const {
    const bool is_random = options_.shadow == Shadow::random ||
                           (options_.shadow == Shadow::automatic && share_ < localised_share);
    return is_random ? 0 : -1;
  }

  /// Sets the status if a further start is useless. @param was_loose the last start used low-accuracy
  /// products; exact ones follow
  bool is_finished(KrylovReport& report, int last_stop, bool was_loose) const {
    const auto& h = report.history;
    const double residual = h.back();
    const auto end = [&](KrylovStatus status) {
      report.status = status;
      return true;
    };
    if (!is_finite(residual) || last_stop == stop_not_finite) return end(KrylovStatus::not_finite);
    if (residual <= options_.tolerance) return end(KrylovStatus::converged);
    if (report.iterations >= options_.max_iterations) return end(KrylovStatus::max_iterations);
    if (last_stop == stop_stalled) return end(KrylovStatus::stagnated);
    if (h.size() < 2 || was_loose) return false;
    // A GMRES cycle or a start that broke down may reduce the residual little and still be useful; after
    // apparent convergence it must be halved.
    const double gain = residual / h[h.size() - 2];
    if (gain < (last_stop == stop_cycle ? 0.999 : last_stop == stop_breakdown ? 0.9 : 0.5)) return false;
    const bool ever_improved =
        residual < 0.5 * h.front() || *std::min_element(h.begin(), h.end()) < 0.5 * h.front();
    return end(last_stop == stop_breakdown && !ever_improved ? KrylovStatus::breakdown
                                                             : KrylovStatus::stagnated);
  }

  KrylovOptions options_;
  Relaxation relaxation_;
  typename B::template Shared<KrylovState> state_;
  KrylovContext<B, R> c_;
  typename B::template Vector<double> trace_;
  std::unique_ptr<InnerSolve<B, R>> inner_;
  std::unique_ptr<Method<B, R>> method_;
  void* graph_ = nullptr;
  double norm_b_ = 0, share_ = 1;
};

}  // namespace curlew::linalg
