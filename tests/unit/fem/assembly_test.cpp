// SPDX-License-Identifier: BSD-3-Clause
// The fast assembly against (1) a plain triple loop over a rule, (2) energies of known fields in closed form,
// (3) itself with other numbers of threads.
#include "fem/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "fem/piola.hpp"
#include "fem/sparsity.hpp"
#include "quadrature/rules.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

using linalg::Csr;

template <class T>
T entry(const Csr<T>& a, Index row, Index column) {
  const auto begin = a.columns.begin() + a.row_offsets[std::size_t(row)];
  const auto end = a.columns.begin() + a.row_offsets[std::size_t(row) + 1];
  const auto at = std::lower_bound(begin, end, column);
  return at != end && *at == column ? a.values[std::size_t(at - a.columns.begin())] : T(0);
}

/// x^T A y without conjugation.
Complex form(const Csr<Complex>& a, const std::vector<Complex>& x, const std::vector<Complex>& y) {
  Complex sum = 0;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      sum += x[std::size_t(i)] * a.values[std::size_t(k)] * y[std::size_t(a.columns[std::size_t(k)])];
  return sum;
}

/// Two materials, one of them a full complex tensor without any symmetry.
CellMaterials awkward_materials(const mesh::Mesh& mesh) {
  Mat3<Complex> eps, mu;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      eps(i, j) = Complex(i == j ? 3.0 : 0.3 * i - 0.2 * j, -0.1 * (i + 1) + 0.05 * j);
      mu(i, j) = Complex(i == j ? 2.0 : 0.1 * j - 0.3 * i, -0.2 * (j + 1));
    }
  CellMaterials materials{{{Complex(2.5, -0.4), Complex(1.5, -0.1)}, {eps, mu}}, {}};
  for (Index c = 0; c < mesh.num_cells(); ++c) materials.cell_material.push_back(c % 3 == 0);
  return materials;
}

/// Dense alpha K + beta M, entry by entry from the definition.
std::vector<Complex> dense_reference(const NedelecSpace& space, const CellMaterials& materials, Complex alpha,
                                     Complex beta, int degree) {
  const auto n = std::size_t(space.num_dofs());
  const auto rule = quadrature::tetrahedron_rule(degree);
  const int dim = nedelec_dim(space.order);
  std::vector<Complex> a(n * n, 0.0);
  for (Index c = 0; c < space.mesh->num_cells(); ++c) {
    const Mat3<Complex> eps = materials.of(c).epsilon_r.as_tensor(),
                        nu = materials.of(c).mu_r.inverse().as_tensor();
    const auto geometry = cell_geometry(*space.mesh, c);
    Index dofs[max_cell_dim];
    space.cell_dofs(c, dofs);
    for (int q = 0; q < rule.size(); ++q) {
      BasisValue<double> basis[max_cell_dim];
      reference_basis(space.order, rule.points[std::size_t(q)], basis);
      const auto map = piola_map(jacobian(geometry, rule.points[std::size_t(q)]));
      const double weight = rule.weights[std::size_t(q)] * std::abs(map.det);
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) {
          if (dofs[i] < 0 || dofs[j] < 0) continue;
          const auto wi = covariant(map, basis[i].value), wj = covariant(map, basis[j].value);
          const auto ci = contravariant(map, basis[i].curl), cj = contravariant(map, basis[j].curl);
          a[std::size_t(dofs[i]) * n + std::size_t(dofs[j])] +=
              weight * (alpha * dot(nu * cj, ci) + beta * dot(eps * wj, wi));
        }
    }
  }
  return a;
}

/// alpha K + beta M with some awkward materials, against the definition.
void expect_definition(const NedelecSpace& space) {
  const auto materials = awkward_materials(*space.mesh);
  const Complex alpha(1.0, 0.2), beta(-7.0, 0.3);
  const Assembler assembler(space);
  auto a = assembler.create_matrix<Complex>();

  assembler.assemble(materials, alpha, beta, a.values.data());

  // Same rule as the curved cells, so that only rounding differs; straight cells are exact in both.
  const auto reference = dense_reference(space, materials, alpha, beta, curved_degree(space.order));
  const auto n = std::size_t(space.num_dofs());
  double scale = 0, difference = 0;
  std::size_t nonzeros = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      scale = std::max(scale, std::abs(reference[i * n + j]));
      nonzeros += reference[i * n + j] != 0.0;
      difference = std::max(difference, std::abs(reference[i * n + j] - entry(a, Index(i), Index(j))));
    }
  EXPECT_LT(difference, 1e-13 * scale);
  EXPECT_GE(std::size_t(assembler.nnz()), nonzeros);
}

