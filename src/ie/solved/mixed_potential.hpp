// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Config, problem and solution of volume and film equations.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ie/mixed_potential/far_field_error.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/model/config.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/results/far_fields.hpp"
#include "ie/volume/swg.hpp"
#include "io/hdf5.hpp"
#include "io/vtkhdf.hpp"
#include "job/refinement.hpp"

namespace curlew::ie {

struct MixedPotentialConfig : IeConfig {
  bool automatic_method = true;  ///< [solver] method is not set
  Integration integration;
  std::optional<job::Refinement> refinement{};
};
/// Reads [frequency], [excitation], [acceleration], [solver], [refinement] and [output].
/// @param kind volumes or films
MixedPotentialConfig read_mixed_potential_config(const io::Config& config, job::RefinedProblem kind,
                                                 run::Run& run);

/// One frequency: the system and its solution.
struct MixedPotentialSolution {
  double frequency, k;
  MixedPotentialSystem system;
  SwgBasis basis{};                  ///< basis of bodies
  std::vector<Complex> epsilon_r{};  ///< of the cells of the basis
  std::vector<Complex> x{};          ///< [waves, unknowns]

  const Complex* of(std::size_t wave) const { return &x[wave * std::size_t(system.sources.num_cols)]; }
  /// Whether a medium has negative permittivity, with which iterations converge slowly.
  bool is_indefinite() const;
};

/// Interface of the steps that differ between the equations, on one mesh.
class MixedPotentialProblem {
 public:
  virtual ~MixedPotentialProblem() = default;
  /// The system at a frequency [Hz], to be filled with solutions.
  virtual MixedPotentialSolution make(double frequency) const = 0;
  /// Warns if the mesh is too coarse and not refined.
  virtual void check(const MixedPotentialSolution&, bool /*is_refined*/, run::Run&) const {}
  /// Error of the far field of a solved wave; shares of the mesh's cells or triangles.
  virtual FarFieldError error(const MixedPotentialSolution& s, std::size_t wave) const = 0;
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

/// The system and options that solve it.
MixedPotentialEquation equation_of(const MixedPotentialSolution& s, const MixedPotentialConfig& c);
SolveOptions options_for(const MixedPotentialSolution& s, const MixedPotentialConfig& c);
/// Bytes of a dense matrix.
double dense_bytes(Index unknowns);
/// Incident waves in place of the solution.
void set_right_hand_sides(MixedPotentialSolution& s, const MixedPotentialConfig& c);
FarFields far_fields(const MixedPotentialSolution& s, Device device = Device::cpu);
/// Cross-sections of the first waves. @param absorption of the problem
std::vector<CrossSections> sections_of(const MixedPotentialConfig& c, const MixedPotentialProblem& problem,
                                       const FarFields& fields, const MixedPotentialSolution& s);

/// The problem on a mesh as read, not straightened. The mesh need not outlive it.
using ProblemOn = std::function<std::unique_ptr<MixedPotentialProblem>(const mesh::Mesh&)>;

}  // namespace curlew::ie
