// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// 0 Hz among the frequencies of ports: S tends to a real limit, which the split system of a frequency next to
// it gives (fem/driven/low_frequency.hpp). No fields are written at 0 Hz, since E and H for 1 W have no
// common limit.

#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/driven/port_network.hpp"
#include "io/config.hpp"

namespace curlew::fem {

class StaticLimit {
 public:
  StaticLimit() = default;
  /// @param[in,out] frequencies [Hz] ascending; 0 is replaced by the low frequency that is solved instead
  /// @throws InputError where the model has no limit
  StaticLimit(std::vector<double>& frequencies, const mesh::Mesh& mesh, const Model& model);

  bool is_asked() const { return frequency_ > 0; }
  /// Removes 0 Hz from the frequencies at which fields and unknowns are written. @throws InputError if fields
  /// are requested and no other frequency is left
  void leave_out(std::vector<double>& written, bool fields_asked, const io::Config& config) const;
  /// @throws InputError with sources beside the ports, or where the system is not split
  void require(const DrivenProblem& problem, bool has_sources) const;
  /// Adds a solution to the network; that of the low frequency as 0 Hz.
  void add(const DrivenSolution& solution, PortNetwork& network) const;

 private:
  double frequency_ = 0;  ///< [Hz] solved in place of 0 Hz; 0: not requested
};

}  // namespace curlew::fem
