// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of currents on S' at the points of S, by all pairs or by NGIM.

#include <functional>

#include "fields/radiation.hpp"

namespace curlew::truncation {

enum class RadiationMethod { automatic, direct, ngim };

/// Fields of all right-hand sides at the observers.
using RadiationMap = std::function<fields::NearFields(const fields::SurfaceCurrents&)>;

/// Pairs of points from which on `automatic` takes NGIM: both cost the same there when a dozen evaluations
/// share its set-up (docs/truncation.md).
double even_pairs(Device device);

/// @param tolerance of NGIM, relative to the largest field; all pairs are exact
/// @param even pairs from which on `automatic` takes NGIM; it turns to all pairs where NGIM's memory does not
///        suffice or its accuracy is not reached
/// @throws as RadiationOperator and NgimRadiation
RadiationMap make_radiation(RadiationMethod method, const fields::SurfacePoints& sources,
                            std::span<const Vec3<double>> observers, const fields::Exterior& exterior,
                            double tolerance, Device device, double even);

}  // namespace curlew::truncation
