// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives as every program writes them: sensitivity.csv, results.sensitivities and a table.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fields/dual_waves.hpp"
#include "run/run.hpp"

namespace curlew::results {

/// Writes when it is closed; without derivatives it writes nothing.
class SensitivityOutput {
 public:
  explicit SensitivityOutput(run::Run& run) : run_(run) {}

  /// Derivative per unit of the parameter.
  void write(double frequency, const std::string& parameter, double value, const std::string& quantity,
             Complex derivative);
  /// The same of S.
  void write_scattering(double frequency, const std::string& parameter, double value,
                        const Eigen::MatrixXcd& derivatives);
  /// The radar cross-section in a direction, both components together: "rcs1(180,0)" [m^2] of wave 1 towards
  /// theta 180, phi 0 degrees, and "rcs1_db(180,0)" [dB].
  /// @param f, derivatives of the amplitudes E r [V] by theta^ and phi^ for a wave of 1 V/m
  void write_cross_section(double frequency, const std::string& parameter, double value,
                           const fields::Observation& observation, const fields::Amplitudes& f,
                           const fields::Amplitudes& derivatives);
  void close();

 private:
  struct Row {
    double frequency;
    std::string parameter;
    double value;
    std::string quantity;
    Complex derivative;
  };

  run::Run& run_;
  std::vector<Row> rows_;
};

}  // namespace curlew::results
