// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[output.near_field]] of a Maxwell problem in finite elements.

#include <optional>
#include <string>

#include "fem/output/near_field.hpp"
#include "programs/fem/maxwell_setup.hpp"
#include "run/run.hpp"

namespace curlew::programs {

class NearFieldOutput {
 public:
  /// @param space, setup outlive this object
  NearFieldOutput(const fem::NedelecSpace& space, const MaxwellSetup& setup, run::Run& run);
  void begin_step(double frequency) { files_.begin_step(frequency); }
  void begin_mode(double frequency, int number) { files_.begin_step(frequency, number); }
  /// @param x [num_dofs]; frequency [Hz], complex for a mode
  /// @param beyond is added to what currents radiate to points outside of the mesh
  void add(const std::string& excitation, const std::string& suffix, const Complex* x, Complex frequency,
           const fem::IncidentField& beyond = nullptr);
  /// A scattered field, and the total one with what was known.
  void add_scattered(const std::string& excitation, const std::string& suffix, const Complex* x,
                     double frequency, const fem::IncidentField& incident);
  void close() { files_.close(); }

 private:
  std::optional<fem::RadiationCalculator> beyond_;
  fem::NearFieldEvaluator evaluator_;
  io::NearFieldFiles files_;
};

}  // namespace curlew::programs
