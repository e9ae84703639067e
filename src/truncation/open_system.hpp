// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The finite element system with a Robin condition on S, factored once per frequency, with the modal terms of
// waveguide ports: (A + F K Fᵀ) x = b by Woodbury's formula, see fem/driven/scattering.hpp.

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
  /// Relative residual that a Krylov method is asked for.
  double tolerance() const {
    return is_iterative() ? options().iterative->krylov.tolerance : options().tolerance;
  }
  /// How the last solve went.
  const linalg::SystemReport& report() const { return report_; }

  /// Nothing is done where these factors are there already.
  /// @param gamma jk/mu_r of the exterior [1/m]
  /// @throws InputError if the first mode of a port does not propagate; NumericalError, ResourceError
  void factor(double frequency, Complex gamma);

  /// x = (A + F K Fᵀ)⁻¹ b. @param b, x [num_dofs, count], column-major
  /// @param tolerances [count] of a Krylov method; empty: its own
  /// @returns the largest relative residual of the sparse solves
  double solve(const Complex* b, Complex* x, Index count, const std::vector<double>& tolerances = {});

  /// For what is made of a known solution: modes at a frequency, without its matrix.
  void take_frequency(double frequency);

  /// Constants of the reported modes and S, at the last frequency.
  /// @param x [num_dofs, reported modes] solutions, column m with `power` [W] incident in reported mode m
  /// alone
  fem::DrivenSolution port_solution(const Complex* x, double power) const;

  /// True if the matrix is real but for the condition on S: the conjugate of a field then is one as well.
  bool is_lossless() const { return ports().empty() && model().is_lossless(); }
  /// Some rows of A x*, without ports. @param x [num_dofs, count] @returns [rows, count]
  std::vector<Complex> products_with_conjugates(std::span<const Index> rows, const Complex* x,
                                                Index count) const;

  /// The load of 1 W incident in a reported mode. @param[in,out] b [num_dofs], added to
  void add_excitation(int reported_mode, double power, Complex* b) const;
  /// Power waves that leave through the reported modes, each up to a phase, for `power` [W] incident in mode
  /// `excited` (-1: none), over the square root of that power (of 1 W for none).
  /// @param x [num_dofs] a solution
  std::vector<Complex> outgoing(const Complex* x, int excited, double power) const;

 private:
  /// Of E in a mode into which a power [W] comes in.
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
