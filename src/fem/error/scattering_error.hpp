// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S-parameters: solved_again.hpp with S as quantities.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "fem/error/solved_again.hpp"

namespace curlew::fem {

/// Reported values of a solution: S with its references, and impedances of some ports.
struct StatedPorts {
  Eigen::MatrixXcd s;                ///< [modes, modes]
  std::vector<Complex> impedance{};  ///< [ohm]
};
using StatePorts = std::function<StatedPorts(const DrivenSolution&)>;
/// S of power waves normalised to the modes' own impedances.
StatedPorts modal_scattering(const DrivenSolution& solution);

/// The sign of a mode's field is arbitrary: it is chosen so that the rows of the mode are closest to the
/// reference.
/// @param n modes, whose S comes first in the lists
void align_modes(Eigen::Index n, Quantities& other, const Quantities& reference);

struct ScatteringError {
  double frequency = 0;           ///< [Hz]
  Eigen::MatrixXd s;              ///< [modes, modes] bar of |S_ij - exact|: elements and facets
  Eigen::MatrixXd elements;       ///< [modes, modes] the error of the elements only
  std::vector<double> impedance;  ///< bars [ohm] of the reported impedances
  bool is_spread = false;         ///< interpolated from estimates at other frequencies
};

/// Reported values of a run at a frequency [Hz].
struct Reported {
  double frequency;
  StatedPorts ports;
};

/// Frequencies that a check solves one by one; more are swept by a reduced model.
inline constexpr std::size_t swept_from = 9;
/// Typical number of solutions of such a sweep.
inline constexpr double sweep_solutions = 8;

/// Estimates at frequencies, one or more, ascending.
/// @param mesh, topology outlive the call @param shape of the mesh; may be null
/// @param followed [Hz] ascending: modes of hybrid ports are tracked over those below the last frequency
/// @param reported values of the model at its own order @throws as solve(); NumericalError if the check has
/// other modes
std::vector<ScatteringError> scattering_errors(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                               const Model& model, const DrivenOptions& options,
                                               const ShapeVariant* shape, const std::vector<double>& followed,
                                               const std::vector<Reported>& reported,
                                               const StatePorts& state = modal_scattering);

}  // namespace curlew::fem
