// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cells against wavelengths: what tells a wrong unit or frequency from a result.

#include "fem/model/model.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Warns of cells that cannot follow the wave at the highest frequency [Hz].
/// @throws InputError where cells are so large that nothing of the result would hold
void check_resolution(const mesh::Mesh& mesh, const fem::Model& model, double frequency, run::Run& run);

/// Warns of straight cells whose facets lie so far inside of a curved surface that the shape of the body
/// decides the error. Lengths and resonances are off by about the mean distance over half the extent of the
/// surface: a sphere's frequencies by just that. Elements of order 1 are worse than their facets: nothing is
/// said of them.
void check_facets(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                  run::Run& run);

}  // namespace curlew::programs
