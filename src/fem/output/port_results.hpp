// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters and port constants as files.

#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "io/provenance.hpp"

namespace curlew::fem {

/// NAME.sNp: power waves, every mode a port of the file, each normalised to itself; comment lines name them.
/// @param solutions one per frequency; their x is not read
void write_s_parameters(const std::string& path, const DrivenProblem& problem,
                        const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance);

/// ports.csv: γ, cut-off and wave impedance 1/Y of every mode at every frequency.
void write_port_table(const std::string& path, const DrivenProblem& problem,
                      const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance);

/// "port1 TE10": how tables and comments name a mode.
std::string mode_label(const DrivenProblem& problem, const ModePlace& place);

}  // namespace curlew::fem
