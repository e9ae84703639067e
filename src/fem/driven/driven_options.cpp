// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/driven_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/ranges.hpp"

namespace curlew::fem {

DrivenOptions read_driven_options(const io::Config& config) {
  const io::Config solver = config.table("solver");
  DrivenOptions options;
  solver.choice_or("method", {"direct"}, "direct");
  options.direct.ordering = linalg::ordering_from(
      solver.choice_or("ordering", {"automatic", "amd", "pord", "scotch", "metis"}, "automatic"));
  options.tolerance = solver.positive_or("tolerance", 1e-10);
  return options;
}

std::vector<double> read_sweep_frequencies(const io::Config& config) {
  const io::Config table = config.table("frequency");
  const auto frequencies = io::frequency_list(table);
  auto sorted = frequencies;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) table.error("values", fmt::format("{} Hz is given twice", *twice));
  return frequencies;
}

std::optional<FastSweepOptions> read_fast_sweep(const io::Config& config) {
  const io::Config table = config.table("frequency");
  if (!table.has("adaptive_tolerance")) return std::nullopt;
  FastSweepOptions options;
  options.tolerance = table.positive("adaptive_tolerance");
  options.max_solutions = table.integer_in_or("max_solutions", 3, 1000, options.max_solutions);
  return options;
}

}  // namespace curlew::fem
