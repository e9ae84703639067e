// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Likely mistakes in a valid config: a wrong unit, a PML too close to the body, a result that is not
// requested.

#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/mesh.hpp"

namespace curlew::lint {

/// One line for each finding: place, what is unlikely, what would be right. Without a mesh only rules that
/// need none are applied, with a mesh only the others, so a program calls it before and after meshing.
/// @param config with expressions evaluated and materials of the library filled in; it is not changed
std::vector<std::string> likely_mistakes(const io::Config& config, const std::string& program,
                                         const mesh::Mesh* mesh = nullptr);

}  // namespace curlew::lint
