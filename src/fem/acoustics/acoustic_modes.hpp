// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Acoustic modes of a cavity: K p = w^2 M p by shift and invert; with absorbing walls the quadratic problem
// (K + jw B - w^2 M) p = 0 as a symmetric linear one of twice the size. Source: Tisseur, Meerbergen (2001),
// The quadratic eigenvalue problem, SIAM Review 43(2), section 3.4.

#include <vector>

#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "linalg/csr.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {

struct AcousticModeOptions {
  int modes = 5;      ///< number wanted; more are found if the last one is degenerate
  double target = 0;  ///< [Hz] modes nearest above it; 0: the lowest
  linalg::DirectOptions direct;
};

struct AcousticMode {
  Complex frequency;              ///< [Hz] f = f' + j f''; f'' > 0 decays under exp(+jwt)
  double q;                       ///< f' / (2 f''); infinite without loss
  double residual;                ///< relative, of the eigenproblem
  std::vector<Complex> pressure;  ///< [num_nodes] largest value 1 Pa
};

/// Sources are set to zero: prescribed pressures and velocities vanish. The uniform pressure of a closed
/// rigid cavity (0 Hz) and overdamped solutions are left out. Ascending by frequency.
/// @param space with the model's dirichlet triangles fixed
/// @throws NumericalError if the iteration does not converge
std::vector<AcousticMode> acoustic_modes(const LagrangeSpace& space, const AcousticModel& model,
                                         const AcousticModeOptions& options);

/// A(w) = K + jw B - w^2 M over the free nodes of a space, without sources.
class AcousticPencil {
 public:
  AcousticPencil(const LagrangeSpace& space, const AcousticModel& model);
  linalg::Csr<Complex> at(Complex omega) const;
  /// x^T dA/dw x. @param x [num_free]
  Complex slope(Complex omega, const Complex* x) const;

 private:
  linalg::Csr<Complex> k_, m_, b_;  // of one pattern; b_ is empty without damping walls
};

/// A frequency well below the first mode of a cavity of this size [Hz]: c / 20 per diagonal.
double frequency_below_acoustic_modes(const mesh::Mesh& mesh, const AcousticModel& model);

}  // namespace curlew::fem
