// SPDX-License-Identifier: BSD-3-Clause
// Kernels of DeviceAcceleratedOperator. An iteration is bound by the bytes of the corrections (68 a pair) and
// by NGIM; the maps between unknowns, elements and points read a few hundred bytes an element.
#include "base/cuda.hpp"
#include "ie/mixed_potential/device_operator.hpp"
#include "ie/mixed_potential/near_view.hpp"
#include "ngim/plan.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
constexpr int block_size = 128;

unsigned grid(Offset n) {
  return unsigned((n + block_size - 1) / block_size);
}

/// Compressed rows on the device.
struct CsrView {
  Index num_rows;
  const Offset* offsets;
  const Index* columns;
  const Value* values;
};
struct DeviceCsr {
  cuda::Buffer<Offset> offsets;
  cuda::Buffer<Index> columns;
  cuda::Buffer<Value> values;
  Index num_rows;

  explicit DeviceCsr(const linalg::Csr<Complex>& a)
      : offsets(a.row_offsets), columns(a.columns), values(a.values.size()), num_rows(a.num_rows) {
    values.upload(reinterpret_cast<const Value*>(a.values.data()));
  }
  CsrView view() const { return {num_rows, offsets.data(), columns.data(), values.data()}; }
  std::size_t bytes() const { return offsets.bytes() + columns.bytes() + values.bytes(); }
};

/// The rule for triangles and the one for tetrahedra.
struct DeviceRules {
  cuda::Buffer<double> data[4];
  int size[2];

  DeviceRules(const ElementRules& flat, const ElementRules& solid) {
    const RuleView views[2] = {flat.triangle(), solid.tetrahedron()};
    for (int i = 0; i < 2; ++i) {
      size[i] = views[i].size;
      data[2 * i] = cuda::Buffer<double>(std::size_t(4 * size[i]));
      data[2 * i].upload(views[i].barycentric);
      data[2 * i + 1] = cuda::Buffer<double>(std::size_t(size[i]));
      data[2 * i + 1].upload(views[i].weights);
    }
  }
  void set(RuleView* rules) const {
    for (int i = 0; i < 2; ++i) rules[i] = {size[i], data[2 * i].data(), data[2 * i + 1].data()};
  }
};

/// One thread per stored pair; those below the diagonal are written by their mirror images.
__global__ void make_blocks(Offset num_pairs, const Index* rows, PairInput input, NearView near,
                            ElementBlock<float>* blocks) {
  const Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= num_pairs) return;
  const Index t = rows[i], s = near.columns[i];
  if (s < t) return;
  const auto block = single(input.exact(t, s) - input.by_points(t, s));
  blocks[i] = block;
  if (s != t) blocks[near.find(s, t)] = transposed(block);
}

__global__ void make_diagonal(CsrView tests, CsrView local, PairInput input, NearView near, Value a, Value b,
                              Value* diagonal) {
  const Index m = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (m >= tests.num_rows) return;
  Value own;
  for (Offset i = local.offsets[m]; i < local.offsets[m + 1]; ++i) {
    if (local.columns[i] == m) own = local.values[i];
  }
  const Offset begin = tests.offsets[m];
  diagonal[m] = diagonal_entry(tests.columns + begin, tests.values + begin, tests.offsets[m + 1] - begin, own,
                               input, near, a, b);
}

struct PointsView {
  Offset num_points;
  const Offset* offsets;
  const Index* element;
  const Vec3<double>* from_centre;
  const double* weights;
};

/// One thread per element and component: u = P x.
__global__ void to_elements(CsrView sources, const Value* x, Value* u, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index row = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= sources.num_rows) return;
  Value sum;
  for (Offset i = sources.offsets[row]; i < sources.offsets[row + 1]; ++i)
    sum += sources.values[i] * x[sources.columns[i]];
  u[row] = sum;
}

