// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "ngim/device_solver.hpp"

#include <algorithm>

#include "base/error.hpp"

#include "ngim/device/cones.cuh"
#include "ngim/device/currents.cuh"
#include "ngim/device/device_tree.cuh"
#include "ngim/device/level_matrices.cuh"
#include "ngim/device/vectors.cuh"

namespace curlew::ngim {
namespace device {
namespace {

/// Charges of up to blockIdx.y vectors into the order of the tree; those beyond `given` are zero.
template <class T, class U>
__global__ void sort_charges(Offset n, int given, const Index* order, const complex<U>* charges,
                             complex<T>* sorted) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  const int v = blockIdx.y;
  if (i >= n) return;
  const complex<U> q = v < given ? charges[v * n + order[i]] : complex<U>();
  sorted[v * n + i] = {T(q.re), T(q.im)};
}

/// Fields back into the caller's order and units.
template <class T, class U>
__global__ void unsort_fields(Offset m, int parts, const Index* order, const T* fields, double scale,
                              complex<U>* potential, complex<U>* gradient) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const int v = blockIdx.y;
  const T* f = fields + v * parts * m + i;
  const Offset to = order[i];
  potential[v * m + to] = {U(scale * f[0]), U(scale * f[m])};
  for (int d = 0; d < 3 && parts == 8; ++d)
    gradient[(3 * v + d) * m + to] = {U(scale * scale * f[(2 + 2 * d) * m]),
                                      U(scale * scale * f[(3 + 2 * d) * m])};
}

/// A second stream, in which the near field runs while the far stages fill the first.
class SideStream {
 public:
  cudaStream_t get() const { return stream_.get(); }
  /// Later work in the side stream waits for the present work in `main`.
  void fork(cudaStream_t main) const {
    begin_.after(main);
    begin_.before(stream_.get());
  }
  /// Later work in `main` waits for the side stream.
  void join(cudaStream_t main) const {
    end_.after(stream_.get());
    end_.before(main);
  }

 private:
  cuda::Stream stream_;
  cuda::Event begin_, end_;
};

}  // namespace
}  // namespace device

using namespace device;  // NOLINT: this file puts the stages together

/// Groups of targets multiply by zeros where an offset has no source. Where 0.27 of the offsets have one,
/// single targets are 3.6 times as fast; the fraction of equal speed is an estimate.
constexpr double filled_by_groups = 0.6;

template <class T>
struct DeviceSolver<T>::State {
  DeviceTree tree;
  GridMatrices<T> matrices;
  std::unique_ptr<Cones<T>> cones;
  cuda::Buffer<Point<T>> sources, targets;
  cuda::Buffer<Index> source_leaf;
  cuda::Buffer<Group> groups;
  // Work arrays, for reserved_vectors charge vectors with reserved_parts fields each.
  cuda::Buffer<complex<T>> charges, outgoing, incoming;
  cuda::Buffer<complex<T>> current_space;  ///< moments of leaves, where shared memory is too small
  cuda::Buffer<T> fields;
  int reserved_vectors = 0, reserved_parts = 0;
  Offset grid_values = 0;
  int first_grid_level = 2;
  bool currents = false;
  std::vector<int> ranks;  ///< by level; 0 above the grids
  int leaf_order = 0;      ///< of currents: the largest order of a leaf's grid
  double field_scale = 1;  ///< of the unit cube's fields
  Wave near_wave = Wave::static_kernel, far_wave = Wave::static_kernel;
  Kernel<T> kernel;
  SideStream side;
  // The part of the sources that this solver handles, and data that other solvers read.
  int device = 0;
  BoxShares shares;
  int own = 0;                  ///< index of this solver's part
  cuda::Buffer<Index> leaves;   ///< whose charges go to grids here; tree.leaves where it makes all
  cuda::Event grids_are_there;  ///< grids of this solver's boxes are complete

  int together(Index given) const { return currents ? current_vectors : (given == 1 ? 1 : most_vectors); }
  bool makes_all() const { return shares.begin.empty(); }
  View<T> view();
  Evaluation<T> evaluation(int num_vectors, bool gradient) {
    return {view(), kernel, near_wave, far_wave, num_vectors, gradient, currents};
  }
  void reserve(int num_vectors, bool gradient);
  void run_near(const Evaluation<T>& e, cudaStream_t stream) const {
    if (currents)
      launch_near_currents(e, stream);
    else
      launch_near_field(e, stream);
  }
  void parents_of_level(const Evaluation<T>& e, int level, cudaStream_t stream) const;
  void translate(const Evaluation<T>& e, cudaStream_t stream) const;
  template <class Visit>
  void run_upward(const Evaluation<T>& e, Visit&& visit) const;
  template <class Visit>
  void run_far(const Evaluation<T>& e, Visit&& visit) const;
  std::size_t bytes() const;
};

