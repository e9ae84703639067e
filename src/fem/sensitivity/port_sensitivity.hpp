// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of S with respect to a parameter of the model, from the solutions for S.
//
// v_ij = f_iᵀ x_j, the amplitude at mode i for a unit amplitude into mode j, is 2 c_j f_iᵀ A⁻¹ f_j, and with
// A = Aᵀ its derivative needs no further solution: v_ij' = c_j'/c_j v_ij - 2 c_j y_iᵀ A' y_j, y_j = A⁻¹ f_j,
// A with the terms of all modes. A' is a difference of constants for a smaller and a larger parameter
// (solved_form.hpp); the algebra of small matrices that follows from v is done twice and subtracted. Source:
// Nikolova, Bandler and Bakr (2004), IEEE Trans. MTT 52(1), adjoint sensitivities without further solutions.

#include <memory>
#include <span>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/sensitivity/shape_derivative.hpp"

namespace curlew::fem {

/// The model with a slightly smaller or larger parameter.
struct Variant {
  Model model;
  double step;  ///< difference from the parameter's value; <= 0 for the lower variant
};

/// S at a variant, to first order in its step.
struct VariedPorts {
  std::vector<PortPtr> ports;
  std::vector<ModeState> modes;  ///< reported modes
  Eigen::MatrixXcd s;            ///< normalised to the modes' own impedances
};

class PortSensitivity {
 public:
  /// @param problem, solution outlive this
  /// @throws InputError for periodic faces and media that are not reciprocal
  PortSensitivity(const MaxwellSystem& problem, const DrivenSolution& solution);
  ~PortSensitivity();

  struct Pair {
    VariedPorts low, high;
  };
  /// @throws InputError if media or walls of hybrid modes, or PML, change
  Pair vary(const Variant& low, const Variant& high) const;
  /// The same with moved nodes, for several parameters at once. @param steps S is evaluated at this distance
  /// below and above @throws InputError also if ports change their shape
  std::vector<Pair> move(std::span<const Motion> motions, std::span<const double> steps) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::fem
