// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses the equation for a problem, with a reason.

#include <string>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

struct EquationChoice {
  Equation equation;
  MagneticTesting testing;
  std::string reason;  ///< text after "because" in messages
};

/// The EFIE where it is accurate: for open conductors, for bodies and impedances (whose own equations have no
/// interior resonances), for ports, and for closed conductors up to nine tenths of their lowest interior
/// resonance. Above that the CFIE, with dual tests of the magnetic field where the conductors have edges or
/// tips: with RWG tests errors are largest there. Dual tests need a stored matrix, conductors that do not
/// touch, and at most most_dual_unknowns.
/// @param problem at the highest frequency; its equation and testing are ignored @param stores_matrix false:
/// the solver uses fast sums
/// @throws InputError as make_scene
EquationChoice choose_equation(Problem problem, bool has_ports, bool stores_matrix = true);

/// Why only the EFIE is possible: text after "because" in messages. Empty: the CFIE is possible, too.
std::string obstacle_to_cfie(const Problem& problem, const Scene& scene, bool has_ports);

/// Unknowns: 4 GB of matrix.
constexpr Index most_dual_unknowns = 16000;

}  // namespace curlew::ie
