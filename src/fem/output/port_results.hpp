// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters as files.

#include <string>

#include "fem/driven/port_network.hpp"
#include "fem/model/model.hpp"
#include "io/provenance.hpp"

namespace curlew::fem {

/// NAME.sNp: power waves, every mode a port of the file; comment lines give their names and reference
/// impedances. A real reference common to all is in the option line, others are in a comment per frequency,
/// which scikit-rf reads, or, if constant and in version 2, in [Reference].
/// @param version 1 or 2, of the format; 2 only if network.constant_references() has values
void write_s_parameters(const std::string& path, const PortNetwork& network, const Model& model,
                        const io::Provenance& provenance, int version);

}  // namespace curlew::fem
