// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/log.hpp"
#include "curlew/build.hpp"
#include "ngim/current_moments.hpp"
#include "ngim/direct_sum.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda_device.hpp"
#include "ngim/shared_solver.hpp"
#endif
#include "ngim/host_solver.hpp"
#include "ngim/scheme.hpp"

namespace curlew::ngim {

struct Plan::State {
  std::vector<Vec3<double>> sources, observers;  ///< as given, for the measured error
  bool has_observers = false;                    ///< else the sources are
  Complex k;
  Options options;
  Scheme scheme;
  std::unique_ptr<HostSolver<float>> single_solver;
  std::unique_ptr<HostSolver<double>> double_solver;
#ifdef CURLEW_HAVE_CUDA
  std::unique_ptr<SharedSolver<float>> single_device;
  std::unique_ptr<SharedSolver<double>> double_device;
#endif
  mutable Stages stages;

  std::span<const Vec3<double>> observer_points() const {
    return has_observers ? observers : sources;
  }
};

namespace {

/// Charges into the order of the tree, split: [vector][re, im][source]. Vectors beyond num_given are zero.
template <class T>
std::vector<T> sorted_charges(const PointSet& set, const Complex* charges, Index num_given, int num_vectors) {
  const Offset n = Offset(set.original.size());
  std::vector<T> sorted(std::size_t(n) * 2 * num_vectors);
  for (Index v = 0; v < num_given; ++v) {
    T* re = sorted.data() + std::size_t(2 * v) * n;
#pragma omp parallel for
    for (Offset i = 0; i < n; ++i) {
      const Complex q = charges[v * n + set.original[i]];
      re[i] = T(q.real()), re[n + i] = T(q.imag());
    }
  }
  return sorted;
}

/// One component of the fields, as two real parts, back into the caller's order.
template <class T>
void unsort(const PointSet& set, const T* re, double scale, Complex* out) {
  const Offset n = Offset(set.original.size());
#pragma omp parallel for
  for (Offset i = 0; i < n; ++i) out[set.original[i]] = scale * Complex(re[i], re[n + i]);
}

template <class T>
void apply_chunk(const HostSolver<T>& solver, const Scheme& scheme, Stages& stages, const Complex* charges,
                 Index given, Complex* potential, Complex* gradient) {
  const int num_vectors = scheme.currents ? current_vectors : (given == 1 ? 1 : 4),
            parts = gradient != nullptr ? 8 : 2;
  const PointSet& targets = scheme.tree.target_points();
  const std::size_t m = targets.original.size();
  std::vector<T> sorted, fields(m * parts * num_vectors);
  {
    ScopedStage timed(stages, "sorting charges");
    sorted = sorted_charges<T>(scheme.tree.sources, charges, given, num_vectors);
  }
  solver.apply(sorted, num_vectors, gradient != nullptr, fields, stages);
  ScopedStage timed(stages, "sorting fields");
  const double scale = scheme.field_scale();
  for (Index v = 0; v < given; ++v) {
    const T* from = fields.data() + v * parts * m;
    unsort(targets, from, scale, potential + v * m);
    for (int d = 0; d < 3 && gradient != nullptr; ++d) {
      unsort(targets, from + (2 + 2 * d) * m, scale / scheme.tree.side, gradient + (3 * v + d) * m);
    }
  }
}

void check_charges(const Complex* charges, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(charges[i].real()) || !std::isfinite(charges[i].imag())) {
      throw InputError(
          fmt::format("charge {} is {} {:+}j, it must be finite", i, charges[i].real(), charges[i].imag()));
    }
  }
}

MeasuredError compare(const std::vector<Complex>& exact, const std::vector<Complex>& values, Index samples) {
  double error1 = 0, total1 = 0, error2 = 0, total2 = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error1 += std::abs(values[i] - exact[i]), total1 += std::abs(exact[i]);
    error2 += std::norm(values[i] - exact[i]), total2 += std::norm(exact[i]);
  }
  if (total1 == 0) return {error1 == 0 ? 0.0 : INFINITY, error2 == 0 ? 0.0 : INFINITY, samples};
  return {error1 / total1, std::sqrt(error2 / total2), samples};
}

std::vector<Offset> sample_observers(Offset n, Index samples) {
  const Offset count = std::min<Offset>(n, std::max<Index>(samples, 1));
  std::vector<Offset> which(count);
  for (Offset i = 0; i < count; ++i) which[i] = Offset((double(i) + 0.5) * double(n) / double(count));
  return which;
}

}  // namespace

