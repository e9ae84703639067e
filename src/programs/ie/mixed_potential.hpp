// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Config, problem and writers that the runs of volume and film equations share.

#include <memory>
#include <vector>

#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/volume/swg.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/config.hpp"

namespace curlew::programs {

struct MixedPotentialConfig : IeConfig {
  bool automatic_method = true;  ///< [solver] method is not set
  ie::Integration integration;
  int charge_steps = 12;  ///< of the preconditioner `charges`
};
/// Reads [frequency], [excitation], [acceleration], [solver] and [output].
MixedPotentialConfig read_mixed_potential_config(const io::Config& config, run::Run& run);

/// One frequency: the system and its solution.
struct MixedPotentialSolution {
  double frequency, k;
  ie::MixedPotentialSystem system;
  ie::SwgBasis basis{};              ///< basis of bodies
  std::vector<Complex> epsilon_r{};  ///< of the cells of the basis
  std::vector<Complex> x{};          ///< [waves, unknowns]

  const Complex* of(std::size_t wave) const { return &x[wave * std::size_t(system.sources.num_cols)]; }
  /// Whether a medium has negative permittivity, with which iterations converge slowly.
  bool is_indefinite() const;
};

/// Interface of the steps that differ between the equations.
class MixedPotentialProblem {
 public:
  virtual ~MixedPotentialProblem() = default;
  /// The system at a frequency [Hz], to be filled with solutions.
  virtual MixedPotentialSolution make(double frequency) const = 0;
  /// Warns if the mesh is too coarse.
  virtual void check(const MixedPotentialSolution&, run::Run&) const {}
  /// The same problem with elements of half the size.
  virtual std::unique_ptr<MixedPotentialProblem> finer() const = 0;
  /// The same problem with elements moved to the surface (mesh::moved_flat); null if no surface is curved.
  virtual std::unique_ptr<MixedPotentialProblem> moved() const = 0;
  virtual double growth() const = 0;
  /// Absorption cross-section [m^2] of a solved wave.
  virtual double absorption(const MixedPotentialSolution& s, std::size_t wave) const = 0;
  /// Cells of the file of fields.
  virtual io::VtkGrid grid() const = 0;
  virtual const char* fields_name() const = 0;
  /// Writes the arrays of one step.
  virtual void write_fields(const MixedPotentialSolution& s, std::size_t num_waves,
                            io::VtkHdfWriter& writer) const = 0;
  /// Description of x in solution.h5, and further datasets.
  virtual io::About unknowns() const = 0;
  virtual const char* format() const = 0;
  virtual void write_more(const MixedPotentialSolution&, io::H5File&) const {}
};

/// Plans, solves, reports and writes every frequency. @throws NumericalError if an iteration does not
/// converge
void solve_frequencies(const MixedPotentialConfig& config, const MixedPotentialProblem& equation,
                       run::Run& run);

}  // namespace curlew::programs
