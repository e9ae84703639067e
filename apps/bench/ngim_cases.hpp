// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cases of em-bench ngim in separate files.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "bench/cases.hpp"

namespace curlew::bench {

/// The error matrix. @throws NumericalError if a tolerance was missed
void ngim_errors(const Options& options, Report& report);
/// On 1, 2, 4, ... devices of the machine. For builds with CUDA.
void ngim_gpus(const Options& options, Report& report);

/// n points in a unit "cube", on a "sphere" of diameter 1 or on an "inverse T". The same ones every time.
std::vector<Vec3<double>> make_points(const std::string& shape, Offset n);
/// n charges of magnitudes up to 0.7. The same ones every time.
std::vector<Complex> make_charges(Offset n);

}  // namespace curlew::bench
