// SPDX-License-Identifier: BSD-3-Clause
// The radiation operator of the FE-IIEE paper's tables 2 and 3 (Badia et al., 2020, IEEE Access 8), all pairs
// in double precision. The paper does not say how many points a triangle has; six by six fit its times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/threads.hpp"
#include "bench/truncation_cases.hpp"

namespace curlew::bench {
namespace {

constexpr int points_per_triangle = 6;
// Least number of vector instructions in double precision for a pair: its matrix K once, and a right-hand
// side by vector instructions (fields/radiation_vector.cu) or by the tensor cores, which are twice as fast
// (radiation_tensor.cu).
constexpr double pair_instructions = 68, column_instructions = 72, tensor_instructions = 36;

double instructions_of_a_pair(Index columns) {
  return pair_instructions + (columns == 1 ? column_instructions : tensor_instructions * columns);
}

struct Case {
  const char* name;
  Offset outer, inner;  ///< triangles
  Index columns;
  bool on_host;
};
constexpr Case cases[] = {{"antenna", 78640, 946, 1, true}, {"rcs", 32576, 300, 1, true},
                          {"rcs-2", 32576, 300, 2, false},  {"rcs-4", 32576, 300, 4, false},
                          {"rcs-8", 32576, 300, 8, false},  {"rcs-10", 32576, 300, 10, true},
                          {"rcs-16", 32576, 300, 16, false}};

/// Points spread evenly over a sphere (a Fibonacci spiral).
std::vector<Vec3<double>> sphere_points(Offset n, double radius) {
  std::vector<Vec3<double>> points;
  for (Offset i = 0; i < n; ++i) {
    const double z = 1 - (2 * double(i) + 1) / double(n), s = std::sqrt(1 - z * z);
    const double phi = pi * (1 + std::sqrt(5.0)) * double(i);
    points.push_back({radius * s * std::cos(phi), radius * s * std::sin(phi), radius * z});
  }
  return points;
}

void run_host(const Case& c, int repeat, Report& report) {
  // A share of the observers is enough: the time is proportional to them.
  const Offset observers = c.outer * points_per_triangle / 16;
  const RadiationProblem p = radiation_problem(c.inner * points_per_triangle, observers, c.columns);
  const fields::RadiationOperator radiation(p.sources, p.observers, {2 * pi});
  const int threads = num_threads();
  for (const int n : {1, threads}) {
    set_num_threads(n);
    const double seconds = time_calls(std::min(repeat, 2), [&] { radiation.apply(p.currents); }).median;
    const double pairs = double(observers) * double(p.sources.size());
    report.row({fmt::format("{}, CPU, {} threads", c.name, n), observers, p.sources.size(), c.columns,
                seconds, pairs / seconds * 1e-9, "", ""});
    if (threads == 1) break;
  }
  set_num_threads(threads);
}

void run_device(const Case& c, fields::PairPrecision precision, int repeat, Report& report) {
  const bool exact = precision == fields::PairPrecision::exact;
  const std::string name = fmt::format("{}{}", c.name, exact ? "" : ", mixed precision");
  const Offset observers = c.outer * points_per_triangle;
  const RadiationProblem p = radiation_problem(c.inner * points_per_triangle, observers, c.columns);
  const fields::RadiationOperator radiation(p.sources, p.observers, {2 * pi}, Device::cuda, precision);
  std::vector<double> kernel;
  fields::NearFields result;
  const double whole = time_calls(repeat, [&] {
                         radiation.apply(p.currents, result);
                         kernel.push_back(radiation.kernel_seconds());
                       }).median;
  std::sort(kernel.begin(), kernel.end());
  const double seconds = kernel[kernel.size() / 2];
  const double pairs = double(observers) * double(p.sources.size());
  const double instructions = pairs * instructions_of_a_pair(c.columns);
  const double limit = device_info().multiprocessors * 64 * 1.98e9;
  const nlohmann::json share = exact ? nlohmann::json(instructions / seconds / limit) : nlohmann::json("");
  report.row({fmt::format("{}, GPU kernels", name), observers, p.sources.size(), c.columns, seconds,
              pairs / seconds * 1e-9, share, error_of(p, {2 * pi}, result)});
  report.row({fmt::format("{}, GPU with transfers", name), observers, p.sources.size(), c.columns, whole,
              pairs / whole * 1e-9, "", ""});
}

}  // namespace

RadiationProblem radiation_problem(Offset sources, Offset observers, Index columns) {
  RadiationProblem p;
  p.sources.position = sphere_points(sources, 1.0);
  p.sources.normal = p.sources.position;
  p.sources.weight.assign(p.sources.position.size(), 4 * pi / double(p.sources.position.size()));
  p.currents = fields::SurfaceCurrents(columns, p.sources.size());
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (auto* field : {&p.currents.electric, &p.currents.magnetic})
    for (auto& v : *field)
      for (int x = 0; x < 3; ++x) v[x] = {u(random), u(random)};
  p.observers = sphere_points(observers, 1.1);
  return p;
}

namespace {

/// Every row of the paper's tables 2 and 3 with its seconds on one core.
void paper_tables(const Options& options, Report& report) {
  struct Row {
    Offset outer, inner;  ///< triangles
    Index columns;
    double paper;  ///< [s]
  };
  constexpr Row rows[] = {
      {3024, 946, 1, 10.45},   {5536, 946, 1, 19.26},   {12516, 946, 1, 43.36},  {22284, 946, 1, 76.49},
      {50060, 946, 1, 162.77}, {78640, 946, 1, 255.98}, {1572, 300, 1, 1.66},    {3432, 300, 1, 3.61},
      {8012, 300, 1, 8.41},    {14696, 300, 1, 15.43},  {32576, 300, 1, 34.26},  {1572, 300, 10, 9.63},
      {3432, 300, 10, 21.08},  {8012, 300, 10, 49.14},  {14696, 300, 10, 90.19}, {32576, 300, 10, 200.12}};
  const bool on_device = options.device == Device::cuda;
  report.table("Tables 2 and 3 of the paper, every row: all pairs, double precision",
               {"triangles on S and S', right-hand sides", "seconds", "CPU s", "CPU/GPU", "paper, one core s",
                "ratio"});
  for (const Row& row : rows) {
    const Offset observers = row.outer * points_per_triangle;
    const auto seconds_on = [&](Device device) {
      // The time of the CPU is proportional to the observers: a sixteenth of them is enough.
      const Offset part = device == Device::cuda ? observers : observers / 16;
      const RadiationProblem p = radiation_problem(row.inner * points_per_triangle, part, row.columns);
      const fields::RadiationOperator radiation(p.sources, p.observers, {2 * pi}, device);
      fields::NearFields result;
      return time_calls(std::min(options.repeat, 3), [&] { radiation.apply(p.currents, result); }).median *
             double(observers) / double(part);
    };
    const double seconds = seconds_on(options.device);
    nlohmann::json cpu = nullptr, ratio = nullptr;
    if (on_device) cpu = seconds_on(Device::cpu), ratio = cpu.get<double>() / seconds;
    report.row({fmt::format("{} x {}, {}", row.outer, row.inner, row.columns), seconds, cpu, ratio, row.paper,
                row.paper / seconds});
  }
  if (on_device) report.note("With the transfers from and to the host's memory.");
  report.note(fmt::format("CPU: {} threads; a sixteenth of the points on S is timed.", num_threads()));
}

}  // namespace

void truncation(const Options& options, Report& report) {
  if (options.case_name == "ngim") return truncation_ngim(options, report);
  if (options.case_name == "tables") return paper_tables(options, report);
  report.table("Radiation of S' on S, all pairs, in double precision unless a row says otherwise",
               {"case", "points on S", "points on S'", "right-hand sides", "seconds", "G pairs/s",
                "share of fp64 limit", "difference to CPU"});
  for (const Case& c : cases) {
    if (!wants(options, c.name)) continue;
    if (options.device == Device::cuda) {
      run_device(c, fields::PairPrecision::exact, options.repeat, report);
      if (c.columns == 1) run_device(c, fields::PairPrecision::mixed, options.repeat, report);
    } else if (c.on_host || !options.case_name.empty())
      run_host(c, options.repeat, report);
  }
  report.note(
      "CPU rows time a sixteenth of the points on S. The limit counts 64 lanes per multiprocessor at 1.98 "
      "GHz (H200) and 68 + 72 instructions per pair, of n right-hand sides 68 + 36 n up to four, 77 + 27 n "
      "up "
      "to eight, 365 for ten, and for sixteen twice those for eight.");
  report.note(
      "Paper: antenna (78 640 x 946 triangles) 255.98 s on one core, 1.74 s on a V100; rcs (32 576 x 300) "
      "34.26 s and with 10 right-hand sides 200.12 s on one core.");
}

}  // namespace curlew::bench
