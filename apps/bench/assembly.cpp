// SPDX-License-Identifier: BSD-3-Clause
// em-bench assembly: curl-curl and mass matrix of a box of 105 456 tetrahedra, straight and curved, orders
// 1-3. Every case also checks its result: the energies of E = (y, z, x) against their closed form.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/cases.hpp"
#include "fem/assembly.hpp"
#include "fem/fields.hpp"
#include "fem/reference_tensors.hpp"
#include "mesh/box.hpp"
#include "quadrature/rules.hpp"

namespace curlew::bench {
namespace {

using fem::nedelec_dim;
using fem::num_rotational;

/// Resident memory now [bytes].
double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * 4096;
}

/// Multiply-adds of the integration alone, counted by hand from element_matrices.hpp, times two.
double flops_per_cell(int order, bool curved) {
  const double n = nedelec_dim(order), r = num_rotational(order), sizes = n * n + r * r;
  if (!curved) return 2 * fem::num_symmetric_terms * sizes;
  const double points = quadrature::tetrahedron_rule(fem::curved_degree(order)).size();
  return 2 * points * (3 * sizes + 9 * (n + r));
}

/// x^T A x for real x.
double energy(const linalg::Csr<Complex>& a, const std::vector<Complex>& values,
              const std::vector<Complex>& x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      sum += (x[std::size_t(i)] * values[std::size_t(k)] * x[std::size_t(a.columns[std::size_t(k)])]).real();
  return sum;
}

/// E = (y, z, x) on the box 1 x 0.75 x 0.5: 3 V and the integral of |x|^2; order 1 is inexact.
void check(const fem::NedelecSpace& space, const linalg::Csr<Complex>& k, const std::vector<Complex>& m) {
  if (space.order == 1) return;
  const auto x = fem::interpolate(space, [](Vec3<double> r) { return Vec3<Complex>{r.y, r.z, r.x}; });
  const double volume = 0.375, exact_k = 3 * volume, exact_m = volume * (1 + 0.5625 + 0.25) / 3;
  if (std::abs(energy(k, k.values, x) / exact_k - 1) > 1e-10 ||
      std::abs(energy(k, m, x) / exact_m - 1) > 1e-10)
    throw NumericalError(fmt::format("assembly of order {} fails its check", space.order));
}

struct Case {
  int order;
  bool curved;
};

void run_case(const Options& options, const mesh::Mesh& mesh, const mesh::Topology& topology, Case c,
              Report& report) {
  const auto space = fem::make_space(mesh, topology, c.order);
  const fem::CellMaterials vacuum{{fem::Material{}}, {}};
  const double before = resident_bytes();
  Timer symbolic;
  const fem::Assembler assembler(space, {0, c.curved});
  auto a = assembler.create_matrix<Complex>();
  const double symbolic_seconds = symbolic.seconds();
  const auto one = time_calls(options.repeat,
                              [&] { assembler.assemble(vacuum, Complex(1), Complex(-1), a.values.data()); });
  const double system_memory = resident_bytes() - before;
  auto mass = huge_vector<Complex>(a.values.size());
  const auto pair =
      time_calls(options.repeat, [&] { assembler.assemble_pair(vacuum, a.values.data(), mass.data()); });
  check(space, a, mass);

  const double cells = double(mesh.num_cells()), nnz = double(a.nnz());
  const double csr_bytes = nnz * (sizeof(Complex) + sizeof(Index)) + 8.0 * (a.num_rows + 1);
  const double flops = flops_per_cell(c.order, c.curved);
  report.row({fmt::format("p = {}, {}", c.order, c.curved ? "curved" : "straight"), Offset(mesh.num_cells()),
              a.nnz(), symbolic_seconds / cells * 1e6, pair.median / cells * 1e6,
              (pair.max - pair.min) / pair.median * 100, 2 * nnz / pair.median / 1e6,
              one.median / cells * 1e6, flops / 1e3, flops * cells / pair.median / 1e9,
              system_memory / csr_bytes});
}

/// 26 x 26 x 26 blocks of six tetrahedra, 105 456 cells. CURLEW_ASSEMBLY_BLOCKS gives another number, for
/// comparisons on machines with less than the 8 GB that both matrices of order 3 take.
mesh::Mesh bench_box(int geometry_order) {
  const char* blocks = std::getenv("CURLEW_ASSEMBLY_BLOCKS");
  const int n = blocks == nullptr ? 26 : std::atoi(blocks);
  mesh::Box box;
  box.hi = {1.0, 0.75, 0.5};
  box.blocks = {n, n, n};
  box.geometry_order = geometry_order;
  return mesh::make_box(box);
}

}  // namespace

void assembly(const Options& options, Report& report) {
  report.table(fmt::format("Assembly of K and M (complex CSR, {} threads)", num_threads()),
               {"case", "cells", "nnz", "symbolic us/cell", "K and M us/cell", "spread %", "Mnnz/s",
                "aK+bM us/cell", "kflop/cell", "Gflop/s", "memory/CSR"});
  for (const bool curved : {false, true}) {
    const auto mesh = bench_box(curved ? 2 : 1);
    const auto topology = mesh::build_topology(mesh);
    for (const int order : {1, 2, 3}) {
      const auto name = fmt::format("p{}-{}", order, curved ? "curved" : "straight");
      if (!wants(options, name)) continue;
      run_case(options, mesh, topology, {order, curved}, report);
    }
  }
  report.note(
      "K and M: both matrices by one call; aK+bM: the system of one frequency; kflop: of the integration "
      "only,");
  report.note(
      "counted by hand; memory: growth of the resident set by pattern, plan and matrix, over the CSR's "
      "size.");
}

}  // namespace curlew::bench
