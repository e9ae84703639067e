// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of resonators: K x = k² M x by shift and invert, with complex k² where materials are lossy; other
// dependence on frequency is handled by nonlinear_eigen.hpp.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "linalg/direct/eigen.hpp"

namespace curlew::fem {

struct CavityOptions {
  int modes = 5;      ///< number wanted; more are found if the last one is degenerate
  double target = 0;  ///< [Hz] modes nearest above it; 0: the lowest
  linalg::DirectOptions direct;
};

struct CavityMode {
  Complex frequency;       ///< [Hz] f = f' + j f''; f'' > 0 decays under exp(+jωt)
  double q;                ///< f' / (2 f''); infinite without loss
  double residual;         ///< of K x = k² M x, or of T(k²) x = 0, relative
  std::vector<Complex> x;  ///< [num_dofs] scaled to a stored energy of 1 J
};

/// @throws InputError for [[port]] and for phases between periodic faces that need a frequency
void require_eigenproblem(const Model& model);

/// Modes that did not converge.
struct LostModes {
  int count = 0;
  std::vector<std::string> places;  ///< where they were sought, and why they did not converge
};

/// What a search in real numbers leaves for a count.
struct RealFactors {
  std::shared_ptr<linalg::DirectSolver<double>> solver;  ///< analysed for K + M; null: made when needed
  Index below_target = -1;                               ///< eigenvalues below the target; -1: not counted
};

/// Ascending by frequency.
/// @param lost receives modes that did not converge; null: they are an error
/// @param factors their solver is used again, and replaced by that of this search
/// @throws InputError if the model has ports; NumericalError if no mode converges or exists
std::vector<CavityMode> cavity_modes(const NedelecSpace& space, const Model& model,
                                     const CavityOptions& options, LostModes* lost = nullptr,
                                     RealFactors* factors = nullptr);

/// True if the matrices are real and constant near a frequency [Hz]: no loss, no dispersion, phases only of 0
/// or 180 degrees.
bool is_real_eigenproblem(const mesh::Mesh& mesh, const Model& model, double frequency);

/// Number of modes between two frequencies [Hz] by Sylvester's law of inertia (far above the null space);
/// empty unless the model is lossless and linear.
/// @param factors of a search with the target `low`
std::optional<Index> count_modes(const NedelecSpace& space, const Model& model, double low, double high,
                                 const RealFactors& factors = {});

/// A frequency below all modes of a closed cavity of this size and filling [Hz]: half of c / (2 √(εμ)
/// diagonal); for a periodic cell also below half of c |k| / (2π √(εμ)), k its shortest Bloch vector.
double frequency_below_all_modes(const mesh::Mesh& mesh, const Model& model);

}  // namespace curlew::fem
