// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of S-parameters: solved_again.hpp with S as quantities.

#include <Eigen/Core>

#include "fem/error/solved_again.hpp"

namespace curlew::fem {

struct ScatteringError {
  double frequency = 0;  ///< [Hz]
  Eigen::MatrixXd s;     ///< [modes, modes] bar of |S_ij - exact|, both parts below
  double order = 0;      ///< largest part of the elements
  double shape = 0;      ///< largest part of the facets
};

/// @param mesh, topology outlive the call @param shape of the mesh; may be null
/// @param s of the model at its own order
/// @throws what solves throw; NumericalError if the check has other modes
ScatteringError scattering_error(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                                 const DrivenOptions& options, const ShapeVariant* shape, double frequency,
                                 const Eigen::MatrixXcd& s);

}  // namespace curlew::fem
