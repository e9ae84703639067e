// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Incident fields in closed form that are subtracted from the unknown: the incident wave, or the field of
// dipoles in the medium around them. The remainder E - E_known is smooth near a dipole, where elements cannot
// represent 1/r^3; its sources are differences of media and boundaries. Source: Jin (2014), The Finite
// Element Method in Electromagnetics, 3rd ed., section 10.2 (scattered field).

#include <functional>
#include <optional>
#include <vector>

#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/symmetry.hpp"

namespace curlew::fem {

struct KnownField {
  Vec3<Complex> e, curl;  ///< E [V/m], curl E [V/m^2]
};
using IncidentField = std::function<KnownField(Vec3<double>)>;

/// Over a ground it includes the reflected wave, and in planes of symmetry the images of dipoles.
/// @pre the excitation is scattered; it outlives the field. @param k0 [rad/m] in vacuum
IncidentField incident_field(const Excitation& excitation, double k0);

/// Power [W] of an excitation's dipoles in their background and beside their images: self and mutual
/// resistances.
double power_in_background(const Excitation& excitation, double k0);

/// Decides for every excitation of dipoles whether their incident field is subtracted: if all of them are in
/// one lossless isotropic medium that also fills all PML and lies at all absorbing boundaries, and no wall
/// continues into a PML but in a plane of symmetry, where the field with that of the images meets its
/// condition. @throws InputError if [excitation] formulation = "scattered" requests it and it is not possible
void choose_formulation(const io::Config& config, std::vector<Excitation>& excitations,
                        const Symmetry& symmetry, const Model& model, const mesh::Mesh& mesh,
                        const mesh::Topology& topology);

}  // namespace curlew::fem
