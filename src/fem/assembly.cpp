// SPDX-License-Identifier: BSD-3-Clause
#include "fem/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <type_traits>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/narrow.hpp"
#include "base/threads.hpp"
#include "fem/assembly_plan.hpp"
#include "fem/element_matrices.hpp"
#include "fem/scatter.hpp"
#include "fem/sparsity.hpp"

namespace curlew::fem {
namespace {

/// One matrix to be written: values += alpha K + beta M; the pair of both is two targets.
template <class T>
struct Target {
  T alpha, beta;
  T* values;
};

bool is_real(double) {
  return true;
}
bool is_real(Complex z) {
  return z.imag() == 0;
}
double real_part(double x) {
  return x;
}
double real_part(Complex z) {
  return z.real();
}

/// a b + c, rounded once wherever the processor can: the compiler may treat the body of a loop and its
/// remainder differently, but a_ij must have the bits of a_ji.
inline double multiply_add(double a, double b, double c) {
#ifdef FP_FAST_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// line += factor * (row `place` of a term, real part; with its imaginary part if L is complex).
template <int N, class L>
inline void add_term(const ElementTerm& term, L factor, int place, L* line) {
  const double* re = term.re + place * N;
  if constexpr (std::is_same_v<L, Complex>) {
    const double f = factor.real(), g = factor.imag();
    for (int c = 0; c < N; ++c)
      line[c] = {multiply_add(f, re[c], line[c].real()), multiply_add(g, re[c], line[c].imag())};
    if (term.im == nullptr) return;
    const double* im = term.im + place * N;
    for (int c = 0; c < N; ++c)
      line[c] = {multiply_add(-g, im[c], line[c].real()), multiply_add(f, im[c], line[c].imag())};
  } else {
    for (int c = 0; c < N; ++c) line[c] = multiply_add(factor, re[c], line[c]);
  }
}

/// Adds row `place` of alpha K + beta M of a cell to a row of the matrix. L is the type of the sum: double
/// for lossless media even where the matrix is complex, which halves the additions.
template <int Order, bool Uniform, class L, class T>
inline void add_row(T* row, L alpha, L beta, int place, const RowShape& shape, const std::uint16_t* position,
                    const ElementTerm& stiffness, const ElementTerm& mass) {
  constexpr int dim = nedelec_dim(Order), rotational = num_rotational(Order);
  const bool has_mass = beta != L(0), has_stiffness = place < rotational && alpha != L(0);
  L line[padded(dim)] = {};
  if (has_mass) add_term<dim>(mass, beta, place, line);
  if (has_stiffness) add_term<rotational>(stiffness, alpha, place, line);
  if (has_mass)
    add_line<Order, Uniform, false>(row, shape, position, line);
  else if (has_stiffness)
    add_line<Order, Uniform, true>(row, shape, position, line);
}

/// One target's factors for a cell.
template <class T>
struct Scaled {
  T alpha, beta;
  bool real;
  Scaled(const Target<T>& target, const ElementTerm& stiffness, const ElementTerm& mass)
      : alpha(target.alpha * narrow<T>(stiffness.factor)),
        beta(target.beta * narrow<T>(mass.factor)),
        real(is_real(alpha) && is_real(beta) && stiffness.im == nullptr && mass.im == nullptr) {}
};

}  // namespace

struct Assembler::Impl {
  const NedelecSpace& space;
  RowShare share;
  Sparsity sparsity;
  CellOrder order;
  std::vector<bool> curved;  ///< empty if no cell is curved
  std::optional<ReferenceTable> table;
  int degree;  ///< of the rule on curved cells
  mutable std::mutex plan_mutex;
  mutable std::optional<ReferenceTable> stretched_table;
  mutable std::shared_ptr<const AssemblyPlan> cached_plan;

  Impl(const NedelecSpace& s, const AssemblyOptions& options)
      : space(s), share(options.share), degree(options.degree > 0 ? options.degree : curved_degree(s.order)) {
    order = order_cells(s, share.count);
    if (share.is_all()) {
      sparsity = build_sparsity(s);
    } else {
      std::vector<char> own;
      for (const auto thread : plan_assembly(s, order, 1, share).owner) own.push_back(thread == 0 ? 1 : 0);
      sparsity = build_sparsity(s, own);
    }
    classify_cells(options);
  }

  void classify_cells(const AssemblyOptions& options);
  std::shared_ptr<const AssemblyPlan> plan() const;
  /// The rule for cells that are curved or stretched; null if there are none.
  const ReferenceTable* rule(const CellMaterials& materials) const;
  bool is_curved(Index c) const { return !curved.empty() && curved[std::size_t(c)]; }

  /// First unknown that a level adds on a cell's local entity j; -1 for none.
  Index first_dof(int level, Index entity, int j, Index cell) const {
    if (j < 6) return space.edge_dof(level, entity);
    return j < 10 ? space.face_dof(level, entity - space.num_free_edges) : space.cell_dof(level, cell);
  }

