// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/shared_solver.hpp"

#include <algorithm>
#include <future>

#include "base/cuda_device.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_grid.hpp"
#include "base/cuda_stream.hpp"
#include "ngim/device/vectors.cuh"

namespace curlew::ngim {
namespace device {
namespace {

constexpr int block_size = 256;

/// Copies values of one piece's observers to their indices among all; a row of the grid is a vector.
template <class U>
__global__ void scatter(Offset own, Offset all, const Index* rows, const complex<U>* from, complex<U>* to) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x, v = blockIdx.y;
  if (i < own) to[v * all + rows[i]] = from[v * own + i];
}

/// Arrays of complex<float> or complex<double>, as the caller's are.
class Values {
 public:
  /// Allocates n values; never shrinks. @pre its former content is not in use
  template <class U>
  complex<U>* at_least(std::size_t n) {
    if (bytes_.size() < n * sizeof(complex<U>)) {
      bytes_ = {};
      bytes_ = cuda::Buffer<unsigned char>(n * sizeof(complex<U>));
    }
    return reinterpret_cast<complex<U>*>(bytes_.data());
  }
  template <class U>
  bool has(std::size_t n) const {
    return bytes_.size() >= n * sizeof(complex<U>);
  }

 private:
  cuda::Buffer<unsigned char> bytes_;
};

/// Data of the tree that must agree on two devices that exchange grids.
struct TreeOutline {
  std::vector<Index> level_begin;
  std::vector<SourceRange> sources;
  std::vector<std::vector<int>> skeletons;  ///< [level] nodes
  Vec3<double> origin;
  double side;

  explicit TreeOutline(const DeviceProblem& problem)
      : level_begin(problem.scheme.tree.level_begin),
        sources(problem.source_ranges()),
        origin(problem.scheme.tree.origin),
        side(problem.scheme.tree.side) {
    for (const CartesianGrid& grid : problem.scheme.grids) skeletons.push_back(grid.skeleton_nodes);
  }
  bool operator==(const TreeOutline& b) const {
    return level_begin == b.level_begin && sources == b.sources && skeletons == b.skeletons &&
           origin.x == b.origin.x && origin.y == b.origin.y && origin.z == b.origin.z && side == b.side;
  }
};

/// Runs work(index) for all devices at once, a thread each.
template <class Work>
void on_devices(const std::vector<int>& devices, const Work& work) {
  std::vector<std::future<void>> running;
  for (std::size_t i = 0; i < devices.size(); ++i)
    running.push_back(std::async(std::launch::async, [&, i] {
      const cuda::CurrentDevice current(devices[i]);
      work(i);
    }));
  for (auto& one : running) one.wait();
  for (auto& one : running) one.get();
}

}  // namespace
}  // namespace device

using namespace device;  // NOLINT: this file puts the parts together

/// Data of one device. It must be the current device when its arrays are made, used and freed.
template <class T>
struct SharedSolver<T>::Part {
  int device;
  std::vector<Index> own;  ///< observers; empty: all
  Offset num_own = 0;
  std::unique_ptr<DeviceProblem> problem;  ///< until the solver is constructed
  std::unique_ptr<DeviceSolver<T>> solver;
  cuda::Stream stream;
  cuda::Event done;
  Values charges, potential, gradient;

  Part(int number, const SumProblem& sum, Share share, const Accuracy& accuracy) : device(number) {
    std::vector<Vec3<double>> points;
    const auto observers = sum.observers.value_or(sum.sources);
    const auto is_own = points_of_share(observers, share);
    for (std::size_t i = 0; i < is_own.size(); ++i)
      if (is_own[i] != 0) own.push_back(Index(i)), points.push_back(observers[i]);
    const bool takes_all = share.is_all();
    num_own = Offset(takes_all ? observers.size() : own.size());
    problem = std::make_unique<DeviceProblem>(sum.sources, takes_all ? observers : points,
                                              takes_all && !sum.observers, sum.k, accuracy,
                                              sum.single_precision, sum.leaf_size);
  }
};

template <class T>
struct SharedSolver<T>::State {
  Scheme scheme;
  Offset num_sources = 0, num_observers = 0;
  bool divides = false;
  std::vector<std::unique_ptr<Part>> parts;
  // On the first device: where the parts' observers are, what comes from other parts, when the caller is
  // ready.
  std::vector<cuda::Buffer<Index>> rows;
  std::vector<Values> potential, gradient;
  std::unique_ptr<cuda::Event> given;

  /// Not by CurrentDevice, which throws where a device is lost.
  ~State() {
    int before = 0;
    static_cast<void>(cudaGetDevice(&before));
    for (auto& part : parts) {
      if (!part) continue;
      static_cast<void>(cudaSetDevice(part->device));
      part.reset();
    }
    static_cast<void>(cudaSetDevice(before));
  }
  int first_device() const { return parts[0]->device; }
  bool reserve(Index given, bool has_gradient);
  template <class U>
  void reserve_values(Index count, bool has_gradient);
  template <class U>
  void run(const complex<U>* charges, Index count, complex<U>* to_potential, complex<U>* to_gradient,
           std::size_t all, cudaStream_t stream);
};

