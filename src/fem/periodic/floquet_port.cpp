// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/floquet_port.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/boundary_terms.hpp"
#include "linalg/dense/decompositions.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

constexpr double grazing = 1e-5;  ///< |γ|/k below which a mode is at its cut-off

/// ∫ W·e_m dS on the port's dofs [dofs, modes].
Matrix project(const ModalPort& port, const NedelecSpace& space, const std::vector<Vec3<double>>& kt) {
  const FloquetFace& face = *port.floquet;
  const std::size_t modes = face.modes.size();
  std::vector<Vec3<double>> amplitudes;
  for (std::size_t m = 0; m < modes; ++m)
    amplitudes.push_back((1 / std::sqrt(face.cell.area)) * face.modes[m].polarization(face.cell, kt[m]));
  Matrix loads = Matrix::Zero(Eigen::Index(port.dofs.size()), Eigen::Index(modes));
  const TraceEvaluator evaluator(space, 2 * space.order + 4);
  TriangleTrace trace;
  std::vector<Complex> phases(std::size_t(evaluator.num_points()) * modes);
  for (const Index t : port.triangles) {
    evaluator.evaluate(t, trace);
    const auto n = std::size_t(trace.num_functions);
    for (std::size_t q = 0; q < trace.weights.size(); ++q)
      for (std::size_t m = 0; m < modes; ++m)
        phases[q * modes + m] = std::polar(1.0, -dot(kt[m], trace.points[q]));
    for (std::size_t i = 0; i < n; ++i) {
      if (trace.dofs[i] < 0) continue;
      const auto place =
          std::lower_bound(port.dofs.begin(), port.dofs.end(), trace.dofs[i]) - port.dofs.begin();
      for (std::size_t q = 0; q < trace.weights.size(); ++q)
        for (std::size_t m = 0; m < modes; ++m)
          loads(place, Eigen::Index(m)) +=
              trace.weights[q] * dot(amplitudes[m], trace.values[q * n + i]) * phases[q * modes + m];
    }
  }
  return loads;
}

/// F^H B^-1 F in the unknowns that periodicity leaves on the port.
Matrix gram(const ModalPort& port, const BlochReduction& bloch, const std::vector<Complex>& factors,
            const Matrix& loads) {
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
  const auto& b = port.floquet->mass;
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

/// Replaces the columns of the modes that the mesh holds by F G^(-1/2), the others by zero.
void orthonormalise(const ModalPort& port, const Matrix& gram, Matrix& loads) {
  std::vector<Eigen::Index> held;
  for (Eigen::Index m = 0; m < gram.rows(); ++m)
    if (gram(m, m).real() > 0.25) held.push_back(m);
  linalg::Eigh roots = linalg::eigh(gram(held, held));
  while (!held.empty() && roots.values[0] < 0.1) {  // modes that look alike on a coarse mesh
    held.pop_back();
    roots = linalg::eigh(gram(held, held));
  }
  for (int m = 0; m < port.num_reported; ++m)
    if (std::find(held.begin(), held.end(), m) == held.end())
      throw InputError(fmt::format("port \"{}\": the mesh is too coarse for mode {}", port.region,
                                   port.modes[std::size_t(m)].name));
  const Matrix kept = loads(Eigen::all, held) * roots.vectors *
                      roots.values.cwiseSqrt().cwiseInverse().asDiagonal() * roots.vectors.adjoint();
  loads.setZero();
  for (std::size_t i = 0; i < held.size(); ++i) loads.col(held[i]) = kept.col(Eigen::Index(i));
}

ModeState state_of(const ModalPort& port, const PortMode& mode, const Material& medium, double frequency) {
  const Complex eps = medium.epsilon_r.scalar, mu = medium.mu_r.scalar;
  const double k0 = 2 * pi * frequency / speed_of_light, k = k0 * std::sqrt(std::abs(eps * mu));
  ModeState state{};
  state.gamma = mode.gamma(k0, eps, mu);
  if (std::abs(state.gamma) < grazing * k)
    throw InputError(
        fmt::format("port \"{}\": mode {} is at its cut-off at {:.9g} GHz (it grazes the surface, and its "
                    "admittance is 0 or infinite): move the frequency or the angle a little",
                    port.region, mode.name, 1e-9 * frequency));
  state.admittance = mode.admittance(k0, eps, mu);
  state.impedance = Complex(0, 2 * pi * frequency * vacuum_permeability) / state.admittance;
  state.power_phase = state.impedance / std::abs(state.impedance);
  state.propagates = carries_power(state.power_phase);
  state.shift = state.gamma * port.deembed;
  return state;
}

}  // namespace

void set_floquet(const PortModel& model, const Model& whole, const NedelecSpace& space, ModalPort& port) {
  if (!is_homogeneous(port, whole, space))
    throw InputError(
        fmt::format("Floquet port \"{}\" needs one isotropic medium behind it: move it out of the structure",
                    model.region));
  auto face = std::make_shared<FloquetFace>();
  face->cell = make_floquet_cell(*space.mesh, port.triangles, whole.periodicity, model.region);
  face->mass = port_mass(port, space);
  const double f = whole.periodicity.highest_frequency;
  const Vec3<double> kt = face->cell.lattice.wave_vector(bloch_phases(whole, space, f));
  double k = 0;
  if (f > 0) {
    const Material medium = materials_at(whole, *space.mesh, f).of(port.cell);
    k = 2 * pi * f / speed_of_light *
        std::sqrt(std::max(0.0, (medium.epsilon_r.scalar * medium.mu_r.scalar).real()));
  }
  face->modes = floquet_modes(face->cell, kt, k, model.modes, model.absorbed_modes, port.num_reported);
  for (const auto& mode : face->modes) port.modes.push_back({mode.family, mode.name(), 0, 0, 0});
  port.floquet = std::move(face);
}

PortSolution solve_floquet(const ModalPort& port, const Model& model, const NedelecSpace& space,
                           const BlochReduction& bloch, double frequency, PortReference reference) {
  const FloquetFace& face = *port.floquet;
  const auto phases = bloch_phases(model, space, frequency);
  const Vec3<double> kt = face.cell.lattice.wave_vector(phases);
  const Material medium = materials_at(model, *space.mesh, frequency).of(port.cell);
  PortSolution solution;
  std::vector<Vec3<double>> vectors;
  for (std::size_t m = 0; m < face.modes.size(); ++m) {
    vectors.push_back(face.cell.wave_vector(kt, face.modes[m].m, face.modes[m].n));
    PortMode mode = port.modes[m];
    mode.cutoff = norm(vectors[m]);
    solution.modes.push_back(state_of(port, mode, medium, frequency));
  }
  for (ModeState& state : solution.modes)
    state.reference = wave_reference(reference, solution.modes, medium.mu_r.scalar);
  Matrix loads = project(port, space, vectors);
  orthonormalise(port, gram(port, bloch, bloch.factors(phases), loads), loads);
  solution.loads.assign(loads.data(), loads.data() + loads.size());
  return solution;
}

}  // namespace curlew::fem
