// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A driven acoustic problem over a list of frequencies: one pattern and one analysis, a factorisation per
// frequency. (K - w^2 M + jw B + S) p = b with K from 1/rho, M from 1/kappa, B from 1/Z and S from alpha/rho
// on surfaces.
//
// A plane wave w enters through the inner face of the layers, in which u = p - w is damped. In the layers p
// also denotes the total pressure, so that it is continuous; with n outward
//   b_a += int 1/rho dw/dn phi_a dS + a_layer(w, phi_a).
// Bodies inside then need no equivalent sources. Source: Jin (2014), The Finite Element Method in
// Electromagnetics, 3rd ed., section 12.5 (total- and scattered-field decomposition).

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "fem/acoustics/acoustic_exterior.hpp"
#include "fem/acoustics/acoustic_model.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// Time averages [W].
struct AcousticPower {
  double input = 0;       ///< from moving walls and prescribed pressures into the fluid
  double boundaries = 0;  ///< absorbed by walls
  double medium = 0;      ///< absorbed in the fluid
  double radiated = 0;    ///< through the inner face of the layers, minus the power that a wave brings in
  /// |input - boundaries - medium - radiated| over the largest of them; 0 without power
  double imbalance() const;
};

struct AcousticSolution {
  double frequency = 0;           ///< [Hz]
  std::vector<Complex> pressure;  ///< [num_nodes] total pressure at all nodes, including fixed ones [Pa]
  AcousticPower power;
  linalg::SystemReport solver;   ///< how the system was solved
  std::vector<Complex> duals{};  ///< [num_nodes, loads] solutions for the further right-hand sides
};

/// Computes right-hand sides of dual problems from a solution. [num_nodes, loads]
using LoadsOfSolution = std::function<std::vector<Complex>(const AcousticSolution&)>;

/// The system of one frequency.
struct AcousticSystem {
  linalg::Csr<Complex> matrix;      ///< [num_free, num_free]
  std::vector<Complex> rhs;         ///< [num_free] including prescribed pressures and the wave
  linalg::Csr<Complex> fixed_rows;  ///< [num_fixed, num_nodes] times p: -jw int v_n phi_a dS on fixed nodes
};

class AcousticProblem {
 public:
  /// @param mesh, topology outlive the problem
  /// @throws InputError for pressures that differ where two dirichlet surfaces meet
  AcousticProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, AcousticModel model,
                  linalg::SystemOptions options);

  const LagrangeSpace& space() const { return space_; }
  const AcousticModel& model() const { return model_; }
  /// Has the number of nonzeros (`entries`) after analyse.
  linalg::SystemInfo solver_info() const { return solver_->info(); }
  bool has_source() const;

  AcousticSystem system(double frequency) const {
    return system(frequency, coefficients_at(frequency), assembler_.create_matrix<Complex>());
  }
  /// Orders the unknowns and estimates memory; called once, before the first solve.
  void analyse();
  /// @throws ResourceError if the factorisation does not fit; NumericalError at a resonance without loss
  /// @param loads [num_nodes, loads] further right-hand sides, zero where the pressure is prescribed
  /// @param further more right-hand sides, which depend on the solution; they come after `loads`
  AcousticSolution solve(double frequency, const std::vector<Complex>& loads = {},
                         const LoadsOfSolution& further = {});

 private:
  void set_pressures();
  ScalarCoefficients coefficients_at(double frequency) const;
  /// Adds the right-hand side of moving walls and Robin values to b.
  void add_walls(const AcousticSurface& surface, double omega, std::vector<Complex>& b) const;
  void add_wave(double frequency, const ScalarCoefficients& coefficients, std::vector<Complex>& b) const;
  /// Matrix over all nodes of the assembler's space. @param a of its pattern
  linalg::Csr<Complex> matrix(double omega, const ScalarAssembler& assembler,
                              const ScalarCoefficients& coefficients, linalg::Csr<Complex> a) const;
  AcousticSystem system(double frequency, const ScalarCoefficients& coefficients,
                        linalg::Csr<Complex> of_pattern) const;
  /// Right-hand side of moving walls and Robin values [num_nodes].
  std::vector<Complex> load(double omega) const;
  bool takes_lower_order() const;
  /// Begins the matrix of order 1 in another thread, with its space and its analysis the first time.
  void begin_lower_order(double omega, const ScalarCoefficients& coefficients);
  void make_lower_order(double omega, const ScalarCoefficients& coefficients);
  /// Waits for it. @returns null: the multilevel preconditioner factorises the full matrix
  const linalg::LowerOrder* lower_order();
  AcousticPower power(double frequency, const AcousticSystem& system, const std::vector<Complex>& p) const;
  double radiated_power(double frequency, const std::vector<Complex>& p) const;
  double medium_power(double omega, const std::vector<Complex>& p) const;

  AcousticModel model_;
  linalg::SystemOptions options_;
  LagrangeSpace space_;
  ScalarAssembler assembler_;
  ScalarCoefficients coefficients_;
  std::vector<AcousticSurface> surfaces_;
  std::optional<SoundExterior> exterior_;  // if there are layers
  std::vector<Complex> fixed_;             // [num_fixed] [Pa]
  std::unique_ptr<linalg::SystemSolver> solver_;
  linalg::Csr<Complex> known_;             // of an earlier matrix, for its pattern; empty: none
  std::optional<LagrangeSpace> vertices_;  // of order 1, made when first needed
  std::optional<ScalarAssembler> lower_assembler_;
  linalg::LowerOrder lower_;
  std::future<void> lower_made_;  // declared last: its destructor waits for its thread
};

}  // namespace curlew::fem
