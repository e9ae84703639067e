// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters as files.

#include <string>

#include "fem/driven/port_network.hpp"
#include "fem/model/model.hpp"
#include "io/provenance.hpp"

namespace curlew::fem {

/// NAME.sNp: power waves, every mode a port of the file; comment lines name them and what each is stated
/// against. One real reference of all stands in the option line, others in a comment per frequency, which
/// scikit-rf reads, or, in a file of version 2 and constant, in [Reference].
/// @param version 1 or 2, of the format; 2 where network.constant_references() has them
void write_s_parameters(const std::string& path, const PortNetwork& network, const Model& model,
                        const io::Provenance& provenance, int version);

}  // namespace curlew::fem
