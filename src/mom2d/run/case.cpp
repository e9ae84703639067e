// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/run/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/device.hpp"
#include "io/config.hpp"
#include "io/frequency.hpp"
#include "io/ranges.hpp"
#include "job/dense_memory.hpp"
#include "run/curve_input.hpp"

namespace curlew::mom2d {
namespace {

std::vector<double> read_incidence(const io::Config& excitation) {
  if (!excitation.has("phi")) return excitation.get_or<std::vector<double>>("phi", {0.0});
  return io::angle_list(excitation, "phi");
}

FieldGrid read_near_field(const io::Config& grid, const Mom2dCase& c) {
  constexpr int most_points = 1'000'000;
  const double unit = metres(c.unit, c.frequencies.front());
  const double wavelength = speed_of_light / c.frequencies.back();
  const auto corners = grid.get<std::vector<std::vector<double>>>("positions");
  grid.require(corners.size() == 2 && corners[0].size() == 2 && corners[1].size() == 2, "positions",
               "positions must be two corners [[x, y], [x, y]]");
  const auto &start = corners[0], &stop = corners[1];
  for (const auto& xy : corners)
    grid.require(unit * std::max(std::abs(xy[0]), std::abs(xy[1])) <= 1e9 * wavelength, "positions",
                 fmt::format("[{}, {}]: too many wavelengths from the origin for double precision: at most "
                             "1e9 are possible",
                             xy[0], xy[1]));
  const auto points = grid.get<std::vector<double>>("points");
  grid.require(points.size() == 2, "points", "must be a list of 2 numbers");
  for (const double n : points)
    grid.require(n >= 1 && n <= most_points && n == std::floor(n), "points",
                 fmt::format("points must be whole numbers from 1 to {}", most_points));
  return {unit * start[0], unit * stop[0], unit * start[1], unit * stop[1], int(points[0]), int(points[1])};
}

void read_output(const io::Config& output, Mom2dCase& c) {
  const io::Config pattern = output.table("far_field");
  if (!pattern.has("phi")) pattern.get_or<std::vector<double>>("phi", {0, 359, 360});
  c.angles_deg = pattern.has("phi") ? io::linear_range(pattern, "phi") : io::linspace(0, 359, 360);
  c.monostatic = output.get_or<bool>("monostatic", false);
  if (output.has("near_field")) c.near_field = read_near_field(output.table("near_field"), c);
}

void read_solver(const io::Config& solver, const run::Run& run, Mom2dCase& c) {
  c.precision = job::read_lu_precision(solver, run);
  c.limits.device = job::read_device_memory(solver.table("expert"));
  c.limits.gpus = solver.integer_in_or("gpus", 1, 64, 1);
  if (run.device() != Device::cuda) c.limits.gpus = 1;
  solver.require(c.limits.gpus <= std::max(1, num_devices()), "gpus",
                 fmt::format("gpus = {}: this machine has {}", c.limits.gpus, num_devices()));
  solver.require(c.limits.gpus == 1 || c.precision != linalg::LuPrecision::mixed, "gpus",
                 fmt::format("gpus = {}: several GPUs factor in double precision, not in single or mixed",
                             c.limits.gpus));
}

}  // namespace

Mom2dCase read_mom2d_case(const io::Config& config, run::Run& run) {
  Mom2dCase c;
  c.file = config.file();
  config.get_or<std::string>("title", "");
  static_cast<StatedProblem&>(c) = read_stated_problem(
      config, {[&](const io::Config& contour) { return run::load_curve(contour, "m", run); },
               [&](const std::string& path) { run.depends_on(path); }});
  if (!config.has("frequency") && c.unit == LengthUnit::wavelength)
    c.frequencies = {speed_of_light};  // only relative lengths matter: the wavelength is 1 m
  else
    c.frequencies = io::frequencies(config);
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.incidence_deg = read_incidence(excitation);
  read_output(config.table("output"), c);
  read_solver(config.table("solver"), run, c);
  c.accuracy = results::read_accuracy(config);
  c.adaptive = io::adaptive_sweep(config, c.frequencies);
  c.refinement = job::read_refinement_or_default(config, job::RefinedProblem::contours, run);
  config.check_unknown_keys();
  if (c.adaptive) c.fix_cells(c.frequencies);
  return c;
}

}  // namespace curlew::mom2d
