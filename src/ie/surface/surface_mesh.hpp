// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The triangles on which surface currents flow: oriented, grouped into connected pieces, checked.

#include <array>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "mesh/mesh.hpp"

namespace curlew::ie {

using Triangle = std::array<Index, 3>;

/// A connected piece of surface (connected over edges).
struct Piece {
  bool closed = false;        ///< every edge has two triangles: the piece encloses a volume
  bool has_junction = false;  ///< an edge has three triangles or more
  double volume = 0;          ///< enclosed [m^3]; 0 for open pieces
  Index first_triangle = 0;
};

/// Triangles oriented consistently with their neighbours; the normal (b - a) x (c - a) of closed pieces
/// points out of the volume that they enclose, whatever the order of nodes in the file. At edges of three
/// triangles or more orientations are independent.
struct SurfaceMesh {
  std::string name;                 ///< for messages
  std::vector<Vec3<double>> nodes;  ///< [m]
  std::vector<Triangle> triangles;
  std::vector<Index> piece;  ///< [triangles] number in pieces
  std::vector<int> tag;      ///< [triangles] number of the named surface that the triangle came from
  std::vector<std::string> tag_names;
  std::vector<Piece> pieces;
  /// Number of triangles at the end that repeat others with opposite orientation: the second sides of
  /// conducting sheets between two media (make_scene).
  Index num_second_sides = 0;

  Index num_triangles() const { return Index(triangles.size()); }
  Index num_faces() const { return num_triangles() - num_second_sides; }
  Vec3<double> corner(Index t, int i) const { return nodes[triangles[t][i]]; }
  Vec3<double> centroid(Index t) const { return (1.0 / 3) * (corner(t, 0) + corner(t, 1) + corner(t, 2)); }
  /// (b - a) x (c - a): twice the area, along the normal.
  Vec3<double> area_vector(Index t) const {
    return cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
  }
};

/// Orients and groups raw triangles.
/// @param tag [triangles] into tag_names
/// @throws InputError for no triangles, node numbers out of range, triangles without area, and duplicate
/// triangles, with their number and first position. check_joined is a separate function, since it takes
/// longer.
SurfaceMesh make_surface_mesh(std::string name, std::vector<Vec3<double>> nodes,
                              std::vector<Triangle> triangles, std::vector<int> tag,
                              std::vector<std::string> tag_names);

/// The triangles of some named surfaces of a mesh; for curved ones the corners only.
/// @param surfaces names; empty: all
/// @throws InputError for an unknown name (with the existing ones), a triangle in two of the surfaces, and as
/// above
SurfaceMesh extract_surfaces(const mesh::Mesh& mesh, const std::vector<std::string>& surfaces);

/// Checks that triangles meet only in common nodes and edges (mesh/contacts.hpp): otherwise surfaces that
/// touch or cross would be electrically separate.
/// @throws InputError with the surfaces, the first place, the number of cases and the way to join them
void check_joined(const SurfaceMesh& mesh);

/// Mean and longest edge [m] over all triangles.
struct EdgeLengths {
  double mean, longest;
};
EdgeLengths edge_lengths(const SurfaceMesh& mesh);

}  // namespace curlew::ie