namespace {

/// @throws ResourceError if the devices are too small or too few
template <class State>
void make_device_solver(State& s, bool single) {
#ifdef CURLEW_HAVE_CUDA
  const Options& o = s.options;
  if (device_info().name.empty()) throw ResourceError("NGIM: no CUDA device on this machine");
  if (o.gpus > num_devices())
    throw ResourceError(
        fmt::format("NGIM: {} devices requested, this machine has {}", o.gpus, num_devices()));
  const SumProblem problem{
      s.sources,
      s.has_observers ? std::optional<std::span<const Vec3<double>>>(s.observers) : std::nullopt,
      s.k,
      {o.tolerance, o.gradient, o.currents, o.grids, o.surface},
      o.precision == Precision::single_precision,
      o.leaf_size};
  std::vector<int> devices(std::size_t(std::max(o.gpus, 1)));
  std::iota(devices.begin(), devices.end(), 0);
  if (devices.size() == 1) devices[0] = cuda::current_device();
  if (single)
    s.single_device = std::make_unique<SharedSolver<float>>(problem, devices);
  else
    s.double_device = std::make_unique<SharedSolver<double>>(problem, devices);
  s.scheme = single ? s.single_device->scheme() : s.double_device->scheme();
#else
  static_cast<void>(s), static_cast<void>(single);
  throw ResourceError("NGIM: this build has no CUDA backend");
#endif
}

}  // namespace

Plan::Plan(std::span<const Vec3<double>> sources, std::optional<std::span<const Vec3<double>>> observers,
           Complex k, Options options)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  ScopedStage timed(s.stages, "set-up");
  s.sources.assign(sources.begin(), sources.end());
  if (observers) s.observers.assign(observers->begin(), observers->end());
  s.has_observers = observers.has_value();
  s.k = k;
  s.options = options;
  const bool asked_single = options.precision == Precision::single_precision;
  // Rounding of positions in single precision changes the fields of the closest pairs: below this tolerance
  // all arithmetic is double.
  const bool single = asked_single && (options.currents || !(options.tolerance < 5e-4));
  if (options.currents && (!(k.real() > 0) || k.imag() != 0 || options.gradient))
    throw InputError("NGIM of currents: needs a real positive wavenumber, and has no gradients");
  const Accuracy accuracy{options.tolerance, options.gradient, options.currents, options.grids,
                          options.surface};
  if (options.device == Device::cuda) {
    try {
      make_device_solver(s, single);
      return;
    } catch (const ResourceError& e) {
      if (!options.may_use_host) throw;
      log::warn("{}; the CPU takes over", e.what());
      s.options.device = Device::cpu;
    }
  }
  s.scheme =
      build_scheme(s.sources, s.observers, !observers, k, accuracy, asked_single, false, options.leaf_size);
  if (single)
    s.single_solver = std::make_unique<HostSolver<float>>(s.scheme);
  else
    s.double_solver = std::make_unique<HostSolver<double>>(s.scheme);
}

Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

Offset Plan::num_sources() const {
  return Offset(state_->sources.size());
}
Offset Plan::num_observers() const {
  return Offset(state_->observer_points().size());
}
Device Plan::device() const {
  return state_->options.device;
}
bool Plan::single_precision() const {
#ifdef CURLEW_HAVE_CUDA
  if (state_->single_device) return true;
#endif
  return state_->single_solver != nullptr;
}
const std::vector<std::pair<std::string, double>>& Plan::stage_seconds() const {
  return state_->stages.all();
}

void Plan::apply(const Complex* charges, Index num_vectors, Complex* potential, Complex* gradient) const {
  const State& s = *state_;
  const std::size_t n = num_sources(), m = num_observers();
  if (num_vectors < 0) throw InputError(fmt::format("{} charge vectors: must not be negative", num_vectors));
  if (s.options.currents && (num_vectors % current_vectors != 0 || gradient != nullptr))
    throw InputError("NGIM of currents: vectors come in groups of six, without gradients");
  check_charges(charges, n * num_vectors);
#ifdef CURLEW_HAVE_CUDA
  if (s.options.device == Device::cuda) {
    ScopedStage timed(s.stages, "evaluation on the device");
    if (s.single_device) return s.single_device->apply_host(charges, num_vectors, potential, gradient);
    return s.double_device->apply_host(charges, num_vectors, potential, gradient);
  }
#endif
  for (Index v = 0; v < num_vectors;) {
    const Index given = std::min<Index>(s.scheme.currents ? current_vectors : 4, num_vectors - v);
    Complex* slopes = gradient == nullptr ? nullptr : gradient + 3 * v * m;
    if (s.single_solver)
      apply_chunk(*s.single_solver, s.scheme, s.stages, charges + v * n, given, potential + v * m, slopes);
    else
      apply_chunk(*s.double_solver, s.scheme, s.stages, charges + v * n, given, potential + v * m, slopes);
    v += given;
  }
}

