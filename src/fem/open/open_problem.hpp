// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A problem driven by currents and plane waves: one factorisation per frequency, an excitation per
// right-hand side.

#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"
#include "fem/system/maxwell_system.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

struct OpenSolution {
  double frequency = 0;              ///< [Hz]
  std::vector<Complex> x;            ///< [num_dofs, excitations] scattered or total: Excitation
  std::vector<double> source_power;  ///< [excitations] -1/2 Re int E.J* [W]; 0 for a plane wave, infinite for
                                     ///< a dipole in a lossy medium
  linalg::SystemReport solver;       ///< how the system was solved
};

class OpenProblem : public MaxwellSystem {
 public:
  /// @param mesh, topology outlive the problem
  /// @throws InputError without excitations or with ports
  OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
              std::vector<Excitation> excitations, DrivenOptions options);

  const std::vector<Excitation>& excitations() const { return excitations_; }

  /// The system with all right-hand sides at a frequency [Hz].
  /// @param[out] a whose pattern is made here
  /// @param[out] b [num_dofs, excitations], column-major
  void assemble(double frequency, linalg::Csr<Complex>& a, std::vector<Complex>& b) const;
  OpenSolution solve(double frequency);
  /// Solves for other excitations at the last frequency without a new factorisation; they must be waves if
  /// some of the problem's excitations are scattered. @returns [num_dofs, excitations]
  std::vector<Complex> solve_for(const std::vector<Excitation>& others, double frequency);

 private:
  OpenProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
              std::vector<Excitation> excitations, DrivenOptions options,
              std::vector<Index> scattering_metal);
  std::vector<Complex> known_values(const std::vector<Excitation>& excitations, double k0) const;
  /// Assembles the system and its right-hand sides. @returns [num_dofs, excitations]
  std::vector<Complex> fill(const std::vector<Excitation>& excitations, double frequency);
  /// -1/2 Re int E.J* [W]. @param x, b [num_dofs]
  double source_power(const Excitation& excitation, const Complex* x, double frequency) const;

  std::vector<Excitation> excitations_;
  double prepared_for_ = -1;             // [Hz] frequency of the current factors
  std::vector<Index> scattering_metal_;  // triangles on which E_s = -E_inc
  std::vector<Index> known_;             // unknowns on scattering_metal_, ascending
};

/// Right-hand sides of excitations on a space, without terms of prescribed values. @returns [num_dofs,
/// excitations]
std::vector<Complex> source_loads(const NedelecSpace& space, const Model& model,
                                  const std::vector<Excitation>& excitations, double frequency);

}  // namespace curlew::fem
