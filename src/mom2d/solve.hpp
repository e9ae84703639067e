// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fill and solve: from a problem to the fields on its contours.

#include "base/device.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "mom2d/system.hpp"

namespace curlew::mom2d {

struct SolveOptions {
  Device device = Device::cpu;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  bool with_condition = true;
  linalg::DenseLimits limits = {};
};

/// The limits of the total field from outside a contour, at all nodes, for unit waves (Ez or Hz of amplitude
/// 1).
struct Solution {
  Problem problem;
  Scene scene;
  Nodes nodes;
  System system;
  std::vector<double> phi;    ///< [rad] directions from which the waves come
  std::vector<Complex> u, v;  ///< [waves, nodes] u and v = (du/dn)/(factor k0)
  linalg::LuReport report;
  double fill_seconds = 0;
  Offset near_entries = 0;  ///< matrix entries that were integrated
};

/// Predicted size of a problem.
struct Plan {
  Offset unknowns, cells;
};
Plan plan(const Problem& problem);

/// @param phi [rad] at least one
/// @throws InputError (see make_scene); ResourceError with the needed size; NumericalError for a singular
/// matrix
Solution solve(const Problem& problem, const std::vector<double>& phi, const SolveOptions& options);
/// A solution without u and v, to be filled with those of an earlier run.
Solution unsolved(const Problem& problem, const std::vector<double>& phi);

/// Electric surface current [A/m] at a node for an incident field of 1 V/m: Jz (TM), J along the contour (TE,
/// counter-clockwise); on dielectric bodies n x H.
Complex surface_current(const Solution& solution, std::size_t wave, Offset node);
/// Surface charge [C/m^2] of these currents, from their derivative along each cell; 0 in TM.
std::vector<Complex> surface_charge(const Solution& solution, std::size_t wave);

}  // namespace curlew::mom2d
