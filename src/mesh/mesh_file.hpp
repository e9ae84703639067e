// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// mesh.h5, the file between em-mesh and the solvers.
//   nodes      (n, 3)       coordinates [m]
//   cells      (n, 4 or 10) node numbers: vertices ascending, then the middles of edges 01 02 03 12 13 23
//   triangles  (n, 3 or 6)  the same for the triangles of named surfaces: edges 01 02 12
//   volumes/0, volumes/1, ...    cell numbers of a region, its name in the attribute `name`
//   surfaces/0, surfaces/1, ...  triangle numbers of a region, named the same way
// The attribute `source` of the root names the geometry that the mesh came from; `unit`, `size` [unit],
// `mirror` and the group `parameters` record how it was meshed, `off_surface` [m] the distance of edges of
// flattened cells from their surface. The text `read_files` names the files that were read, with what
// identifies their content.

#include <map>
#include <optional>
#include <string>

#include "io/provenance.hpp"
#include "mesh/mesh.hpp"

namespace curlew::io {
class H5Group;
}

namespace curlew::mesh {

/// How a mesh was made from a geometry, as recorded in its file.
struct MeshOrigin {
  std::string unit{};            ///< of the geometry's numbers; empty: unknown
  std::optional<double> size{};  ///< requested greatest cell size [unit]
  std::map<std::string, double> parameters{};
  std::string mirror{};      ///< axes of the planes that the geometry was mirrored in, "xy"; empty: none
  double off_surface = 0;    ///< greatest distance of edges of flattened cells from their surface [m]
  int geometry_order = 0;    ///< of the mesh; read only
  std::string read_files{};  ///< files read to make it, as in run/recorded_files.hpp; written only

  /// Note for users of the mesh, or empty.
  std::string remark() const;
};

/// @throws ResourceError if the file cannot be written
void write_mesh(const Mesh& mesh, const std::string& path, const io::Provenance& provenance,
                const MeshOrigin& origin = {});
/// @throws InputError as read_mesh
MeshOrigin read_mesh_origin(const std::string& path);

/// The mesh as it was written; its name becomes the path. Only sizes are checked; see check_mesh.
/// @throws InputError if the file is missing, truncated, no mesh, or of a newer format
Mesh read_mesh(const std::string& path);

/// Writes the same datasets into a group of another file.
void write_mesh(const Mesh& mesh, io::H5Group& group);
Mesh read_mesh(const io::H5Group& group);

}  // namespace curlew::mesh
