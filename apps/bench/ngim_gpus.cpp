// SPDX-License-Identifier: BSD-3-Clause
// em-bench ngim --case gpus: one sum on 1, 2, ... devices of a machine, which share its observers. Charges
// start on the first device and potentials end there.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "base/constants.hpp"
#include "base/cuda_device.hpp"
#include "base/cuda_event.hpp"
#include "base/cuda_stream.hpp"
#include "bench/ngim_cases.hpp"
#include "ngim/device_solver.hpp"
#include "ngim/direct_sum.hpp"
#include "ngim/share.hpp"

namespace curlew::bench {
namespace {

using Points = std::vector<Vec3<double>>;
using Value = complex<float>;

/// What one device has.
struct Part {
  int device;
  std::vector<Offset> rows;
  std::unique_ptr<ngim::DeviceSolver<float>> solver;
  cuda::Buffer<Value> charges, potential;  ///< on this device
  cuda::Stream stream;
  cuda::Event done;

  Part(const Points& points, double diameter, double tolerance, ngim::Share share) : device(share.index) {
    const auto is_own = ngim::points_of_share(points, share);
    Points own;
    for (std::size_t i = 0; i < points.size() && !share.is_all(); ++i)
      if (is_own[i] != 0) own.push_back(points[i]), rows.push_back(Offset(i));
    ngim::DeviceProblem problem(points, own, share.is_all(), 2 * pi * diameter, {tolerance, false}, true, 0);
    solver = std::make_unique<ngim::DeviceSolver<float>>(problem, false);
    charges = cuda::Buffer<Value>(points.size());
    potential = cuda::Buffer<Value>(share.is_all() ? points.size() : own.size());
  }
};

/// One sum on several devices.
class Shared {
 public:
  Shared(const Points& points, double diameter, double tolerance, int gpus) : gathered_(points.size()) {
    std::vector<std::future<std::unique_ptr<Part>>> made;
    for (int d = 0; d < gpus; ++d)
      made.push_back(std::async(std::launch::async, [&, d] {
        const cuda::CurrentDevice current(d);
        return std::make_unique<Part>(points, diameter, tolerance, ngim::Share{d, gpus});
      }));
    for (auto& part : made) parts_.push_back(part.get());
    for (int d = 1; d < gpus; ++d) cuda::allow_direct_copies(0, d);
  }
  /// Summed directly, over all devices.
  Offset near_pairs() const {
    Offset sum = 0;
    for (const auto& part : parts_) sum += part->solver->near_pairs();
    return sum;
  }
  void set_charges(const std::vector<Value>& charges) { parts_[0]->charges.upload(charges.data()); }

  /// Charges to the other devices, sums, potentials back; waits.
  void apply() {
    std::size_t begin = 0;
    for (auto it = parts_.rbegin(); it != parts_.rend(); ++it) {  // the first device has nothing to copy
      Part& part = **it;
      const cuda::CurrentDevice current(part.device);
      const cudaStream_t stream = part.stream.get();
      if (part.device > 0)
        CURLEW_CUDA_CALL(cudaMemcpyPeerAsync(part.charges.data(), part.device, parts_[0]->charges.data(), 0,
                                             part.charges.bytes(), stream));
      part.solver->apply(part.charges.data(), 1, part.potential.data(), static_cast<Value*>(nullptr), stream);
      CURLEW_CUDA_CALL(cudaMemcpyPeerAsync(gathered_.data() + begin, 0, part.potential.data(), part.device,
                                           part.potential.bytes(), stream));
      part.done.after(stream);
      begin += part.potential.size();
    }
    for (const auto& part : parts_) part->done.wait();
  }

  /// In the order of the points.
  std::vector<Value> potential(std::size_t n) const {
    const auto all = gathered_.to_host();
    if (parts_.size() == 1) return all;
    std::vector<Value> out(n);
    std::size_t at = 0;
    for (auto it = parts_.rbegin(); it != parts_.rend(); ++it)
      for (const Offset row : (*it)->rows) out[std::size_t(row)] = all[at++];
    return out;
  }

 private:
  std::vector<std::unique_ptr<Part>> parts_;
  cuda::Buffer<Value> gathered_;
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
  return {set_up, sum, l1_error(points, diameter, charges, shared.potential(points.size())),
          double(shared.near_pairs()) / double(points.size())};
}

}  // namespace

void ngim_gpus(const Options& options, Report& report) {
  const int most = num_devices();
  struct Case {
    const char* shape;
    Offset n;
    double diameter, tolerance;
  };
  const Case cases[] = {{"cube", 1 << 24, 0.5, 5e-3},
                        {"cube", 1 << 26, 0.5, 5e-3},
                        {"cube", 13824000, 12, 5e-2},
                        {"sphere", 5147185, 128, 1e-2}};
  report.table("One sum on several devices, single precision: the observers are divided",
               {"points", "diameter, wavelengths", "tolerance", "devices", "set-up s", "s",
                "strong efficiency", "L1 error", "near pairs a point"});
  std::vector<double> alone;  // seconds of each case on one device
  for (const Case& c : cases) {
    const Points points = make_points(c.shape, c.n);
    for (int gpus = 1; gpus <= most; gpus *= 2) {
      const Seconds s = run(points, c.diameter, c.tolerance, gpus, options);
      if (gpus == 1) alone.push_back(s.sum);
      report.row({fmt::format("{} {}", c.n, c.shape), c.diameter, c.tolerance, gpus, s.set_up, s.sum,
                  alone.back() / (gpus * s.sum), s.error, s.near});
    }
  }
  report.table("As many points for each of several devices, as dense: cubes side by side, larger spheres",
               {"points", "diameter of a body, wavelengths", "tolerance", "devices", "set-up s", "s",
                "weak efficiency", "L1 error", "near pairs a point"});
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Case& c = cases[i];
    for (int gpus = 2; gpus <= most; gpus *= 2) {
      const auto [points, growth] = points_for(c.shape, c.n, gpus);
      const Seconds s = run(points, growth * c.diameter, c.tolerance, gpus, options);
      report.row({fmt::format("{} {}", gpus * c.n, c.shape), growth * c.diameter, c.tolerance, gpus, s.set_up,
                  s.sum, alone[i] / s.sum, s.error, s.near});
    }
  }
}

}  // namespace curlew::bench
