// SPDX-License-Identifier: BSD-3-Clause
// em-bench ngim: the tables of chapter 19 (Li, Chang and Lomakin) on this machine. The chapter's figures are
// printed next to ours: GTX 480 or one Xeon core, near field of 5 x 5 x 5 boxes (ours: 3 x 3 x 3).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/bytes.hpp"
#include "base/constants.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/ngim_cases.hpp"
#include "curlew/build.hpp"
#include "ngim/direct_sum.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ngim/device_solver.hpp"
#endif

namespace curlew::bench {
namespace {

using Points = std::vector<Vec3<double>>;

bool on_device(const Options& options) {
  return options.device == Device::cuda;
}

#ifdef CURLEW_HAVE_CUDA
/// Potentials and gradients of one and of four charge vectors, arrays on the device throughout, and where the
/// time goes.
void vectors_of(const NgimProblem& p, const std::string& title, const Options& options, Report& report) {
  const Points points = make_points(p.shape, p.n);
  ngim::DeviceProblem problem(points, {}, true, 2 * pi * p.diameter, {p.tolerance, true}, true, p.leaf_size);
  const ngim::DeviceSolver<float> solver(problem, true);
  const auto n = std::size_t(p.n);
  std::vector<complex<float>> q(4 * n);
  const auto charges = make_charges(4 * p.n);
  for (std::size_t i = 0; i < 4 * n; ++i) q[i] = {float(charges[i].real()), float(charges[i].imag())};
  const cuda::Buffer<complex<float>> d_q(q);
  cuda::Buffer<complex<float>> u(4 * n), slopes(12 * n);
  report.table(title, {"fields", "1 vector ms", "4 vectors ms", "ratio"});
  for (const bool gradient : {false, true}) {
    const auto milliseconds = [&](Index count) {
      return 1e3 * time_calls(options.repeat, [&] {
                     solver.apply(d_q.data(), count, u.data(), gradient ? slopes.data() : nullptr);
                     CURLEW_CUDA_CALL(cudaDeviceSynchronize());
                   }).median;
    };
    const double one = milliseconds(1), four = milliseconds(4);
    report.row({gradient ? "potential, gradient" : "potential", one, four, four / one});
    const auto stages_one = solver.time_stages(d_q.data(), 1, gradient),
               stages_four = solver.time_stages(d_q.data(), 4, gradient);
    for (std::size_t i = 0; i < stages_one.size(); ++i)
      report.row({"  " + stages_one[i].first, stages_one[i].second, stages_four[i].second,
                  stages_four[i].second / stages_one[i].second});
  }
}
#endif

/// The sums of the integral equations: several charge vectors at the same points.
void vectors(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (!on_device(options)) return;
  vectors_of({"cube", 1 << 20, 0.5, 1e-3},
             "1 M points in a cube, D = lambda/2, 1e-3, single: several charge vectors at once", options,
             report);
  vectors_of({"sphere", 930'000, 20.5, 1e-3},
             "930,000 points on a sphere of 20.5 wavelengths, 1e-3, single: several charge vectors at once",
             options, report);
#else
  static_cast<void>(options), static_cast<void>(report);
#endif
}

/// Points that the CPU takes beside a GPU, in rows of the chapter and in others.
constexpr Offset most_of_chapter = 1 << 23, most_of_others = 1 << 20;

struct Reference {
  NgimProblem problem;
  nlohmann::json gtx480, xeon;
};

void totals(const std::string& title, const std::vector<Reference>& rows, const Options& options,
            Report& report, Offset most) {
  report.table(title, {"N, D, tolerance", "L", "s", "with transfers s", "s/N", "set-up s", "tree, lists s",
                       "L1 error", "L2 error", "device GiB", "CPU s", "CPU/GPU", "GTX 480 s", "Xeon core s"});
  double first_n = 0, first_s = 0, last_n = 0, last_s = 0;
  for (const Reference& r : rows) {
    if (r.problem.n > most) continue;
    const NgimRun run = ngim_run(r.problem, options.device, options.repeat);
    nlohmann::json cpu = nullptr, gain = nullptr, whole = nullptr, gib = nullptr;
    if (on_device(options)) whole = run.with_transfers, gib = run.device_gib;
    const Offset most_beside = r.gtx480.is_null() ? most_of_others : most_of_chapter;
    if (on_device(options) && r.problem.n <= most_beside) {  // all threads, beside a GPU
      cpu = ngim_run(r.problem, Device::cpu, 1).seconds;
      gain = cpu.get<double>() / run.with_transfers;
    }
    report.row({fmt::format("{} {}, {:g}, {:g}{}", r.problem.n, r.problem.shape, r.problem.diameter,
                            r.problem.tolerance, r.problem.single ? "" : ", double"),
                run.levels, run.seconds, whole, run.seconds / double(r.problem.n), run.setup,
                run.tree_seconds, run.error.l1, run.error.l2, gib, cpu, gain, r.gtx480, r.xeon});
    if (first_n == 0 && r.problem.n >= 200000) first_n = double(r.problem.n), first_s = run.seconds;
    last_n = double(r.problem.n), last_s = run.seconds;
  }
  if (last_n > first_n && first_n > 0) {
    report.note(fmt::format(
        "from {:g} points on time grows as N^{:.3f}, or (N log N)^{:.3f}", first_n,
        std::log(last_s / first_s) / std::log(last_n / first_n),
        std::log(last_s / first_s) / std::log(last_n * std::log(last_n) / (first_n * std::log(first_n)))));
  }
  if (on_device(options))
    report.note(fmt::format("CPU: {} threads; CPU/GPU with transfers, which the chapter's times include",
                            num_threads()));
}

/// Section 19.5.2. The peak memory of this process is that of the sum, since no other case runs in it.
void memory(const Options& options, Report& report) {
  report.table("Section 19.5.2: memory, D = lambda/2, 5e-3, single [GiB]",
               {"N", "CPU", "device", "chapter, CPU GB", "chapter, GPU GB"});
  const std::tuple<Offset, nlohmann::json, nlohmann::json> rows[] = {{8388632, 18.1, "a fiftieth of the CPU"},
                                                                     {28000000, nullptr, 1.5}};
  for (const auto& [n, cpu, gpu] : rows) {
    if (on_device(options)) {
      const double device = ngim_run(cube(n, 0.5, 5e-3), Device::cuda, 1).device_gib;
      report.row({std::to_string(n), nullptr, device, cpu, gpu});
    } else if (!cpu.is_null()) {
      ngim_run(cube(n, 0.5, 5e-3), Device::cpu, 1);
      report.row({std::to_string(n), gib(peak_memory()), nullptr, cpu, gpu});
    }
  }
  report.note("CPU (--device cpu): the whole process with points and charges");
}

/// Seconds of all pairs on the CPU, and the share of the observers that were summed within the limit.
struct DirectSum {
  double seconds = 0, share = 0;
};
DirectSum direct_sum_on_host(const NgimProblem& p) {
  constexpr Offset whole = 1 << 18;  // of larger sums a few seconds are enough
  const double limit = p.n <= whole ? 60 : 2;
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  // A part has as many observers as 3e8 pairs, spread over all.
  const Offset parts = std::max<Offset>(1, p.n * p.n / Offset(3e8));
  std::vector<Offset> which;
  std::vector<Complex> u(static_cast<std::size_t>(p.n));
  Offset done = 0;
  const Timer timer;
  for (Offset part = 0; part < parts && (part == 0 || timer.seconds() < limit); ++part) {
    which.clear();
    for (Offset i = part; i < p.n; i += parts) which.push_back(i);
    ngim::direct_sum(points, points, which, 2 * pi * p.diameter, charges.data(), u.data(), nullptr);
    done += Offset(which.size());
  }
  const double share = double(done) / double(p.n);
  return {timer.seconds() / share, share};
}

/// The number of points at which two methods take equally long, by a power law between two sizes.
struct BreakEven {
  double n = 0, last_n = 0, last_ratio = 1;
  double first = 0;  ///< the least size, if fast sums are faster there
  void add(double points, double ratio) {
    if (last_n == 0 && ratio >= 1) first = points;
    if (n == 0 && last_n > 0 && last_ratio < 1 && ratio >= 1)
      n = last_n * std::pow(points / last_n, std::log(last_ratio) / std::log(last_ratio / ratio));
    last_n = points, last_ratio = ratio;
  }
  std::string text() const {
    if (first > 0) return fmt::format("fewer than {:.0f} points", first);
    return n > 0 ? fmt::format("{:.0f} points", n) : "none of these sizes";
  }
};

/// Figure 19.6: all pairs beside the fast sums, D = lambda/2, and where they take as long.
void direct_sums(const Options& options, Report& report) {
  report.table(
      fmt::format("Figure 19.6: all pairs and fast sums, D = lambda/2, 5e-3, {} CPU threads", num_threads()),
      {"N", "all pairs, GPU s", "fast, GPU s", "ratio", "all pairs, CPU s", "of N", "fast, CPU s", "ratio"});
  BreakEven gpu, cpu, mixed;
  const Offset most = Offset(1) << (on_device(options) ? 22 : 20);
  for (Offset n = 1 << 9; n <= most; n *= 2) {
    const NgimProblem p = cube(n, 0.5, 5e-3);
    const DirectSum direct = direct_sum_on_host(p);
    const double fast = ngim_run(p, Device::cpu, 1).seconds;
    cpu.add(double(n), direct.seconds / fast);
    nlohmann::json pairs = nullptr, fast_gpu = nullptr, ratio = nullptr;
#ifdef CURLEW_HAVE_CUDA
    if (on_device(options)) {
      const double all = double(n) * double(n) / ngim::all_pairs_rate<float>(n, pi),
                   there = ngim_run(p, Device::cuda, options.repeat).seconds;
      gpu.add(double(n), all / there), mixed.add(double(n), all / fast);
      pairs = all, fast_gpu = there, ratio = all / there;
    }
#endif
    report.row({std::to_string(n), pairs, fast_gpu, ratio, direct.seconds, direct.share, fast,
                direct.seconds / fast});
  }
  report.note("direct and fast sums on the CPU take equally long at " + cpu.text());
  if (on_device(options)) {
    report.note("on the GPU at " + gpu.text());
    report.note("the direct sum on the GPU and the fast sum on the CPU at " + mixed.text());
  }
  report.note("in the chapter: 4000 points on its GPU, 4 M against the fast sum on the CPU");
  report.note(
      "where the share of N is below 1, the direct sum on the CPU is extrapolated from as many observers; it "
      "is in double precision, on the GPU in single; without transfers");
}

}  // namespace

void ngim(const Options& options, Report& report) {
  if (options.case_name.starts_with("errors")) return ngim_errors(options, report);
#ifdef CURLEW_HAVE_CUDA
  if (options.case_name.starts_with("gpus")) return ngim_gpus(options, report);
#endif
  const auto wanted = [&](const char* name) { return wants(options, name); };
  const Offset most = on_device(options) ? Offset(1) << 26 : Offset(1) << 20;
  if (wanted("near")) ngim_near(options, report);
  if (wanted("stages")) ngim_stages(options, report);
  if (wanted("high stages")) ngim_high_stages(options, report);
  if (options.case_name == "memory") memory(options, report);
  if (wanted("vectors")) vectors(options, report);
  if (wanted("low")) {
    totals("Table 19.8: D = lambda/2, L1 error at most 5e-3",
           {{cube(1 << 14, 0.5, 5e-3), 5.19e-3, 1.15},
            {cube(1 << 16, 0.5, 5e-3), 3.09e-2, 4.84},
            {cube(1 << 18, 0.5, 5e-3), 7.49e-2, 26.9},
            {cube(1 << 20, 0.5, 5e-3), 0.369, 96.6},
            {cube(1 << 22, 0.5, 5e-3), 2.33, 367},
            {cube(1 << 24, 0.5, 5e-3), 6.36, 2490}},
           options, report, most);
  }
  if (options.case_name == "largest")
    totals("Tables 19.8 and 19.12, 64 M; the same density at 20 wavelengths; 256 M",
           {{cube(1 << 26, 0.5, 5e-3), "84.9 (C1060)", nullptr},
            {cube(1 << 26, 2, 6e-2), "80 (C1060)", nullptr},
            {cube(1 << 26, 20, 5e-2), nullptr, nullptr},
            {cube(1 << 28, 0.5, 5e-3), nullptr, nullptr}},
           options, report, Offset(1) << 28);
  if (options.case_name == "direct") direct_sums(options, report);
  if (wanted("accuracy")) {
    totals("Table 19.9: D = lambda/2, error asked",
           {{cube(1 << 20, 0.5, 2e-2), 0.369, 52.9},
            {cube(1 << 20, 0.5, 5e-3), 0.369, 96.6},
            {cube(1 << 20, 0.5, 1e-3), 1.02, 343},
            {cube(1 << 23, 0.5, 2e-2), 3.11, 446},
            {cube(1 << 23, 0.5, 5e-3), 3.11, 814},
            {cube(1 << 23, 0.5, 1e-3), 8.87, nullptr},
            {cube(1 << 20, 0.5, 1e-4, false), nullptr, nullptr},
            {cube(1 << 20, 0.5, 1e-6, false), nullptr, nullptr}},
           options, report, most);
  }
  if (wanted("surface")) {
    std::vector<Reference> rows;
    const double gtx[] = {2.22e-3, 6.33e-3, 2.16e-2, 0.112}, xeon[] = {0.435, 2.03, 8.34, 44.1};
    for (int i = 0; i < 4; ++i)
      rows.push_back({{"inverse T", Offset(8192) << (2 * i), 0.5, 5e-3, true, 0}, gtx[i], xeon[i]});
    totals("Table 19.10: surface, D = lambda/2, 5e-3", rows, options, report, most);
  }
  if (wanted("high")) {
    totals("Table 19.11: 20 points per wavelength, 5e-2",
           {{cube(8000, 1, 5e-2), 5.0e-3, nullptr},
            {cube(64000, 2, 5e-2), 2.8e-2, nullptr},
            {cube(216000, 3, 5e-2), 0.2, nullptr},
            {cube(512000, 4, 5e-2), 0.41, nullptr},
            {cube(1000000, 5, 5e-2), 0.96, nullptr},
            {cube(4096000, 8, 5e-2), 4.9, nullptr},
            {cube(8000000, 10, 5e-2), 10.0, nullptr},
            {cube(13824000, 12, 5e-2), 21.0, nullptr}},
           options, report, most);
  }
  if (wanted("sphere")) {
    std::vector<Reference> rows;
    for (const double d : {4.0, 8.0, 16.0, 32.0, 64.0, 128.0})
      rows.push_back({{"sphere", Offset(100 * pi * d * d), d, 1e-2, true, 0}, nullptr, nullptr});
    totals("Spheres of 4 to 128 wavelengths, 10 points per wavelength, 1e-2", rows, options, report, most);
  }
  if (wanted("mixed")) {
    totals("Table 19.12: D = 2 lambda, 6e-2",
           {{cube(1 << 16, 2, 6e-2), 2.6e-2, nullptr},
            {cube(1 << 18, 2, 6e-2), 9.2e-2, nullptr},
            {cube(1 << 19, 2, 6e-2), 0.21, nullptr},
            {cube(1 << 20, 2, 6e-2), 0.37, nullptr},
            {cube(1 << 22, 2, 6e-2), 1.8, nullptr},
            {cube(1 << 23, 2, 6e-2), 3.1, nullptr},
            {cube(1 << 25, 2, 6e-2), "12 (C1060)", nullptr}},
           options, report, most);
  }
  if (wanted("peers")) {
    totals("1 M points in a cube, single and double",
           {{cube(1000000, 0.5, 5e-3), nullptr, nullptr},
            {cube(1000000, 0.5, 1e-6, false), nullptr, nullptr},
            {cube(1000000, 8, 5e-3), nullptr, nullptr}},
           options, report, most);
  }
  report.note("near field of 27 boxes (the chapter's times correspond to 125)");
}

}  // namespace curlew::bench
