// SPDX-License-Identifier: BSD-3-Clause
#include "bench/waveguide.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "fem/assembly.hpp"
#include "fem/boundary_terms.hpp"
#include "mesh/box.hpp"

namespace curlew::bench {

void build_waveguide(int order, const std::array<int, 3>& blocks, double wavenumber, Waveguide& s) {
  s.mesh = mesh::make_box({.lo = {0, 0, 0}, .hi = {1, 0.75, 0.5}, .blocks = blocks});
  s.topology = mesh::build_topology(s.mesh);
  std::vector<Index> pec;
  for (const char* wall : {"x0", "y0", "y1", "z0", "z1"}) {
    const auto& triangles = fem::surface_triangles(s.mesh, wall);
    pec.insert(pec.end(), triangles.begin(), triangles.end());
  }
  s.space = fem::make_space(s.mesh, s.topology, order, pec);
  const fem::Assembler assembler(s.space);
  s.a = assembler.create_matrix<Complex>();
  const fem::CellMaterials vacuum{{fem::Material{}}, {}};
  assembler.assemble(vacuum, Complex(1), Complex(-wavenumber * wavenumber), s.a.values.data());
  const Complex j_beta(0, std::sqrt(wavenumber * wavenumber - std::pow(pi / 0.75, 2)));
  const auto& port = fem::surface_triangles(s.mesh, "x1");
  fem::add_tangential_mass(s.space, port, j_beta, s.a);
  s.b.assign(std::size_t(s.a.num_rows), 0);
  fem::add_surface_load(
      s.space, port,
      [&](Vec3<double> r, Vec3<double>) {
        return Vec3<Complex>{0, 0, 2.0 * j_beta * std::sin(pi * r.y / 0.75)};
      },
      2 * order + 2, s.b.data());
}

}  // namespace curlew::bench
