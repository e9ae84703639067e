// SPDX-License-Identifier: BSD-3-Clause
// Tables 19.1 to 19.7 of the chapter: near field and stages, by points in a box and level.

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "base/threads.hpp"
#include "bench/ngim_cases.hpp"
#include "curlew/build.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "ngim/device_solver.hpp"
#endif

namespace curlew::bench {
namespace {

constexpr int first_level = 3, last_level = 6;
constexpr int per_box[] = {16, 32, 64};

/// Points of which boxes of this level have so many on average. The limit is one that no box of the level
/// reaches and every box of the level above exceeds.
NgimProblem filled(int points, int level, double diameter, double tolerance) {
  return {"cube", Offset(points) << (3 * level), diameter, tolerance, true, std::max<Offset>(points * 3, 60)};
}

/// Milliseconds of the chapter, GTX 480 and a core of a Xeon X5248, by level and points in a box.
struct Printed {
  double gpu[4][3], cpu[4][3];
};
constexpr Printed near_field = {
    {{1.02, 2.22, 5.90}, {7.49, 17.4, 48.4}, {77.6, 145, 530}, {638, 1190, 4370}},
    {{211, 863, 3420}, {1970, 7840, 3.13e4}, {1.85e4, 6.75e4, 2.66e5}, {1.43e5, 5.66e5, 2.22e6}}};
constexpr Printed stage_1 = {
    {{0.133, 0.1, 0.133}, {0.631, 0.928, 1.66}, {3.99, 6.73, 12.4}, {29.9, 52.3, 97.8}},
    {{5.89, 15.5, 31.6}, {50.1, 121, 245}, {474, 1160, 2440}, {5490, 1.07e4, 2.14e4}}};
constexpr Printed stage_4 = {{{0.15, 0.15, 0.17}, {0.33, 0.33, 0.506}, {1.5, 1.5, 2.6}, {9.9, 10.1, 17.9}},
                             {{1.18, 1.99, 3.62}, {9.77, 16.8, 35.3}, {103, 184, 351}, {901, 1580, 2950}}};
/// By level only.
struct PrintedLevels {
  double gpu[4], cpu[4];
};
constexpr PrintedLevels stage_2 = {{0.133, 0.396, 1.77, 8.33}, {2.70, 27.4, 225, 1810}},
                        stage_3 = {{2.44, 23.2, 211, 1820}, {268, 3020, 2.95e4, 2.43e5}},
                        stage_3_finer = {{21.0, 232, 2180, 0}, {3230, 4.16e4, 3.38e5, 0}};

/// The same sum on the GPU, if there is one, and the CPU.
struct Pair {
  NgimRun gpu, cpu;
  int points, level;
};
Pair both(const NgimProblem& p, int points, int level, const Options& options) {
  Pair pair{{}, ngim_run(p, Device::cpu, 1), points, level};
  if (options.device == Device::cuda) pair.gpu = ngim_run(p, Device::cuda, 1);
  return pair;
}

void add_row(const Pair& pair, bool with_points, std::initializer_list<const char*> stages,
             double chapter_gpu, double chapter_cpu, Report& report) {
  const double cpu = pair.cpu.stage_ms(stages);
  nlohmann::json gpu = nullptr, ratio = nullptr;
  if (!pair.gpu.stages.empty()) gpu = pair.gpu.stage_ms(stages), ratio = cpu / pair.gpu.stage_ms(stages);
  report.row({with_points ? fmt::format("{}, {}", pair.points, pair.level) : std::to_string(pair.level), gpu,
              cpu, ratio, chapter_gpu, chapter_cpu, chapter_cpu / chapter_gpu});
}

// Names of the CPU's and the GPU's stages.
constexpr std::initializer_list<const char*> upward = {"grids to parents", "grids to parents, coarse levels"},
                                             across = {"grids to grids", "leaves of other levels",
                                                       "leaves of other levels: to grids",
                                                       "leaves of other levels: from grids",
                                                       "grids from parents"};

}  // namespace

void ngim_near(const Options& options, Report& report) {
#ifdef CURLEW_HAVE_CUDA
  if (options.device != Device::cuda) return;
  const Offset all = 264 * 1024;  // two blocks of 1024 targets on each of 132 multiprocessors
  const double ceiling = ngim::all_pairs_rate<float>(all, pi / 16),
               full = ngim::all_pairs_rate<float>(all, 20 * pi);
  report.table("Near field, D = lambda/2, single: pairs per second",
               {"points per box, level", "pairs/s", "share of all pairs", "ms"});
  report.row({"all pairs, phases below 0.5 rad", ceiling, 1.0, nullptr});
  report.row({"all pairs, any phase", full, full / ceiling, nullptr});
  for (int level = first_level; level <= last_level; ++level)
    for (const int points : per_box) {
      const NgimRun run = ngim_run(filled(points, level, 0.5, 5e-3), options.device, options.repeat);
      const double ms = run.stage_ms({"near field"}), rate = double(run.near_pairs) / (1e-3 * ms);
      report.row({fmt::format("{}, {}", points, run.levels), rate, rate / ceiling, ms});
    }
#else
  static_cast<void>(options), static_cast<void>(report);
#endif
}

void ngim_stages(const Options& options, Report& report) {
  const Offset most = Offset(1) << (options.device == Device::cuda ? 24 : 21);
  const int last =
      options.size > 0 ? int(std::clamp<long>(options.size, first_level, last_level)) : last_level;
  std::vector<Pair> runs, finer;
  for (int level = first_level; level <= last; ++level) {
    for (const int points : per_box)
      if (const auto p = filled(points, level, 0.5, 1e-3); p.n <= most)
        runs.push_back(both(p, points, level, options));
    if (level < last_level) finer.push_back(both(filled(64, level, 0.5, 2.5e-4), 64, level, options));
  }
  const auto start = [&](const char* title, const char* label) {
    report.table(title, {label, "GPU ms", "CPU ms", "CPU/GPU", "GTX 480 ms", "Xeon core ms", "Xeon/GTX 480"});
  };
  const auto by_points = [&](const char* title, const char* stage, const Printed& chapter) {
    start(title, "points per box, level");
    for (const Pair& p : runs) {
      const int column = p.points / 32;  // of 16, 32, 64
      add_row(p, true, {stage}, chapter.gpu[p.level - first_level][column],
              chapter.cpu[p.level - first_level][column], report);
    }
  };
  const auto by_level = [&](const char* title, const std::vector<Pair>& pairs,
                            std::initializer_list<const char*> stages, const PrintedLevels& chapter) {
    start(title, "level");
    for (const Pair& p : pairs)
      if (p.points == 64)
        add_row(p, false, stages, chapter.gpu[p.level - first_level], chapter.cpu[p.level - first_level],
                report);
  };
  by_points("Table 19.1: near field, D = lambda/2", "near field", near_field);
  by_points("Table 19.2: stage 1, error asked 1e-3", "charges to grids", stage_1);
  by_level("Table 19.3: stage 2, error asked 1e-3", runs, upward, stage_2);
  by_level("Table 19.5: stage 3, error asked 1e-3", runs, across, stage_3);
  by_level("Table 19.5: stage 3, error asked 2.5e-4", finer, across, stage_3_finer);
  by_points("Table 19.7: stage 4, error asked 1e-3", "grids to observers", stage_4);
  report.note(fmt::format("CPU: {} threads", num_threads()));
}

/// The chapter sets D = lambda (L - 2); at 4 wavelengths our boxes still have grids, not cones.
void ngim_high_stages(const Options& options, Report& report) {
  if (options.device != Device::cuda) return;
  const double up[] = {4.14e-1, 2.92, 35.9, 389}, over[] = {3.33, 47.9, 616, 6970},
               fine[] = {28.4, 439, 5330};
  report.table("Tables 19.4 and 19.6: stages 2 and 3 at D = lambda (L - 2), 64 points per box",
               {"L, tolerance", "stage 2 ms", "GTX 480 ms", "stage 3 ms", "GTX 480 ms", "L1 error"});
  for (const double tolerance : {5e-2, 1.5e-2}) {
    const bool is_coarse = tolerance > 2e-2;
    for (int level = first_level; level <= (is_coarse ? last_level : last_level - 1); ++level) {
      const NgimRun run =
          ngim_run(filled(64, level, double(level - 2), tolerance), options.device, options.repeat);
      const int row = level - first_level;
      report.row(
          {fmt::format("{}, {:g}", run.levels, tolerance),
           run.stage_ms({"grids to parents", "grids to parents, coarse levels", "cones"}),
           is_coarse ? nlohmann::json(up[row]) : nullptr,
           run.stage_ms({"grids to grids", "grids from parents", "cones to grids", "cones to observers"}),
           is_coarse ? over[row] : fine[row], run.error.l1});
    }
  }
}

}  // namespace curlew::bench
