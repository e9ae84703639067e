// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Errors of the greatest gains of ports, from the residuals of a solution and of waves that arrive from the
// directions of these gains: by reciprocity their dual problems.

#include <vector>

#include "base/device.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/error/gain_error.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/setup/maxwell_setup.hpp"
#include "fields/pattern.hpp"
#include "fields/pattern_error.hpp"
#include "mesh/pass.hpp"

namespace curlew::fem {

/// -20 dBi: the relative error of less, as in the direction of a null, is no aim of passes.
constexpr double least_gain_of_passes = 0.01;

/// Whether there are such errors: a far field of the whole structure.
bool has_gain_errors(const MaxwellSetup& setup);

/// The greatest gain of each excited mode that radiates.
class PortGains {
 public:
  /// Solves for one wave of each mode. @param problem, setup outlive it
  /// @param solution with x @param device that sums far fields
  /// @param least_gain modes with less are left out; by default those whose radiation is rounding error
  PortGains(DrivenProblem& problem, const MaxwellSetup& setup, const DrivenSolution& solution, Device device,
            double least_gain = 1e-9);

  std::size_t size() const { return peaks_.size(); }
  Eigen::Index column(std::size_t i) const { return places_[i].column; }
  /// |F| [V] for 1 W incident at the modelled part
  double strength(std::size_t i) const { return std::sqrt(peaks_[i].square()); }
  /// Over the accepted power.
  double gain(std::size_t i) const;
  /// Weights of |changes| of the forms in relative changes of the gains.
  Eigen::MatrixXd weights() const;
  /// Changes of the forms: those of the modes, then of the waves.
  SurplusErrors test(const Eigen::MatrixXd& weights) const;
  /// Relative bars, on a mesh that no pass has fitted to singular fields: of |F|², and of the gain, of which
  /// the changes of field and accepted power cancel in part. @param found by test
  double bar_of_square(std::size_t i, const SurplusErrors& found) const;
  double bar(std::size_t i, const SurplusErrors& found) const;

 private:
  std::vector<Complex> load(const NedelecSpace& space, const fields::Peak& peak) const;

  DrivenProblem& problem_;
  const MaxwellSetup& setup_;
  const RadiatingSurface surface_;
  double frequency_;
  Eigen::MatrixXcd s_, x_;  // x of the modes, then of the waves
  std::vector<fields::Peak> peaks_;
  std::vector<PortPeak> places_;
};

/// Adds the gains of a solution to a pass: a relative quantity for each excited mode, and what cells
/// contribute. Gains below least_gain_of_passes count as zero.
void add_gains(DrivenProblem& problem, const MaxwellSetup& setup, const DrivenSolution& solution,
               Device device, mesh::Pass& pass);

/// The pattern of an excited mode and its accepted power.
struct PatternOfMode {
  Eigen::Index column;
  fields::PatternError error;
};
/// Bars by a second solution (fem/error/solved_again.hpp): at order 3, whose next order has no loads of
/// waves, and with flat facets on curved bodies. @param options of both @param shape of the mesh; may be null
/// @param followed [Hz] ascending: modes of hybrid ports are tracked over those below the solution's
std::vector<PatternOfMode> patterns_solved_again(const DrivenProblem& problem, const MaxwellSetup& setup,
                                                 const DrivenOptions& options, const ShapeVariant* shape,
                                                 const std::vector<double>& followed,
                                                 const DrivenSolution& solution, Device device);

}  // namespace curlew::fem
