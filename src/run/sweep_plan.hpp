// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The points of a sweep, run sequentially or by several processes. Private to this module, like
// run_state.hpp.

#include <string>
#include <vector>

#include "run/run_state.hpp"
#include "run/sweep.hpp"

namespace curlew::run {

struct SweepPoint {
  std::string folder;
  std::vector<std::string> values;
  Outcome outcome;
  bool reached = false;
  /// Its summary.json contains results for the table of all points, which are read when the table is made, to
  /// save memory.
  bool has_results = false;
  bool was_done = false;  ///< finished before this run (--resume)
};

struct SweepPlan {
  std::vector<SweepAxis> axes;
  std::vector<SweepPoint> points;
  std::vector<io::Config> configs;  ///< [points]
  /// RunState::before_work of the points.
  std::function<void(RunState&)> before_work;

  /// "mesh.size=0.2, input.b=3"
  std::string describe(std::size_t point) const;
};

/// Points of --sweep. @throws InputError for a form, an unknown key, or too many points
SweepPlan plan_sweep(const Context& context, const io::Config& config);

/// Runs a point, or with --resume takes its finished results.
void run_point(const Context& context, SweepPlan& plan, const std::string& output, std::size_t point);

/// Runs the points that `wanted` names, in their order, until one is interrupted. @return the worst outcome
Outcome run_points(const Context& context, SweepPlan& plan, const std::string& output,
                   const std::vector<std::size_t>& wanted);

/// The same by copies of this process, as many as cores and memory allow.
Outcome run_points_at_once(const Context& context, SweepPlan& plan, const std::string& output,
                           const std::vector<std::size_t>& wanted);
bool can_run_at_once(const Context& context, std::size_t points);

/// Writes sweep.csv and summary.json of the points that were run; prints the table.
void write_sweep(const Context& context, const io::Config& config, const std::string& output,
                 const SweepPlan& plan, const Outcome& worst);

}  // namespace curlew::run