template <class T>
SharedSolver<T>::SharedSolver(const SumProblem& problem, const std::vector<int>& devices)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.num_sources = Offset(problem.sources.size());
  s.num_observers = Offset(problem.observers.value_or(problem.sources).size());
  // Every device has at least one observer.
  const auto count = std::clamp<Offset>(s.num_observers, 1, Offset(devices.size()));
  const std::vector<int> used(devices.begin(), devices.begin() + count);
  s.parts.resize(used.size());
  // The first device computes the grids, the others read them from the cache: they must be identical.
  Accuracy accuracy = problem.accuracy;
  if (!accuracy.grids) accuracy.grids = std::make_shared<GridCache>();
  const auto make = [&](std::size_t i, const Accuracy& own) {
    s.parts[i] = std::make_unique<Part>(used[i], problem, Share{int(i), int(count)}, own);
  };
  {
    const cuda::CurrentDevice current(used[0]);
    make(0, accuracy);
    s.given = std::make_unique<cuda::Event>();
  }
  on_devices(used, [&](std::size_t i) {
    if (i == 0) return;
    Accuracy own = accuracy;
    own.grids = std::make_shared<GridCache>(*accuracy.grids);
    make(i, own);
  });
  std::vector<TreeOutline> outlines;
  for (const auto& part : s.parts)
    if (count > 1) outlines.emplace_back(*part->problem);
  s.divides = count > 1 && std::all_of(outlines.begin(), outlines.end(),
                                       [&](const TreeOutline& o) { return o == outlines[0]; });
  on_devices(used, [&](std::size_t i) {
    Part& part = *s.parts[i];
    part.solver = std::make_unique<DeviceSolver<T>>(*part.problem, problem.accuracy.gradient);
    if (s.divides)
      part.solver->set_share(divide_boxes(outlines[0].level_begin, outlines[0].sources,
                                          part.problem->scheme.first_grid_level, int(count)),
                             int(i));
  });
  s.scheme = std::move(s.parts[0]->problem->scheme);
  for (auto& part : s.parts) {
    const cuda::CurrentDevice current(part->device);
    part->problem.reset();
  }
  const cuda::CurrentDevice current(used[0]);
  for (std::size_t i = 0; i < used.size() && count > 1; ++i) {
    s.rows.emplace_back(s.parts[i]->own);
    s.potential.emplace_back(), s.gradient.emplace_back();
    for (std::size_t j = 0; j < i; ++j)
      if (used[i] != used[j]) cuda::allow_direct_copies(used[i], used[j]);
  }
}

template <class T>
SharedSolver<T>::~SharedSolver() = default;
template <class T>
int SharedSolver<T>::most_together() const {
  return state_->parts[0]->solver->most_together();
}
template <class T>
const Scheme& SharedSolver<T>::scheme() const {
  return state_->scheme;
}
template <class T>
bool SharedSolver<T>::divides_boxes() const {
  return state_->divides;
}
template <class T>
std::size_t SharedSolver<T>::device_bytes() const {
  std::size_t sum = 0;
  for (const auto& part : state_->parts) sum += part->solver->device_bytes();
  return sum;
}
template <class T>
Offset SharedSolver<T>::near_pairs() const {
  Offset sum = 0;
  for (const auto& part : state_->parts) sum += part->solver->near_pairs();
  return sum;
}

/// Work arrays of all solvers, for as many vectors together on each.
template <class T>
bool SharedSolver<T>::State::reserve(Index count, bool has_gradient) {
  const auto on_each = [&](auto&& work) {
    return std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
      const cuda::CurrentDevice current(part->device);
      return work(*part->solver);
    });
  };
  // One device may still read the grids that another one would free.
  if (std::any_of(parts.begin(), parts.end(),
                  [&](const auto& part) { return part->solver->must_grow(count, has_gradient); }))
    on_each([](const DeviceSolver<T>&) {
      CURLEW_CUDA_CALL(cudaDeviceSynchronize());
      return true;
    });
  return on_each([&](const DeviceSolver<T>& solver) { return solver.reserve(count, has_gradient); });
}

/// Buffers of charges and fields between the devices.
template <class T>
template <class U>
void SharedSolver<T>::State::reserve_values(Index count, bool has_gradient) {
  const auto v = std::size_t(count);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = *parts[i];
    const auto own = std::size_t(part.num_own) * v, n = i == 0 ? 0 : v * std::size_t(num_sources),
               slopes = has_gradient ? 3 * own : 0;
    if (part.charges.template has<U>(n) && part.potential.template has<U>(own) &&
        part.gradient.template has<U>(slopes))
      continue;
    for (const int device : {first_device(), part.device}) {
      const cuda::CurrentDevice current(device);
      CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    }
    {
      const cuda::CurrentDevice current(part.device);
      part.charges.template at_least<U>(n), part.potential.template at_least<U>(own);
      part.gradient.template at_least<U>(slopes);
    }
    if (i == 0) continue;
    const cuda::CurrentDevice current(first_device());
    potential[i].template at_least<U>(own), gradient[i].template at_least<U>(slopes);
  }
}