  /// If all cells have one order the lists of neighbours, scattered in memory, are not read.
  template <int Order, bool Uniform>
  RowCounts row_counts(Index entity) const {
    if constexpr (!Uniform) return {space, sparsity, entity};
    const Index edges = sparsity.edges.count(entity);
    const Index faces = Order >= 2 ? sparsity.faces.count(entity) : 0;
    return {Order, edges, faces, Order == 3 ? sparsity.cells.count(entity) : 0};
  }

  template <class T>
  void run(const CellMaterials& materials, std::span<const Target<T>> targets) const;
  template <int Order, class T>
  void run_thread(const CellMaterials& materials, const std::vector<Coefficient>& inverse_mu,
                  std::span<const Target<T>> targets, const ReferenceTable* rule, const AssemblyPlan& plan,
                  int thread) const;
  template <int Order, bool Uniform, class T>
  void add_cell(Index cell, const ElementTerm& stiffness, const ElementTerm& mass,
                std::span<const Target<T>> targets, const AssemblyPlan& plan, int thread) const;
};

void Assembler::Impl::classify_cells(const AssemblyOptions& options) {
  const mesh::Mesh& mesh = *space.mesh;
  if (mesh.geometry_order == 2) {
    table = reference_table(space.order, degree);
    curved.assign(std::size_t(mesh.num_cells()), false);
  }
  bool any = false;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    const bool bent = mesh.geometry_order == 2 && (options.all_curved || !is_straight(geometry));
    if (bent) curved[std::size_t(c)] = any = true;
    check_cell(mesh, c, geometry, bent ? table->points : std::span<const Vec3<double>>());
  }
  if (!any) curved.clear(), table.reset();
}

std::shared_ptr<const AssemblyPlan> Assembler::Impl::plan() const {
  const std::lock_guard lock(plan_mutex);
  if (!cached_plan || cached_plan->num_threads() != num_threads())
    cached_plan = std::make_shared<const AssemblyPlan>(plan_assembly(space, order, num_threads(), share));
  return cached_plan;
}

const ReferenceTable* Assembler::Impl::rule(const CellMaterials& materials) const {
  if (!materials.is_stretched()) return table ? &*table : nullptr;
  const std::lock_guard lock(plan_mutex);
  if (!stretched_table)
    stretched_table = reference_table(space.order, std::max(degree, stretched_degree(space.order)));
  return &*stretched_table;
}

template <int Order, bool Uniform, class T>
void Assembler::Impl::add_cell(Index cell, const ElementTerm& stiffness, const ElementTerm& mass,
                               std::span<const Target<T>> targets, const AssemblyPlan& plan,
                               int thread) const {
  constexpr int local = num_local_entities(Order);
  const std::uint16_t* position = sparsity.positions_of(cell, local);
  const Scaled<T> factors[2] = {{targets.front(), stiffness, mass}, {targets.back(), stiffness, mass}};
  Index entities[11];
  cell_entities(space, cell, entities);
  for (int j = 0; j < local; ++j, position += local) {
    const Index entity = entities[j];
    if (entity < 0 || plan.owner[std::size_t(entity)] != thread) continue;
    const bool first = plan.first_cell[std::size_t(entity)] == cell;
    const RowShape shape(row_counts<Order, Uniform>(entity));
    for (int level = j < 6 ? 1 : (j < 10 ? 2 : 3); level <= Order; ++level) {
      const int rows = j < 6 ? 1 : (j < 10 ? face_dofs_added(level) : cell_dofs_added(level));
      const Index dof = first_dof(level, entity, j, cell);
      if (dof < 0) break;
      for (int i = 0; i < rows; ++i) {
        const Offset begin = sparsity.row_offsets[std::size_t(dof + i)];
        const Offset length = first ? sparsity.row_offsets[std::size_t(dof + i) + 1] - begin : 0;
        for (std::size_t t = 0; t < targets.size(); ++t) {
          T* row = targets[t].values + begin;
          const int place = place_of(Order, level, j, i);
          // Rows are cleared at their first use, so that they are in the cache.
          std::fill_n(row, length, T(0));
          const Scaled<T>& f = factors[t];
          if (f.real)
            add_row<Order, Uniform>(row, real_part(f.alpha), real_part(f.beta), place, shape, position,
                                    stiffness, mass);
          else
            add_row<Order, Uniform>(row, f.alpha, f.beta, place, shape, position, stiffness, mass);
        }
      }
    }
  }
}

template <int Order, class T>
void Assembler::Impl::run_thread(const CellMaterials& materials, const std::vector<Coefficient>& inverse_mu,
                                 std::span<const Target<T>> targets, const ReferenceTable* rule,
                                 const AssemblyPlan& plan, int thread) const {
  ElementMatrices elements(reference_tensors(Order), rule);
  ElementMatrices::Cell batch[ElementMatrices::lanes];
  const auto& cells = plan.cells[std::size_t(thread)];
  for (std::size_t begin = 0; begin < cells.size(); begin += ElementMatrices::lanes) {
    const int count = int(std::min<std::size_t>(ElementMatrices::lanes, cells.size() - begin));
    for (int lane = 0; lane < count; ++lane) {
      const Index c = cells[begin + std::size_t(lane)];
      const auto material =
          materials.cell_material.empty() ? 0 : std::size_t(materials.cell_material[std::size_t(c)]);
      const Stretching* stretching = materials.materials[material].stretching.get();
      batch[lane] = {cell_geometry(*space.mesh, c), is_curved(c) || stretching != nullptr,
                     &materials.materials[material].epsilon_r, &inverse_mu[material], stretching};
    }
    elements.compute(batch, count);
    const auto add = [&]<bool Uniform>(std::bool_constant<Uniform>) {
      for (int lane = 0; lane < count; ++lane)
        add_cell<Order, Uniform>(cells[begin + std::size_t(lane)], elements.stiffness(lane),
                                 elements.mass(lane), targets, plan, thread);
    };
    space.is_uniform() ? add(std::true_type()) : add(std::false_type());
  }
}

template <class T>
void Assembler::Impl::run(const CellMaterials& materials, std::span<const Target<T>> targets) const {
  if (std::is_same_v<T, double> && !materials.is_real())
    throw InputError("a complex material cannot be assembled into a real matrix");
  std::vector<Coefficient> inverse_mu;
  for (const Material& material : materials.materials) inverse_mu.push_back(material.mu_r.inverse());
  const auto shared_plan = plan();
  const ReferenceTable* table_used = rule(materials);
  const int threads = shared_plan->num_threads();
#pragma omp parallel num_threads(threads)
  {
    // A loop rather than the thread's number: OpenMP may give fewer threads than requested.
#pragma omp for schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) {
      if (space.order == 1) run_thread<1>(materials, inverse_mu, targets, table_used, *shared_plan, thread);
      if (space.order == 2) run_thread<2>(materials, inverse_mu, targets, table_used, *shared_plan, thread);
      if (space.order == 3) run_thread<3>(materials, inverse_mu, targets, table_used, *shared_plan, thread);
    }
  }
}

