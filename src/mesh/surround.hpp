// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The mesh of a body, and around it cells up to a convex outer surface: what open problems need.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct Surround {
  /// Regions that make up the body: volumes, and closed surfaces of what has no cells. Empty: all volumes, or
  /// all surfaces of a mesh without cells. Everything else is left out.
  std::vector<std::string> body{};
  /// Volumes whose cells are left out: metal. Their surfaces become regions of that name.
  std::vector<std::string> hollow{};
  double distance = 0;              ///< of the outer surface from the inner one [m] > 0
  double gap = 0;                   ///< of the inner surface from the body [m]; 0: it is the body's surface
  std::optional<double> size{};     ///< of the cells at the outer surface [m]; else as the body's surface has
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
/// smallest that keeps its distance). With a gap the inner surface is a rounded box too, and the layer
/// between both is grown in prisms as high as the layer, or as high as `size` where that is less. Surfaces of
/// the body keep their regions and their curved triangles.
/// @throws InputError for a name that is no region or taken, a body that is not closed, and what `fill`
/// throws
Mesh surround(const Mesh& mesh, const Surround& options, const Filler& fill);

}  // namespace curlew::mesh
