// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The driven problem of em-bench direct and multilevel: a short-circuited waveguide of 1 x 0.75 x 0.5 m on a
// grid of tetrahedra, with an absorbing TE10 face at x = 1, A = K - k^2 M + j beta B.

#include <array>
#include <vector>

#include "fem/space.hpp"
#include "linalg/csr.hpp"

namespace curlew::bench {

struct Waveguide {
  mesh::Mesh mesh;
  mesh::Topology topology;
  fem::NedelecSpace space;  ///< points at mesh and topology: do not move
  linalg::Csr<Complex> a;
  std::vector<Complex> b;
};

/// @param blocks grid blocks along x, y, z, six cells each @param wavenumber [rad/m], above pi / 0.75
void build_waveguide(int order, const std::array<int, 3>& blocks, double wavenumber, Waveguide& s);

}  // namespace curlew::bench
