// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The finite element system with a Robin condition on S, factorised once per frequency, with the modal terms
// of waveguide ports: (A + F K Fᵀ) x = b by Woodbury's formula, see fem/driven/scattering.hpp.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/model/model.hpp"
#include "fem/system/maxwell_system.hpp"

namespace curlew::truncation {

class OpenSystem : public fem::MaxwellSystem {
 public:
  /// @param mesh, topology outlive the system
  /// @param outer triangles of S
  OpenSystem(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
             const linalg::SystemOptions& options, std::vector<Index> outer);

  /// Whether each solve is a Krylov iteration.
  bool is_iterative() const { return solver().is_iterative(); }
  /// Relative residual required of a Krylov method.
  double tolerance() const {
    return is_iterative() ? options().iterative->krylov.tolerance : options().tolerance;
  }
  /// Report of the last solve.
  const linalg::SystemReport& report() const { return report_; }

  /// Nothing is done where these factors are there already.
  /// @param gamma jk/mu_r of the exterior [1/m]
  /// @throws InputError if the first mode of a port does not propagate; NumericalError, ResourceError
  void factor(double frequency, Complex gamma);

  /// x = (A + F K Fᵀ)⁻¹ b. @param b, x [num_dofs, count], column-major
  /// @param tolerances [count] of a Krylov method; empty: the option
  /// @returns the largest relative residual of the sparse solves
  double solve(const Complex* b, Complex* x, Index count, const std::vector<double>& tolerances = {});

  /// Sets modes at a frequency without its matrix, for results from a known solution.
  void take_frequency(double frequency);

  /// S, and propagation constants and impedances of the reported modes, at the last frequency.
  /// @param x [num_dofs, reported modes] solutions, column m with `power` [W] incident only in reported mode
  /// m
  fem::DrivenSolution port_solution(const Complex* x, double power) const;

  /// True if the matrix is real except for the condition on S: the conjugate of a field is then also a
  /// solution.
  bool is_lossless() const { return ports().empty() && model().is_lossless(); }
  /// Some rows of A x*, without ports. @param x [num_dofs, count] @returns [rows, count]
  std::vector<Complex> products_with_conjugates(std::span<const Index> rows, const Complex* x,
                                                Index count) const;

  /// The load of 1 W incident in a reported mode. @param[in,out] b [num_dofs], added to
  void add_excitation(int reported_mode, double power, Complex* b) const;
  /// Outgoing power waves of the reported modes, each up to a phase, for `power` [W] incident in mode
  /// `excited` (-1: none), divided by the square root of that power (1 W if none).
  /// @param x [num_dofs] a solution
  std::vector<Complex> outgoing(const Complex* x, int excited, double power) const;

 private:
  /// Amplitude of E in a mode with this incident power [W].
  Complex incident_amplitude(Eigen::Index mode, double power) const;

  std::vector<fem::ModeState> states_;  ///< of all modes, at the last frequency
  double omega_ = 0;
  std::optional<std::pair<double, Complex>> factored_;  ///< frequency and gamma of the factors that are there
  linalg::SystemReport report_;
  Eigen::MatrixXcd loads_;           ///< F, see fem/driven/scattering.hpp
  Eigen::MatrixXcd mode_solutions_;  ///< X = A⁻¹ F
  Eigen::MatrixXcd correction_;      ///< K (I + G K)⁻¹
};

}  // namespace curlew::truncation
