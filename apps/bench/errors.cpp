// SPDX-License-Identifier: BSD-3-Clause
// em-bench errors: bars against true errors. `--case quick`, or a family by its name below; all without.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "bench/cases.hpp"
#include "bench/error_cases.hpp"

namespace curlew::bench {
namespace {

/// How many bars hold the error, and how many are at most ten times as wide.
struct Count {
  int results = 0, covered = 0, tight = 0;
  void add(const BarredResult& r) {
    constexpr double rounding = 1e-9;  // smaller errors are those of the solver
    ++results;
    covered += r.error <= r.bar + rounding;
    tight += r.bar <= 10 * std::max(r.error, rounding);
  }
};

void run(const std::vector<ErrorCase>& family, bool quick, Report& report, std::array<Count, 4>& counts) {
  for (const auto& c : family) {
    if (quick && !c.quick) continue;
    try {
      for (const auto& r : c.solve()) {
        counts[0].add(r), counts[std::size_t(c.order)].add(r);
        report.row({c.name, c.order, r.quantity, r.error, r.bar, r.bar / std::max(r.error, 1e-300)});
      }
    } catch (const InputError& e) {  // a coarse curved cell that folds at the points of a higher order
      report.note(fmt::format("{}, order {}: no bar: {}", c.name, c.order, e.what()));
    }
  }
}

}  // namespace

void errors(const Options& options, Report& report) {
  const std::vector<std::pair<std::string, std::vector<ErrorCase> (*)()>> families{
      {"guides", guide_cases},    {"irises", iris_cases},      {"lines", line_cases},
      {"steps", step_cases},      {"tees", tee_cases},         {"blocks", block_cases},
      {"cells", cell_cases},      {"lumped", lumped_cases},    {"cavities", cavity_cases},
      {"spheres", sphere_cases},  {"surfaces", surface_cases}, {"volumes", volume_cases},
      {"contours", contour_cases}};
  const bool quick = options.case_name == "quick";
  std::array<Count, 4> counts{};
  for (const auto& [name, make] : families) {
    if (!quick && !options.case_name.empty() && options.case_name != name) continue;
    report.table("bars and true errors, " + name,
                 {"case", "order", "quantity", "true error", "bar", "ratio"});
    run(make(), quick, report, counts);
  }
  if (counts[0].results == 0) return;
  report.table("coverage",
               {"order", "results", "true error within the bar, %", "bar within 10 true errors, %"});
  for (const std::size_t o : {1, 2, 3, 0}) {
    const Count& c = counts[o];
    if (c.results > 0)
      report.row({o == 0 ? "all" : std::to_string(o), c.results, 100.0 * c.covered / c.results,
                  100.0 * c.tight / c.results});
  }
}

}  // namespace curlew::bench
