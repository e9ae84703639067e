// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[sensitivity]]: derivatives of S, impedances and frequencies by numbers of the config.

#include <optional>
#include <string>
#include <vector>

#include "fem/eigen/cavity.hpp"
#include "fem/sensitivity/port_sensitivity.hpp"
#include "io/config.hpp"
#include "io/csv.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// One number, and the model a little below and above it.
struct Parameter {
  std::string name;  ///< "material.substrate.epsilon_r"
  double value = 0;
  fem::Variant low, high;                ///< of numbers in tables
  std::vector<Vec3<double>> velocity{};  ///< [num_nodes, m by a unit] of numbers of the geometry, else empty
  double step = 0;                       ///< of a number of the geometry, for what follows from S

  bool is_shape() const { return !velocity.empty(); }
};

/// [[sensitivity]] parameter = "material.REGION.KEY", "boundary.REGION.KEY", "port.REGION.KEY" or
/// "mesh.parameters.NAME".
/// @throws InputError with file and line: no such table, or a key that states no number
std::vector<Parameter> read_parameters(const io::Config& config, const MaxwellSetup& setup, run::Run& run);

/// sensitivity.csv, a table and the summary. Nothing is written without parameters.
class Sensitivities {
 public:
  /// @param reference_impedance [ohm] of S, where a port has none of its own
  Sensitivities(std::vector<Parameter> parameters, std::optional<Complex> reference_impedance, run::Run& run)
      : parameters_(std::move(parameters)), reference_impedance_(reference_impedance), run_(run) {}

  bool is_empty() const { return parameters_.empty(); }
  /// S against its references, and impedances of lumped ports.
  void add(const fem::DrivenProblem& problem, const fem::DrivenSolution& solution);
  /// Complex frequencies. @param modes on this space
  void add(const fem::NedelecSpace& space, const fem::Model& model,
           const std::vector<fem::CavityMode>& modes);
  void close();

 private:
  /// Derivatives from S a little below and above.
  void write_pair(const fem::DrivenProblem& problem, double frequency, const Parameter& parameter,
                  const fem::PortSensitivity::Pair& pair, double step);
  void write(double frequency, const Parameter& parameter, const std::string& quantity, Complex derivative);

  std::vector<Parameter> parameters_;
  std::optional<Complex> reference_impedance_;
  run::Run& run_;
  std::optional<io::CsvWriter> csv_;
  std::vector<std::vector<std::string>> shown_;
};

}  // namespace curlew::programs
