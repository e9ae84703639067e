// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equivalent currents of a finite element solution on a surface, J = n x H and M = -n x E, n away from the
// sources. E is the trace. H is not taken from curl E, which is an order less accurate, but from the flux
// that the discretisation conserves: J is the trace that gives
//   int W . J dS = -+ 1/(jk eta) int (curl W . curl E - k^2 W . E) dV
// for all functions W with a trace on the surface, over the cells on its outer (-) or inner (+) side, all of
// one medium. Power and far field then converge with twice the order, like energies, also next to metal
// edges, and the power through the surface is exactly that of the discrete solution. Source: Carey, Chow and
// Seager (1985), Computer Methods in Applied Mechanics and Engineering 50 (fluxes out of residuals); Monk and
// Suli (1998), SIAM J. Numer. Anal. 36(1), who prove it for the far field. Equation (13) of Badia et al.
// (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103, takes the curl at the points.

#include <memory>
#include <span>
#include <vector>

#include "fem/space.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fem {

/// Side of the surface on which the cells lie whose flux is used.
enum class CellSide { outside, inside };
/// How J is computed: from the conserved flux, or from curl E at the points in the cells of that side, an
/// order less accurate, to reproduce published figures.
enum class CurrentRule { flux, curl };

/// Prepared once for a surface: its points, and the factors of the mass matrix of its traces.
class EquivalentCurrents {
 public:
  /// @param space     outlives this object
  /// @param triangles of the mesh
  /// @param sides     +-1, by which the normal of a triangle's vertices points outward
  /// @param degree    of the rule on each triangle
  /// @param cells     of one medium: all cells that touch the surface on this side of it
  /// @param planes    of symmetry, at which the surface may end
  EquivalentCurrents(const NedelecSpace& space, std::span<const Index> triangles, std::span<const int> sides,
                     int degree, std::span<const Index> cells, CellSide side,
                     std::span<const fields::SymmetryPlane> planes, CurrentRule rule = CurrentRule::flux);
  EquivalentCurrents(EquivalentCurrents&&) noexcept;
  ~EquivalentCurrents();

  const fields::SurfacePoints& points() const { return points_; }
  /// @param x     unknowns [num_dofs, count], column-major
  fields::SurfaceCurrents currents(const Complex* x, Index count, const fields::Exterior& medium) const;

 private:
  struct Flux;
  struct Curls;

  const NedelecSpace& space_;
  std::vector<Index> triangles_;
  int degree_;
  fields::SurfacePoints points_;
  std::vector<Index> rows_;  ///< [triangles, functions] unknowns of J; -1: none
  std::unique_ptr<const Flux> flux_;
  std::unique_ptr<const Curls> curls_;  // used instead for CurrentRule::curl
};

}  // namespace curlew::fem
