// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[port]] in fem-solve: S-parameters and fields over a sweep of frequencies.

#include <Eigen/Core>
#include <vector>

#include "fem/driven/port_network.hpp"
#include "io/config.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// Solves for all modes of all ports (and the waves that an [excitation] sends into them) at all frequencies.
void solve_driven(const io::Config& config, run::Run& run);

/// The modes of the ports alone: ports.csv. @throws as solve_driven
void solve_ports(const io::Config& config, run::Run& run);

/// Rows of S whose fields are written: the first mode of every excited port (of a Floquet port both
/// polarisations of (0,0)), or of the first port where
/// no port is excited and none has an amplitude (combined.hpp).
std::vector<Eigen::Index> excited_modes(const std::vector<fem::PortPtr>& ports,
                                        const std::vector<fem::ModePlace>& modes);

}  // namespace curlew::programs
