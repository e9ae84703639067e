// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of S by a number in the model, from the solutions that S came from.
//
// v_ij = f_iᵀ x_j, the amplitude at mode i for a unit amplitude into mode j, is 2 c_j f_iᵀ A⁻¹ f_j, and with
// A = Aᵀ its derivative needs no further solution: v_ij' = c_j'/c_j v_ij - 2 c_j y_iᵀ A' y_j, y_j = A⁻¹ f_j,
// A with the terms of all modes. A' is a difference of constants between the numbers before and behind
// (solved_form.hpp); what follows from v, the algebra of small matrices, is done twice and subtracted.
// Source: Nikolova, Bandler and Bakr (2004), IEEE Trans. MTT 52(1), adjoint sensitivities without further
// solutions.

#include <memory>
#include <span>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/sensitivity/shape_derivative.hpp"

namespace curlew::fem {

/// The model with a number a little less or greater.
struct Variant {
  Model model;
  double step;  ///< of the number from its value; of the lower variant <= 0
};

/// S at a variant, to first order in its step.
struct VariedPorts {
  std::vector<PortPtr> ports;
  std::vector<ModeState> modes;  ///< the reported ones
  Eigen::MatrixXcd s;            ///< against the modes' own impedances
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
  /// @throws InputError where media or walls of hybrid modes, or layers, change
  Pair vary(const Variant& low, const Variant& high) const;
  /// The same with moved nodes, for several numbers at once. @param steps S is given so far before and behind
  /// @throws InputError where ports change their shape, too
  std::vector<Pair> move(std::span<const Motion> motions, std::span<const double> steps) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace curlew::fem
