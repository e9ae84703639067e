// SPDX-License-Identifier: BSD-3-Clause
#include "fem/eigen/cavity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/hertz.hpp"
#include "base/wavenumber.hpp"
#include "fem/assembly.hpp"
#include "fem/eigen/nonlinear_eigen.hpp"
#include "fem/eigen/participation.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/system/system_matrix.hpp"

namespace curlew::fem {
namespace {

double largest_size(const Coefficient& c) {
  double size = 0;
  const Mat3<Complex> t = c.as_tensor();
  for (int i = 0; i < 3; ++i) size = std::max(size, std::abs(t(i, i)));
  return size;
}

bool is_hermitian(const Coefficient& c) {
  const Mat3<Complex> t = c.as_tensor();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      if (t(i, j) != std::conj(t(j, i))) return false;
  return true;
}

/// Without loss: K and M are Hermitian (gyrotropic media among them), and k² is real.
bool is_lossless(const CellMaterials& cells) {
  return !cells.is_stretched() &&
         std::all_of(cells.materials.begin(), cells.materials.end(),
                     [](const Material& m) { return is_hermitian(m.epsilon_r) && is_hermitian(m.mu_r); });
}

/// K and M in the unknowns of the eigenproblem: without those eliminated by periodic faces.
template <class T>
struct Pencil {
  linalg::Csr<T> k, m;
};

template <class T>
Pencil<T> full_pencil(const NedelecSpace& space, const CellMaterials& materials) {
  const Assembler assembler(space);
  Pencil<T> pencil{assembler.create_matrix<T>(), assembler.create_matrix<T>()};
  assembler.assemble_pair<T>(materials, pencil.k.values.data(), pencil.m.values.data());
  return pencil;
}

template <class T>
Pencil<T> reduced_pencil(const NedelecSpace& space, const CellMaterials& materials,
                         const BlochReduction& bloch, const std::vector<T>& factors) {
  const auto full = full_pencil<T>(space, materials);
  return {bloch.reduce(full.k, factors), bloch.reduce(full.m, factors)};
}

/// Modes on the space from those in the unknowns of a periodic cell.
template <class T>
linalg::EigenResult<Complex> prolonged(const linalg::EigenResult<T>& found, const BlochReduction& bloch,
                                       const std::vector<Complex>& factors) {
  const std::vector<Complex> y(found.vectors.begin(), found.vectors.end());
  linalg::EigenResult<Complex> result{
      found.values, {}, found.residuals, found.dropped, found.missing, found.products, found.direct};
  result.vectors.resize(factors.size() * found.values.size());
  bloch.prolong(y.data(), Index(found.values.size()), factors, result.vectors.data());
  return result;
}

/// f' + jf'' and Q of k².
CavityMode mode_of(Complex square, double residual) {
  CavityMode mode;
  mode.frequency = frequency_of(std::sqrt(square));
  const double decay = mode.frequency.imag();
  mode.q = decay > 1e-14 * mode.frequency.real() ? mode.frequency.real() / (2 * decay)
                                                 : std::numeric_limits<double>::infinity();
  mode.residual = residual;
  return mode;
}

template <class T>
std::vector<CavityMode> modes_from(const linalg::EigenResult<T>& result, std::size_t n, LostModes* lost) {
  std::vector<CavityMode> modes;
  if (lost) lost->count += result.missing;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    modes.push_back(mode_of(result.values[i], result.residuals[i]));
    // xᵀMx = 1; the stored energy is ε0/2 xᵀMx (electric and magnetic part are equal, peak phasors).
    const double scale = std::sqrt(2 / vacuum_permittivity);
    for (std::size_t d = 0; d < n; ++d) modes.back().x.push_back(scale * result.vectors[i * n + d]);
  }
  return modes;
}

std::vector<CavityMode> modes_from(std::vector<NonlinearMode> found, const NedelecSpace& space,
                                   const Model& model) {
  std::vector<CavityMode> modes;
  for (NonlinearMode& f : found) {
    modes.push_back(mode_of(f.square, f.residual));
    const double energy = electric_energy(space, model, f.x, modes.back().frequency);
    const double scale = std::sqrt(1 / std::abs(2 * energy));  // as much again in the magnetic field
    for (Complex& value : f.x) value *= scale;
    modes.back().x = std::move(f.x);
  }
  return modes;
}

/// Eigenvalues of Hermitian matrices are real to rounding.
linalg::EigenResult<Complex> complex_pairs(const Pencil<Complex>& pencil, const CellMaterials& materials,
                                           const linalg::EigenOptions& eigen) {
  auto found = linalg::eigenpairs(pencil.k, pencil.m, eigen);
  if (is_lossless(materials))
    for (Complex& value : found.values) value = value.real();
  return found;
}

/// @param factors their solver is used again, and replaced by that of this search; may be null
linalg::EigenResult<double> real_pairs(const Pencil<double>& pencil, const linalg::EigenOptions& eigen,
                                       RealFactors* factors) {
  auto found = linalg::eigenpairs(pencil.k, pencil.m, eigen, factors ? factors->solver : nullptr);
  if (factors) *factors = {found.solver, found.direct.negative_pivots};
  return found;
}

bool has_real_matrices(const CellMaterials& materials) {
  return materials.is_real() && materials.is_symmetric();
}

/// Modes of a periodic cell: real arithmetic where the phases are 0 or 180 degrees, else Hermitian (or, with
/// losses, general) matrices.
std::vector<CavityMode> bloch_modes(const NedelecSpace& space, const Model& model,
                                    const CellMaterials& materials, const linalg::EigenOptions& eigen,
                                    LostModes* lost, RealFactors* factors_left) {
  const BlochReduction bloch(space, model.periodicity.pairs);
  const auto phases = model.periodicity.phases(0);
  const auto factors = bloch.factors(phases);
  const auto n = std::size_t(space.num_dofs());
  if (model.periodicity.is_real() && has_real_matrices(materials)) {
    const auto pencil = reduced_pencil<double>(space, materials, bloch, bloch.real_factors(phases));
    return modes_from(prolonged(real_pairs(pencil, eigen, factors_left), bloch, factors), n, lost);
  }
  const auto pencil = reduced_pencil<Complex>(space, materials, bloch, factors);
  return modes_from(prolonged(complex_pairs(pencil, materials, eigen), bloch, factors), n, lost);
}

std::vector<CavityMode> linear_modes(const NedelecSpace& space, const Model& model,
                                     const CavityOptions& options, double target, LostModes* lost,
                                     RealFactors* factors) {
  linalg::EigenOptions eigen;
  eigen.count = options.modes;
  eigen.above = true;
  eigen.partial = lost != nullptr;
  eigen.symmetric = has_symmetric_matrix(model);
  eigen.target = std::pow(wavenumber(target), 2);
  eigen.direct = options.direct;
  // Gradients have k² = 0 up to rounding; the lowest mode is far above a hundredth of the target.
  eigen.drop_below = 1e-4 * eigen.target.real();
  const CellMaterials materials = materials_at(model, *space.mesh, target);
  if (!model.periodicity.empty()) return bloch_modes(space, model, materials, eigen, lost, factors);
  const auto n = std::size_t(space.num_dofs());
  if (has_real_matrices(materials))
    return modes_from(real_pairs(full_pencil<double>(space, materials), eigen, factors), n, lost);
  return modes_from(complex_pairs(full_pencil<Complex>(space, materials), materials, eigen), n, lost);
}

}  // namespace

