// SPDX-License-Identifier: BSD-3-Clause
#include "fem/eigen/cavity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/assembly.hpp"
#include "fem/eigen/lossy_modes.hpp"
#include "fem/eigen/participation.hpp"

namespace curlew::fem {
namespace {

void refuse_ports(const Model& model) {
  if (!model.ports.empty())
    throw InputError("an eigenproblem has no [[port]]: close the resonator by [[boundary]]");
}

double largest_size(const Coefficient& c) {
  double size = 0;
  const Mat3<Complex> t = c.as_tensor();
  for (int i = 0; i < 3; ++i) size = std::max(size, std::abs(t(i, i)));
  return size;
}

template <class T>
linalg::EigenResult<T> solve(const NedelecSpace& space, const CellMaterials& materials,
                             const linalg::EigenOptions& options) {
  const Assembler assembler(space);
  linalg::Csr<T> k = assembler.create_matrix<T>(), m = k;
  assembler.assemble_pair<T>(materials, k.values.data(), m.values.data());
  return linalg::eigenpairs(k, m, options);
}

/// f' + jf'' and Q of k².
CavityMode mode_of(Complex square, double residual) {
  CavityMode mode;
  mode.frequency = std::sqrt(square) * speed_of_light / (2 * pi);
  const double decay = mode.frequency.imag();
  mode.q = decay > 1e-14 * mode.frequency.real() ? mode.frequency.real() / (2 * decay)
                                                 : std::numeric_limits<double>::infinity();
  mode.residual = residual;
  return mode;
}

template <class T>
std::vector<CavityMode> modes_from(const linalg::EigenResult<T>& result, std::size_t n) {
  std::vector<CavityMode> modes;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    modes.push_back(mode_of(result.values[i], result.residuals[i]));
    // xᵀMx = 1; the stored energy is ε0/2 xᵀMx (electric and magnetic part are equal, peak phasors).
    const double scale = std::sqrt(2 / vacuum_permittivity);
    for (std::size_t d = 0; d < n; ++d) modes.back().x.push_back(scale * result.vectors[i * n + d]);
  }
  return modes;
}

std::vector<CavityMode> modes_from(std::vector<LossyMode> found, const NedelecSpace& space,
                                   const Model& model) {
  std::vector<CavityMode> modes;
  for (LossyMode& f : found) {
    modes.push_back(mode_of(f.square, f.residual));
    const double energy = electric_energy(space, model, f.x, modes.back().frequency);
    const double scale = std::sqrt(1 / std::abs(2 * energy));  // as much again in the magnetic field
    for (Complex& value : f.x) value *= scale;
    modes.back().x = std::move(f.x);
  }
  return modes;
}

std::vector<CavityMode> linear_modes(const NedelecSpace& space, const Model& model,
                                     const CavityOptions& options, double target) {
  linalg::EigenOptions eigen;
  eigen.count = options.modes;
  eigen.target = std::pow(2 * pi * target / speed_of_light, 2);
  eigen.direct = options.direct;
  // Gradients have k² = 0 up to rounding; the lowest mode is far above a hundredth of the target.
  eigen.drop_below = 1e-4 * eigen.target.real();
  const CellMaterials materials = materials_at(model, *space.mesh, target);
  const auto n = std::size_t(space.num_dofs());
  if (materials.is_real()) return modes_from(solve<double>(space, materials, eigen), n);
  return modes_from(solve<Complex>(space, materials, eigen), n);
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
  return 0.5 * speed_of_light / (2 * std::sqrt(density) * norm(hi - lo));
}

std::vector<CavityMode> cavity_modes(const NedelecSpace& space, const Model& model,
                                     const CavityOptions& options) {
  refuse_ports(model);
  const double target = options.target > 0 ? options.target : frequency_below_all_modes(*space.mesh, model);
  auto modes = is_linear(model) ? linear_modes(space, model, options, target)
                                : modes_from(lossy_modes(space, model, options.modes, target, options.direct),
                                             space, model);
  std::sort(modes.begin(), modes.end(),
            [](const CavityMode& a, const CavityMode& b) { return a.frequency.real() < b.frequency.real(); });
  return modes;
}

std::optional<Index> count_modes(const NedelecSpace& space, const Model& model, double low, double high) {
  if (!is_linear(model)) return std::nullopt;
  const CellMaterials materials = materials_at(model, *space.mesh, low);
  if (!materials.is_real()) return std::nullopt;
  const Assembler assembler(space);
  linalg::Csr<double> k = assembler.create_matrix<double>(), m = k;
  assembler.assemble_pair<double>(materials, k.values.data(), m.values.data());
  const auto below = [&](double frequency) {
    return linalg::count_below(k, m, std::pow(2 * pi * frequency / speed_of_light, 2));
  };
  return below(high) - below(low);
}

}  // namespace curlew::fem