template <class T>
View<T> DeviceSolver<T>::State::view() {
  View<T> v{};
  v.boxes = tree.boxes.data(), v.leaves = tree.leaves.data(), v.children = tree.children.data(),
  v.colleagues = tree.colleagues.data();
  v.num_leaves = Index(tree.leaves.size());
  v.num_sources = tree.num_sources, v.num_targets = tree.num_targets;
  v.sources = sources.data(), v.targets = tree.same_points ? sources.data() : targets.data();
  v.source_leaf = source_leaf.data();
  v.near_offsets = tree.near_offsets.data(), v.near = tree.near.data();
  v.from_offsets = tree.from_offsets.data(), v.from = tree.from.data();
  v.to_offsets = tree.to_offsets.data(), v.to = tree.to.data();
  v.levels = matrices.levels.data(), v.cones = cones ? cones->levels() : nullptr;
  v.first_grid_level = first_grid_level, v.num_levels = tree.num_levels();
  if (first_grid_level < tree.num_levels())
    v.first_grid_begin = tree.level_begin[first_grid_level],
    v.first_grid_end = tree.level_begin[first_grid_level + 1];
  v.skeleton = matrices.skeleton.data(), v.rows = matrices.rows, v.grid_values = grid_values;
  v.current_space = current_space.data(), v.charges = charges.data(), v.outgoing = outgoing.data(),
  v.incoming = incoming.data();
  v.fields = fields.data();
  return v;
}

template <class T>
void DeviceSolver<T>::State::reserve(int num_vectors, bool gradient) {
  const int parts = gradient ? 8 : 2;
  if (num_vectors <= reserved_vectors && parts <= reserved_parts) return;
  num_vectors = std::max(num_vectors, reserved_vectors);
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());  // nothing uses the memory that is freed now
  charges = {}, outgoing = {}, incoming = {}, fields = {};
  reserved_vectors = 0;
  const std::size_t v = num_vectors, n = tree.num_sources, m = tree.num_targets;
  const int new_parts = std::max(parts, reserved_parts);
  require_device_memory(
      v * ((n + 2 * std::size_t(grid_values)) * sizeof(complex<T>) + m * new_parts * sizeof(T)),
      "NGIM: charges, grids and fields");
  charges = cuda::Buffer<complex<T>>(v * n);
  outgoing = cuda::Buffer<complex<T>>(v * grid_values), incoming = cuda::Buffer<complex<T>>(v * grid_values);
  fields = cuda::Buffer<T>(v * new_parts * m);
  if (cones) cones->reserve(num_vectors);
  reserved_vectors = num_vectors, reserved_parts = new_parts;
}

template <class T>
std::size_t DeviceSolver<T>::State::bytes() const {
  std::size_t total = matrices.bytes() + tree.boxes.bytes() + tree.children.bytes() +
                      tree.colleagues.bytes() + tree.near.bytes() + tree.from.bytes() + tree.to.bytes() +
                      tree.source_order.bytes() + tree.target_order.bytes() + sources.bytes() +
                      targets.bytes() + charges.bytes() + current_space.bytes() + outgoing.bytes() +
                      incoming.bytes() + fields.bytes();
  if (cones) total += cones->num_samples() * sizeof(complex<T>) * std::max(reserved_vectors, 1);
  return total;
}