Assembler::Assembler(const NedelecSpace& space, const AssemblyOptions& options)
    : impl_(std::make_unique<Impl>(space, options)) {}
Assembler::~Assembler() = default;
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;

const NedelecSpace& Assembler::space() const {
  return impl_->space;
}
Offset Assembler::nnz() const {
  return impl_->sparsity.nnz();
}

template <class T>
linalg::Csr<T> Assembler::create_matrix() const {
  require_memory(std::size_t(nnz()) * (sizeof(T) + sizeof(Index)), "the sparse matrix");
  linalg::Csr<T> a;
  a.num_rows = a.num_cols = space().num_dofs();
  a.row_offsets = impl_->sparsity.row_offsets;
  a.columns = huge_vector<Index>(std::size_t(nnz()));
  a.values = huge_vector<T>(std::size_t(nnz()));
  fill_columns(space(), impl_->sparsity, a.columns.data());
  return a;
}

template <class T>
void Assembler::assemble(const CellMaterials& materials, T alpha, T beta, T* values) const {
  const Target<T> target[1] = {{alpha, beta, values}};
  impl_->run<T>(materials, target);
}

template <class T>
void Assembler::assemble_pair(const CellMaterials& materials, T* stiffness, T* mass) const {
  const Target<T> targets[2] = {{T(1), T(0), stiffness}, {T(0), T(1), mass}};
  impl_->run<T>(materials, targets);
}

template <class T, class S>
void combine(std::size_t nnz, T alpha, const S* k, T beta, const S* m, T* values) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < nnz; ++i) values[i] = alpha * k[i] + beta * m[i];
}

template linalg::Csr<double> Assembler::create_matrix() const;
template linalg::Csr<Complex> Assembler::create_matrix() const;
template void Assembler::assemble(const CellMaterials&, double, double, double*) const;
template void Assembler::assemble(const CellMaterials&, Complex, Complex, Complex*) const;
template void Assembler::assemble_pair(const CellMaterials&, double*, double*) const;
template void Assembler::assemble_pair(const CellMaterials&, Complex*, Complex*) const;
template void combine(std::size_t, double, const double*, double, const double*, double*);
template void combine(std::size_t, Complex, const double*, Complex, const double*, Complex*);
template void combine(std::size_t, Complex, const Complex*, Complex, const Complex*, Complex*);

}  // namespace curlew::fem
