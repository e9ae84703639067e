// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/corrected_operator.hpp"

namespace curlew::ie {

CorrectedOperator::CorrectedOperator(std::unique_ptr<HostFill> fill, double tolerance)
    : fill_(std::move(fill)),
      sums_(*fill_, tolerance, Device::cpu),
      charges_(4 * sums_.most_points()),
      potential_(4 * sums_.most_observers(false)),
      gradient_(12 * sums_.most_observers(true)) {}

void CorrectedOperator::apply(const Complex* x, Complex* y) const {
  sums_.count_product();
  Timer timer;
  sums_.apply(
      x, y, {charges_.data(), potential_.data(), gradient_.data()}, {},
      [](const ngim::Plan& plan, const Complex* charges, Complex* potential, Complex* gradient) {
        plan.apply(charges, 4, potential, gradient);
      },
      [&](const char* step) {
        stages_.add(step, timer.seconds());
        timer.restart();
      });
}

std::vector<std::pair<std::string, double>> CorrectedOperator::product_seconds() const {
  auto steps = stages_.all();
  long made = 0;
  for (const auto& of : products()) made += of.products;
  for (auto& [name, seconds] : steps) seconds /= double(made);
  return steps;
}

}  // namespace curlew::ie