template <class T>
DeviceSolver<T>::DeviceSolver(DeviceProblem& problem, bool gradient) : state_(std::make_unique<State>()) {
  State& s = *state_;
  const Scheme& scheme = problem.scheme;
  CURLEW_CUDA_CALL(cudaGetDevice(&s.device));
  s.tree = std::move(*problem.tree);
  s.first_grid_level = scheme.first_grid_level;
  s.currents = scheme.currents;
  s.field_scale = scheme.field_scale();
  if (s.currents) {
    for (const DeviceBox& box : s.tree.boxes.to_host())
      if (box.is_leaf && box.num_sources > 0 && box.level >= s.first_grid_level)
        s.leaf_order = std::max(s.leaf_order, scheme.grids[std::size_t(box.level)].order);
    const std::size_t space = current_grid_space<T>(s.leaf_order, Index(s.tree.leaves.size()));
    require_device_memory(space * sizeof(complex<T>), "NGIM: moments of currents");
    s.current_space = cuda::Buffer<complex<T>>(space);
  }
  s.sources = local_points<T>(s.tree, true);
  if (!s.tree.same_points) s.targets = local_points<T>(s.tree, false);
  s.groups = cuda::Buffer<Group>(s.tree.groups);
  s.kernel = make_kernel<T>({scheme.k.real(), -scheme.k.imag()});
  s.far_wave = scheme.medium == green::Medium::static_kernel
                   ? Wave::static_kernel
                   : (scheme.medium == green::Medium::lossy ? Wave::lossy : Wave::full);
  s.near_wave = s.far_wave == Wave::full ? wave_of<T>(scheme.k.real() * s.tree.near_reach) : s.far_wave;
  s.matrices = upload_matrices<T>(scheme);
  for (int l = 0; l < s.tree.num_levels(); ++l)
    s.ranks.push_back(l >= s.first_grid_level ? scheme.grids[std::size_t(l)].rank() : 0);
  if (s.tree.num_levels() > s.first_grid_level)
    s.grid_values = Offset(s.tree.num_boxes() - s.tree.level_begin[s.first_grid_level]) * s.matrices.rows;
  if (scheme.first_grid_level > 2 && scheme.num_levels() > 2) {
    s.source_leaf = leaves_of_sources(s.tree);
    s.cones = std::make_unique<Cones<T>>(scheme, s.view());
  }
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  s.tree.source_points = {}, s.tree.target_points = {};
  s.reserve(s.currents ? current_vectors : 1, gradient);
}

template <class T>
DeviceSolver<T>::~DeviceSolver() = default;
template <class T>
std::size_t DeviceSolver<T>::device_bytes() const {
  return state_->bytes();
}
template <class T>
Offset DeviceSolver<T>::near_pairs() const {
  return state_->tree.near_pairs;
}

/// Computes the grids of this solver's boxes of a level from their children's.
template <class T>
void DeviceSolver<T>::State::parents_of_level(const Evaluation<T>& e, int level, cudaStream_t stream) const {
  const auto l = std::size_t(level);
  const bool is_divided = !makes_all() && level >= shares.first_level;
  const Index begin = is_divided ? shares.begin[l][std::size_t(own)] : tree.level_begin[l];
  const Index end = is_divided ? shares.begin[l][std::size_t(own) + 1] : tree.level_begin[l + 1];
  launch_grids_to_parents(e, begin, end - begin, stream);
}

/// Grids of the own boxes from charges, then from fine to coarse. visit as below
template <class T>
template <class Visit>
void DeviceSolver<T>::State::run_upward(const Evaluation<T>& e, Visit&& visit) const {
  const int end = tree.num_levels();
  if (first_grid_level >= end) return;
  visit("charges to grids", false, [&](cudaStream_t stream) {
    const std::size_t bytes = std::size_t(grid_values) * e.num_vectors * sizeof(complex<T>);
    CURLEW_CUDA_CALL(cudaMemsetAsync(e.view.outgoing, 0, bytes, stream));
    CURLEW_CUDA_CALL(cudaMemsetAsync(e.view.incoming, 0, bytes, stream));
    Evaluation<T> of_own = e;
    if (!makes_all()) of_own.view.leaves = leaves.data(), of_own.view.num_leaves = Index(leaves.size());
    if (currents)
      launch_currents_to_grids(of_own, leaf_order, stream);
    else
      launch_charges_to_grids(of_own, matrices.most_order, stream);
  });
  visit("grids to parents", false, [&](cudaStream_t stream) {
    for (int l = end - 2; l >= std::max(first_grid_level, shares.first_level); --l)
      parents_of_level(e, l, stream);
  });
}

/// Stage 3, first part.
template <class T>
void DeviceSolver<T>::State::translate(const Evaluation<T>& e, cudaStream_t stream) const {
  const Index* members = tree.members.data();
  if (currents || (e.num_vectors == most_vectors && tree.filled_offsets < filled_by_groups))
    launch_translate_together(e, tree.groups, groups.data(), members, ranks, stream);
  else
    launch_translate(e, groups.data(), Offset(groups.size()), members, matrices.row_tile, stream);
}