/// One group of vectors: charges to the devices, grids between them, fields back. All devices wait for the
/// caller's stream before and it for them afterwards, so that nothing is overwritten while a device still
/// reads it.
/// @param all observers
/// @pre the first device is current
template <class T>
template <class U>
void SharedSolver<T>::State::run(const complex<U>* charges, Index count, complex<U>* to_potential,
                                 complex<U>* to_gradient, std::size_t all, cudaStream_t stream) {
  const bool has_gradient = to_gradient != nullptr;
  reserve_values<U>(count, has_gradient);
  const auto v = std::size_t(count), n = v * std::size_t(num_sources);
  given->after(stream);
  for (std::size_t i = parts.size(); i-- > 0;) {  // the first has nothing to copy
    Part& part = *parts[i];
    const cuda::CurrentDevice current(part.device);
    const cudaStream_t own = part.stream.get();
    given->before(own);
    auto* here = part.charges.template at_least<U>(i == 0 ? 0 : n);
    if (i > 0)
      CURLEW_CUDA_CALL(
          cudaMemcpyPeerAsync(here, part.device, charges, first_device(), n * sizeof(complex<U>), own));
    part.solver->start(i == 0 ? charges : here, count, has_gradient, own);
  }
  for (const auto& part : parts) {
    const cuda::CurrentDevice current(part->device);
    for (const auto& other : parts)
      if (other != part) part->solver->receive(*other->solver, count, part->stream.get());
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    Part& part = *parts[i];
    const cuda::CurrentDevice current(part.device);
    const cudaStream_t own = part.stream.get();
    const std::size_t values = v * std::size_t(part.num_own);
    auto* u = part.potential.template at_least<U>(values);
    auto* slopes = has_gradient ? part.gradient.template at_least<U>(3 * values) : nullptr;
    part.solver->finish(count, u, slopes, own);
    const auto send = [&](const complex<U>* from, complex<U>* to, std::size_t number) {
      CURLEW_CUDA_CALL(
          cudaMemcpyPeerAsync(to, first_device(), from, part.device, number * sizeof(complex<U>), own));
    };
    if (i > 0) send(u, potential[i].template at_least<U>(values), values);
    if (i > 0 && has_gradient) send(slopes, gradient[i].template at_least<U>(3 * values), 3 * values);
    part.done.after(own);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Offset own = parts[i]->num_own;
    parts[i]->done.before(stream);
    const auto place = [&](const complex<U>* from, complex<U>* to, std::size_t vectors) {
      scatter<U><<<dim3(cuda::blocks_for(own, block_size), unsigned(vectors)), block_size, 0, stream>>>(
          own, Offset(all), rows[i].data(), from, to);
      CURLEW_CHECK_LAUNCH("scatter");
    };
    const std::size_t values = v * std::size_t(own);
    place((i == 0 ? parts[0]->potential : potential[i]).template at_least<U>(values), to_potential, v);
    if (has_gradient)
      place((i == 0 ? parts[0]->gradient : gradient[i]).template at_least<U>(3 * values), to_gradient, 3 * v);
  }
}

template <class T>
template <class U>
void SharedSolver<T>::apply(const complex<U>* charges, Index num_vectors, complex<U>* potential,
                            complex<U>* gradient, CUstream_st* stream) const {
  State& s = *state_;
  const auto n = std::size_t(s.num_sources), m = std::size_t(s.num_observers);
  if (m == 0) return;
  const cuda::CurrentDevice current(s.first_device());
  if (s.parts.size() == 1)
    return s.parts[0]->solver->apply(charges, num_vectors, potential, gradient, stream);
  in_groups(
      num_vectors, most_together(), [&](Index count) { return s.reserve(count, gradient != nullptr); },
      [&](Index v, Index count) {
        s.template run<U>(charges + std::size_t(v) * n, count, potential + std::size_t(v) * m,
                          gradient == nullptr ? nullptr : gradient + 3 * std::size_t(v) * m, m, stream);
      });
}

template <class T>
void SharedSolver<T>::apply_host(const Complex* charges, Index num_vectors, Complex* potential,
                                 Complex* gradient) const {
  const cuda::CurrentDevice current(state_->first_device());
  from_host(*this, {state_->num_sources, state_->num_observers}, charges, num_vectors, potential, gradient);
}

template <class T>
std::vector<std::pair<std::string, double>> SharedSolver<T>::time_stages(const complex<T>* charges,
                                                                         int num_vectors,
                                                                         bool gradient) const {
  return state_->parts[0]->solver->time_stages(charges, num_vectors, gradient);
}

#define CURLEW_INSTANTIATE(T)                                                                             \
  template class SharedSolver<T>;                                                                         \
  template void SharedSolver<T>::apply(const complex<float>*, Index, complex<float>*, complex<float>*,    \
                                       CUstream_st*) const;                                               \
  template void SharedSolver<T>::apply(const complex<double>*, Index, complex<double>*, complex<double>*, \
                                       CUstream_st*) const;
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim
