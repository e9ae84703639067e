// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A coaxial line (or a full circular guide) of tetrahedra without a mesh generator.

#include "mesh/mesh.hpp"

namespace curlew::test {

/// A tube a <= ρ <= b along z: a box mesh in (ρ, φ, z) bent round, its ends at φ = 0 and 2π joined. Volume
/// "fill"; surfaces "inner", "outer", "z0", "z1".
/// @param blocks along ρ, φ, z @param geometry_order 2 puts the middles of edges on circles
mesh::Mesh make_coax(double a, double b, double length, std::array<int, 3> blocks, int geometry_order);

}  // namespace curlew::test
