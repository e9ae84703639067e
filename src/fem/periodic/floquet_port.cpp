// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/floquet_port.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/wavenumber.hpp"
#include "fem/periodic/bloch_reduction.hpp"
#include "fem/periodic/floquet_modes.hpp"
#include "fem/ports/kinds.hpp"
#include "fem/ports/port.hpp"
#include "io/config.hpp"
#include "linalg/dense/decompositions.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

constexpr double grazing = 1e-5;  ///< |γ|/k below which a mode is at its cut-off

/// F^H B^-1 F in the independent unknowns of a port.
Matrix gram(const PortFace& port, const linalg::Csr<double>& b, const BlochReduction& bloch,
            const std::vector<Complex>& factors, const Matrix& loads) {
  std::vector<Index> unknowns;
  for (const Index d : port.dofs)
    if (bloch.unknowns()[std::size_t(d)] >= 0) unknowns.push_back(bloch.unknowns()[std::size_t(d)]);
  std::sort(unknowns.begin(), unknowns.end());
  unknowns.erase(std::unique(unknowns.begin(), unknowns.end()), unknowns.end());
  const auto place = [&](Index i) {  // of one of the port's dofs, -1 on metal
    const Index u = bloch.unknowns()[std::size_t(port.dofs[std::size_t(i)])];
    return u < 0 ? Index(-1)
                 : Index(std::lower_bound(unknowns.begin(), unknowns.end(), u) - unknowns.begin());
  };
  const auto factor = [&](Index i) { return factors[std::size_t(port.dofs[std::size_t(i)])]; };
  linalg::Coo<Complex> mass;
  mass.num_rows = mass.num_cols = Index(unknowns.size());
  Matrix f = Matrix::Zero(Eigen::Index(unknowns.size()), loads.cols());
  for (Index i = 0; i < b.num_rows; ++i) {
    const Index row = place(i);
    if (row < 0) continue;
    f.row(row) += std::conj(factor(i)) * loads.row(i);
    for (Offset k = b.row_offsets[std::size_t(i)]; k < b.row_offsets[std::size_t(i) + 1]; ++k) {
      const Index j = b.columns[std::size_t(k)], column = place(j);
      if (column >= 0) mass.add(row, column, std::conj(factor(i)) * factor(j) * b.values[std::size_t(k)]);
    }
  }
  const auto solver = linalg::make_direct_solver<Complex>({.symmetry = linalg::Symmetry::unsymmetric});
  const auto matrix = linalg::to_csr(mass);
  solver->analyse(matrix);
  solver->factor(matrix);
  Matrix projection = f;
  solver->solve(projection.data(), Index(projection.cols()));
  return f.adjoint() * projection;
}

/// Replaces the columns of modes resolved by the mesh by F G^(-1/2), the others by zero.
void orthonormalise(const Port& port, const Matrix& gram, Matrix& loads) {
  std::vector<Eigen::Index> held;
  for (Eigen::Index m = 0; m < gram.rows(); ++m)
    if (gram(m, m).real() > 0.25) held.push_back(m);
  linalg::Eigh roots = linalg::eigh(gram(held, held));
  while (!held.empty() && roots.values[0] < 0.1) {  // modes that a coarse mesh cannot distinguish
    held.pop_back();
    roots = linalg::eigh(gram(held, held));
  }
  for (int m = 0; m < port.num_reported; ++m)
    if (std::find(held.begin(), held.end(), m) == held.end())
      throw InputError(fmt::format(
          "port \"{}\": the mesh is too coarse for mode {}: take smaller cells there, or fewer modes",
          port.region, port.modes[std::size_t(m)].name));
  const Matrix kept = loads(Eigen::all, held) * roots.vectors *
                      roots.values.cwiseSqrt().cwiseInverse().asDiagonal() * roots.vectors.adjoint();
  loads.setZero();
  for (std::size_t i = 0; i < held.size(); ++i) loads.col(held[i]) = kept.col(Eigen::Index(i));
}

struct FloquetPort final : Port {
  FloquetPort(const PortModel& model, const PortFace& face, const FloquetOptions& options,
              const Model& system, const NedelecSpace& space);

  bool is_conjugate() const override { return true; }
  bool fits_periodic_faces() const override { return true; }
  /// Modes pair (m,n) with (-m,-n), so that only (0,0) at normal incidence is its own partner.
  bool has_symmetric_scattering(const std::vector<double>& phases) const override {
    return num_reported <= 2 && std::all_of(phases.begin(), phases.end(), [](double p) { return p == 0; });
  }
  bool states_whole_structure() const override { return false; }
  int num_excited() const override { return 2; }  // both polarisations
  std::string excitation_name(std::size_t mode) const override { return title + "_" + modes[mode].name; }
  PortPtr restated(const PortModel& model) const override { return copy_restated(*this, model); }

 protected:
  /// Constants and f_m. f_m is orthonormalised in the discrete inner product (f_m^H B^-1 f_n = delta,
  /// symmetrically by the inverse square root), so that power is conserved; absorbed modes that the mesh does
  /// not resolve are left out.
  /// @throws InputError if a mode is exactly at its cut-off (grazing), or the mesh does not resolve a
  /// reported one
  PortSolution solve_modes(const PortContext& context, double frequency) const override;

 private:
  ModeState state_of(const PortMode& mode, const Material& medium, double frequency) const;
  /// ∫ W·e_m dS on the port's dofs [dofs, modes].
  Matrix project(const NedelecSpace& space, const std::vector<Vec3<double>>& kt) const;

