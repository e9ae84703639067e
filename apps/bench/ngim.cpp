// SPDX-License-Identifier: BSD-3-Clause
// em-bench ngim: the tables of chapter 19 (Li, Chang and Lomakin) on this machine. The chapter's figures
// stand beside ours: GTX 480 or one Xeon core, near field of 5 x 5 x 5 boxes (ours: 3 x 3 x 3).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/constants.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/ngim_cases.hpp"
#include "curlew/build.hpp"
#include "ngim/direct_sum.hpp"
#include "ngim/plan.hpp"
#include "ngim/scheme.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ngim/device_solver.hpp"
#endif

namespace curlew::bench {

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

namespace {

using Points = std::vector<Vec3<double>>;

/// One run of the method: seconds of set-up and of one evaluation, measured error.
struct Run {
  double setup, seconds;
  ngim::MeasuredError error;
  std::vector<std::pair<std::string, double>> stages;  ///< milliseconds, GPU only
  Offset near_pairs = 0;
  int levels = 0;
  double tree_seconds = 0, copy_seconds = 0;  ///< of the set-up: tree and lists, points to the device
};

struct Problem {
  std::string shape;
  Offset n;
  double diameter;  ///< wavelengths
  double tolerance;
  bool single = true;
  Offset leaf_size = 0;
};

Run run_host(const Problem& p, const Options& options) {
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  ngim::Options o;
  o.tolerance = p.tolerance, o.leaf_size = p.leaf_size;
  o.precision = p.single ? ngim::Precision::single_precision : ngim::Precision::double_precision;
  Timer timer;
  const ngim::Plan plan(points, std::nullopt, 2 * pi * p.diameter, o);
  Run run{timer.seconds(), 0, {}, {}};
  std::vector<Complex> u(p.n);
  run.seconds =
      time_calls(std::min(options.repeat, 3), [&] { plan.apply(charges.data(), 1, u.data()); }).median;
  run.error = plan.measure_error(charges.data(), u.data(), 300);
  run.levels = int(plan.levels().size()) - 1;
  return run;
}

#ifdef CURLEW_HAVE_CUDA
template <class T>
Run run_device(const Problem& p, const Options& options) {
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  Timer timer;
  ngim::DeviceProblem problem(points, {}, true, 2 * pi * p.diameter, {p.tolerance, false}, p.single,
                              p.leaf_size);
  const ngim::DeviceSolver<T> solver(problem, false);
  Run run{timer.seconds(), 0, {}, {}};
  run.tree_seconds = problem.tree_seconds, run.copy_seconds = problem.copy_seconds;
  std::vector<complex<T>> q(p.n), u(p.n);
  for (Offset i = 0; i < p.n; ++i) q[i] = {T(charges[i].real()), T(charges[i].imag())};
  const cuda::Buffer<complex<T>> d_q(q);
  cuda::Buffer<complex<T>> d_u(u.size());
  run.seconds = time_calls(options.repeat, [&] {
                  solver.apply(d_q.data(), 1, d_u.data(), static_cast<complex<T>*>(nullptr));
                  CURLEW_CUDA_CALL(cudaDeviceSynchronize());
                }).median;
  d_u.download(u.data());
  run.stages = solver.time_stages(d_q.data());
  run.near_pairs = solver.near_pairs();
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

Run run_problem(const Problem& p, const Options& options) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda)
    return p.single ? run_device<float>(p, options) : run_device<double>(p, options);
#endif
  return run_host(p, options);
}

bool on_device(const Options& options) {
  return options.device == Device::cuda;
}

void near_field(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (!on_device(options)) return;
  const Offset all = 264 * 1024;  // two blocks of 1024 targets on each of 132 multiprocessors
  const double ceiling = ngim::all_pairs_rate<float>(all, pi / 16),
               full = ngim::all_pairs_rate<float>(all, 20 * pi);
  report.table("Table 19.1: near field, D = lambda/2, single",
               {"points per box, level", "pairs/s", "share of all pairs", "ms", "GTX 480 ms (125 boxes)"});
  report.row({"all pairs, phases below 0.5 rad", ceiling, 1.0, "-", "-"});
  report.row({"all pairs, any phase", full, full / ceiling, "-", "-"});
  struct Row {
    int per_box, level;
    double chapter;
  };
  for (const Row& row : {Row{16, 3, 1.02}, Row{32, 3, 2.22}, Row{64, 3, 5.90}, Row{16, 4, 7.49},
                         Row{32, 4, 17.4}, Row{64, 4, 48.4}, Row{16, 5, 77.6}, Row{32, 5, 145},
                         Row{64, 5, 530}, Row{16, 6, 638}, Row{32, 6, 1190}, Row{64, 6, 4370}}) {
    const Offset n = Offset(row.per_box) << (3 * row.level);
    // A limit that no box of the level reaches and every box of the level above exceeds.
    const Run run = run_problem({"cube", n, 0.5, 5e-3, true, std::max<Offset>(row.per_box * 3, 60)}, options);
    for (const auto& [name, ms] : run.stages) {
      if (name == "near field")
        report.row({fmt::format("{}, {}", row.per_box, run.levels), double(run.near_pairs) / (1e-3 * ms),
                    double(run.near_pairs) / (1e-3 * ms) / ceiling, ms, row.chapter});
    }
  }
#else
  static_cast<void>(options), static_cast<void>(report);
#endif
}

void stages(const Options& options, Report& report) {
  if (!on_device(options)) return;
  report.table(
      "Tables 19.2, 19.3, 19.5, 19.7: stages, D = lambda/2, tolerance 1e-3, 64 points per box, L = 5",
      {"stage", "ms", "GTX 480 ms"});
  const Run run = run_problem({"cube", Offset(64) << 15, 0.5, 1e-3, true, 190}, options);
  for (const auto& [name, ms] : run.stages) {
    nlohmann::json chapter = nullptr;
    if (name == "charges to grids") chapter = 12.4;
    if (name == "grids to parents") chapter = 1.77;
    if (name == "grids to grids") chapter = 211;
    if (name == "grids to observers") chapter = 2.60;
    if (name == "near field") chapter = 530;
    report.row({name, ms, chapter});
  }
  report.note(fmt::format("measured error L1 {:.1e}, L2 {:.1e}", run.error.l1, run.error.l2));
}

#ifdef CURLEW_HAVE_CUDA
/// Potentials and gradients of one and of four charge vectors, arrays on the device throughout, and where the
/// time goes.
void vectors_of(const Problem& p, const std::string& title, const Options& options, Report& report) {
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

/// What the integral equations ask for: several charge vectors at the same points.
void vectors(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (!on_device(options)) return;
  vectors_of({"cube", 1 << 20, 0.5, 1e-3},
             "1 M points in a cube, D = lambda/2, 1e-3, single: charge vectors together", options, report);
  vectors_of({"sphere", 930'000, 20.5, 1e-3},
             "930,000 points on a sphere of 20.5 wavelengths, 1e-3, single: charge vectors together", options,
             report);
#else
  static_cast<void>(options), static_cast<void>(report);
#endif
}

/// Sum of the stages of these names [ms].
double stage_sum(const Run& run, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const auto& [stage, ms] : run.stages) {
    for (const char* name : names) sum += stage == name ? ms : 0;
  }
  return sum;
}

/// The chapter sets D = lambda (L - 2); at 4 wavelengths our boxes still have grids, not cones.
void high_stages(const Options& options, Report& report) {
  if (!on_device(options)) return;
  const double up[] = {4.14e-1, 2.92, 35.9, 389}, across[] = {3.33, 47.9, 616, 6970},
               fine[] = {28.4, 439, 5330};
  report.table("Tables 19.4 and 19.6: stages 2 and 3 at D = lambda (L - 2), 64 points per box",
               {"L, tolerance", "stage 2 ms", "GTX 480 ms", "stage 3 ms", "GTX 480 ms", "L1 error"});
  for (const double tolerance : {5e-2, 1.5e-2}) {
    for (int level = 3; level <= (tolerance > 2e-2 ? 6 : 5); ++level) {
      const Run run =
          run_problem({"cube", Offset(64) << (3 * level), double(level - 2), tolerance, true, 190}, options);
      nlohmann::json chapter_up = nullptr;
      if (tolerance > 2e-2) chapter_up = up[level - 3];
      report.row({fmt::format("{}, {:g}", run.levels, tolerance),
                  stage_sum(run, {"grids to parents", "cones"}), chapter_up,
                  stage_sum(run, {"grids to grids", "grids from parents", "cones to observers"}),
                  tolerance > 2e-2 ? across[level - 3] : fine[level - 3], run.error.l1});
    }
  }
}

constexpr Offset most_beside = 1 << 20;  ///< points that the CPU takes beside a GPU

struct Reference {
  Problem problem;
  nlohmann::json gtx480, xeon;
};

void totals(const std::string& title, const std::vector<Reference>& rows, const Options& options,
            Report& report, Offset most) {
  report.table(title, {"N, D, tolerance", "L", "s", "s/N", "set-up s", "tree, lists s", "L1 error",
                       "L2 error", "CPU s", "CPU/GPU", "GTX 480 s", "Xeon core s"});
  double first_n = 0, first_s = 0, last_n = 0, last_s = 0;
  for (const Reference& r : rows) {
    if (r.problem.n > most) continue;
    const Run run = run_problem(r.problem, options);
    nlohmann::json cpu = nullptr, gain = nullptr;  // of all threads, beside a GPU
    if (on_device(options) && r.problem.n <= most_beside) {
      cpu = run_host(r.problem, options).seconds;
      gain = cpu.get<double>() / run.seconds;
    }
    report.row({fmt::format("{} {}, {:g}, {:g}{}", r.problem.n, r.problem.shape, r.problem.diameter,
                            r.problem.tolerance, r.problem.single ? "" : ", double"),
                run.levels, run.seconds, run.seconds / double(r.problem.n), run.setup, run.tree_seconds,
                run.error.l1, run.error.l2, cpu, gain, r.gtx480, r.xeon});
    if (first_n == 0 && r.problem.n >= 200000) first_n = double(r.problem.n), first_s = run.seconds;
    last_n = double(r.problem.n), last_s = run.seconds;
  }
  if (last_n > first_n && first_n > 0) {
    report.note(fmt::format(
        "from {:g} points on time grows as N^{:.3f}, or (N log N)^{:.3f}", first_n,
        std::log(last_s / first_s) / std::log(last_n / first_n),
        std::log(last_s / first_s) / std::log(last_n * std::log(last_n) / (first_n * std::log(first_n)))));
  }
}

/// Seconds of all pairs on the CPU, from as many observers as 3e8 pairs have.
double direct_seconds(const Problem& p, Offset& observers) {
  const Points points = make_points(p.shape, p.n);
  const auto charges = make_charges(p.n);
  observers = std::min<Offset>(p.n, std::max<Offset>(1, Offset(3e8) / p.n));
  std::vector<Offset> which(static_cast<std::size_t>(observers));
  for (Offset i = 0; i < observers; ++i) which[std::size_t(i)] = i * (p.n / observers);
  std::vector<Complex> u(which.size());
  const Timer timer;
  ngim::direct_sum(points, points, which, 2 * pi * p.diameter, charges.data(), u.data(), nullptr);
  return timer.seconds() * double(p.n) / double(observers);
}

/// The number of points at which all pairs take as long as fast sums, by a power law between two sizes.
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
  report.table(fmt::format("Figure 19.6: all pairs and fast sums, D = lambda/2, 5e-3, {}",
                           on_device(options) ? "GPU" : fmt::format("{} CPU threads", num_threads())),
               {"N", "all pairs s", "of N", "fast sums s", "all pairs/fast sums", "fast sums, CPU s"});
  BreakEven same, host;
  for (Offset n = 1 << 9; n <= Offset(1) << 22; n *= 2) {
    const Problem p{"cube", n, 0.5, 5e-3, true, 0};
    Offset observers = n;
    double direct = 0;
#ifdef CURLEW_HAVE_CUDA
    if (on_device(options)) direct = double(n) * double(n) / ngim::all_pairs_rate<float>(n, pi);
#endif
    if (!on_device(options)) direct = direct_seconds(p, observers);
    const double fast = run_problem(p, options).seconds, ratio = direct / fast;
    same.add(double(n), ratio);
    nlohmann::json beside = nullptr;
    if (on_device(options)) {
      beside = run_host(p, options).seconds;
      host.add(double(n), direct / beside.get<double>());
    }
    report.row({std::to_string(n), direct, double(observers) / double(n), fast, ratio, beside});
    if (!on_device(options) && n >= Offset(1) << 20) break;
  }
  report.note("direct and fast sums on the same device take equally long at " + same.text());
  if (on_device(options))
    report.note("the direct sum on the GPU and the fast sum on the CPU at " + host.text());
  report.note("in the chapter: 4000 points on its GPU, 4 M against the fast sum on the CPU");
  report.note(
      "where the fraction of N is below 1, this fraction of the observers is timed and the time "
      "extrapolated; the direct sum is in double precision on the CPU, in single on the GPU");
}

Problem cube(Offset n, double diameter, double tolerance, bool single = true) {
  return {"cube", n, diameter, tolerance, single, 0};
}

}  // namespace

