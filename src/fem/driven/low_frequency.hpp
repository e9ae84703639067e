// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where double precision ends. In ∫ (∇×W)·(∇×E)/μ - k² ∫ W·εE the gradients are held by the second term
// alone, k²h² of the first on edges of length h, and the first is known to its round-off: the part of E that
// carries charge (voltages, capacitances) has an error of about 50 ε_machine / (kh)². The residual does not
// see it. Source: Zhu and Jiao (2010), IEEE Trans. Microw. Theory Techn. 58(9), the low-frequency breakdown.

#include <vector>

#include "fem/model/model.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// Judges frequencies [Hz] by that share, 50 ε_machine / (|n| k0 h)² with h the mean edge of each material,
/// the largest of all: warns from 1e-3 on.
/// @throws InputError above 1e-2: it names the lowest frequency that the mesh allows
void require_resolvable(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                        const std::vector<double>& frequencies);

}  // namespace curlew::fem
