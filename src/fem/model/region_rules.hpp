// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks of the regions in a config, for every physics: names exist, a volume has one material, a surface
// one condition, and every outer face a condition.

#include <string>
#include <string_view>
#include <vector>

#include "io/config.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// Metres per unit of length of a config: the unit of [mesh], 1 if none is given.
double length_unit(const io::Config& config);

/// The "region" key of a table: names of volumes or surfaces of the mesh, at least one.
/// @throws InputError listing the existing names
std::vector<std::string> read_volume_names(const io::Config& table, const mesh::Mesh& mesh);
/// @param key that holds the names
std::vector<std::string> read_surface_names(const io::Config& table, const mesh::Mesh& mesh,
                                            std::string_view key = "region");

/// @param filled the regions of all [[material]] tables
/// @throws InputError for a volume with two materials or with cells in none
void check_filled(const io::Config& config, const std::vector<std::string>& filled, const mesh::Mesh& mesh);

/// The table that each triangle belongs to: no triangle may have two conditions.
class SurfaceClaims {
 public:
  explicit SurfaceClaims(const mesh::Mesh& mesh);
  /// @throws InputError naming the table that came first
  void claim(const io::Config& table, const std::string& region, std::string_view key = "region");
  /// Without this check a missing condition would silently be the natural one.
  /// @param remedy "[[boundary]] or [[port]]" @throws InputError unless every outer face is claimed
  void check_outer_faces(const io::Config& config, const mesh::Topology& topology,
                         const std::string& remedy) const;

 private:
  const mesh::Mesh& mesh_;
  std::vector<int> owner_;  // [num_triangles] table, -1 for none
  std::vector<std::string> who_;
};

/// @param what "a waveguide port" @throws InputError if a triangle of the region has cells on both sides
void require_outer(const io::Config& table, const std::string& region, const char* what,
                   const mesh::Mesh& mesh, const mesh::Topology& topology, std::string_view key = "region");

}  // namespace curlew::fem