void ngim(const Options& options, Report& report) {
  if (options.case_name.starts_with("errors")) return ngim_errors(options, report);
#ifdef CURLEW_HAVE_CUDA
  if (options.case_name.starts_with("gpus")) return ngim_gpus(options, report);
#endif
  const auto wanted = [&](const char* name) { return wants(options, name); };
  const Offset most = on_device(options) ? Offset(1) << 26 : Offset(1) << 20;
  if (wanted("near")) near_field(options, report);
  if (wanted("stages")) stages(options, report);
  if (wanted("high stages")) high_stages(options, report);
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
            {cube(1 << 20, 2, 6e-2), 0.37, nullptr},
            {cube(1 << 22, 2, 6e-2), 1.8, nullptr},
            {cube(1 << 23, 2, 6e-2), 3.1, nullptr}},
           options, report, most);
  }
  if (wanted("peers")) {
    totals("1 M points in a cube, single and double",
           {{cube(1000000, 0.5, 5e-3), nullptr, nullptr},
            {cube(1000000, 0.5, 1e-6, false), nullptr, nullptr},
            {cube(1000000, 8, 5e-3), nullptr, nullptr}},
           options, report, most);
  }
  report.note(
      "near field of 27 boxes (the chapter's times correspond to 125); seconds on the GPU without the "
      "transfer of charges and potentials");
}

}  // namespace curlew::bench