class AssemblyOrder : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int order = std::get<0>(GetParam()), geometry_order = std::get<1>(GetParam());
  mesh::Mesh mesh = test::skewed_box({2, 1, 1}, geometry_order);
  mesh::Topology topology = mesh::build_topology(mesh);
};
INSTANTIATE_TEST_SUITE_P(Assembly, AssemblyOrder,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 2)));

TEST_P(AssemblyOrder, EqualsTheDefinitionForTensorMaterials) {
  expect_definition(make_space(mesh, topology, order, surface_triangles(mesh, "x0")));
}

/// Orders 1 to 3 in turn: the pattern has all pairs that share a cell, and none that no cell's order reaches.
TEST_P(AssemblyOrder, EqualsTheDefinitionWhereCellsDifferInOrder) {
  CellOrders orders;
  for (Index c = 0; c < mesh.num_cells(); ++c) orders.push_back(std::int8_t(1 + (c + order) % order));
  const auto space = make_space(mesh, topology, 1, surface_triangles(mesh, "x0"), orders);
  EXPECT_EQ(space.is_uniform(), order == 1);
  expect_definition(space);
}

/// Rows of several processes: each is in one share, with the same bits as in the whole matrix.
TEST_P(AssemblyOrder, SharesOfRowsMakeUpTheMatrix) {
  const auto space = make_space(mesh, topology, order, surface_triangles(mesh, "x0"));
  const auto materials = awkward_materials(mesh);
  const Complex beta(-7.0, 0.3);
  const Assembler whole(space);
  auto expected = whole.create_matrix<Complex>();
  whole.assemble<Complex>(materials, 1.0, beta, expected.values.data());
  std::vector<int> owners(std::size_t(space.num_dofs()), 0);
  constexpr int count = 3;
  for (int index = 0; index < count; ++index) {
    const Assembler part(space, {.share = {index, count}});
    auto a = part.create_matrix<Complex>();
    part.assemble<Complex>(materials, 1.0, beta, a.values.data());
    EXPECT_GT(a.nnz(), expected.nnz() / 10);
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const Offset begin = a.row_offsets[i], end = a.row_offsets[i + 1], at = expected.row_offsets[i];
      if (begin == end) continue;
      ++owners[i];
      ASSERT_EQ(end - begin, expected.row_offsets[i + 1] - at);
      EXPECT_TRUE(std::equal(&a.columns[std::size_t(begin)], a.columns.data() + end,
                             &expected.columns[std::size_t(at)]));
      EXPECT_TRUE(std::equal(&a.values[std::size_t(begin)], a.values.data() + end,
                             &expected.values[std::size_t(at)]));
    }
  }
  EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), space.num_dofs());
}

TEST_P(AssemblyOrder, PatternHoldsExactlyThePairsThatShareACell) {
  const auto space = make_space(mesh, topology, order, surface_triangles(mesh, "y1"));
  std::set<std::pair<Index, Index>> pairs;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Index dofs[max_cell_dim];
    space.cell_dofs(c, dofs);
    for (int i = 0; i < nedelec_dim(order); ++i)
      for (int j = 0; j < nedelec_dim(order); ++j)
        if (dofs[i] >= 0 && dofs[j] >= 0) pairs.insert({dofs[i], dofs[j]});
  }

  const auto a = Assembler(space).create_matrix<double>();

  std::set<std::pair<Index, Index>> stored;
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
      stored.insert({i, a.columns[std::size_t(k)]});
      if (k > a.row_offsets[std::size_t(i)]) {
        EXPECT_LT(a.columns[std::size_t(k) - 1], a.columns[std::size_t(k)]);
      }
    }
  EXPECT_EQ(stored, pairs);
}

