// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two surfaces of the truncation: S, where the mesh ends, and S' inside it, whose currents radiate. S and
// S' need not share lines of the mesh; everything between them is the exterior medium.

#include <span>
#include <string>
#include <vector>

#include "fem/materials.hpp"
#include "fem/model/model.hpp"
#include "fields/surface_currents.hpp"
#include "mesh/topology.hpp"

namespace curlew::truncation {

struct SurfaceNames {
  std::string outer = "S";
  std::string inner = "S_prime";
  std::vector<std::string> symmetry = {};  ///< planar boundaries that are planes of symmetry
};

struct Surfaces {
  std::vector<Index> outer, inner;            ///< triangles of the mesh
  std::vector<int> outer_sides, inner_sides;  ///< outward, see mesh::outward_sides
  std::vector<fields::SymmetryPlane> planes;
  double distance = 0;      ///< least distance between nodes of S' and S [m]
  double element_size = 0;  ///< mean edge of S' [m]
  bool is_convex = true;    ///< S
};

/// @param electric_planes [names.symmetry.size()] whether the plane is PEC (else PMC)
/// @throws InputError if a surface is missing, not closed (except at planes of symmetry), S is not on the
///         boundary of the mesh, S' touches S or is not inside it, or a plane of symmetry is not normal to an
///         axis
Surfaces find_surfaces(const mesh::Mesh& mesh, const mesh::Topology& topology, const SurfaceNames& names,
                       const std::vector<bool>& electric_planes);

/// True if all nodes lie behind the planes of all triangles, up to the tolerance of a triangulated curved
/// surface.
/// @param sides see mesh::outward_sides
bool is_convex(const mesh::Mesh& mesh, std::span<const Index> triangles, std::span<const int> sides);

/// True inside S or, in a symmetric problem, inside its images. @param point [m]
bool is_inside_outer(const mesh::Mesh& mesh, const Surfaces& surfaces, Vec3<double> point);

/// All cells between S' and S.
std::vector<Index> exterior_cells(const mesh::Topology& topology, const Surfaces& surfaces);

/// Only currents on S' radiate, so that currents of a condition between the surfaces would not radiate.
/// @param cells from exterior_cells
/// @throws InputError naming a [[boundary]] or [[port]] with a face between S' and S, on neither of them and
///         on no plane of symmetry
void check_exterior(const mesh::Mesh& mesh, const mesh::Topology& topology, const Surfaces& surfaces,
                    const SurfaceNames& names, std::span<const Index> cells, const fem::Model& model);

/// The medium between S' and S. @param cells from exterior_cells @param materials at one frequency
/// @throws InputError if it is not one isotropic, lossless material
fem::Material exterior_material(const mesh::Mesh& mesh, const SurfaceNames& names,
                                std::span<const Index> cells, const fem::CellMaterials& materials);

/// Degree of a rule on S' whose point sources represent the currents to about `tolerance` at S: elements of
/// size h seen from a distance d converge as ρ^-degree, ρ = 2 d/h + sqrt((2 d/h)² + 1). Source: Trefethen
/// (2013), Approximation Theory and Approximation Practice, theorem 19.3.
int source_degree(const Surfaces& surfaces, double tolerance, int least);

}  // namespace curlew::truncation
