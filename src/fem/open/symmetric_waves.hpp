// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Waves on a body with planes of symmetry that the waves do not have. A wave is the sum of 2^n parts, each
// the mean of its images with the signs of electric or magnetic planes, (w ± R w)/2 for each plane; each part
// is solved in the modelled part of the body with PEC or PMC on the planes, and the solutions are added.
// Source: Harrington (2001), Time-Harmonic Electromagnetic Fields, section 3-3 (images).

#include <vector>

#include "fem/model/model.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/symmetry.hpp"
#include "fields/far_field.hpp"

namespace curlew::fem {

/// True if all excitations are waves and some do not have the symmetry of some plane.
bool needs_parts(const Symmetry& symmetry, const std::vector<Excitation>& excitations);

/// The part, with the symmetry of the model, of a wave of 1 V/m from a direction; over a ground the whole
/// one.
Excitation symmetric_wave(const Symmetry& symmetry, const fields::Direction& from, double polarization);

struct OpenPart {
  Model model;  ///< with PEC or PMC on the planes
  Symmetry symmetry;
  std::vector<Excitation> excitations;  ///< the parts of those that have one
  std::vector<std::size_t> which;       ///< [excitations] their indices among all excitations
};

/// The parts that some wave has. @pre needs_parts
/// @throws InputError unless on each plane lies the outer surface of one [[boundary]] of the plane's type, or
/// of several that are pmc
std::vector<OpenPart> symmetric_parts(const Model& model, const mesh::Mesh& mesh,
                                      const mesh::Topology& topology, const Symmetry& symmetry,
                                      const std::vector<Excitation>& excitations);

}  // namespace curlew::fem
