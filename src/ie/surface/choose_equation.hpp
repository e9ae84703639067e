// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which equation suits a problem, and why.

#include <string>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

struct EquationChoice {
  Equation equation;
  MagneticTesting testing;
  std::string reason;  ///< for users: what follows "because"
};

/// The EFIE where it is right: for open conductors, for bodies and impedances (whose own equations have no
/// interior resonances), for ports, and for closed conductors up to nine tenths of their lowest interior
/// resonance. Above that the CFIE, with dual tests of the magnetic field where the conductors have edges or
/// tips: with RWG tests errors are largest there. Dual tests need a stored matrix, two conductors that do not
/// touch, and so many unknowns at most.
/// @param problem at the highest frequency; equation and testing of it do not matter
/// @param stores_matrix false: the solver is to take fast sums
/// @throws InputError as make_scene
EquationChoice choose_equation(Problem problem, bool has_ports, bool stores_matrix = true);

/// Why only the EFIE can be taken, for users: what follows "because". Empty: the CFIE can be taken too.
std::string obstacle_to_cfie(const Problem& problem, const Scene& scene, bool has_ports);

/// Unknowns: 4 GB of matrix.
constexpr Index most_dual_unknowns = 16000;

}  // namespace curlew::ie
