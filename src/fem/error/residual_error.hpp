// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S from solutions: their residuals in the next order, weighted by the solutions of the dual
// problems (adaptive/surplus.hpp), and the first-order change when facets move to the true surface
// (shape_variant.hpp), without a further solution.

#include <optional>
#include <vector>

#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/error/scattering_error.hpp"

namespace curlew::fem {

/// S in the normalisation of the results, from S normalised to the modes' own impedances. All arguments must
/// outlive it.
class StatedScattering {
 public:
  /// @param reference [ohm] of ports that set none
  StatedScattering(const MaxwellSystem& system, const DrivenSolution& solution,
                   std::optional<Complex> reference)
      : system_(system), solution_(solution), reference_(reference) {}

  NetworkPoint point(const Eigen::MatrixXcd& modal) const;
  Eigen::MatrixXcd of(const Eigen::MatrixXcd& modal) const { return point(modal).s; }
  /// Derivative at S in the direction of a change; used since parts that cancel may each be large.
  Eigen::MatrixXcd change(const Eigen::MatrixXcd& s, const Eigen::MatrixXcd& change) const;

 private:
  const MaxwellSystem& system_;
  const DrivenSolution& solution_;
  std::optional<Complex> reference_;
};

/// The number by which x_iᵀ A x_j is divided to give S_ij + δ_ij: 4jωμ0 times the incident power [W] of x.
Complex form_of_scattering(double frequency, double power = 1);

/// Why error bars from residuals are not possible; empty if they are.
std::string no_residual_error(const MaxwellSystem& system);

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

/// What solutions stand for beside their system.
struct ResidualContext {
  std::optional<Complex> reference{};   ///< [ohm] of S at ports that set none
  const ShapeVariant* shape = nullptr;  ///< of the mesh; may be null
  std::vector<Index> truncation{};      ///< as SurplusContext has it
  double power = 1;                     ///< [W] incident power of x
};

/// Errors without those of impedances, at all reported frequencies; between full solutions only the error of
/// the elements (adaptive/sweep_surplus.hpp), marked is_spread. @param solved with x, ascending in frequency,
/// one or more @param stated reported modes and S, ascending
std::vector<ScatteringError> residual_errors(const MaxwellSystem& system,
                                             const std::vector<DrivenSolution>& solved,
                                             const std::vector<DrivenSolution>& stated,
                                             const ResidualContext& context);

/// The same at one frequency. @param found of the solutions and, behind them, others
ScatteringError residual_error(const MaxwellSystem& system, const DrivenSolution& solved,
                               const SurplusErrors& found, const ResidualContext& context);

}  // namespace curlew::fem
