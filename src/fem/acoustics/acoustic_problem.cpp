// SPDX-License-Identifier: BSD-3-Clause
#include "fem/acoustics/acoustic_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "fem/lagrange/scalar_boundary.hpp"
#include "fem/lagrange/scalar_cells.hpp"
#include "fem/lagrange/vertex_level.hpp"
#include "fem/space.hpp"
#include "linalg/krylov/preconditioner_kinds.hpp"

namespace curlew::fem {
namespace {

/// The block of free nodes; the matrix is moved if every node is free.
linalg::Csr<Complex> free_block(linalg::Csr<Complex>&& a, Index num_free) {
  if (a.num_rows == num_free) return std::move(a);
  return linalg::block(a, 0, num_free, 0, num_free);
}

/// First unknowns of the levels and the end, by which method = "auto" predicts times. At order 3, where cells
/// may be half a wavelength, order 1 may be a poor coarse level: the user may choose it.
std::vector<Index> levels(const LagrangeSpace& space) {
  const auto vertices = Index(std::ranges::count_if(
      space.vertex_number, [&](Index number) { return number >= 0 && number < space.num_free; }));
  if (space.order != 2 || vertices == 0) return {0, space.num_free};
  return {0, vertices, space.num_free};
}

std::vector<Complex> scaled(const std::vector<Complex>& values, Complex factor) {
  std::vector<Complex> result;
  for (const Complex v : values) result.push_back(factor * v);
  return result;
}

Complex product(const std::vector<Complex>& x, const std::vector<Complex>& y) {  // x^H y
  Complex sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::conj(x[i]) * y[i];
  return sum;
}

}  // namespace

double AcousticPower::imbalance() const {
  const double scale =
      std::max({std::abs(input), std::abs(boundaries), std::abs(medium), std::abs(radiated)});
  return scale > 0 ? std::abs(input - boundaries - medium - radiated) / scale : 0;
}

AcousticProblem::AcousticProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, AcousticModel model,
                                 linalg::SystemOptions options)
    : model_(std::move(model)),
      options_(std::move(options)),
      space_(make_lagrange_space(mesh, topology, model_.order, dirichlet_triangles(model_, mesh))),
      assembler_(space_),
      coefficients_(acoustic_coefficients(model_, mesh)),
      surfaces_(acoustic_surfaces(model_, mesh, topology)) {
  if (space_.num_free == 0) throw InputError("the pressure is prescribed everywhere: nothing to solve for");
  set_pressures();
  if (!model_.pml.empty()) exterior_.emplace(space_, model_);
  options_.direct.symmetry = linalg::Symmetry::symmetric;
  solver_ = std::make_unique<linalg::SystemSolver>(options_, levels(space_));
}

void AcousticProblem::set_pressures() {
  fixed_.assign(std::size_t(space_.num_fixed()), 0.0);
  std::vector<char> set(fixed_.size(), 0);
  for (const auto& b : model_.boundaries) {
    if (b.type != AcousticBoundaryType::dirichlet) continue;
    for (const auto& region : b.regions)
      for (const Index node : nodes_on(space_, surface_triangles(*space_.mesh, region))) {
        const auto i = std::size_t(node - space_.num_free);
        if (set[i] && fixed_[i] != b.pressure)
          throw InputError(
              fmt::format("surface \"{}\" meets another dirichlet surface of a different pressure: give both "
                          "the same, or leave a gap",
                          region));
        fixed_[i] = b.pressure;
        set[i] = 1;
      }
  }
}

bool AcousticProblem::has_source() const {
  return model_.wave || std::any_of(model_.boundaries.begin(), model_.boundaries.end(),
                                    [](const AcousticBoundary& b) { return b.is_source(); });
}

ScalarCoefficients AcousticProblem::coefficients_at(double frequency) const {
  ScalarCoefficients c = coefficients_;
  c.layers = acoustic_layers(model_, c, frequency);
  return c;
}

void AcousticProblem::add_walls(const AcousticSurface& s, double omega, std::vector<Complex>& b) const {
  const Complex scale(0, -omega);
  if (!s.velocity.empty()) add_boundary_load(space_, s.triangles, scaled(s.velocity, scale), b.data());
  if (!s.load.empty()) add_boundary_load(space_, s.triangles, s.load, b.data());
  if (s.sides.empty()) return;
  const Vec3<double> v = *model_.boundaries[s.boundary].velocity;
  add_boundary_load(
      space_, s.triangles, s.sides, [&](Vec3<double>, Vec3<double> n) { return scale * dot(v, n); },
      b.data());
}

