// SPDX-License-Identifier: BSD-3-Clause
// A user's program on the installed library: the Nedelec space of a box of 1 x 2 x 3 m and its mass matrix M.
// Elements hold E = z exactly, with the unknowns x = z_b - z_a of an edge from a to b, so that x'Mx is the
// volume.
#include <cmath>
#include <cstdio>
#include <curlew/fem/assembly.hpp>
#include <curlew/fem/space.hpp>
#include <curlew/linalg/csr.hpp>
#include <curlew/mesh/box.hpp>
#include <curlew/mesh/topology.hpp>
#include <vector>

int main() {
  using namespace curlew;
  const mesh::Mesh box = mesh::make_box({.hi = {1, 2, 3}, .blocks = {3, 3, 3}});
  const mesh::Topology topology = mesh::build_topology(box);
  const fem::NedelecSpace space = fem::make_space(box, topology, 1);
  const fem::Assembler assembler(space);
  auto mass = assembler.create_matrix<double>();
  assembler.assemble(fem::CellMaterials{{fem::Material{}}, {}}, 0.0, 1.0, mass.values.data());

  std::vector<double> x(std::size_t(space.num_dofs())), y(x.size());
  for (std::size_t e = 0; e < topology.edges.size(); ++e) {
    const auto [a, b] = topology.edges[e];
    x[std::size_t(space.edge_number[e])] = box.nodes[std::size_t(b)].z - box.nodes[std::size_t(a)].z;
  }
  linalg::multiply(mass, x.data(), y.data());
  double volume = 0;
  for (std::size_t i = 0; i < x.size(); ++i) volume += x[i] * y[i];

  std::printf("%d unknowns, volume %.12g\n", int(space.num_dofs()), volume);
  return std::abs(volume - 6) < 1e-12 ? 0 : 1;
}
