// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_assembly.hpp"

#include <algorithm>
#include <mutex>
#include <type_traits>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/threads.hpp"
#include "fem/assembly_plan.hpp"
#include "fem/geometry.hpp"
#include "fem/lagrange/scalar_elements.hpp"
#include "fem/lagrange/scalar_pattern.hpp"

namespace curlew::fem {
struct ScalarAssembler::Impl {
  const LagrangeSpace& space;
  ScalarPattern pattern;
  std::vector<Index> curve;
  std::vector<char> curved;  ///< [num_cells]; empty if no cell is curved
  ScalarTable table;
  mutable std::mutex plan_mutex;
  mutable std::shared_ptr<const RowPlan> cached_plan;

  explicit Impl(const LagrangeSpace& s)
      : space(s), pattern(build_scalar_pattern(s)), curve(cells_along_curve(*s.mesh)) {
    classify_cells();
  }
  void classify_cells();
  std::shared_ptr<const RowPlan> plan() const;

  template <class T>
  void add_cell(Index cell, const T* entries, const RowPlan& plan, int thread, T* values) const;
  template <class T>
  void run_thread(const ScalarCoefficients& c, T alpha, T beta, const RowPlan& plan, int thread,
                  T* values) const;
};

void ScalarAssembler::Impl::classify_cells() {
  const mesh::Mesh& mesh = *space.mesh;
  table = curved_scalar_table(space.order);
  if (mesh.geometry_order == 2) {
    curved.assign(std::size_t(mesh.num_cells()), 0);
  }
  const auto check = [&](Index c, bool bent) {
    check_cell(mesh, c, cell_geometry(mesh, c), bent ? table.points : std::span<const Vec3<double>>());
  };
  bool any = false;
  Index first_bad = mesh.num_cells();
#pragma omp parallel for schedule(static) reduction(|| : any) reduction(min : first_bad)
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const bool bent = !is_straight(cell_geometry(mesh, c));
    if (bent) curved[std::size_t(c)] = any = true;
    try {
      check(c, bent);
    } catch (const InputError&) {
      first_bad = std::min(first_bad, c);
    }
  }
  if (first_bad < mesh.num_cells()) check(first_bad, !curved.empty() && curved[std::size_t(first_bad)] != 0);
  if (!any) curved.clear();
}

std::shared_ptr<const RowPlan> ScalarAssembler::Impl::plan() const {
  const std::lock_guard lock(plan_mutex);
  if (!cached_plan || cached_plan->num_threads() != num_threads())
    cached_plan = std::make_shared<const RowPlan>(plan_rows(space, curve, num_threads()));
  return cached_plan;
}

/// All nodes of an entity (vertex, edge, face) have the same columns, contiguous in every row: one search
/// suffices for a pair of entities.
template <class T>
void ScalarAssembler::Impl::add_cell(Index cell, const T* entries, const RowPlan& plan, int thread,
                                     T* values) const {
  const int dim = lagrange_dim(space.order), entities = space.num_local_entities();
  const auto count = [&](int j) { return j >= 4 && j < 10 ? lagrange_edge_nodes(space.order) : 1; };
  Index first[14];
  space.cell_entities(cell, first);
  for (int j = 0, a = 0; j < entities; a += count(j), ++j) {
    if (plan.owner[std::size_t(first[j])] != thread) continue;
    const Offset begin = pattern.row_offsets[std::size_t(first[j])];
    const Offset length = pattern.row_offsets[std::size_t(first[j]) + 1] - begin;
    const Index* columns = &pattern.columns[std::size_t(begin)];
    for (int k = 0, b = 0; k < entities; b += count(k), ++k) {
      const Offset place = std::lower_bound(columns, columns + length, first[k]) - columns;
      for (int i = 0; i < count(j); ++i)
        for (int l = 0; l < count(k); ++l)
          values[begin + i * length + place + l] += entries[(a + i) * dim + b + l];
    }
  }
}

template <class T>
void ScalarAssembler::Impl::run_thread(const ScalarCoefficients& c, T alpha, T beta, const RowPlan& plan,
                                       int thread, T* values) const {
  ScalarCellMatrix<T> matrix(space, c, table);
  for (const Index cell : plan.cells[std::size_t(thread)]) {
    matrix.compute(cell, !curved.empty() && curved[std::size_t(cell)] != 0, alpha, beta);
    add_cell<T>(cell, matrix.entries(), plan, thread, values);
  }
}

ScalarAssembler::ScalarAssembler(const LagrangeSpace& space) : impl_(std::make_unique<Impl>(space)) {}
ScalarAssembler::~ScalarAssembler() = default;
ScalarAssembler::ScalarAssembler(ScalarAssembler&&) noexcept = default;
ScalarAssembler& ScalarAssembler::operator=(ScalarAssembler&&) noexcept = default;

const LagrangeSpace& ScalarAssembler::space() const {
  return impl_->space;
}
Offset ScalarAssembler::nnz() const {
  return impl_->pattern.nnz();
}

template <class T>
linalg::Csr<T> ScalarAssembler::create_matrix() const {
  require_memory(std::size_t(nnz()) * (sizeof(T) + sizeof(Index)), "the sparse matrix");
  linalg::Csr<T> a;
  a.num_rows = a.num_cols = space().num_nodes;
  a.row_offsets = impl_->pattern.row_offsets;
  const std::vector<Index>& columns = impl_->pattern.columns;
  resize_huge(a.columns, columns.size()), resize_huge(a.values, columns.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < columns.size(); ++k) a.columns[k] = columns[k];
  return a;
}

template <class T>
void ScalarAssembler::assemble(const ScalarCoefficients& coefficients, T alpha, T beta, T* values) const {
  if (std::is_same_v<T, double> && !coefficients.is_real())
    throw InputError("a complex medium or a layer cannot be assembled into a real matrix");
  const auto plan = impl_->plan();
  const int threads = plan->num_threads();
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (Offset i = 0; i < nnz(); ++i) values[i] = T(0);
      // A loop rather than the thread's number: OpenMP may give fewer threads than requested.
#pragma omp for schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread)
      impl_->run_thread<T>(coefficients, alpha, beta, *plan, thread, values);
  }
}

template linalg::Csr<double> ScalarAssembler::create_matrix() const;
template linalg::Csr<Complex> ScalarAssembler::create_matrix() const;
template void ScalarAssembler::assemble(const ScalarCoefficients&, double, double, double*) const;
template void ScalarAssembler::assemble(const ScalarCoefficients&, Complex, Complex, Complex*) const;

}  // namespace curlew::fem