template <class Scalar>
void Plan::apply_on_device(const complex<Scalar>* charges, Index num_vectors, complex<Scalar>* potential,
                           complex<Scalar>* gradient, CUstream_st* stream) const {
#ifdef CURLEW_HAVE_CUDA
  const State& s = *state_;
  if (s.single_device) return s.single_device->apply(charges, num_vectors, potential, gradient, stream);
  if (s.double_device) return s.double_device->apply(charges, num_vectors, potential, gradient, stream);
#else
  static_cast<void>(charges), static_cast<void>(num_vectors), static_cast<void>(potential),
      static_cast<void>(gradient), static_cast<void>(stream);
#endif
  throw ResourceError("NGIM: a plan for the CPU takes no arrays on a device");
}
template void Plan::apply_on_device(const complex<float>*, Index, complex<float>*, complex<float>*,
                                    CUstream_st*) const;
template void Plan::apply_on_device(const complex<double>*, Index, complex<double>*, complex<double>*,
                                    CUstream_st*) const;

#ifdef CURLEW_HAVE_CUDA
namespace {

template <class T>
std::vector<std::pair<std::string, double>> time_stages(const SharedSolver<T>& solver, Offset num_sources,
                                                        int num_vectors, bool gradient) {
  const std::vector<complex<T>> ones(std::size_t(num_sources) * std::size_t(num_vectors), {T(1), T(0)});
  const cuda::Buffer<complex<T>> charges(ones);
  return solver.time_stages(charges.data(), num_vectors, gradient);
}

}  // namespace
#endif

std::vector<std::pair<std::string, double>> Plan::time_device_stages(int num_vectors) const {
#ifdef CURLEW_HAVE_CUDA
  const State& s = *state_;
  const bool gradient = s.options.gradient;
  if (s.single_device) return time_stages(*s.single_device, num_sources(), num_vectors, gradient);
  if (s.double_device) return time_stages(*s.double_device, num_sources(), num_vectors, gradient);
#else
  static_cast<void>(num_vectors);
#endif
  return {};
}

MeasuredError Plan::measure_error(const Complex* charges, const Complex* potential, Index samples) const {
  if (state_->options.currents) throw InputError("NGIM: the error is measured for charges only");
  const auto which = sample_observers(num_observers(), samples);
  std::vector<Complex> exact(which.size()), values(which.size());
  direct_sum(state_->sources, state_->observer_points(), which, state_->k, charges, exact.data(), nullptr);
  for (std::size_t i = 0; i < which.size(); ++i) values[i] = potential[which[i]];
  return compare(exact, values, Index(which.size()));
}

MeasuredError Plan::measure_gradient_error(const Complex* charges, const Complex* gradient,
                                           Index samples) const {
  const auto which = sample_observers(num_observers(), samples);
  std::vector<Complex> exact(3 * which.size()), values(3 * which.size());
  direct_sum(state_->sources, state_->observer_points(), which, state_->k, charges, nullptr, exact.data());
  for (int d = 0; d < 3; ++d) {
    for (std::size_t i = 0; i < which.size(); ++i)
      values[d * which.size() + i] = gradient[d * num_observers() + which[i]];
  }
  return compare(exact, values, Index(which.size()));
}

std::vector<LevelReport> Plan::levels() const {
  const Scheme& scheme = state_->scheme;
  std::vector<LevelReport> reports;
  for (int l = 0; l < scheme.num_levels(); ++l) {
    LevelReport r{l,
                  scheme.tree.side * scheme.box_side(l),
                  scheme.tree.level_begin[l + 1] - scheme.tree.level_begin[l],
                  scheme.is_high_frequency(l),
                  0,
                  0,
                  0,
                  0,
                  0};
    if (scheme.is_high_frequency(l)) {
      r.angular_segments = scheme.cones[l].angular_segments,
      r.radial_segments = scheme.cones[l].radial_segments;
      r.order = scheme.cones[l].angular_order, r.grid_error = scheme.cones[l].error;
    } else if (l >= scheme.first_grid_level) {
      r.order = scheme.grids[l].order, r.rank = scheme.grids[l].rank();
      r.grid_error = scheme.grids[l].interpolation_error + scheme.grids[l].skeleton_error;
    }
    reports.push_back(r);
  }
  return reports;
}

}  // namespace curlew::ngim
