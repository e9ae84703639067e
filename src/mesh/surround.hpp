// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh of a body, surrounded by cells up to a convex outer surface, for open problems.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct Surround {
  /// Regions of the body: volumes, and closed surfaces of parts without cells. Empty: all volumes, or all
  /// surfaces of a mesh without cells. Everything else is left out.
  std::vector<std::string> body{};
  /// Volumes whose cells are removed: metal. Their surfaces become regions of that name.
  std::vector<std::string> hollow{};
  double distance = 0;  ///< of the outer surface from the inner one [m] > 0
  double gap = 0;       ///< of the inner surface from the body [m]; 0: it is the body's surface
  /// [m] of cells at the outer surface; default: as on the body. With a gap at most twice that.
  std::optional<double> size{};
  std::string volume = "exterior";  ///< name of the new cells
  std::string inner = "S_prime", outer = "S";
};

/// Cells of the space between closed surfaces.
struct Filling {
  std::vector<Vec3<double>> nodes;          ///< those given, then new ones
  std::vector<std::array<Index, 4>> cells;  ///< numbers of nodes
};
/// Fills the space inside the first surface and outside of the others without changing their triangles.
using Filler = std::function<Filling(const std::vector<Vec3<double>>& nodes,
                                     const std::vector<std::vector<std::array<Index, 3>>>& surfaces)>;

/// Keeps the cells of the body and fills the space between its surface and a rounded box around it (the
/// smallest that keeps its distance). With a gap the inner surface is also a rounded box, and the layer
/// between both is extruded in prisms of the height of the layer, or of `size` if that is less. Surfaces of
/// the body keep their regions and their curved triangles.
/// @throws InputError for a name that is no region or already used, a body that is not closed, and as `fill`
Mesh surround(const Mesh& mesh, const Surround& options, const Filler& fill);

}  // namespace curlew::mesh