TEST_P(AssemblyOrder, AnyNumberOfThreadsGivesTheSameBits) {
  const auto large = test::skewed_box({4, 3, 3}, geometry_order);
  const auto large_topology = mesh::build_topology(large);
  const auto space = make_space(large, large_topology, order);
  const auto materials = awkward_materials(large);
  const Assembler assembler(space);
  std::vector<std::vector<Complex>> values;
  const int before = num_threads();
  for (const int threads : {1, 2, 3, 5}) {
    set_num_threads(threads);
    values.emplace_back(std::size_t(assembler.nnz()));
    assembler.assemble(materials, Complex(1), Complex(-2, 1), values.back().data());
  }
  set_num_threads(before);

  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_TRUE(values[i] == values[0]) << "run " << i;
}

TEST_P(AssemblyOrder, SymmetricMediaGiveTheSameBitsOnBothSidesOfTheDiagonal) {
  const auto large = test::skewed_box({4, 3, 3}, geometry_order);
  const auto large_topology = mesh::build_topology(large);
  const auto space = make_space(large, large_topology, order);
  auto materials = awkward_materials(large);
  Mat3<Complex> eps = Mat3<Complex>::diagonal(Complex(3, -0.2));
  eps(0, 1) = eps(1, 0) = Complex(0.3, -0.1), eps(1, 2) = eps(2, 1) = Complex(-0.2, 0.05);
  materials.materials[1] = {eps, Complex(1.2, -0.1)};
  const Assembler assembler(space);
  auto a = assembler.create_matrix<Complex>();

  assembler.assemble(materials, Complex(1), Complex(-2, 1), a.values.data());

  EXPECT_EQ(linalg::asymmetry(a), 0);
}

TEST_P(AssemblyOrder, PairCombinesToTheSystem) {
  const auto space = make_space(mesh, topology, order);
  const auto materials = awkward_materials(mesh);
  const Assembler assembler(space);
  const auto nnz = std::size_t(assembler.nnz());
  std::vector<Complex> k(nnz), m(nnz), sum(nnz), direct(nnz);

  assembler.assemble_pair(materials, k.data(), m.data());
  combine<Complex>(nnz, Complex(0.5, 1), k.data(), Complex(-3), m.data(), sum.data());
  assembler.assemble(materials, Complex(0.5, 1), Complex(-3), direct.data());

  for (std::size_t i = 0; i < nnz; ++i)
    ASSERT_LT(std::abs(sum[i] - direct[i]), 1e-13 * (1 + std::abs(direct[i])));
}

TEST_P(AssemblyOrder, RealAssemblyEqualsComplexOne) {
  const auto space = make_space(mesh, topology, order);
  CellMaterials materials{{{4.0, 2.0}, {Mat3<Complex>::diagonal(3.0), 1.0}},
                          awkward_materials(mesh).cell_material};
  const Assembler assembler(space);
  const auto nnz = std::size_t(assembler.nnz());
  std::vector<double> k(nnz), m(nnz);
  std::vector<Complex> kc(nnz), mc(nnz);

  assembler.assemble_pair(materials, k.data(), m.data());
  assembler.assemble_pair(materials, kc.data(), mc.data());

  for (std::size_t i = 0; i < nnz; ++i) {
    ASSERT_NEAR(k[i], kc[i].real(), 1e-13 * (1 + std::abs(k[i])));
    ASSERT_NEAR(m[i], mc[i].real(), 1e-13 * (1 + std::abs(m[i])));
    ASSERT_EQ(kc[i].imag(), 0);
  }
  EXPECT_THROW(assembler.assemble(awkward_materials(mesh), 1.0, 0.0, k.data()), InputError);
}