void AcousticProblem::add_wave(double frequency, const ScalarCoefficients& coefficients,
                               std::vector<Complex>& b) const {
  const double omega = 2 * pi * frequency;
  const SoundWave wave = exterior_->wave(frequency);
  ScalarCoefficients layer = coefficients;  // nothing inside
  const auto nothing = Index(layer.diffusion.size());
  layer.diffusion.emplace_back(), layer.reaction.emplace_back();
  for (std::size_t c = 0; c < layer.cell_material.size(); ++c)
    if (layer.cell_layer[c] < 0) layer.cell_material[c] = nothing;
  auto a = assembler_.create_matrix<Complex>();
  assembler_.assemble<Complex>(layer, 1.0, -omega * omega, a.values.data());
  const auto slope = exterior_->slope_load(wave), w = exterior_->trace(wave);
  std::vector<Complex> product(w.size());
  linalg::multiply(a, w.data(), product.data());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] += slope[i] + product[i];
}

linalg::Csr<Complex> AcousticProblem::matrix(double omega, const ScalarAssembler& assembler,
                                             const ScalarCoefficients& coefficients,
                                             linalg::Csr<Complex> a) const {
  assembler.assemble<Complex>(coefficients, 1.0, -omega * omega, a.values.data());
  for (const AcousticSurface& s : surfaces_) {
    const LagrangeSpace& space = assembler.space();
    if (!s.damping.empty())
      add_boundary_mass<Complex>(space, s.triangles, scaled(s.damping, Complex(0, omega)), a);
    if (!s.stiffness.empty()) add_boundary_mass<Complex>(space, s.triangles, s.stiffness, a);
  }
  return a;
}

std::vector<Complex> AcousticProblem::load(double omega) const {
  std::vector<Complex> b(std::size_t(space_.num_nodes));
  for (const AcousticSurface& s : surfaces_) add_walls(s, omega, b);
  return b;
}

bool AcousticProblem::takes_lower_order() const {
  if (model_.order < 2 || !solver_->is_iterative()) return false;
  const linalg::IterativeOptions& o = *options_.iterative;
  return linalg::preconditioner_named(o.preconditioner).has_levels && o.coarse_order < model_.order;
}

void AcousticProblem::begin_lower_order(double omega, const ScalarCoefficients& coefficients) {
  if (!takes_lower_order()) return;
  lower_made_ = std::async(std::launch::async, [this, omega, coefficients, threads = num_threads()] {
    set_num_threads_here(threads);
    make_lower_order(omega, coefficients);
  });
}

void AcousticProblem::make_lower_order(double omega, const ScalarCoefficients& coefficients) {
  const mesh::Mesh& mesh = *space_.mesh;
  if (!vertices_) {
    vertices_ = make_lagrange_space(mesh, *space_.topology, 1, dirichlet_triangles(model_, mesh));
    if (vertices_->num_free == 0) return;
    lower_assembler_.emplace(*vertices_);
    solver_->expect_lower(free_block(lower_assembler_->create_matrix<Complex>(), vertices_->num_free));
    lower_.interpolation = interpolation(*vertices_, space_);
  }
  if (vertices_->num_free == 0) return;
  lower_.matrix = free_block(matrix(omega, *lower_assembler_, in_step(coefficients, mesh, omega),
                                    lower_assembler_->create_matrix<Complex>()),
                             vertices_->num_free);
}

const linalg::LowerOrder* AcousticProblem::lower_order() {
  if (!lower_made_.valid()) return nullptr;
  lower_made_.get();
  return vertices_->num_free > 0 ? &lower_ : nullptr;
}

AcousticSystem AcousticProblem::system(double frequency, const ScalarCoefficients& coefficients,
                                       linalg::Csr<Complex> of_pattern) const {
  const Index nf = space_.num_free, n = space_.num_nodes;
  const double omega = 2 * pi * frequency;
  auto a = matrix(omega, assembler_, coefficients, std::move(of_pattern));
  AcousticSystem result;
  result.rhs = load(omega);
  if (model_.wave) add_wave(frequency, coefficients, result.rhs);
  if (nf < n) {
    std::vector<Complex> lift(static_cast<std::size_t>(nf));
    linalg::multiply(linalg::block(a, 0, nf, nf, n), fixed_.data(), lift.data());
    result.rhs.resize(lift.size());
    for (std::size_t i = 0; i < lift.size(); ++i) result.rhs[i] -= lift[i];
    result.fixed_rows = linalg::block(a, nf, n, 0, n);
  }
  result.matrix = free_block(std::move(a), nf);
  return result;
}

void AcousticProblem::analyse() {
  known_ = assembler_.create_matrix<Complex>();
  if (space_.num_free == space_.num_nodes) return solver_->analyse(known_);
  solver_->analyse(linalg::block(known_, 0, space_.num_free, 0, space_.num_free));
}