  FloquetCell cell_;
  std::vector<FloquetMode> waves_;  // as modes
  linalg::Csr<double> mass_;        // ∫ W_a·W_b dS on the port's dofs
};

Matrix FloquetPort::project(const NedelecSpace& space, const std::vector<Vec3<double>>& kt) const {
  std::vector<Vec3<double>> amplitudes;
  for (std::size_t m = 0; m < waves_.size(); ++m)
    amplitudes.push_back((1 / std::sqrt(cell_.area)) * waves_[m].polarization(cell_, kt[m]));
  const auto wave = [&](std::size_t m, Vec3<double> point) {
    return std::polar(1.0, -dot(kt[m], point)) * amplitudes[m];
  };
  const auto projected =
      project_modes(*this, space, 2 * space.order + 4, waves_.size(), ModeField<Complex>(wave));
  return Eigen::Map<const Matrix>(projected.data(), Eigen::Index(dofs.size()), Eigen::Index(waves_.size()));
}

ModeState FloquetPort::state_of(const PortMode& mode, const Material& medium, double frequency) const {
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  const double k0 = wavenumber(frequency), k = k0 * std::sqrt(std::abs(eps * mu));
  ModeState state{};
  state.gamma = mode.gamma(k0, eps, mu);
  if (std::abs(state.gamma) < grazing * k)
    throw InputError(
        fmt::format("port \"{}\": mode {} is at its cut-off at {:.9g} GHz (it travels along the surface, and "
                    "its admittance is 0 or infinite): change the frequency or the angle slightly",
                    region, mode.name, 1e-9 * frequency));
  state.admittance = mode.admittance(k0, eps, mu);
  state.impedance = Complex(0, 2 * pi * frequency * vacuum_permeability) / state.admittance;
  state.power_phase = state.impedance / std::abs(state.impedance);
  state.propagates = carries_power(state.power_phase);
  return state;
}

FloquetPort::FloquetPort(const PortModel& model, const PortFace& face, const FloquetOptions& options,
                         const Model& system, const NedelecSpace& space)
    : Port(model, face) {
  if (!is_homogeneous(face, system, space))
    throw InputError(fmt::format(
        "Floquet port \"{}\" needs one isotropic medium behind it: move it out of the structure", region));
  cell_ = make_floquet_cell(*space.mesh, triangles, system.periodicity, region);
  mass_ = port_mass(face, space);
  const double f = system.periodicity.highest_frequency;
  const Vec3<double> kt = cell_.lattice.wave_vector(bloch_phases(system, space, f));
  double k = 0;
  if (f > 0) {
    const Material medium = materials_at(system, *space.mesh, f).of(cell);
    k = wavenumber(f) * std::sqrt(std::max(0.0, (medium.epsilon_r.scalar * medium.mu_r.scalar).real()));
  }
  waves_ = floquet_modes(cell_, kt, k, options.modes, options.absorbed_modes, num_reported);
  for (const auto& wave : waves_) modes.push_back({wave.family, wave.name(), 0, 0, 0});
}

PortSolution FloquetPort::solve_modes(const PortContext& context, double frequency) const {
  const auto phases = bloch_phases(context.model, context.space, frequency);
  const Vec3<double> kt = cell_.lattice.wave_vector(phases);
  const Material medium = materials_at(context.model, *context.space.mesh, frequency).of(cell);
  PortSolution solution;
  std::vector<Vec3<double>> vectors;
  for (std::size_t m = 0; m < waves_.size(); ++m) {
    vectors.push_back(cell_.wave_vector(kt, waves_[m].m, waves_[m].n));
    PortMode mode = modes[m];
    mode.cutoff = norm(vectors[m]);
    solution.modes.push_back(state_of(mode, medium, frequency));
  }
  for (ModeState& state : solution.modes)
    state.reference = solution.modes.back().gamma.real() / medium.mu_r.scalar;
  Matrix projected = project(context.space, vectors);
  const Matrix products = gram(*this, mass_, *context.bloch, context.bloch->factors(phases), projected);
  orthonormalise(*this, products, projected);
  solution.loads.assign(projected.data(), projected.data() + projected.size());
  return solution;
}

class FloquetKind final : public PortKind {
 public:
  explicit FloquetKind(const FloquetOptions& options) : options_(options) {}
  bool ends_periodic_cell() const override { return true; }
  bool has_dense_term() const override { return options_.modes + options_.absorbed_modes > 1; }
  PortPtr make(const PortModel& port, const PortFace& face, const Model& model,
               const NedelecSpace& space) const override {
    return std::make_shared<const FloquetPort>(port, face, options_, model, space);
  }

 private:
  FloquetOptions options_;
};

}  // namespace

PortKindPtr floquet_port(const FloquetOptions& options) {
  return std::make_shared<const FloquetKind>(options);
}

/// modes left out: all that propagate, and at least TE(0,0) and TM(0,0).
void read_floquet_port(const io::Config& table, double, PortModel& port) {
  FloquetOptions options;
  options.modes = table.has("modes") ? table.integer_in("modes", 1, 100) : 0;
  options.absorbed_modes = table.integer_in_or("absorbed_modes", 0, 100, options.absorbed_modes);
  port.deembed = table.get_or<double>("deembed", 0.0);
  for (const char* key : {"amplitude", "phase"})
    table.require(!table.has(key), key,
                  "amplitude and phase are for waveguide and lumped ports: the waves of a floquet port are "
                  "excited one at a time");
  port.kind = floquet_port(options);
}

}  // namespace curlew::fem
