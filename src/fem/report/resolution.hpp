// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compares cell sizes with wavelengths, which detects wrong units and frequencies.

#include "fem/model/model.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// Warns of cells that cannot follow the wave at the highest frequency [Hz].
/// @throws InputError if cells are too large for any meaningful result
void check_resolution(const mesh::Mesh& mesh, const Model& model, double frequency, run::Run& run);

/// Warns of straight cells whose facets lie so far inside a curved surface that this shape error dominates.
/// Lengths and resonances are off by about the mean distance over half the extent of the surface, exactly so
/// for the frequencies of a sphere. No warning for elements of order 1, whose discretisation error is larger.
void check_facets(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model, run::Run& run);

}  // namespace curlew::fem
