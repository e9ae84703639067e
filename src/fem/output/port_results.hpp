// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters and port constants as files.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "io/provenance.hpp"

namespace curlew::fem {

/// NAME.sNp: power waves, every mode a port of the file, each normalised to itself; comment lines name them.
/// @param solutions one per frequency; their x is not read
/// @param reference_impedance [ohm] renormalises from the modes' impedances; without it each keeps its own
/// @throws InputError if a mode has no impedance to renormalise from
void write_s_parameters(const std::string& path, const DrivenProblem& problem,
                        const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance,
                        std::optional<double> reference_impedance = {});

/// ports.csv: γ, cut-off and impedances of every mode at every frequency.
void write_port_table(const std::string& path, const DrivenProblem& problem,
                      const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance);

/// "port1 TE10": how tables and comments name a mode.
std::string mode_label(const DrivenProblem& problem, const ModePlace& place);

}  // namespace curlew::fem
