// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The voltage of a mode along a line that the user draws in the port's face.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/space.hpp"

namespace curlew::fem {

/// g_a = int W_a.dl from the first to the second point, straight, for unknowns with a trace on the face.
/// @param triangles of the face, planar @param dofs [..] of those triangles, ascending @param line [m]
/// @param name of the port, for messages
/// @return [dofs]
/// @throws InputError if the line has no length or leaves the face
std::vector<double> line_functional(const NedelecSpace& space, std::span<const Index> triangles,
                                    const std::vector<Index>& dofs, const std::array<Vec3<double>, 2>& line,
                                    const std::string& name);

}  // namespace curlew::fem
