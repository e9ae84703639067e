// SPDX-License-Identifier: BSD-3-Clause
// em-bench truncation --case ngim: the radiation operator by NGIM against all pairs, as the points grow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/truncation_cases.hpp"
#include "curlew/build.hpp"
#include "truncation/ngim_radiation.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#endif

namespace curlew::bench {
namespace {

struct Case {
  Offset n;         ///< points on each surface
  double diameter;  ///< wavelengths, of S'
  double tolerance;
  Offset leaf = 0;  ///< points of a leaf; 0: the plan's choice
};

/// Seconds of the plan alone, currents and fields on the device; 0 on the CPU.
double device_seconds(const truncation::NgimRadiation& radiation, int repeat) {
#ifdef CURLEW_HAVE_CUDA
  if (radiation.plan().device() != Device::cuda) return 0;
  const auto n = std::size_t(radiation.num_sources()), m = std::size_t(radiation.num_observers());
  const cuda::Buffer<complex<double>> currents(std::vector<complex<double>>(6 * n, {0.6, -0.3}));
  cuda::Buffer<complex<double>> fields(6 * m);
  return time_calls(repeat,
                    [&] {
                      radiation.plan().apply_on_device(currents.data(), 6, fields.data());
                      CURLEW_CUDA_CALL(cudaDeviceSynchronize());
                    })
      .median;
#else
  static_cast<void>(radiation), static_cast<void>(repeat);
  return 0;
#endif
}

/// Seconds of all pairs: on the GPU the kernels', on the CPU of a share of the observers, scaled up.
double all_pairs_seconds(const RadiationProblem& p, const fields::Exterior& medium, Device device) {
  const std::size_t m = p.observers.size(), some = device == Device::cuda ? m : std::min<std::size_t>(m, 512);
  const fields::RadiationOperator all(p.sources, std::span(p.observers).first(some), medium, device);
  const double whole = time_calls(1, [&] { all.apply(p.currents); }).median;
  return device == Device::cuda ? all.kernel_seconds() : whole * double(m) / double(some);
}

/// Milliseconds of the stages, one after the other; on the CPU of all evaluations so far.
std::string stages_of(const ngim::Plan& plan) {
  std::string text;
  const bool on_device = plan.device() == Device::cuda;
  for (const auto& [name, time] : on_device ? plan.time_device_stages(6) : plan.stage_seconds())
    text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", name, on_device ? time : 1e3 * time);
  return text;
}

/// Kind of arithmetic, then levels with boxes, order and rank.
std::string grids_of(const ngim::Plan& plan) {
  std::string text = plan.single_precision() ? "single" : "double";
  for (const auto& l : plan.levels())
    if (l.order > 0)
      text += l.high_frequency ? fmt::format("; {}: {} boxes, cones", l.level, l.boxes)
                               : fmt::format("; {}: {} boxes, q {}, r {}", l.level, l.boxes, l.order, l.rank);
  return text;
}

}  // namespace

double error_of(const RadiationProblem& p, const fields::Exterior& medium, const fields::NearFields& fast) {
  constexpr std::size_t samples = 100;
  const std::size_t m = p.observers.size();
  std::vector<Vec3<double>> some;
  for (std::size_t i = 0; i < samples; ++i) some.push_back(p.observers[i * m / samples]);
  const auto exact = fields::radiate(p.sources, p.currents, some, medium);
  double error = 0, size = 0;
  for (std::size_t c = 0; c < std::size_t(fast.count); ++c)
    for (std::size_t i = 0; i < samples; ++i)
      for (int x = 0; x < 3; ++x) {
        const Complex e = exact.e[c * samples + i][x];
        error = std::max(error, std::abs(e - fast.e[c * m + i * m / samples][x]));
        size = std::max(size, std::abs(e));
      }
  return error / size;
}

void truncation_ngim(const Options& options, Report& report) {
  report.table("Radiation of S' on S by NGIM, one right-hand side",
               {"points on each, D, asked", "NGIM s", "on the device s", "set-up s", "all pairs s", "ratio",
                "error / largest |E|"});
  const Offset most_pairs = options.device == Device::cuda ? 270000 : 70000;
  const Offset most = options.device == Device::cuda ? 1 << 20 : 70000;
  for (const Case& c :
       {Case{1 << 14, 4, 1e-4}, Case{1 << 15, 4, 1e-4}, Case{1 << 16, 2, 1e-4}, Case{1 << 16, 8, 1e-4},
        Case{1 << 18, 8, 1e-4}, Case{1 << 20, 8, 1e-4}, Case{1 << 20, 2, 1e-4}, Case{1 << 20, 16, 1e-4},
        Case{1 << 20, 32, 1e-4}, Case{1 << 20, 16, 1e-3}}) {
    if (c.n > most) continue;
    const RadiationProblem p = radiation_problem(c.n, c.n, 1);
    const fields::Exterior medium{pi * c.diameter};
    const Timer setting_up;
    const truncation::NgimRadiation radiation(p.sources, p.observers, medium, c.tolerance, options.device,
                                              c.leaf);
    const double setup = setting_up.seconds();
    fields::NearFields result;
    const double seconds =
        time_calls(std::min(options.repeat, 3), [&] { result = radiation.apply(p.currents); }).median;
    const double device = device_seconds(radiation, options.repeat);
    nlohmann::json pairs = "-", ratio = "-";
    if (c.n <= most_pairs) {
      const double all = all_pairs_seconds(p, medium, options.device);
      pairs = all, ratio = all / (device > 0 ? device : seconds);
    }
    report.row({fmt::format("{}, {:g}, {:g}", c.n, c.diameter, c.tolerance), seconds, device, setup, pairs,
                ratio, error_of(p, medium, result)});
    report.note(grids_of(radiation.plan()));
    report.note("stages, ms: " + stages_of(radiation.plan()));
  }
  report.note("spheres of radius 1 and 1.1, random currents; set-up holds one or more trial evaluations");
}

}  // namespace curlew::bench
