// SPDX-License-Identifier: BSD-3-Clause
// em-bench ngim --case errors, or --case "errors D = 8" for one wave: the requested error and the measured
// one, over shapes, regimes, media, tolerances and precisions. A miss ends the program with the status of a
// numerical error.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/timer.hpp"
#include "bench/ngim_cases.hpp"
#include "ngim/grid_cache.hpp"
#include "ngim/plan.hpp"
#include "point_clouds.hpp"

namespace curlew::bench {
namespace {

using ngim::Points;
using ngim::Precision;

constexpr Offset num_sources = 3000, leaf_size = 40;  // several levels of every shape
constexpr Index num_observers = 64;                   // few: cones are filled only where observers are
constexpr const char* shapes[] = {"cube", "sphere", "inverse_t", "line", "clusters", "plane", "graded"};

struct Wave {
  const char* name;
  Complex k;  ///< of clouds of extent 1
};
const Wave waves[] = {{"static", 0.0},
                      {"D = 0.5", pi},
                      {"D = 2", 4 * pi},
                      {"D = 8", 16 * pi},
                      {"D = 16", 32 * pi},
                      {"D = 32", 64 * pi},
                      {"3-0.5j", Complex(3, -0.5)},
                      {"50-5j", Complex(50, -5)},
                      {"190-10j", Complex(190, -10)}};

/// The cloud stretched to extent 1, so that all shapes share their grids.
Points unit_cloud(const std::string& shape) {
  Points points = ngim::cloud(shape, int(num_sources));
  double extent = 0;
  for (int d = 0; d < 3; ++d) {
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                 [&](const auto& a, const auto& b) { return a[d] < b[d]; });
    extent = std::max(extent, (*high)[d] - (*low)[d]);
  }
  for (auto& p : points) p = (1 / extent) * p;
  return points;
}

struct Worst {
  double ratio = 0, tolerance = 0;
  int misses = 0;
};

using Caches = std::map<double, std::shared_ptr<ngim::GridCache>>;  // by tolerance, of one wavenumber

/// Largest error over tolerance of one shape and wave; both norms count.
Worst worst_ratio(const Points& points, Complex k, Precision precision, std::span<const double> tolerances,
                  Device device, Caches& caches) {
  Points observers;
  for (Index i = 0; i < num_observers; ++i) observers.push_back(points[i * num_sources / num_observers]);
  const auto charges = ngim::random_charges(points.size());
  Worst worst;
  for (const double tolerance : tolerances) {
    ngim::Options o;
    o.tolerance = tolerance, o.precision = precision, o.device = device, o.leaf_size = leaf_size;
    auto& cache = caches[tolerance];
    if (!cache) cache = std::make_shared<ngim::GridCache>();
    o.grids = cache;
    const ngim::Plan plan(points, observers, k, o);
    std::vector<Complex> u(observers.size());
    plan.apply(charges.data(), 1, u.data());
    const auto error = plan.measure_error(charges.data(), u.data(), num_observers);
    const double ratio = std::max(error.l1, error.l2) / tolerance;
    if (!(ratio <= 1)) ++worst.misses;
    if (!(ratio <= worst.ratio)) worst.ratio = ratio, worst.tolerance = tolerance;
  }
  return worst;
}

}  // namespace

std::vector<std::string> ngim_error_waves() {
  std::vector<std::string> names;
  for (const Wave& wave : waves) names.emplace_back(wave.name);
  return names;
}

void ngim_errors(const Options& options, Report& report) {
  const std::vector<double> all = {5e-2, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  // All waves on a GPU: the CPU beside it. One wave: the requested device.
  std::vector<Device> devices = {options.device};
  if (options.device == Device::cuda && options.case_name == "errors") devices = {Device::cpu, Device::cuda};
  std::vector<std::string> columns = {"wave, precision, device"};
  columns.insert(columns.end(), std::begin(shapes), std::end(shapes));
  columns.emplace_back("s so far");
  report.table(
      "Largest ratio of error to tolerance for tolerances of 5e-2 ... 1e-9 in double, 5e-2 ... 1e-5 in "
      "single (and the tolerance where it occurs)",
      columns);
  int misses = 0;
  const Timer timer;
  for (const Wave& wave : waves) {
    if (options.case_name != "errors" && options.case_name != std::string("errors ") + wave.name) continue;
    Caches caches;
    for (const bool single : {true, false}) {
      for (const Device device : devices) {
        std::vector<nlohmann::json> row = {fmt::format("{}, {}, {}", wave.name, single ? "single" : "double",
                                                       device == Device::cuda ? "cuda" : "cpu")};
        for (const char* shape : shapes) {
          const Worst worst = worst_ratio(unit_cloud(shape), wave.k,
                                          single ? Precision::single_precision : Precision::double_precision,
                                          std::span(all).first(single ? 5 : 9), device, caches);
          misses += worst.misses;
          row.emplace_back(fmt::format("{:.2f} ({:.0e}){}", worst.ratio, worst.tolerance,
                                       worst.misses > 0 ? " MISS" : ""));
        }
        row.emplace_back(timer.seconds());
        report.row(row);
      }
    }
  }
  report.note(fmt::format("{} sources, {} observers, leaves of {} points; {} misses", num_sources,
                          num_observers, leaf_size, misses));
  if (misses > 0) throw NumericalError(fmt::format("NGIM missed its tolerance {} times", misses));
}

}  // namespace curlew::bench
