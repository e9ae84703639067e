// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Likely mistakes of a config that is sound by itself: a unit, a layer too near, a result that nobody asked
// for.

#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/mesh.hpp"

namespace curlew::lint {

/// One line for each finding: place, what is unlikely, what would be right. Rules that need a mesh are
/// those with a mesh, all others those without: a program asks before and after it has one.
/// @param config with expressions evaluated and materials of the library filled in; it is not changed
std::vector<std::string> likely_mistakes(const io::Config& config, const std::string& program,
                                         const mesh::Mesh* mesh = nullptr);

}  // namespace curlew::lint
