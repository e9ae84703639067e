// SPDX-License-Identifier: BSD-3-Clause
// Surface formulations as OperatorFill of the corrected operator on the device. The corrections read 20 bytes
// per entry once, points and functions some hundred bytes each; with gradients NGIM takes most of the time.
#include "base/cuda.hpp"
#include "base/cuda_grid.hpp"
#include "ie/surface/surface_fill.hpp"

namespace curlew::ie {
namespace {

using Value = complex<double>;
constexpr int block_size = 128;

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
  Offset num_points, num_observers;
  Index num_unknowns;
  cuda::Buffer<Offset> offsets, use_offsets, uses;
  cuda::Buffer<Index> unknowns, observers;
  cuda::Buffer<Vec3<double>> current, rotated;
  cuda::Buffer<double> charge;

  explicit DeviceCurrents(const PointCurrents& c)
      : num_points(c.num_points()),
        num_observers(c.num_observers()),
        num_unknowns(c.num_unknowns),
        offsets(c.offsets),
        use_offsets(c.use_offsets),
        uses(c.uses),
        unknowns(c.unknowns),
        observers(c.observer_of),
        current(c.current),
        rotated(c.rotated),
        charge(c.charge) {}
  PointCurrentsView view() const {
    return {num_points,     num_unknowns,   offsets.data(),  unknowns.data(),
            current.data(), rotated.data(), charge.data(),   use_offsets.data(),
            uses.data(),    num_observers,  observers.data()};
  }
};

class DeviceSurfaceFill final : public DeviceFill {
 public:
  DeviceSurfaceFill(SurfaceSums sums, std::unique_ptr<linalg::DeviceCrs<double>> corrections)
      : corrections_(std::move(corrections)), share_(sums.share), magnetic_(sums.magnetic) {
    const auto sets = sums.point_sets();
    for (std::size_t r = 0; r < sets.size(); ++r) {
      parts_.push_back(std::make_unique<Part>(sets[r], sums.regions[r], share_.data(), magnetic_.data()));
      points_.push_back(std::move(sums.regions[r].currents.points));  // the set's spans stay valid
      points_.push_back(std::move(sums.regions[r].currents.observers));
    }
  }
  Index size() const override { return corrections_->size(); }
  std::vector<PointSet> point_sets() const override {
    std::vector<PointSet> sets;
    for (const auto& part : parts_) sets.push_back(part->set);
    return sets;
  }
  Offset num_near() const override { return Offset(corrections_->values().size()); }
  std::size_t bytes() const override { return corrections_->bytes(); }
  void correct(const Value* x, Value* y, const linalg::DeviceQueue& queue) const override {
    corrections_->apply(x, y, queue);
  }
  void spread(std::size_t set, int pass, const Value* x, Value* charges,
              const linalg::DeviceQueue& queue) const override {
    const Part& part = *parts_[set];
    spread_currents<<<cuda::blocks_for(part.currents.num_points, block_size), block_size, 0,
                      static_cast<cudaStream_t>(queue.stream)>>>(part.view, x, pass == 1, charges,
                                                                 queue.skip);
    CURLEW_CHECK_LAUNCH("spread_currents");
  }
  void test(std::size_t set, int pass, const Value*, const Value* potential, const Value* gradient, Value* y,
            const linalg::DeviceQueue& queue) const override {
    const Part& part = *parts_[set];
    test_fields<<<cuda::blocks_for(part.currents.num_unknowns, block_size), block_size, 0,
                  static_cast<cudaStream_t>(queue.stream)>>>(part.view, potential, gradient, pass == 1, y,
                                                             queue.skip);
    CURLEW_CHECK_LAUNCH("test_fields");
  }

 private:
  struct Part {
    PointSet set;
    DeviceCurrents currents;
    RegionView view;
    Part(PointSet of_host, const RegionSums& region, const double* share, const Index* magnetic)
        : set(of_host), currents(region.currents), view(region, currents.view(), share, magnetic) {}
  };
  std::unique_ptr<linalg::DeviceCrs<double>> corrections_;
  cuda::Buffer<double> share_;
  cuda::Buffer<Index> magnetic_;
  std::vector<std::vector<Vec3<double>>> points_;  ///< of the sets, on the host
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace

std::unique_ptr<DeviceFill> make_device_surface_fill(SurfaceSums sums,
                                                     std::unique_ptr<linalg::DeviceCrs<double>> corrections) {
  require_device_memory(sums.bytes() + std::size_t(sums.num_points()) * device_sums_per_point,
                        "the corrected operator");
  return std::make_unique<DeviceSurfaceFill>(std::move(sums), std::move(corrections));
}

}  // namespace curlew::ie
