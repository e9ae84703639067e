// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/truncated_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/transfer_seconds.hpp"
#include "base/wavenumber.hpp"
#include "fem/system/boundary_conditions.hpp"
#include "truncation/field_map.hpp"
#include "truncation/source_check.hpp"

namespace curlew::truncation {

namespace {

constexpr double radiation_share = 0.3;  // of the iteration's tolerance: permitted error of the map
constexpr int expected_evaluations = 8;  // GMRES of one wave, S at 0.1 wavelengths: 6 to 8

/// Whether each surface of symmetry is electric, by its boundary condition.
std::vector<bool> electric_planes(const fem::Model& model, const SurfaceNames& names) {
  std::vector<bool> electric;
  for (const auto& name : names.symmetry) {
    const auto found = std::find_if(model.boundaries.begin(), model.boundaries.end(), [&](const auto& b) {
      return std::count(b.regions.begin(), b.regions.end(), name) > 0 && (b->is_pec() || b->is_pmc());
    });
    if (found == model.boundaries.end())
      throw InputError(fmt::format(
          "truncation: the symmetry surface \"{}\" needs a [[boundary]] of type \"pec\" or \"pmc\"", name));
    electric.push_back(found->condition->is_pec());
  }
  return electric;
}

int load_degree(const fem::NedelecSpace& space) {
  return 2 * space.order + (space.mesh->geometry_order == 2 ? 2 : 0);
}

}  // namespace

struct TruncatedProblem::State {
  State(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& given,
        TruncationOptions chosen)
      : model(given),
        options(std::move(chosen)),
        surfaces(find_surfaces(mesh, topology, options.names, electric_planes(model, options.names))),
        system(mesh, topology, model, options.solver, surfaces.outer),
        cells(exterior_cells(topology, surfaces)),
        inner(system.space(), surfaces.inner, surfaces.inner_sides, degree(), cells, fem::CellSide::outside,
              surfaces.planes, options.currents),
        outer(system.space(), surfaces.outer, surfaces.outer_sides, load_degree(system.space()), cells,
              fem::CellSide::inside, surfaces.planes, options.currents),
        load(system.space(), surfaces.outer, load_degree(system.space())),
        inner_points(fields::with_images(inner.points(), surfaces.planes)),
        outer_points(fields::with_images(outer.points(), surfaces.planes)) {
    check_exterior(mesh, topology, surfaces, options.names, cells, model);
    fem::require_first_order(model, "fe-iiee");
  }

  int degree() const {
    return options.source_degree > 0
               ? options.source_degree
               : source_degree(surfaces, std::min(options.iteration.tolerance, 1e-3), 2 * model.order);
  }
  fem::Material medium(double frequency) const {
    const mesh::Mesh& mesh = *system.space().mesh;
    return exterior_material(mesh, options.names, cells, fem::materials_at(model, mesh, frequency));
  }

