// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the cases of em-bench truncation.

#include "bench/cases.hpp"
#include "fields/radiation.hpp"

namespace curlew::bench {

struct RadiationProblem {
  fields::SurfacePoints sources;
  fields::SurfaceCurrents currents;
  std::vector<Vec3<double>> observers;
};

/// Random currents on a sphere of radius 1, observers on one of radius 1.1, both spread evenly.
RadiationProblem radiation_problem(Offset sources, Offset observers, Index columns);

/// Largest difference of E to all pairs on the CPU at sampled observers, over the largest |E|.
double error_of(const RadiationProblem& problem, const fields::Exterior& medium,
                const fields::NearFields& fast);

/// NGIM against all pairs, as the points grow: --case ngim.
void truncation_ngim(const Options& options, Report& report);

}  // namespace curlew::bench
