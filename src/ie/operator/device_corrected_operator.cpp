// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/device_corrected_operator.hpp"

#include "base/cuda_event.hpp"
#include "base/timer.hpp"

namespace curlew::ie {

DeviceCorrectedOperator::DeviceCorrectedOperator(std::unique_ptr<DeviceFill> fill, double tolerance)
    : fill_(std::move(fill)),
      sums_(*fill_, tolerance, Device::cuda),
      charges_(4 * sums_.most_points()),
      potential_(4 * sums_.most_observers(false)),
      gradient_(12 * sums_.most_observers(true)) {}

template <class Visit>
void DeviceCorrectedOperator::apply(const Value* x, Value* y, const linalg::DeviceQueue& queue,
                                    const Visit& visit) const {
  sums_.apply(
      x, y, {charges_.data(), potential_.data(), gradient_.data()}, queue,
      [&](const ngim::Plan& plan, const Value* charges, Value* potential, Value* gradient) {
        plan.apply_on_device<double>(charges, 4, potential, gradient,
                                     static_cast<cudaStream_t>(queue.stream));
      },
      visit);
}

void DeviceCorrectedOperator::apply(const Value* x, Value* y, const linalg::DeviceQueue& queue) const {
  sums_.count_product();
  apply(x, y, queue, [](const char*) {});
}

std::vector<std::pair<std::string, double>> DeviceCorrectedOperator::product_seconds(const Value* x,
                                                                                     Value* y) const {
  Stages steps;
  const cuda::StopWatch watch;
  apply(x, y, {});
  watch.start();
  apply(x, y, {}, [&](const char* name) {
    steps.add(name, watch.stop());
    watch.start();
  });
  return steps.all();
}

}  // namespace curlew::ie