/// The far stages after these; visit(name, needs_near, launch) decides in which stream. needs_near: adds to
/// what the near field has written.
template <class T>
template <class Visit>
void DeviceSolver<T>::State::run_far(const Evaluation<T>& e, Visit&& visit) const {
  const int first = first_grid_level, end = tree.num_levels();
  const auto begin_of = [&](int l) { return tree.level_begin[l]; };
  const auto count_of = [&](int l) { return tree.level_begin[l + 1] - tree.level_begin[l]; };
  if (std::min(shares.first_level, end - 1) > first)
    visit("grids to parents, coarse levels", false, [&](cudaStream_t stream) {
      for (int l = std::min(shares.first_level, end - 1) - 1; l >= first; --l) parents_of_level(e, l, stream);
    });
  if (cones) visit("cones", false, [&](cudaStream_t stream) { cones->fill(e, stream); });
  if (cones && first < end)
    visit("cones to grids", false, [&](cudaStream_t stream) { cones->add_to_grids(e, stream); });
  if (first < end) {
    visit("grids to grids", false, [&](cudaStream_t stream) { translate(e, stream); });
    visit("leaves of other levels: to grids", false, [&](cudaStream_t stream) {
      const Offset count = Offset(tree.to_targets.size());
      if (currents)
        launch_currents_to_skeletons(e, tree.to_targets.data(), count, stream);
      else
        launch_points_to_skeletons(e, tree.to_targets.data(), count, stream);
    });
    visit("grids from parents", false, [&](cudaStream_t stream) {
      for (int l = first + 1; l < end; ++l) launch_grids_from_parents(e, begin_of(l), count_of(l), stream);
    });
    visit("leaves of other levels: from grids", true, [&](cudaStream_t stream) {
      if (tree.from.size() > 1) launch_skeletons_to_points(e, stream);
    });
    visit("grids to observers", true,
          [&](cudaStream_t stream) { launch_grids_to_points(e, matrices.most_order, stream); });
  }
  if (cones) visit("cones to observers", true, [&](cudaStream_t stream) { cones->add_fields(e, stream); });
}

template <class T>
int DeviceSolver<T>::most_together() const {
  return state_->currents ? current_vectors : most_vectors;
}

template <class T>
bool DeviceSolver<T>::must_grow(Index given, bool gradient) const {
  return state_->together(given) > state_->reserved_vectors || (gradient ? 8 : 2) > state_->reserved_parts;
}

template <class T>
bool DeviceSolver<T>::reserve(Index given, bool gradient) const {
  try {
    state_->reserve(state_->together(given), gradient);
    return true;
  } catch (const ResourceError&) {
    if (given == 1 || state_->currents) throw;
    return false;
  }
}

template <class T>
void DeviceSolver<T>::set_share(BoxShares shares, int index) {
  State& s = *state_;
  s.leaves = cuda::Buffer<Index>(
      leaves_of_share(shares, index, s.tree.level_begin, s.tree.leaves.to_host(), s.first_grid_level));
  s.shares = std::move(shares), s.own = index;
}

template <class T>
template <class U>
void DeviceSolver<T>::start(const complex<U>* charges, Index given, bool gradient,
                            CUstream_st* stream) const {
  State& s = *state_;
  const Offset n = s.tree.num_sources;
  const Evaluation<T> e = s.evaluation(s.together(given), gradient);
  if (n > 0)
    sort_charges<T, U><<<dim3(cuda::blocks_for(n, 256), e.num_vectors), 256, 0, stream>>>(
        n, int(given), s.tree.source_order.data(), charges, s.charges.data());
  CURLEW_CHECK_LAUNCH("sort_charges");
  s.side.fork(stream);
  // First the work that other devices wait for: blocks that are launched later use the idle multiprocessors.
  s.run_upward(e, [&](const char*, bool, auto&& launch) { launch(stream); });
  s.grids_are_there.after(stream);
  s.run_near(e, s.side.get());
}

