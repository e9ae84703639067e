// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The way that volume and film equations share: config, problem and sinks of their run.

#include <memory>
#include <vector>

#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/volume/swg.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/config.hpp"

namespace curlew::programs {

struct MixedPotentialConfig : IeConfig {
  bool automatic_method = true;  ///< [solver] method is not stated
  ie::Integration integration;
  int charge_steps = 12;  ///< of the preconditioner `charges`
};
/// Reads [frequency], [excitation], [acceleration], [solver] and [output].
MixedPotentialConfig read_mixed_potential_config(const io::Config& config, run::Run& run);

/// One frequency: the system, and what the solve left.
struct MixedPotentialSolution {
  double frequency, k;
  ie::MixedPotentialSystem system;
  ie::SwgBasis basis{};              ///< of bodies
  std::vector<Complex> epsilon_r{};  ///< the same: of the basis' cells
  std::vector<Complex> x{};          ///< [waves, unknowns]

  const Complex* of(std::size_t wave) const { return &x[wave * std::size_t(system.sources.num_cols)]; }
  /// Media of negative permittivity: iterations crawl.
  bool is_indefinite() const;
};

/// What one equation adds to the way that all share.
class MixedPotentialProblem {
 public:
  virtual ~MixedPotentialProblem() = default;
  /// The system at a frequency [Hz], to be filled with solutions.
  virtual MixedPotentialSolution make(double frequency) const = 0;
  /// Warns of what the mesh cannot follow.
  virtual void check(const MixedPotentialSolution&, run::Run&) const {}
  /// The same problem with elements of half the size, and how many times the unknowns it has.
  virtual std::unique_ptr<MixedPotentialProblem> finer() const = 0;
  /// The same problem with elements moved to the surface (mesh::moved_flat); null where there are none.
  virtual std::unique_ptr<MixedPotentialProblem> moved() const = 0;
  virtual double growth() const = 0;
  /// Absorption cross-section [m^2] of a solved wave.
  virtual double absorption(const MixedPotentialSolution& s, std::size_t wave) const = 0;
  /// Cells of the file of fields, and its name.
  virtual io::VtkGrid grid() const = 0;
  virtual const char* fields_name() const = 0;
  /// The arrays of one step.
  virtual void write_fields(const MixedPotentialSolution& s, std::size_t num_waves,
                            io::VtkHdfWriter& writer) const = 0;
  /// What solution.h5 says of x, and its further datasets.
  virtual io::About unknowns() const = 0;
  virtual const char* format() const = 0;
  virtual void write_more(const MixedPotentialSolution&, io::H5File&) const {}
};

/// Plans, solves, reports and writes every frequency. @throws NumericalError if an iteration does not
/// converge
void solve_frequencies(const MixedPotentialConfig& config, const MixedPotentialProblem& equation,
                       run::Run& run);

}  // namespace curlew::programs
