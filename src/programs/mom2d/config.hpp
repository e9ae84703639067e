// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Config of mom2d, read into the library's types.

#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "mom2d/problem.hpp"
#include "mom2d/solve.hpp"
#include "run/run.hpp"

namespace curlew::programs {

struct NearFieldGrid {
  double x0, x1, y0, y1;  ///< [m]
  int nx, ny;
};

struct Mom2dConfig {
  std::vector<double> frequencies;    ///< [Hz]
  std::vector<double> incidence_deg;  ///< directions the waves come from
  std::vector<double> angles_deg;     ///< observation
  bool monostatic = false;
  std::optional<NearFieldGrid> near_field;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  std::size_t device_memory = 0;  ///< [bytes] 0: what is free
};

/// All but the problem of one frequency.
Mom2dConfig read_mom2d_config(const io::Config& config, run::Run& run);

/// The problem at one frequency [Hz]: lengths in wavelengths, losses and default cells depend on it.
/// @throws InputError with file and line
mom2d::Problem read_mom2d_problem(const io::Config& config, double frequency, run::Run& run);

}  // namespace curlew::programs
