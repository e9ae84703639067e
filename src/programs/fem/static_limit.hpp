// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// 0 Hz among the frequencies of ports: S tends to a real limit, which the split system of a frequency next to
// it gives (fem/driven/low_frequency.hpp). Fields have no step there: E of 1 W and H have no common limit.

#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/driven/port_network.hpp"
#include "io/config.hpp"

namespace curlew::programs {

class StaticLimit {
 public:
  StaticLimit() = default;
  /// @param[in,out] frequencies [Hz] ascending; in the place of 0 comes the frequency that is solved for it
  /// @throws InputError where the model has no limit
  StaticLimit(std::vector<double>& frequencies, const mesh::Mesh& mesh, const fem::Model& model);

  bool is_asked() const { return frequency_ > 0; }
  /// Takes it out of the frequencies that fields and unknowns are written at.
  /// @throws InputError if fields are asked and no other frequency is left
  void leave_out(std::vector<double>& written, bool fields_asked, const io::Config& config) const;
  /// @throws InputError with sources beside the ports, or where the system is not split
  void require(const fem::DrivenProblem& problem, bool has_sources) const;
  /// Adds a solution to the network, that of the limit as 0 Hz.
  void add(const fem::DrivenSolution& solution, fem::PortNetwork& network) const;

 private:
  double frequency_ = 0;  ///< [Hz] solved in the place of 0, 0 if it is not asked
};

}  // namespace curlew::programs
