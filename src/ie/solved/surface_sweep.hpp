// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions on a mesh that is not the run's: of a pass, or for comparison.

#include <functional>
#include <map>
#include <optional>
#include <span>

#include "ie/solved/surface_solve.hpp"
#include "ie/solved/sweep_radiation.hpp"
#include "job/job.hpp"

namespace curlew::ie {

/// Solutions on a mesh, by the default rules of integration.
struct KnownColumns {
  struct Solved {
    std::vector<Complex> columns;  ///< as columns_of
    SolveReport report;
  };
  SurfaceMesh mesh{};
  SolveOptions solver{};
  std::map<double, Solved> at{};  ///< by frequency [Hz]

  /// Whether another run solves the same equations to the same accuracy.
  bool are_those_of(const SurfaceMesh& on, const Accuracy& accuracy, const SolveOptions& by) const;
};

class SurfaceSweep {
 public:
  /// @param mesh straight @param config outlives this object
  SurfaceSweep(const mesh::Mesh& mesh, const SurfaceConfig& config)
      : config_(config), problems_(config.surfaces, mesh), radiation_(config) {}
  const SurfaceProblems& problems() const { return problems_; }
  /// Found between full solutions at a few of the run's frequencies where the run has an adaptive sweep, and
  /// solved elsewhere. @throws NumericalError if the iteration does not converge
  SurfaceSolution at(double frequency);
  /// Calls visit(i, solution) for each of these frequencies: where all are found between full solutions, by
  /// all threads at the same time.
  void each(std::span<const double> frequencies,
            const std::function<void(std::size_t, const SurfaceSolution&)>& visit);
  /// Solved in any case.
  SurfaceSolution solved_at(double frequency) const {
    return solve_surface(problems_, shared_ ? *shared_ : config_, frequency, near_ ? &*near_ : nullptr);
  }
  /// The full solutions of an adaptive sweep.
  KnownColumns full() const;
  /// [bytes] of the solutions and near integrals so far, beside a matrix and its factors.
  std::size_t bytes() const;
  /// Fields radiated by its solutions.
  RadiatedFields radiated(const SurfaceSolution& s) { return radiation_.of(s, Device::cpu); }

  // ---- for job::Sampled ----
  linalg::SampledColumns columns(const SurfaceSolution& s);
  SurfaceSolution between(double frequency, std::vector<Complex> columns) const;
  linalg::SampledSolutions::Observed observed() const {
    return scattering_of(ports_, config_.reference_impedance);
  }
  bool keeps_full() const { return false; }

 private:
  const SurfaceConfig& config_;
  std::optional<SurfaceConfig> chosen_;  // with the solver of the mesh
  std::optional<SurfaceConfig> shared_;  // with factors that the full solutions share
  SurfaceProblems problems_;
  std::optional<NearSeries> near_;
  std::size_t near_bytes_ = 0;
  SweepRadiation radiation_;
  std::vector<PortWeights> ports_;         // of the last full solution
  std::map<double, SolveReport> reports_;  // of the full solutions, by frequency [Hz]
  std::optional<job::Sampled<SurfaceSolution, SurfaceSweep>> sampled_;

  /// Whether frequencies are found between full solutions.
  bool samples();
  void sample();
};

}  // namespace curlew::ie
