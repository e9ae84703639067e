// SPDX-License-Identifier: BSD-3-Clause
// Mixed-potential systems as OperatorFill of the corrected operator on the device. Its speed is limited by
// the bytes of the corrections (68 per pair) and by NGIM; the maps between unknowns, elements and points read
// a few hundred bytes per element.
#include "base/cuda.hpp"
#include "base/cuda_grid.hpp"
#include "base/lane_sum.cuh"
#include "ie/mixed_potential/mixed_potential_fill.hpp"
#include "ie/mixed_potential/near_view.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
constexpr int block_size = 128;

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
    const Value total = lane_sum(sum[d]);
    if (lane == 0) tested[4 * t + d] = total;
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

class DeviceMixedPotentialFill final : public DeviceFill {
 public:
  DeviceMixedPotentialFill(const MixedPotentialSystem& system, const ElementPoints& points,
                           const NearList& list, const IntegrationRules& rules)
      : k_(system.k),
        vector_factor_(system.vector_factor),
        scalar_factor_(system.scalar_factor),
        num_elements_(Index(system.elements.size())),
        host_points_(points.points),
        sources_(system.sources),
        tests_(linalg::transpose(system.sources)),
        local_(system.local),
        elements_(system.elements),
        point_offsets_(points.offsets),
        point_element_(elements_of(points)),
        from_centre_(points.from_centre),
        weights_(points.weights),
        near_offsets_(list.offsets),
        near_columns_(list.columns),
        blocks_(list.columns.size()),
        point_rules_(rules.point, rules.point),
        touching_rules_(rules.touching_flat, rules.touching),
        near_rules_(rules.near, rules.near),
        smooth_rules_(rules.smooth, rules.smooth),
        on_elements_(4 * system.elements.size()),
        tested_(4 * system.elements.size()) {}
  void make_corrections(const NearList& list) {
    const cuda::Buffer<Index> rows(rows_of(list));
    make_blocks<<<cuda::blocks_for(list.num_pairs(), block_size), block_size>>>(
        list.num_pairs(), rows.data(), input(), near(), blocks_.data());
    CURLEW_CHECK_LAUNCH("make_blocks");
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  }

  Index size() const override { return local_.num_rows; }
  std::vector<PointSet> point_sets() const override { return {{host_points_, k_}}; }
  Offset num_near() const override { return Offset(blocks_.size()); }
  std::size_t bytes() const override {
    return sources_.bytes() + tests_.bytes() + local_.bytes() + elements_.bytes() + from_centre_.bytes() +
           weights_.bytes() + point_offsets_.bytes() + point_element_.bytes() + near_offsets_.bytes() +
           near_columns_.bytes() + blocks_.bytes() + 2 * on_elements_.bytes();
  }
  /// Does nothing: test sets y.
  void correct(const Value*, Value*, const linalg::DeviceQueue&) const override {}
  void spread(std::size_t, int, const Value* x, Value* charges,
              const linalg::DeviceQueue& queue) const override {
    const auto stream = static_cast<cudaStream_t>(queue.stream);
    to_elements<<<cuda::blocks_for(sources_.num_rows, block_size), block_size, 0, stream>>>(
        sources_.view(), x, on_elements_.data(), queue.skip);
    CURLEW_CHECK_LAUNCH("to_elements");
    to_points<<<cuda::blocks_for(points().num_points, block_size), block_size, 0, stream>>>(
        points(), on_elements_.data(), charges, queue.skip);
    CURLEW_CHECK_LAUNCH("to_points");
  }
  void test(std::size_t, int, const Value* x, const Value* potential, const Value*, Value* y,
            const linalg::DeviceQueue& queue) const override {
    const auto stream = static_cast<cudaStream_t>(queue.stream);
    test_and_correct<<<cuda::blocks_for(32 * Offset(num_elements_), block_size), block_size, 0, stream>>>(
        num_elements_, points(), near(), vector_factor_, scalar_factor_, potential, on_elements_.data(),
        tested_.data(), queue.skip);
    CURLEW_CHECK_LAUNCH("test_and_correct");
    to_unknowns<<<cuda::blocks_for(local_.num_rows, block_size), block_size, 0, stream>>>(
        local_.view(), tests_.view(), x, tested_.data(), y, queue.skip);
    CURLEW_CHECK_LAUNCH("to_unknowns");
  }

  std::vector<Complex> diagonal() const override {
    cuda::Buffer<Value> diagonal(std::size_t(local_.num_rows));
    make_diagonal<<<cuda::blocks_for(size(), block_size), block_size>>>(
        tests_.view(), local_.view(), input(), near(), vector_factor_, scalar_factor_, diagonal.data());
    CURLEW_CHECK_LAUNCH("make_diagonal");
    std::vector<Complex> host(diagonal.size());
    diagonal.download(reinterpret_cast<Value*>(host.data()));
    return host;
  }

 private:
  NearView near() const { return {near_offsets_.data(), near_columns_.data(), blocks_.data()}; }
  PointsView points() const {
    return {Offset(host_points_.size()), point_offsets_.data(), point_element_.data(), from_centre_.data(),
            weights_.data()};
  }
  PairInput input() const {
    PairInput in{elements_.data(), k_, {}, {}, {}, {}};
    point_rules_.set(in.point), touching_rules_.set(in.touching), near_rules_.set(in.near),
        smooth_rules_.set(in.smooth);
    return in;
  }

  double k_;
  Value vector_factor_, scalar_factor_;
  Index num_elements_;
  std::vector<Vec3<double>> host_points_;
  DeviceCsr sources_, tests_, local_;
  cuda::Buffer<Element> elements_;
  cuda::Buffer<Offset> point_offsets_;
  cuda::Buffer<Index> point_element_;
  cuda::Buffer<Vec3<double>> from_centre_;
  cuda::Buffer<double> weights_;
  cuda::Buffer<Offset> near_offsets_;
  cuda::Buffer<Index> near_columns_;
  cuda::Buffer<ElementBlock<float>> blocks_;
  DeviceRules point_rules_, touching_rules_, near_rules_, smooth_rules_;
  mutable cuda::Buffer<Value> on_elements_, tested_;
};

}  // namespace

std::unique_ptr<DeviceFill> make_device_mixed_potential_fill(const MixedPotentialSystem& system,
                                                             const Integration& integration, Stages& set_up) {
  Timer timer;
  const auto list = find_near_pairs(system.elements, integration.near_reach);
  require_device_memory(std::size_t(list.num_pairs()) * (sizeof(ElementBlock<float>) + 2 * sizeof(Index)),
                        "near corrections");
  set_up.add("near list", timer.seconds());
  timer.restart();
  const auto points = make_points(system.elements, ElementRules(integration.point_degree));
  auto fill = std::make_unique<DeviceMixedPotentialFill>(system, points, list, IntegrationRules(integration));
  set_up.add("copies", timer.seconds());
  timer.restart();
  fill->make_corrections(list);
  set_up.add("near corrections", timer.seconds());
  return fill;
}

}  // namespace curlew::ie