  fem::Model model;
  TruncationOptions options;
  Surfaces surfaces;
  OpenSystem system;
  std::vector<Index> cells;  // between the surfaces
  fem::EquivalentCurrents inner, outer;
  RobinLoad load;
  fields::SurfacePoints inner_points, outer_points;
  Stages stages;
};

namespace {

/// -1/2 Re ∫ E.J* [W]. @param b the load -jωμ0 ∫ W.J
double source_power(const Complex* x, const Complex* b, std::size_t n, double frequency) {
  Complex sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * std::conj(b[i]);
  return -0.5 * (sum / Complex(0, 2 * pi * frequency * vacuum_permeability)).real();
}

FieldAt incident_field(const std::vector<green::PlaneWave>& waves, Vec3<double> r) {
  FieldAt sum{};
  for (const auto& wave : waves) sum.e += wave.electric(r), sum.curl += wave.curl(r);
  return sum;
}

}  // namespace

TruncatedProblem::TruncatedProblem(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                   const fem::Model& model, TruncationOptions options)
    : state_(new State(mesh, topology, model, std::move(options))) {}
TruncatedProblem::~TruncatedProblem() = default;

bool TruncatedProblem::serve(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                             const TruncationOptions& options) {
  if (is_first(options.solver.direct.processes)) return false;
  const auto surfaces = find_surfaces(mesh, topology, options.names, electric_planes(model, options.names));
  return OpenSystem(mesh, topology, model, options.solver, surfaces.outer).serve();
}

const OpenSystem& TruncatedProblem::system() const {
  return state_->system;
}
OpenSystem& TruncatedProblem::system() {
  return state_->system;
}
const Surfaces& TruncatedProblem::surfaces() const {
  return state_->surfaces;
}
const fields::SurfacePoints& TruncatedProblem::inner_points() const {
  return state_->inner_points;
}
const fields::SurfacePoints& TruncatedProblem::outer_points() const {
  return state_->outer_points;
}
Offset TruncatedProblem::num_observers() const {
  return Offset(state_->load.points().size());
}
Index TruncatedProblem::interface_size() const {
  return state_->load.size();
}
const Stages& TruncatedProblem::stages() const {
  return state_->stages;
}
fields::Exterior TruncatedProblem::exterior(double frequency) const {
  const fem::Material medium = state_->medium(frequency);
  const double eps = medium.epsilon_r.scalar.real(), mu = medium.mu_r.scalar.real();
  return {wavenumber(frequency) * std::sqrt(eps * mu), vacuum_impedance * std::sqrt(mu / eps)};
}

TruncationResult TruncatedProblem::solve(double frequency, const std::vector<Excitation>& excitations,
                                         const std::vector<Complex>& start,
                                         const IterationObserver& observer) {
  State& s = *state_;
  const double transferred = transfer_seconds();
  const fields::Exterior outside = exterior(frequency);
  const Complex inverse_mu = 1.0 / s.medium(frequency).mu_r.scalar;
  const auto count = Index(excitations.size());
  const auto n = std::size_t(s.system.space().num_dofs()), m = std::size_t(s.load.size());
  {
    const ScopedStage stage(s.stages, "factorisation");
    s.system.factor(frequency, Complex(0, outside.k) * inverse_mu);
  }
  std::vector<Complex> interior(n * std::size_t(count)), incident(m * std::size_t(count));
  for (std::size_t c = 0; c < excitations.size(); ++c) {
    const Excitation& e = excitations[c];
    if (!e.waves.empty())
      s.load.evaluate([&](std::size_t i) { return incident_field(e.waves, s.load.points()[i]); }, outside.k,
                      inverse_mu, &incident[c * m]);
    if (e.source) {
      check_source(s.system.space(), *e.source, s.cells, s.surfaces);
      fem::add_current_load(s.system.space(), *e.source, &interior[c * n]);
      const Complex factor(0, -2 * pi * frequency * vacuum_permeability);
      for (std::size_t i = c * n; i < (c + 1) * n; ++i) interior[i] *= factor;
    }
    if (e.mode >= 0)
      s.system.add_excitation(e.mode, std::ldexp(1.0, -int(s.surfaces.planes.size())), &interior[c * n]);
  }
  const RadiationMap radiation =
      make_radiation(s.options.radiation, s.inner_points, s.load.points(), outside,
                     radiation_share * s.options.iteration.tolerance, s.options.device,
                     {count, std::min(s.options.iteration.max_iterations, expected_evaluations)},
                     radiation_costs(s.options.device), pair_precision_for(s.options.iteration.tolerance),
                     s.options.solver.direct.processes);
  TruncationResult result;
  result.interface = start.size() == incident.size() ? start : incident;
  FieldMap map({s.system, s.inner, s.load, s.surfaces.planes, radiation, s.stages}, outside, inverse_mu,
               count, interior, std::move(incident));
  result.iteration = iterate(map, result.interface, s.options.iteration, observer);
  result.x = std::move(map.x());
  const auto& mesh = *s.system.space().mesh;
  const auto materials = fem::materials_at(s.model, mesh, frequency);
  for (std::size_t c = 0; c < excitations.size(); ++c) {
    const auto& source = excitations[c].source;
    const bool in_loss = source && fem::has_dipole_in_loss(mesh, materials, *source);
    result.source_power.push_back(in_loss  ? std::numeric_limits<double>::infinity()
                                  : source ? source_power(&result.x[c * n], &interior[c * n], n, frequency)
                                           : 0);
  }
  result.solver_residual = map.solver().residual();
  result.solver_steps = map.solver().steps();
  result.inner = fields::with_images(s.inner.currents(result.x.data(), count, outside), s.surfaces.planes);
  result.outer = fields::with_images(s.outer.currents(result.x.data(), count, outside), s.surfaces.planes);
  if (const double seconds = transfer_seconds() - transferred; seconds > 0)
    s.stages.add("transfers", seconds);
  return result;
}

double mismatch(const fields::FarField& a, const fields::FarField& b) {
  double largest = 0;
  const std::size_t m = a.count == 0 ? 0 : a.e_theta.size() / std::size_t(a.count);
  for (std::size_t c = 0; c < std::size_t(a.count); ++c) {
    double difference = 0, size = 0;
    for (std::size_t i = c * m; i < (c + 1) * m; ++i) {
      difference += std::norm(a.e_theta[i] - b.e_theta[i]) + std::norm(a.e_phi[i] - b.e_phi[i]);
      size += std::norm(a.e_theta[i]) + std::norm(a.e_phi[i]);
    }
    if (size > 0) largest = std::max(largest, std::sqrt(difference / size));
  }
  return largest;
}

}  // namespace curlew::truncation
