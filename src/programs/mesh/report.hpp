// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reports of em-mesh on a mesh and on curves.

#include <vector>

#include "mesh/curves.hpp"
#include "mesh/mesh.hpp"
#include "programs/mesh/options.hpp"

namespace curlew::programs {

/// Tables of volumes and surfaces, and warnings of cells that make results wrong.
void print_report(const mesh::Mesh& mesh, const Waves& waves, run::Run& run);
void print_curves(const std::vector<mesh::PhysicalCurve>& curves, run::Run& run);

}  // namespace curlew::programs