AcousticSolution AcousticProblem::solve(double frequency, const std::vector<Complex>& loads,
                                        const LoadsOfSolution& further) {
  AcousticSolution solution;
  solution.frequency = frequency;
  const double omega = 2 * pi * frequency;
  const ScalarCoefficients coefficients = coefficients_at(frequency);
  begin_lower_order(omega, coefficients);
  auto a = known_.num_rows > 0 ? std::exchange(known_, {}) : assembler_.create_matrix<Complex>();
  AcousticSystem s = system(frequency, coefficients, std::move(a));
  const ScalarCells cells(space_, coefficients, omega);
  solver_->prepare(s.matrix, {}, &cells, lower_order());
  const std::size_t n = s.rhs.size(), nodes = std::size_t(space_.num_nodes), more = loads.size() / nodes;
  std::vector<Complex> b = s.rhs, x((1 + more) * n);
  for (std::size_t i = 0; i < more; ++i) b.insert(b.end(), &loads[i * nodes], &loads[i * nodes] + n);
  solution.solver = solver_->solve(b.data(), x.data(), Index(1 + more));
  solution.pressure.assign(x.begin(), x.begin() + std::ptrdiff_t(n));
  solution.duals.resize(loads.size());
  for (std::size_t i = 0; i < more; ++i) std::copy_n(&x[(1 + i) * n], n, &solution.duals[i * nodes]);
  solution.pressure.insert(solution.pressure.end(), fixed_.begin(), fixed_.end());
  solution.power = power(frequency, s, solution.pressure);
  if (further) {
    auto column = further(solution);
    for (std::size_t first = 0; first < column.size(); first += nodes) {
      std::copy_n(&column[first], n, b.begin());
      std::fill_n(&column[first], nodes, Complex(0));
      solver_->solve(b.data(), &column[first]);
    }
    solution.duals.insert(solution.duals.end(), column.begin(), column.end());
  }
  if (space_.num_free == space_.num_nodes) known_ = std::move(s.matrix);
  return solution;
}

/// The weak form tested with p* is the balance of power: Im p^H A p / 2w is the absorbed power, and -jw v_n
/// is on the right-hand side, as loads of moving walls and Robin values, and as A p in the rows of fixed
/// nodes.
AcousticPower AcousticProblem::power(double frequency, const AcousticSystem& system,
                                     const std::vector<Complex>& p) const {
  const double omega = 2 * pi * frequency;
  std::vector<Complex> flow = load(omega);
  if (space_.num_fixed() > 0) linalg::multiply(system.fixed_rows, p.data(), flow.data() + space_.num_free);
  AcousticPower result;
  result.input = product(p, flow).imag() / (2 * omega);
  for (const AcousticSurface& s : surfaces_) {
    const auto weighted = [&](const std::vector<Complex>& c) {
      return c.empty() ? Complex(0) : integrate_on_surface(space_, s.triangles, c, p.data()).weighted_square;
    };
    result.boundaries += weighted(s.damping).real() / 2 + weighted(s.stiffness).imag() / (2 * omega);
  }
  result.medium = medium_power(omega, p);
  if (exterior_) result.radiated = radiated_power(frequency, p);
  return result;
}

/// -Im p^H (flux of p) / 2w, of the scattered part and the wave together.
double AcousticProblem::radiated_power(double frequency, const std::vector<Complex>& p) const {
  std::vector<Complex> u = p, slope;
  if (model_.wave) {
    const SoundWave wave = exterior_->wave(frequency);
    const auto w = exterior_->trace(wave);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] -= w[i];
    slope = exterior_->slope_load(wave);
  }
  auto flux = exterior_->flux_load(u, frequency);
  for (std::size_t i = 0; i < slope.size(); ++i) flux[i] += slope[i];
  return -product(p, flux).imag() / (4 * pi * frequency);
}

double AcousticProblem::medium_power(double omega, const std::vector<Complex>& p) const {
  if (coefficients_.is_real()) return 0;
  ScalarCoefficients loss{{}, {}, coefficients_.cell_material};
  for (const Complex z : coefficients_.diffusion) loss.diffusion.push_back(z.imag());
  for (const Complex z : coefficients_.reaction) loss.reaction.push_back(z.imag());
  loss.diffusion.emplace_back(), loss.reaction.emplace_back();  // power absorbed by PML is radiated
  for (std::size_t c = 0; c < coefficients_.cell_layer.size(); ++c)
    if (coefficients_.cell_layer[c] >= 0) loss.cell_material[c] = Index(loss.diffusion.size()) - 1;
  auto a = assembler_.create_matrix<double>();
  assembler_.assemble<double>(loss, 1.0, -omega * omega, a.values.data());
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (Index row = 0; row < a.num_rows; ++row) {
    Complex ap = 0;
    for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k)
      ap += a.values[std::size_t(k)] * p[std::size_t(a.columns[std::size_t(k)])];
    sum += (std::conj(p[std::size_t(row)]) * ap).real();
  }
  return sum / (2 * omega);
}

}  // namespace curlew::fem