double frequency_below_all_modes(const mesh::Mesh& mesh, const Model& model) {
  Vec3<double> lo = mesh.nodes[0], hi = lo;
  for (const auto& p : mesh.nodes) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], p[i]);
      hi[i] = std::max(hi[i], p[i]);
    }
  }
  double density = 1;
  for (const auto& m : model.materials)
    density = std::max(density, largest_size(m.epsilon_r) * largest_size(m.mu_r));
  const double speed = 0.5 * speed_of_light / std::sqrt(density), closed = speed / (2 * norm(hi - lo));
  if (model.periodicity.empty()) return closed;
  // Waves that are long compared to the cell; without a phase the lowest has frequency 0 and no field.
  const double k = shortest_wave_vector(model.periodicity, model.periodicity.phases(0));
  return k * norm(hi - lo) > 1e-6 ? std::min(closed, speed * k / (2 * pi)) : closed;
}

void require_eigenproblem(const Model& model) {
  if (!model.ports.empty())
    throw InputError("an eigenproblem has no [[port]]: close the resonator by [[boundary]]");
  if (model.periodicity.arrival)
    throw InputError(
        "[bloch] theta and phi need a frequency, which an eigenproblem looks for: give wave_vector, or a "
        "phase "
        "for each pair");
}

std::vector<CavityMode> cavity_modes(const NedelecSpace& space, const Model& model,
                                     const CavityOptions& options, LostModes* lost, RealFactors* factors) {
  require_eigenproblem(model);
  const double target = options.target > 0 ? options.target : frequency_below_all_modes(*space.mesh, model);
  auto modes = is_linear(model)
                   ? linear_modes(space, model, options, target, lost, factors)
                   : modes_from(nonlinear_modes(space, model, options, target, lost), space, model);
  // Media of negative constants have solutions that do not oscillate, corrections lead below the target, and
  // far from all modes nothing is found.
  std::erase_if(modes, [&](const CavityMode& mode) { return !(mode.frequency.real() > target); });
  if (modes.empty())
    throw NumericalError(
        fmt::format("no mode was found above {}: check analysis.target, the unit of the mesh and the "
                    "materials",
                    hertz(target)));
  std::sort(modes.begin(), modes.end(),
            [](const CavityMode& a, const CavityMode& b) { return a.frequency.real() < b.frequency.real(); });
  return modes;
}

bool is_real_eigenproblem(const mesh::Mesh& mesh, const Model& model, double frequency) {
  return is_linear(model) && model.periodicity.is_real() &&
         has_real_matrices(materials_at(model, mesh, frequency));
}

std::optional<Index> count_modes(const NedelecSpace& space, const Model& model, double low, double high,
                                 const RealFactors& factors) {
  if (!is_real_eigenproblem(*space.mesh, model, low)) return std::nullopt;
  const CellMaterials materials = materials_at(model, *space.mesh, low);
  auto [k, m] = full_pencil<double>(space, materials);
  if (!model.periodicity.empty()) {
    const BlochReduction bloch(space, model.periodicity.pairs);
    const auto phases = bloch.real_factors(model.periodicity.phases(0));
    k = bloch.reduce(k, phases), m = bloch.reduce(m, phases);
  }
  const auto below = [&, &k = k, &m = m](double frequency) {
    return linalg::count_below(k, m, std::pow(wavenumber(frequency), 2), factors.solver);
  };
  return below(high) - (factors.below_target >= 0 ? factors.below_target : below(low));
}

}  // namespace curlew::fem
