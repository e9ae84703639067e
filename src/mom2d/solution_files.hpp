// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files of a solution at one frequency [Hz]: currents and charges on the contours, the unknowns, fields.

#include <string>

#include "io/provenance.hpp"
#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// CSV: the electric surface current of every wave of 1 V/m at the quadrature points.
void write_currents(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency);
/// CSV: the surface charge of these currents, in TE.
void write_charges(const Solution& s, const std::string& path, const io::Provenance& provenance,
                   double frequency);

/// HDF5: u and v on the contours, the quadrature points, normals and weights.
void write_solution(const Solution& s, const std::string& path, const io::Provenance& provenance,
                    double frequency);

struct FieldGrid {
  double x0, x1, y0, y1;  ///< [m]
  int nx, ny;
};
/// VTKHDF: the total field of every wave of 1 V/m, Ez [V/m] or Hz [A/m], on a grid.
void write_near_field(const Solution& s, const FieldGrid& grid, const std::string& path,
                      const io::Provenance& provenance, double frequency);

}  // namespace curlew::mom2d
