// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields known in closed form that are taken out of the unknown: the wave that arrives, or what dipoles
// radiate in the medium around them. The remainder E - E_known is smooth near a dipole, where elements cannot
// follow 1/r^3; its sources are where the medium differs and where boundaries are.
// Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., section 10.2 (scattered field).

#include <functional>
#include <optional>
#include <vector>

#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"

namespace curlew::fem {

struct KnownField {
  Vec3<Complex> e, curl;  ///< E [V/m], curl E [V/m^2]
};
using IncidentField = std::function<KnownField(Vec3<double>)>;

/// Over a ground the wave comes with its reflection.
/// @pre the excitation is scattered; it outlives the field. @param k0 [rad/m] in vacuum
IncidentField incident_field(const Excitation& excitation, double k0);

/// Power [W] of an excitation's dipoles alone in their background: self and mutual resistances.
double power_in_background(const Excitation& excitation, double k0);

/// Settles for every excitation of dipoles whether their own field is taken out: where all of them are in one
/// lossless isotropic medium that also fills all layers and lies at all absorbing boundaries, no wall
/// continues into a layer, and there are no images.
/// @throws InputError where [excitation] formulation = "scattered" asks for it and it cannot be
void choose_formulation(const io::Config& config, std::vector<Excitation>& excitations, const Model& model,
                        const mesh::Mesh& mesh, const mesh::Topology& topology);

}  // namespace curlew::fem