template <class T>
void DeviceSolver<T>::receive(const DeviceSolver& other, Index given, CUstream_st* stream) const {
  const State &to = *state_, &from = *other.state_;
  if (to.makes_all()) return;
  from.grids_are_there.before(stream);
  for (const auto& begin : to.shares.begin) {
    if (begin.empty()) continue;
    const Index first = to.tree.level_begin[std::size_t(to.first_grid_level)];
    const auto piece = std::size_t(from.own);
    const Offset at = Offset(begin[piece] - first) * to.matrices.rows;
    const Offset count = Offset(begin[piece + 1] - begin[piece]) * to.matrices.rows;
    for (int v = 0; v < to.together(given) && count > 0; ++v)
      CURLEW_CUDA_CALL(cudaMemcpyPeerAsync(state_->outgoing.data() + v * to.grid_values + at, to.device,
                                           from.outgoing.data() + v * from.grid_values + at, from.device,
                                           std::size_t(count) * sizeof(complex<T>), stream));
  }
}

template <class T>
template <class U>
void DeviceSolver<T>::finish(Index given, complex<U>* potential, complex<U>* gradient,
                             CUstream_st* stream) const {
  State& s = *state_;
  const Offset m = s.tree.num_targets;
  const Evaluation<T> e = s.evaluation(s.together(given), gradient != nullptr);
  bool joined = false;
  const auto join = [&] {
    if (!joined) s.side.join(stream);
    joined = true;
  };
  s.run_far(e, [&](const char*, bool needs_near, auto&& launch) {
    if (needs_near) join();
    launch(stream);
  });
  join();
  unsort_fields<T, U><<<dim3(cuda::blocks_for(m, 256), unsigned(given)), 256, 0, stream>>>(
      m, gradient != nullptr ? 8 : 2, s.tree.order_of_targets().data(), s.fields.data(), s.field_scale,
      potential, gradient);
  CURLEW_CHECK_LAUNCH("unsort_fields");
}

template <class T>
template <class U>
void DeviceSolver<T>::apply(const complex<U>* charges, Index num_vectors, complex<U>* potential,
                            complex<U>* gradient, CUstream_st* stream) const {
  const Offset n = state_->tree.num_sources, m = state_->tree.num_targets;
  if (m == 0) return;
  in_groups(
      num_vectors, most_together(), [&](Index given) { return reserve(given, gradient != nullptr); },
      [&](Index v, Index given) {
        start(charges + v * n, given, gradient != nullptr, stream);
        finish(given, potential + v * m, gradient == nullptr ? nullptr : gradient + 3 * v * m, stream);
      });
}

template <class T>
std::vector<std::pair<std::string, double>> DeviceSolver<T>::time_stages(const complex<T>* charges,
                                                                         int num_vectors,
                                                                         bool gradient) const {
  State& s = *state_;
  std::vector<std::pair<std::string, double>> times;
  s.reserve(num_vectors, gradient);
  const Evaluation<T> e = s.evaluation(num_vectors, gradient);
  if (s.tree.num_sources == 0 || s.tree.num_targets == 0) return times;
  sort_charges<T, T><<<dim3(cuda::blocks_for(s.tree.num_sources, 256), num_vectors), 256>>>(
      s.tree.num_sources, num_vectors, s.tree.source_order.data(), charges, s.charges.data());
  const cuda::StopWatch watch;
  const auto timed = [&](const char* name, bool, auto&& launch) {
    watch.start();
    launch(cudaStream_t(nullptr));
    times.emplace_back(name, 1e3 * watch.stop());
  };
  timed("near field", false, [&](cudaStream_t stream) { s.run_near(e, stream); });
  s.run_upward(e, timed);
  s.run_far(e, timed);
  return times;
}

template <class T>
void DeviceSolver<T>::apply_host(const Complex* charges, Index num_vectors, Complex* potential,
                                 Complex* gradient) const {
  const State& s = *state_;
  from_host(*this, {s.tree.num_sources, s.tree.num_targets}, charges, num_vectors, potential, gradient);
}

#define CURLEW_PARTS(T, U)                                                                  \
  template void DeviceSolver<T>::start(const complex<U>*, Index, bool, CUstream_st*) const; \
  template void DeviceSolver<T>::finish(Index, complex<U>*, complex<U>*, CUstream_st*) const;
#define CURLEW_INSTANTIATE(T)                                                                             \
  template class DeviceSolver<T>;                                                                         \
  CURLEW_PARTS(T, float)                                                                                  \
  CURLEW_PARTS(T, double)                                                                                 \
  template void DeviceSolver<T>::apply(const complex<float>*, Index, complex<float>*, complex<float>*,    \
                                       CUstream_st*) const;                                               \
  template void DeviceSolver<T>::apply(const complex<double>*, Index, complex<double>*, complex<double>*, \
                                       CUstream_st*) const;
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim
