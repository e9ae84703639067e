// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cells against wavelengths: what tells a wrong unit or frequency from a result.

#include "fem/model/model.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Warns of cells that cannot follow the wave at the highest frequency [Hz].
/// @throws InputError where cells are so large that nothing of the result would hold
void check_resolution(const mesh::Mesh& mesh, const fem::Model& model, double frequency, run::Run& run);

}  // namespace curlew::programs
