// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of ports: files, summary, table, and warnings of a doubtful S.

#include "fem/driven/port_network.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// Reports which ports model only a part of their structure.
void state_symmetry(const std::vector<PortPtr>& ports, run::Run& run);

/// NAME.sNp, ports.csv and active.csv; S, references and scalars of the summary; the tables.
/// @param touchstone version of the format asked for: 1 or 2
void write_network(const PortNetwork& network, const Model& model, const NedelecSpace& space, int touchstone,
                   run::Run& run);

/// ports.csv, and a table of every mode at the first and the last frequency, for runs that solve the ports
/// only.
void write_port_modes(const PortNetwork& network, const Model& model, const NedelecSpace& space,
                      run::Run& run);

/// Reciprocity, passivity and power balance, with warnings if violated. @param is_symmetric S = Sᵀ is
/// expected @param is_lossless |S a| = |a| is expected
void check_network(const PortNetwork& network, bool is_symmetric, bool is_lossless, run::Run& run);

}  // namespace curlew::fem
