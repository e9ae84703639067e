// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Geometry and meshes through the Gmsh SDK, which is under the GPL: only this library links it, and only
// em-mesh links this library.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mesh/curves.hpp"
#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// A region that must be in a geometry.
struct RegionNeed {
  std::string kind;  ///< "volume", "surface" or "region": either
  std::string name;
};

struct ImportOptions {
  /// Unit of the numbers in the file and of `size`, a word of metres_per_unit. STEP files state their own
  /// unit, which is converted to this one.
  std::string unit;
  std::optional<double> size{};  ///< greatest cell size, in `unit`; the geometry's may be smaller
  std::map<std::string, double> region_sizes{};  ///< the same for cells of a volume region [m]
  /// Geometry order 1 or 2. Not given: that of a .msh file; for a geometry 2 if surfaces or curves are curved
  /// and curved cells do not fold over, else 1.
  std::optional<int> order{};
  std::map<std::string, double> parameters{};  ///< DefineConstant numbers of a .geo
  std::vector<RegionNeed> needs{};             ///< regions that must exist, checked before meshing
  bool for_surfaces = false;                   ///< cells only define surfaces: curved ones may be inverted
  std::string size_field{};  ///< path of a size field (size_field.hpp): a further limit of sizes
};

struct Imported {
  Mesh mesh;
  double off_surface = 0;  ///< as in MeshOrigin [m]
};

/// Reads and, if it has no cells yet, meshes a .geo, .msh (2 or 4), .step, .stp or .brep file, or the mesh of
/// another program (is_foreign_mesh), of which every part (solid of an STL file, property number of a Nastran
/// file) is a region. Else regions are its physical groups; a group without a name is called volume_TAG or
/// surface_TAG. Geometry files without groups (.step, .brep) get one for each volume and
/// surface; parts that touch are joined. Without volumes the mesh has triangles only. Nodes and cells are
/// numbered along a space-filling curve.
/// @return a mesh that has not been checked (check_mesh)
/// @throws InputError in one line: file missing or truncated, Gmsh's own message on errors in a script or in
///         meshing, unknown parameter or region, a needed one missing, no physical volume, no cells, cells
///         that are not tetrahedra
/// @note Gmsh keeps parameters until the process ends: a second import without them would see those of the
/// first
Mesh import_gmsh(const std::string& path, const ImportOptions& options);
/// The same, and how it was made.
Imported import_geometry(const std::string& path, const ImportOptions& options);

/// The physical curves of a .geo, .step, .stp or .brep file; for the last three every curve where there are
/// no groups. Only unit and parameters of the options count.
/// @throws InputError as import_gmsh; for a .msh; for a curve that is not one open or closed contour in z = 0
std::vector<PhysicalCurve> import_curves(const std::string& path, const ImportOptions& options);

}  // namespace curlew::mesh
