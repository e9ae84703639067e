// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/device_shared.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "base/cuda_device.hpp"
#include "base/cuda_event.hpp"
#include "base/timer.hpp"
#include "linalg/dense/device_arithmetic.cuh"
#include "linalg/dense/panel_solve.hpp"

namespace curlew::linalg {
namespace {

constexpr std::size_t entry = sizeof(Complex);

class DeviceMember final : public DeviceArithmetic, public PanelMember {
 public:
  /// On the current device.
  DeviceMember(Offset n, Offset columns, Offset width, int num_rhs)
      : DeviceArithmetic(n, {width, width, 0}, num_rhs),
        n_(n),
        columns_(columns),
        own_(std::size_t(n * columns)),
        spare_(std::size_t(panel_slots * n * width)) {}
  ~DeviceMember() override { end(); }

  void run(const std::function<void()>& work) override {
    const cuda::CurrentDevice current(device_);
    const std::unique_ptr<DeviceMember, void (*)(DeviceMember*)> at_end(this,
                                                                        [](DeviceMember* m) { m->end(); });
    work();
    wait();
  }
  PanelView own() override { return {reinterpret_cast<Complex*>(own_.data()), n_, columns_, n_}; }
  PanelView spare(int number) override {
    const auto size = spare_.size() / panel_slots;
    return {reinterpret_cast<Complex*>(spare_.data() + std::size_t(number) * size), n_, Offset(size) / n_,
            n_};
  }
  void receive(PanelView from, PanelView to) override {
    asked_[std::size_t(1 - newest_)].before(copies_.get());
    asked_[std::size_t(newest_)].after(stream());
    newest_ = 1 - newest_;
    CURLEW_CUDA_CALL(cudaMemcpy2DAsync(to.data, std::size_t(to.stride) * entry, from.data,
                                       std::size_t(from.stride) * entry, std::size_t(from.rows) * entry,
                                       std::size_t(from.columns), cudaMemcpyDefault, copies_.get()));
    arrived_.after(copies_.get());
    arrived_.before(stream());
  }

 private:
  void end() {
    cudaStreamSynchronize(copies_.get());
    cudaStreamSynchronize(stream());
  }

  int device_ = cuda::current_device();
  Offset n_, columns_;
  cuda::Buffer<Z> own_, spare_;
  cuda::Stream copies_;
  std::array<cuda::Event, 2> asked_;  ///< all work requested before each of the last two calls of receive()
  int newest_ = 0;
  cuda::Event arrived_;
};

/// Made and destroyed with its device current.
std::shared_ptr<DeviceMember> make_member(int device, Offset n, Offset columns, Offset width, int num_rhs) {
  const cuda::CurrentDevice current(device);
  return {new DeviceMember(n, columns, width, num_rhs), [device](DeviceMember* m) {
            const cuda::CurrentDevice its(device);
            delete m;
          }};
}

}  // namespace

LuReport solve_on_devices(Offset n, const std::vector<int>& devices, std::vector<FormColumns> forms,
                          Offset width, Complex* b, int num_rhs, bool with_condition) {
  Timer timer;
  std::vector<std::shared_ptr<DeviceMember>> made;
  std::vector<PanelMember*> members;
  const int count = int(devices.size());
  for (const int device : devices) {
    for (const int other : devices)
      if (other < device) cuda::allow_direct_copies(device, other);
    const Offset columns = shared_columns(n, width, count, int(made.size()));
    made.push_back(make_member(device, n, columns, width, num_rhs));
    members.push_back(made.back().get());
  }
  SharedLu lu(std::move(members), std::move(forms), n, width);
  const double seconds = timer.seconds();
  auto report = solve_shared(lu, n, b, num_rhs, with_condition);
  report.set_up_seconds = seconds;
  return report;
}

}  // namespace curlew::linalg
