// SPDX-License-Identifier: BSD-3-Clause
// Kernels of DeviceFastProduct. The corrections read 20 bytes an entry once, points and functions some
// hundred bytes each; with gradients NGIM takes most of the time.
#include "base/cuda.hpp"
#include "ie/surface/device_fast_product.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
constexpr int block_size = 128;

unsigned grid(Offset n) {
  return unsigned((n + block_size - 1) / block_size);
}

/// One thread per point.
__global__ void spread_currents(RegionView region, const Value* x, bool of_magnetic, Value* charges,
                                const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Offset p = Offset(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p < region.currents.num_points) region.spread(p, x, of_magnetic, charges);
}

/// One thread per function, which has both of its rows to itself.
__global__ void test_fields(RegionView region, const Value* potential, const Value* gradient,
                            bool of_magnetic, Value* y, const int* skip) {
  if (skip != nullptr && *skip != 0) return;
  const Index f = Index(blockIdx.x * blockDim.x + threadIdx.x);
  if (f < region.currents.num_unknowns) region.test(f, potential, gradient, of_magnetic, y);
}

/// PointCurrents on the device.
struct DeviceCurrents {
  Offset num_points;
  Index num_unknowns;
  cuda::Buffer<Offset> offsets, use_offsets, uses;
  cuda::Buffer<Index> unknowns, points;
  cuda::Buffer<Vec3<double>> current, rotated;
  cuda::Buffer<double> charge;

  explicit DeviceCurrents(const PointCurrents& c)
      : num_points(c.num_points()),
        num_unknowns(c.num_unknowns),
        offsets(c.offsets),
        use_offsets(c.use_offsets),
        uses(c.uses),
        unknowns(c.unknowns),
        points(c.point_of),
        current(c.current),
        rotated(c.rotated),
        charge(c.charge) {}
  PointCurrentsView view() const {
    return {num_points,     num_unknowns,  offsets.data(),     unknowns.data(), current.data(),
            rotated.data(), charge.data(), use_offsets.data(), uses.data(),     points.data()};
  }
};

/// Calls visit("step") after each step of a product.
struct NoVisit {
  void operator()(const char*) const {}
};

}  // namespace

struct DeviceFastProduct::State {
  struct Part {
    DeviceCurrents currents;
    RegionView view;
    std::unique_ptr<ngim::Plan> plan;
    Part(const RegionSums& region, double tolerance, const double* share, const Index* magnetic)
        : currents(region.currents),
          view(region, currents.view(), share, magnetic),
          plan(make_plan(region, tolerance, Device::cuda)) {}
  };
  std::unique_ptr<linalg::DeviceCrs<double>> corrections;
  cuda::Buffer<double> share;
  cuda::Buffer<Index> magnetic;
  std::vector<std::unique_ptr<Part>> parts;
  mutable cuda::Buffer<Value> charges, potential, gradient;  // of the largest region

  State(const SurfaceSums& sums, std::unique_ptr<linalg::DeviceCrs<double>> near, double tolerance)
      : corrections(std::move(near)), share(sums.share), magnetic(sums.magnetic) {
    std::size_t most = 0, most_with_curl = 0;
    for (const auto& region : sums.regions) {
      parts.push_back(std::make_unique<Part>(region, tolerance, share.data(), magnetic.data()));
      const auto n = std::size_t(region.currents.num_points());
      most = n > most ? n : most;
      if (region.needs_curl) most_with_curl = n > most_with_curl ? n : most_with_curl;
    }
    charges = cuda::Buffer<Value>(4 * most), potential = cuda::Buffer<Value>(4 * most);
    gradient = cuda::Buffer<Value>(12 * most_with_curl);
  }

  template <class Visit>
  void add_sums(const Part& part, const Value* x, bool of_magnetic, Value* y,
                const linalg::DeviceQueue& queue, const Visit& visit) const {
    const auto stream = static_cast<cudaStream_t>(queue.stream);
    Value* const slopes = part.view.needs_curl ? gradient.data() : nullptr;
    spread_currents<<<grid(part.currents.num_points), block_size, 0, stream>>>(part.view, x, of_magnetic,
                                                                               charges.data(), queue.skip);
    CURLEW_CHECK_LAUNCH("spread_currents");
    visit("currents and charges");
    part.plan->apply_on_device<double>(charges.data(), 4, potential.data(), slopes, stream);
    visit("NGIM");
    test_fields<<<grid(part.currents.num_unknowns), block_size, 0, stream>>>(
        part.view, potential.data(), slopes, of_magnetic, y, queue.skip);
    CURLEW_CHECK_LAUNCH("test_fields");
    visit("tests");
  }

  template <class Visit>
  void apply(const Value* x, Value* y, const linalg::DeviceQueue& queue, const Visit& visit) const {
    corrections->apply(x, y, queue);
    visit("corrections");
    for (const auto& part : parts) {
      add_sums(*part, x, false, y, queue, visit);
      if (part->view.has_magnetic) add_sums(*part, x, true, y, queue, visit);
    }
  }
};

DeviceFastProduct::DeviceFastProduct(const SurfaceSums& sums,
                                     std::unique_ptr<linalg::DeviceCrs<double>> corrections,
                                     double tolerance) {
  require_device_memory(sums.bytes() + std::size_t(sums.num_points()) * device_sums_per_point,
                        "the fast product");
  state_ = std::make_unique<State>(sums, std::move(corrections), tolerance);
}

DeviceFastProduct::~DeviceFastProduct() = default;

Index DeviceFastProduct::size() const {
  return state_->corrections->size();
}

Offset DeviceFastProduct::num_points() const {
  Offset sum = 0;
  for (const auto& part : state_->parts) sum += part->currents.num_points;
  return sum;
}

Offset DeviceFastProduct::num_corrections() const {
  return Offset(state_->corrections->values().size());
}

void DeviceFastProduct::apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const {
  state_->apply(x, y, queue, NoVisit());
}

std::vector<std::pair<std::string, double>> DeviceFastProduct::time_steps(const Value* x, Value* y) const {
  std::vector<std::pair<std::string, double>> steps;
  cudaEvent_t before, after;
  CURLEW_CUDA_CALL(cudaEventCreate(&before));
  CURLEW_CUDA_CALL(cudaEventCreate(&after));
  state_->apply(x, y, {}, NoVisit());
  CURLEW_CUDA_CALL(cudaEventRecord(before));
  state_->apply(x, y, {}, [&](const char* name) {
    CURLEW_CUDA_CALL(cudaEventRecord(after));
    CURLEW_CUDA_CALL(cudaEventSynchronize(after));
    float ms = 0;
    CURLEW_CUDA_CALL(cudaEventElapsedTime(&ms, before, after));
    std::size_t i = 0;
    while (i < steps.size() && steps[i].first != name) ++i;
    if (i == steps.size()) steps.emplace_back(name, 0.0);
    steps[i].second += double(ms);
    CURLEW_CUDA_CALL(cudaEventRecord(before));
  });
  CURLEW_CUDA_CALL(cudaEventDestroy(before));
  CURLEW_CUDA_CALL(cudaEventDestroy(after));
  return steps;
}

}  // namespace curlew::ie