/// One thread per point.
__global__ void to_points(PointsView points, const Value* u, Value* charges, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Offset p = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= points.num_points) return;
  const Value* own = u + 4 * Offset(points.element[p]);
  const double w = points.weights[p];
  const Vec3<double> y = points.from_centre[p];
  const Value q = own[3];
  for (int d = 0; d < 3; ++d) charges[d * points.num_points + p] = w * (own[d] + y[d] * q);
  charges[3 * points.num_points + p] = w * q;
}

/// One warp per element: the lanes share its stored pairs, the first adds the tests at its points.
__global__ void test_and_correct(Index num_elements, PointsView points, NearView near, Value a, Value b,
                                 const Value* potentials, const Value* u, Value* tested, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Offset t = (Offset(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (t >= num_elements) return;
  Value sum[4];
  for (Offset i = near.offsets[t] + lane; i < near.offsets[t + 1]; i += 32)
    add_block(near.blocks[i], a, b, u + 4 * Offset(near.columns[i]), sum);
  for (Offset p = points.offsets[t] + lane; p < points.offsets[t + 1]; p += 32) {
    const double w = points.weights[p];
    const Vec3<double> y = points.from_centre[p];
    Value moment;
    for (int d = 0; d < 3; ++d) {
      const Value v = w * potentials[d * points.num_points + p];
      sum[d] += a * v;
      moment += y[d] * v;
    }
    sum[3] += a * moment + (w * b) * potentials[3 * points.num_points + p];
  }
  for (int d = 0; d < 4; ++d) {
    for (int step = 16; step > 0; step /= 2) {
      sum[d].re += __shfl_down_sync(0xffffffffu, sum[d].re, step);
      sum[d].im += __shfl_down_sync(0xffffffffu, sum[d].im, step);
    }
    if (lane == 0) tested[4 * t + d] = sum[d];
  }
}

/// One thread per unknown: y = local x + P^T tested.
__global__ void to_unknowns(CsrView local, CsrView tests, const Value* x, const Value* tested, Value* y,
                            const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index m = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (m >= local.num_rows) return;
  Value sum;
  for (Offset i = local.offsets[m]; i < local.offsets[m + 1]; ++i)
    sum += local.values[i] * x[local.columns[i]];
  for (Offset i = tests.offsets[m]; i < tests.offsets[m + 1]; ++i)
    sum += tests.values[i] * tested[tests.columns[i]];
  y[m] = sum;
}

std::vector<Index> rows_of(const NearList& list) {
  std::vector<Index> rows(list.columns.size());
#pragma omp parallel for
  for (Index t = 0; t < Index(list.offsets.size()) - 1; ++t) {
    for (Offset i = list.offsets[std::size_t(t)]; i < list.offsets[std::size_t(t) + 1]; ++i)
      rows[std::size_t(i)] = t;
  }
  return rows;
}

std::vector<Index> elements_of(const ElementPoints& points) {
  std::vector<Index> elements(points.points.size());
  for (std::size_t e = 0; e + 1 < points.offsets.size(); ++e) {
    for (Offset p = points.offsets[e]; p < points.offsets[e + 1]; ++p) elements[std::size_t(p)] = Index(e);
  }
  return elements;
}

}  // namespace

struct DeviceAcceleratedOperator::State {
  double k;
  Value vector_factor, scalar_factor;
  Index num_elements;
  Offset num_points;
  DeviceCsr sources, tests, local;
  cuda::Buffer<Element> elements;
  cuda::Buffer<Offset> point_offsets;
  cuda::Buffer<Index> point_element;
  cuda::Buffer<Vec3<double>> from_centre;
  cuda::Buffer<double> weights;
  cuda::Buffer<Offset> near_offsets;
  cuda::Buffer<Index> near_columns;
  cuda::Buffer<ElementBlock<float>> blocks;
  DeviceRules point_rules, touching_rules, near_rules, smooth_rules;
  ngim::Plan plan;
  mutable cuda::Buffer<Value> on_elements, tested, charges, potentials;
  Stages stages;

  State(const MixedPotentialSystem& system, const Acceleration& acceleration, const ElementPoints& points,
        const NearList& list, const IntegrationRules& rules)
      : k(system.k),
        vector_factor(system.vector_factor),
        scalar_factor(system.scalar_factor),
        num_elements(Index(system.elements.size())),
        num_points(Offset(points.points.size())),
        sources(system.sources),
        tests(linalg::transpose(system.sources)),
        local(system.local),
        elements(system.elements),
        point_offsets(points.offsets),
        point_element(elements_of(points)),
        from_centre(points.from_centre),
        weights(points.weights),
        near_offsets(list.offsets),
        near_columns(list.columns),
        blocks(list.columns.size()),
        point_rules(rules.point, rules.point),
        touching_rules(rules.touching_flat, rules.touching),
        near_rules(rules.near, rules.near),
        smooth_rules(rules.smooth, rules.smooth),
        plan(points.points, std::nullopt, system.k,
             {.tolerance = acceleration.tolerance,
              .precision = acceleration.tolerance < 5e-4 ? ngim::Precision::double_precision
                                                         : ngim::Precision::single_precision,
              .device = Device::cuda}),
        on_elements(4 * system.elements.size()),
        tested(4 * system.elements.size()),
        charges(4 * points.points.size()),
        potentials(4 * points.points.size()) {}

  NearView near() const { return {near_offsets.data(), near_columns.data(), blocks.data()}; }
  PointsView points() const {
    return {num_points, point_offsets.data(), point_element.data(), from_centre.data(), weights.data()};
  }
  PairInput input() const {
    PairInput in{elements.data(), k, {}, {}, {}, {}};
    point_rules.set(in.point), touching_rules.set(in.touching), near_rules.set(in.near),
        smooth_rules.set(in.smooth);
    return in;
  }
  void currents(const Value* x, cudaStream_t stream, const int* skip) const {
    to_elements<<<grid(sources.num_rows), block_size, 0, stream>>>(sources.view(), x, on_elements.data(),
                                                                   skip);
    CURLEW_CHECK_LAUNCH("to_elements");
    to_points<<<grid(num_points), block_size, 0, stream>>>(points(), on_elements.data(), charges.data(),
                                                           skip);
    CURLEW_CHECK_LAUNCH("to_points");
  }
  void sum_potentials(cudaStream_t stream) const {
    plan.apply_on_device<double>(charges.data(), 4, potentials.data(), nullptr, stream);
  }
  void tests_and_corrections(cudaStream_t stream, const int* skip) const {
    test_and_correct<<<grid(32 * Offset(num_elements)), block_size, 0, stream>>>(
        num_elements, points(), near(), vector_factor, scalar_factor, potentials.data(), on_elements.data(),
        tested.data(), skip);
    CURLEW_CHECK_LAUNCH("test_and_correct");
  }
  void gather(const Value* x, Value* y, cudaStream_t stream, const int* skip) const {
    to_unknowns<<<grid(local.num_rows), block_size, 0, stream>>>(local.view(), tests.view(), x, tested.data(),
                                                                 y, skip);
    CURLEW_CHECK_LAUNCH("to_unknowns");
  }
};

DeviceAcceleratedOperator::DeviceAcceleratedOperator(const MixedPotentialSystem& system,
                                                     const Acceleration& acceleration) {
  Timer timer;
  const auto list = find_near_pairs(system.elements, acceleration.integration.near_reach);
  require_device_memory(std::size_t(list.num_pairs()) * (sizeof(ElementBlock<float>) + 2 * sizeof(Index)),
                        "near corrections");
  const double listed = timer.seconds();
  timer.restart();
  const auto points = make_points(system.elements, ElementRules(acceleration.integration.point_degree));
  state_ =
      std::make_unique<State>(system, acceleration, points, list, IntegrationRules(acceleration.integration));
  State& s = *state_;
  s.stages.add("near list", listed);
  s.stages.add("NGIM set-up and copies", timer.seconds());
  timer.restart();
  const cuda::Buffer<Index> rows(rows_of(list));
  make_blocks<<<grid(list.num_pairs()), block_size>>>(list.num_pairs(), rows.data(), s.input(), s.near(),
                                                      s.blocks.data());
  CURLEW_CHECK_LAUNCH("make_blocks");
  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  s.stages.add("near corrections", timer.seconds());
}

DeviceAcceleratedOperator::~DeviceAcceleratedOperator() = default;

Index DeviceAcceleratedOperator::size() const {
  return state_->local.num_rows;
}
Offset DeviceAcceleratedOperator::num_points() const {
  return state_->num_points;
}
Offset DeviceAcceleratedOperator::num_near_pairs() const {
  return Offset(state_->blocks.size());
}
const Stages& DeviceAcceleratedOperator::stages() const {
  return state_->stages;
}
std::size_t DeviceAcceleratedOperator::device_bytes() const {
  const State& s = *state_;
  return s.sources.bytes() + s.tests.bytes() + s.local.bytes() + s.elements.bytes() + s.from_centre.bytes() +
         s.weights.bytes() + s.point_offsets.bytes() + s.point_element.bytes() + s.near_offsets.bytes() +
         s.near_columns.bytes() + s.blocks.bytes() + 2 * s.on_elements.bytes() + 2 * s.charges.bytes();
}

void DeviceAcceleratedOperator::apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const {
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  state_->currents(x, stream, queue.skip);
  state_->sum_potentials(stream);
  state_->tests_and_corrections(stream, queue.skip);
  state_->gather(x, y, stream, queue.skip);
}

std::vector<Complex> DeviceAcceleratedOperator::diagonal_entries() const {
  const State& s = *state_;
  cuda::Buffer<Value> diagonal(std::size_t(state_->local.num_rows));
  make_diagonal<<<grid(size()), block_size>>>(s.tests.view(), s.local.view(), s.input(), s.near(),
                                              s.vector_factor, s.scalar_factor, diagonal.data());
  CURLEW_CHECK_LAUNCH("make_diagonal");
  std::vector<Complex> host(diagonal.size());
  diagonal.download(reinterpret_cast<Value*>(host.data()));
  return host;
}

std::vector<std::pair<std::string, double>> DeviceAcceleratedOperator::time_steps(const Value* x,
                                                                                  Value* y) const {
  cudaEvent_t marks[5];
  for (auto& mark : marks) CURLEW_CUDA_CALL(cudaEventCreate(&mark));
  CURLEW_CUDA_CALL(cudaEventRecord(marks[0]));
  state_->currents(x, nullptr, nullptr);
  CURLEW_CUDA_CALL(cudaEventRecord(marks[1]));
  state_->sum_potentials(nullptr);
  CURLEW_CUDA_CALL(cudaEventRecord(marks[2]));
  state_->tests_and_corrections(nullptr, nullptr);
  CURLEW_CUDA_CALL(cudaEventRecord(marks[3]));
  state_->gather(x, y, nullptr, nullptr);
  CURLEW_CUDA_CALL(cudaEventRecord(marks[4]));
  CURLEW_CUDA_CALL(cudaEventSynchronize(marks[4]));
  std::vector<std::pair<std::string, double>> steps;
  const char* names[4] = {"currents and charges", "NGIM", "tests and corrections", "local part and unknowns"};
  for (int i = 0; i < 4; ++i) {
    float ms = 0;
    CURLEW_CUDA_CALL(cudaEventElapsedTime(&ms, marks[i], marks[i + 1]));
    steps.emplace_back(names[i], ms);
  }
  for (auto& mark : marks) CURLEW_CUDA_CALL(cudaEventDestroy(mark));
  return steps;
}

}  // namespace curlew::ie