TEST_P(AssemblyOrder, ConstrainingEqualsTakingRowsAndColumnsOut) {
  const auto& wall = surface_triangles(mesh, "walls");
  const auto all = make_space(mesh, topology, order), free = make_space(mesh, topology, order, wall);
  const Assembler with(all), without(free);
  auto a = with.create_matrix<double>(), b = without.create_matrix<double>();
  const CellMaterials vacuum{{Material{}}, {}};
  with.assemble(vacuum, 1.0, -2.0, a.values.data());
  without.assemble(vacuum, 1.0, -2.0, b.values.data());

  std::vector<Index> map(std::size_t(free.num_dofs()), -1);
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Index from[max_cell_dim], to[max_cell_dim];
    free.cell_dofs(c, from);
    all.cell_dofs(c, to);
    for (int i = 0; i < nedelec_dim(order); ++i)
      if (from[i] >= 0) map[std::size_t(from[i])] = to[i];
  }
  for (Index i = 0; i < b.num_rows; ++i)
    for (Index j = 0; j < b.num_rows; ++j)
      ASSERT_EQ(entry(b, i, j), entry(a, map[std::size_t(i)], map[std::size_t(j)]));
}

/// The part of the pattern that a process stores falls with the number of processes.
TEST(SparsityOfAShare, HoldsItsEntitiesAndCellsAlone) {
  mesh::Box box;
  box.blocks = {8, 8, 8};
  const auto mesh = mesh::make_box(box);
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, 3);
  const Sparsity whole = build_sparsity(space);
  constexpr int count = 4;
  const CellOrder order = order_cells(space, count);
  std::size_t edges = 0, faces = 0, cells = 0;
  for (int index = 0; index < count; ++index) {
    std::vector<char> own;
    for (const auto thread : plan_assembly(space, order, 1, {index, count}).owner) own.push_back(thread == 0);
    const Sparsity part = build_sparsity(space, own);
    edges += part.edges.places.size(), faces += part.faces.places.size(), cells += part.cells.places.size();
    // A quarter of the cells, and those beside it.
    EXPECT_LT(part.positions.size(), 0.45 * double(whole.positions.size()));
  }
  EXPECT_EQ(edges, whole.edges.places.size());
  EXPECT_EQ(faces, whole.faces.places.size());
  EXPECT_EQ(cells, whole.cells.places.size());
}

// E = (y, z, x): curl E = (-1, -1, -1), so that K gives 3 V and M the integral of |x|^2. On a box by hand.
TEST(AssemblyEnergy, OfALinearFieldIsExact) {
  mesh::Box box;
  box.hi = {1.0, 0.75, 0.5};
  box.blocks = {2, 3, 2};
  box.shuffle_seed = 3;
  for (const int geometry_order : {1, 2}) {
    box.geometry_order = geometry_order;
    const auto mesh = mesh::make_box(box);
    const auto topology = mesh::build_topology(mesh);
    for (const int order : {2, 3})
      for (const bool all_curved : {false, true}) {
        const auto space = make_space(mesh, topology, order);
        const auto x = interpolate(space, [](Vec3<double> r) { return Vec3<Complex>{r.y, r.z, r.x}; });
        const Assembler assembler(space, {0, all_curved});
        auto k = assembler.create_matrix<Complex>(), m = k;
        const double eps = 2.5, mu = 4.0, volume = 0.375;

        assembler.assemble_pair(CellMaterials{{{eps, mu}}, {}}, k.values.data(), m.values.data());

        EXPECT_NEAR(form(k, x, x).real(), 3 * volume / mu, 1e-12);
        EXPECT_NEAR(form(m, x, x).real(), eps * volume * (1 + 0.75 * 0.75 + 0.25) / 3, 1e-12);
      }
  }
}

TEST(AssemblyEnergy, GradientsAreInTheKernelOfTheCurl) {
  const auto mesh = test::skewed_box({2, 2, 2}, 2);
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, 3);
  const Assembler assembler(space);
  auto k = assembler.create_matrix<Complex>();
  assembler.assemble(CellMaterials{{Material{}}, {}}, Complex(1), Complex(0), k.values.data());
  // The explicit gradients: exact zeros. The space's other gradients are found through the whole of K's rank.
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    Index dofs[max_cell_dim];
    space.cell_dofs(c, dofs);
    for (int a = 0; a < 45; ++a) {
      if (!is_gradient(a)) continue;
      for (Offset i = k.row_offsets[std::size_t(dofs[a])]; i < k.row_offsets[std::size_t(dofs[a]) + 1]; ++i)
        ASSERT_EQ(k.values[std::size_t(i)], 0.0);
    }
  }
}

}  // namespace
}  // namespace curlew::fem
