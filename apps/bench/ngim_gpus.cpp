// SPDX-License-Identifier: BSD-3-Clause
// em-bench ngim --case gpus: one sum on 1, 2, ... devices of a machine, which share its observers and boxes.
// Charges start on the first device and potentials end there.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "base/constants.hpp"
#include "base/cuda_stream.hpp"
#include "base/device.hpp"
#include "bench/ngim_cases.hpp"
#include "ngim/direct_sum.hpp"
#include "ngim/shared_solver.hpp"

namespace curlew::bench {
namespace {

using Points = std::vector<Vec3<double>>;
using Value = complex<float>;

/// One sum on several devices, which waits for its end.
class Shared {
 public:
  Shared(const Points& points, double diameter, double tolerance, int gpus)
      : solver_({points, std::nullopt, 2 * pi * diameter, {tolerance, false}, true}, first(gpus)),
        charges_(points.size()),
        potential_(points.size()) {}

  Offset near_pairs() const { return solver_.near_pairs(); }
  std::size_t device_bytes() const { return solver_.device_bytes(); }
  void set_charges(const std::vector<Value>& charges) { charges_.upload(charges.data()); }
  void apply() {
    solver_.apply(charges_.data(), 1, potential_.data(), static_cast<Value*>(nullptr), stream_.get());
    CURLEW_CUDA_CALL(cudaStreamSynchronize(stream_.get()));
  }
  std::vector<Value> potential() const { return potential_.to_host(); }

 private:
  static std::vector<int> first(int count) {
    std::vector<int> devices(static_cast<std::size_t>(count));
    std::iota(devices.begin(), devices.end(), 0);
    return devices;
  }
  ngim::SharedSolver<float> solver_;
  cuda::Buffer<Value> charges_, potential_;  // on the first device
  cuda::Stream stream_;
};

double l1_error(const Points& points, double diameter, const std::vector<Value>& charges,
                const std::vector<Value>& u) {
  std::vector<Offset> which;
  const auto n = Offset(points.size()), samples = std::min<Offset>(n, 100);
  for (Offset i = 0; i < samples; ++i) which.push_back(i * (n / samples));
  std::vector<Complex> exact(which.size()), q;
  for (const Value& c : charges) q.emplace_back(c.re, c.im);
  ngim::direct_sum(points, points, which, 2 * pi * diameter, q.data(), exact.data(), nullptr);
  double error = 0, total = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Value v = u[std::size_t(which[i])];
    error += std::abs(Complex(v.re, v.im) - exact[i]), total += std::abs(exact[i]);
  }
  return error / total;
}

/// `count` times what one device has: unit cubes side by side, whose boxes are those of one cube, or one
/// sphere with more points. @return the diameter grows by .second
std::pair<Points, double> points_for(const std::string& shape, Offset n, int count) {
  if (shape != "cube") return {make_points(shape, count * n), std::sqrt(count)};
  const Points one = make_points("cube", n);
  Points all;
  all.reserve(one.size() * std::size_t(count));
  for (int i = 0; i < count; ++i)
    for (const auto& p : one) all.push_back(p + Vec3<double>{double(i), 0, 0});
  return {std::move(all), 1};
}

struct Seconds {
  double set_up, sum, error, near;  ///< the last: pairs of a point that are summed directly
  double device_gib;                ///< of all devices together
};
Seconds run(const Points& points, double diameter, double tolerance, int gpus, const Options& options) {
  const auto given = make_charges(Offset(points.size()));
  std::vector<Value> charges;
  charges.reserve(points.size());
  for (const Complex& q : given) charges.push_back({float(q.real()), float(q.imag())});
  Timer timer;
  Shared shared(points, diameter, tolerance, gpus);
  const double set_up = timer.seconds();
  shared.set_charges(charges);
  const double sum = time_calls(options.repeat, [&] { shared.apply(); }).median;
  return {set_up, sum, l1_error(points, diameter, charges, shared.potential()),
          double(shared.near_pairs()) / double(points.size()), gib(shared.device_bytes())};
}

}  // namespace

void ngim_gpus(const Options& options, Report& report) {
  const int most = num_devices();
  struct Case {
    const char* shape;
    Offset n;
    double diameter, tolerance;
  };
  std::vector<Case> cases;
  if (options.case_name == "gpus 64 M high") {
    cases = {{"cube", 1 << 26, 20, 5e-2}};
  } else {
    cases = {{"cube", 1 << 24, 0.5, 5e-3},
             {"cube", 1 << 26, 0.5, 5e-3},
             {"cube", 13824000, 12, 5e-2},
             {"sphere", 5147185, 128, 1e-2}};
    if (device_info().total_memory > std::size_t(100) << 30) cases.push_back({"cube", 1 << 28, 0.5, 5e-3});
  }
  report.table("One sum on several devices, single precision: observers and boxes are divided",
               {"points", "diameter, wavelengths", "tolerance", "devices", "set-up s", "s",
                "strong efficiency", "L1 error", "near pairs per point", "device GiB"});
  std::vector<double> alone;  // seconds of each case on one device
  for (const Case& c : cases) {
    const Points points = make_points(c.shape, c.n);
    for (int gpus = 1; gpus <= most; gpus *= 2) {
      const Seconds s = run(points, c.diameter, c.tolerance, gpus, options);
      if (gpus == 1) alone.push_back(s.sum);
      report.row({fmt::format("{} {}", c.n, c.shape), c.diameter, c.tolerance, gpus, s.set_up, s.sum,
                  alone.back() / (gpus * s.sum), s.error, s.near, s.device_gib});
    }
  }
  report.table(
      "Several devices with as many points each as one device, at the same density: cubes side by side, "
      "larger spheres",
      {"points", "diameter of a body, wavelengths", "tolerance", "devices", "set-up s", "s",
       "weak efficiency", "L1 error", "near pairs per point", "device GiB"});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    for (int gpus = 2; gpus <= most; gpus *= 2) {
      const auto [points, growth] = points_for(c.shape, c.n, gpus);
      const Seconds s = run(points, growth * c.diameter, c.tolerance, gpus, options);
      report.row({fmt::format("{} {}", gpus * c.n, c.shape), growth * c.diameter, c.tolerance, gpus, s.set_up,
                  s.sum, alone[i] / s.sum, s.error, s.near, s.device_gib});
    }
  }
}

}  // namespace curlew::bench
