// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S from solutions: their residuals in the next order, weighted by the solutions of the dual
// problems (adaptive/surplus.hpp), and the first-order change by the facets' true place (shape_variant.hpp).
// Nothing is solved again.

#include <optional>
#include <vector>

#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/error/scattering_error.hpp"

namespace curlew::fem {

/// S as results state it, out of S against the modes' own impedances. All outlive it.
class StatedScattering {
 public:
  /// @param reference [ohm] of ports that have none of their own
  StatedScattering(const MaxwellSystem& system, const DrivenSolution& solution,
                   std::optional<Complex> reference)
      : system_(system), solution_(solution), reference_(reference) {}

  NetworkPoint point(const Eigen::MatrixXcd& modal) const;
  Eigen::MatrixXcd of(const Eigen::MatrixXcd& modal) const { return point(modal).s; }
  /// The derivative at S along a change: parts that cancel may each be large.
  Eigen::MatrixXcd change(const Eigen::MatrixXcd& s, const Eigen::MatrixXcd& change) const;

 private:
  const MaxwellSystem& system_;
  const DrivenSolution& solution_;
  std::optional<Complex> reference_;
};

/// x_iᵀ A x_j over it is S_ij + δ_ij: 4jωμ0, times the power [W] that x has incident.
Complex form_of_scattering(double frequency, double power = 1);

/// What keeps the bars of residuals away from a problem; empty: they can be made.
std::string no_residual_error(const MaxwellSystem& system, const ShapeVariant* shape);

/// What the changes miss on a mesh that no pass has fitted to singular fields (missing_at_edges).
/// @param found determines the kind of the changes
Missing missing_of_one_mesh(const NedelecSpace& space, const Model& model, const SurplusErrors& found);

/// Bars of changes by added gradients and by the other added functions, on such a mesh.
Eigen::MatrixXd bars_of_one_mesh(const MaxwellSystem& system, const SurplusErrors& found,
                                 const Eigen::MatrixXcd& gradients, const Eigen::MatrixXcd& others);

/// Bytes that the residuals take. @param columns solutions at all frequencies, those of dual problems too
std::size_t residual_bytes(const NedelecSpace& space, const Model& model, std::size_t columns);
inline std::size_t residual_bytes(const MaxwellSystem& system, std::size_t columns) {
  return residual_bytes(system.space(), system.model(), columns);
}

/// Without impedances, at all frequencies that are stated: between solutions of the elements alone
/// (adaptive/sweep_surplus.hpp), marked as spread.
/// @param solved with x, ascending in frequency, one or more @param stated modes and S, ascending
/// @param shape of the mesh; may be null
std::vector<ScatteringError> residual_errors(const MaxwellSystem& system,
                                             const std::vector<DrivenSolution>& solved,
                                             const std::vector<DrivenSolution>& stated,
                                             std::optional<Complex> reference, const ShapeVariant* shape);

}  // namespace curlew::fem
