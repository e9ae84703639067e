// SPDX-License-Identifier: BSD-3-Clause
// Unknowns and stored entries on an unstructured mesh: numbers that every first-kind Nedelec code must give
// (here: those of DOLFINx with "N1curl" on the same mesh, boundary unknowns kept).
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "fem/assembly.hpp"
#include "fem/error/problem_size.hpp"
#include "fem/lagrange/scalar_assembly.hpp"
#include "mesh/ordering.hpp"
#include "test_paths.hpp"

namespace curlew::fem {
namespace {

/// tests/data/cavity_2011_tetrahedra.txt: a comment, counts, nodes, cells.
mesh::Mesh read_cavity() {
  std::ifstream in(curlew::test::source_dir() + "/tests/data/cavity_2011_tetrahedra.txt");
  in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::size_t num_nodes = 0, num_cells = 0;
  in >> num_nodes >> num_cells;
  mesh::Mesh mesh;
  mesh.nodes.resize(num_nodes);
  mesh.cells.resize(4 * num_cells);
  for (auto& x : mesh.nodes) in >> x.x >> x.y >> x.z;
  for (auto& node : mesh.cells) in >> node;
  EXPECT_TRUE(bool(in)) << "the data file is damaged";
  mesh::sort_vertices(mesh);
  return mesh;
}

TEST(Counts, OnAnUnstructuredMeshAreThoseOfTheSpace) {
  const auto mesh = read_cavity();
  ASSERT_EQ(mesh.num_cells(), 2011);
  const auto topology = mesh::build_topology(mesh);
  const Index dofs[] = {3000, 14896, 41721};
  const Offset nnz[] = {41754, 581144, 3278673};
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_space(mesh, topology, order);
    EXPECT_EQ(space.num_dofs(), dofs[order - 1]);
    EXPECT_EQ(Assembler(space).nnz(), nnz[order - 1]);
    EXPECT_EQ(count_unknowns(topology, nedelec_functions(order)), dofs[order - 1]);
    EXPECT_EQ(count_entries(topology, nedelec_functions(order)), double(nnz[order - 1]));
  }
}

TEST(Counts, WithoutASpaceAreThoseOfALagrangeSpace) {
  const auto mesh = read_cavity();
  const auto topology = mesh::build_topology(mesh);
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_lagrange_space(mesh, topology, order);
    EXPECT_EQ(count_unknowns(topology, lagrange_functions(order)), space.num_free);
    EXPECT_EQ(count_entries(topology, lagrange_functions(order)), double(ScalarAssembler(space).nnz()));
  }
}

}  // namespace
}  // namespace curlew::fem
