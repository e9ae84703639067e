// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the accelerated equations of ie-solve share: excitation, solver and pattern of a config; solving;
// reports.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fields/far_field.hpp"
#include "ie/accelerated/iterative_solve.hpp"
#include "io/config.hpp"
#include "io/far_field_files.hpp"
#include "run/run.hpp"

namespace curlew::apps {

struct IncidentWave {
  double theta_deg, phi_deg;  ///< where it comes from
  std::string polarization;   ///< "theta", "phi" or an angle in degrees
  double angle;               ///< of E from theta^ towards phi^ [rad]

  Vec3<double> direction() const;  ///< of travel
  Vec3<double> electric() const;   ///< unit
};

/// Of a config with accelerated products, whatever the equation.
struct AcceleratedConfig {
  std::vector<double> frequencies;  ///< [Hz]
  std::vector<IncidentWave> waves;
  std::optional<ie::Method> method;  ///< nullopt: by the number of unknowns
  ie::SolveOptions options;
  bool fields = true;
  std::vector<double> theta_deg, phi_deg;  ///< of rcs.csv
};
/// Reads [frequency], [excitation], [acceleration], [solver] and [output].
AcceleratedConfig read_accelerated_config(const io::Config& config, run::Run& run);

/// Relative permittivity by frequency [Hz]: epsilon_r, loss_tangent, conductivity, or a dispersive model.
using Permittivity = std::function<Complex(double)>;
Permittivity read_permittivity(const io::Config& table);

/// One frequency: the matrix in pieces, and what the solve left.
struct AcceleratedSolution {
  double frequency, k;
  ie::MixedPotentialSystem system;
  std::vector<Complex> x;  ///< [waves, unknowns]

  const Complex* of(std::size_t wave) const { return &x[wave * std::size_t(system.sources.num_cols)]; }
};

/// States sizes and memory; settles dense or accelerated.
void plan_solve(const AcceleratedSolution& solution, AcceleratedConfig& config, run::Run& run);
/// @throws NumericalError if the iteration does not converge
void solve_waves(AcceleratedSolution& solution, const AcceleratedConfig& config, run::Run& run);

/// The table of cross-sections, a line per wave.
void start_table(run::Run& run);
/// @param absorption [m^2] of wave w: writes its pattern and its line, and warns where power does not balance
void report_wave(const AcceleratedSolution& solution, const AcceleratedConfig& config, std::size_t w,
                 double absorption, io::RcsWriter& rcs, run::Run& run);

}  // namespace curlew::apps
