// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Regions that a config names: em-mesh looks for them in a geometry before it meshes.

#include <string>
#include <vector>

#include "io/config.hpp"
#include "mesh/check.hpp"

namespace curlew::run {

struct NeededRegion {
  std::string kind;  ///< "volume", "surface" or "region": either
  std::string name;
  io::Config table;  ///< table that names the region
  std::string key;   ///< key that names it
};

/// Regions of [[material]], [[boundary]], [[port]], [[excitation]], [[probe]], [[pml]] and [[periodic]];
/// without patterns ("wall*") and regions that the solver makes itself (grown layers, surfaces around a
/// body).
/// @param is_surrounded em-mesh makes cells around the mesh
std::vector<NeededRegion> needed_regions(const io::Config& config, mesh::MeshUse use, bool is_surrounded);

}  // namespace curlew::run
