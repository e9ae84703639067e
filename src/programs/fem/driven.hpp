// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[port]] in fem-solve: S-parameters and fields over a sweep of frequencies; the S-parameters of fe-iiee
// too.

#include <optional>
#include <vector>

#include "fem/output/port_results.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solves for all modes of all ports (and what an [excitation] delivers to them) at all frequencies.
void solve_driven(const io::Config& config, run::Run& run);

/// Rows of S whose fields are written: the first mode of every excited port (of a Floquet port both
/// polarisations of (0,0)), or of the first port.
std::vector<Eigen::Index> excited_modes(const fem::PortedProblem& problem);

/// [output] reference_impedance [ohm] of the Touchstone file.
std::optional<double> read_reference_impedance(const io::Config& config);

/// What the ports of a problem say, whatever solved it: NAME.sNp, ports.csv, S and input impedances in the
/// summary, a table, and checks of reciprocity, passivity and power balance.
/// @param solutions one per frequency; their x is not read
void report_s_parameters(const fem::PortedProblem& problem, const std::vector<fem::DrivenSolution>& solutions,
                         std::optional<double> reference_impedance, run::Run& run);

}  // namespace curlew::programs
