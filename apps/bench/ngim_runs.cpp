// SPDX-License-Identifier: BSD-3-Clause
// One sum of em-bench ngim on the CPU or a GPU, with its stages and its error.

#include <algorithm>
#include <cmath>
#include <random>

#include "base/bytes.hpp"
#include "base/constants.hpp"
#include "base/timer.hpp"
#include "bench/ngim_cases.hpp"
#include "curlew/build.hpp"
#include "ngim/direct_sum.hpp"
#include "ngim/scheme.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ngim/device_solver.hpp"
#endif

namespace curlew::bench {
namespace {

using Points = std::vector<Vec3<double>>;

NgimRun run_on_host(const NgimProblem& p, int repeat) {
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  ngim::Options o;
  o.tolerance = p.tolerance, o.leaf_size = p.leaf_size;
  o.precision = p.single ? ngim::Precision::single_precision : ngim::Precision::double_precision;
  Timer timer;
  const ngim::Plan plan(points, std::nullopt, 2 * pi * p.diameter, o);
  NgimRun run{timer.seconds(), 0, {}, {}};
  std::vector<Complex> u(static_cast<std::size_t>(p.n));
  run.seconds = time_calls(std::min(repeat, 3), [&] { plan.apply(charges.data(), 1, u.data()); }).median;
  const auto before = plan.stage_seconds();
  plan.apply(charges.data(), 1, u.data());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& [name, seconds] = plan.stage_seconds()[i];
    if (name != "set-up") run.stages.emplace_back(name, 1e3 * (seconds - before[i].second));
  }
  run.error = plan.measure_error(charges.data(), u.data(), 300);
  run.levels = int(plan.levels().size()) - 1;
  return run;
}

#ifdef CURLEW_HAVE_CUDA
template <class T>
NgimRun run_on_device(const NgimProblem& p, int repeat) {
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  Timer timer;
  ngim::DeviceProblem problem(points, {}, true, 2 * pi * p.diameter, {p.tolerance, false}, p.single,
                              p.leaf_size);
  const ngim::DeviceSolver<T> solver(problem, false);
  NgimRun run{timer.seconds(), 0, {}, {}};
  run.tree_seconds = problem.tree_seconds;
  std::vector<complex<T>> q(p.n), u(p.n);
  for (Offset i = 0; i < p.n; ++i) q[i] = {T(charges[i].real()), T(charges[i].imag())};
  cuda::Buffer<complex<T>> d_q(q), d_u(u.size());
  const auto evaluate = [&] {
    solver.apply(d_q.data(), 1, d_u.data(), static_cast<complex<T>*>(nullptr));
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
  };
  run.seconds = time_calls(repeat, evaluate).median;
  run.with_transfers = time_calls(repeat, [&] {
                         d_q.upload(q.data());
                         evaluate();
                         d_u.download(u.data());
                       }).median;
  run.stages = solver.time_stages(d_q.data());
  run.near_pairs = solver.near_pairs();
  run.device_gib = curlew::gib(solver.device_bytes());
  run.levels = problem.scheme.num_levels() - 1;
  std::vector<Offset> which;
  const Offset samples = std::min<Offset>(p.n, 200);
  for (Offset i = 0; i < samples; ++i) which.push_back(i * (p.n / samples));
  std::vector<Complex> exact(which.size());
  ngim::direct_sum(points, points, which, 2 * pi * p.diameter, charges.data(), exact.data(), nullptr);
  double e1 = 0, t1 = 0, e2 = 0, t2 = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Complex d = Complex(u[which[i]].re, u[which[i]].im) - exact[i];
    e1 += std::abs(d), t1 += std::abs(exact[i]), e2 += std::norm(d), t2 += std::norm(exact[i]);
  }
  run.error = {e1 / t1, std::sqrt(e2 / t2), Index(samples)};
  return run;
}
#endif

}  // namespace

std::vector<Vec3<double>> make_points(const std::string& shape, Offset n) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(0, 1);
  std::normal_distribution<double> normal;
  std::vector<Vec3<double>> points(n);
  for (Offset i = 0; i < n; ++i) {
    if (shape == "sphere")
      points[i] = 0.5 * normalized(Vec3<double>{normal(random), normal(random), normal(random)});
    else if (shape == "inverse T")
      points[i] =
          i % 2 ? Vec3<double>{u(random), u(random) * 0.3, 0} : Vec3<double>{0.5, u(random) * 0.3, u(random)};
    else
      points[i] = {u(random), u(random), u(random)};
  }
  return points;
}

std::vector<Complex> make_charges(Offset n) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  std::vector<Complex> charges(n);
  for (Complex& q : charges) q = {u(random), u(random)};
  return charges;
}

double NgimRun::stage_ms(std::initializer_list<const char*> names) const {
  double sum = 0;
  for (const auto& [stage, ms] : stages)
    for (const char* name : names) sum += stage == name ? ms : 0;
  return sum;
}

NgimRun ngim_run(const NgimProblem& p, Device device, int repeat) {
#ifdef CURLEW_HAVE_CUDA
  if (device == Device::cuda)
    return p.single ? run_on_device<float>(p, repeat) : run_on_device<double>(p, repeat);
#endif
  static_cast<void>(device);
  return run_on_host(p, repeat);
}

}  // namespace curlew::bench
