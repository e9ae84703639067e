// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Measures of mesh quality: counts, volumes, edge lengths, shape of cells, sizes in wavelengths.

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// 12 (3V)^(2/3) / (sum of squared edges) of the straight version of a cell: 1 regular, 0 flat.
/// Source: Liu and Joe (1994), Relationship between tetrahedron shape measures, BIT 34.
double mean_ratio(const Mesh& mesh, Index cell);

/// Shape and size of the cells of one volume region.
struct VolumeReport {
  std::string name;
  Index cells = 0;
  double volume = 0;                                 ///< [m^3], exact for curved cells
  double min_edge = 0, mean_edge = 0, max_edge = 0;  ///< straight distance of vertices [m]
  double min_shape = 0, mean_shape = 0;              ///< mean_ratio
  double min_jacobian =
      1;  ///< least over greatest Jacobian determinant within a cell; 1 straight, <= 0 inverted
};
// Source of the mean ratio: Liu and Joe (1994), Relationship between tetrahedron shape measures, BIT 34.

struct SurfaceReport {
  std::string name;
  Index triangles = 0;
  double area = 0;  ///< [m^2]
};

struct QualityReport {
  std::vector<VolumeReport> volumes;
  std::vector<SurfaceReport> surfaces;
  Vec3<double> lo, hi;               ///< corners of the bounding box of all nodes [m]
  std::size_t coincident_nodes = 0;  ///< see count_coincident_nodes
};

/// @param mesh a sound one (check_mesh)
QualityReport report_quality(const Mesh& mesh);

/// The longest edge of a region in wavelengths there.
/// @param frequency [Hz], positive
/// @param refractive_index sqrt(|eps_r mu_r|), positive
double edge_in_wavelengths(const VolumeReport& region, double frequency, double refractive_index);

}  // namespace curlew::mesh
